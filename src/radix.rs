//! Sorting by whole numbers, digit by digit: several times as quick as by
//! comparing, where there are many values in a narrow range, as the instants
//! of a log are.

/// Fewer values than this are sorted by comparing.
const LEAST: usize = 2048;

/// The most bits a digit has: its counts stay in the nearest cache.
const DIGIT: u32 = 11;

/// With more digits than this, comparing is quicker.
const MOST: u32 = 5;

/// Sorts whole numbers.
pub(crate) fn sort(values: &mut Vec<i64>) {
    sort_by_key(values, |value| *value);
}

/// Sorts by a whole number; what has the same one stays in order.
pub(crate) fn sort_by_key<T: Copy>(
    values: &mut Vec<T>,
    key: impl Fn(&T) -> i64,
) {
    let digits = match values.len() {
        0..LEAST => None,
        _ => Digits::of(values.iter().map(&key)),
    };
    let Some(digits) = digits else {
        values.sort_by_key(key);
        return;
    };
    let mut sorted = values.clone();
    for shift in digits.shifts() {
        let mut places = [0; 1 << DIGIT];
        for value in values.iter() {
            places[digits.digit(key(value), shift)] += 1;
        }
        let mut from = 0;
        for place in &mut places {
            from += std::mem::replace(place, from);
        }
        for value in values.iter() {
            let place = &mut places[digits.digit(key(value), shift)];
            sorted[*place] = *value;
            *place += 1;
        }
        std::mem::swap(values, &mut sorted);
    }
}

/// How the distance from the least of some numbers is cut into digits.
struct Digits {
    least: i64,
    count: u32,
    bits: u32,
}

impl Digits {
    /// `None` if sorting by them is not worth it.
    fn of(numbers: impl Iterator<Item = i64> + Clone) -> Option<Digits> {
        if numbers.clone().is_sorted() {
            return None;
        }
        let (least, greatest) = (numbers.clone().min()?, numbers.max()?);
        let width = u64::BITS - least.abs_diff(greatest).leading_zeros();
        let count = width.div_ceil(DIGIT);
        let bits = width.div_ceil(count.max(1));
        (count <= MOST).then_some(Digits { least, count, bits })
    }

    /// Where each digit starts, the lowest first.
    fn shifts(&self) -> impl Iterator<Item = u32> + use<> {
        let bits = self.bits;
        (0..self.count).map(move |digit| digit * bits)
    }

    #[inline]
    fn digit(&self, number: i64, shift: u32) -> usize {
        let distance = number.abs_diff(self.least) >> shift;
        (distance & ((1 << self.bits) - 1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_numbers_are_sorted_as_by_comparing(
            seed in prop::collection::vec(any::<i64>(), 1..40),
            shift in 0..64_u32,
            copies in 1..200_usize,
        ) {
            let spread = |n: usize| {
                move |v: &i64| v.rotate_left(n as u32 * 7) >> shift
            };
            let mut values: Vec<i64> =
                (0..copies).flat_map(|n| seed.iter().map(spread(n))).collect();
            let mut expected = values.clone();
            expected.sort_unstable();
            sort(&mut values);
            prop_assert_eq!(values, expected);
        }
    }

    #[test]
    fn what_has_the_same_key_stays_in_order() {
        let mut pairs: Vec<(i64, usize)> =
            (0..9999).map(|n| ((n as i64 * 7919) % 13 - 6, n)).collect();
        let mut expected = pairs.clone();
        expected.sort_by_key(|pair| pair.0);
        sort_by_key(&mut pairs, |pair| pair.0);
        assert_eq!(pairs, expected);
    }

    #[test]
    fn the_widest_range_there_is_does_no_harm() {
        let mut values: Vec<i64> =
            (0..9999).flat_map(|n| [i64::MAX - n, i64::MIN + n]).collect();
        let mut expected = values.clone();
        expected.sort_unstable();
        sort(&mut values);
        assert_eq!(values, expected);
    }
}
