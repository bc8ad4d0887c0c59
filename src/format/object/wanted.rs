//! Which members of an object are wanted, by dotted path.

/// How deep the wanted paths and the walk may go: no server nests deeper.
pub(super) const DEEPEST: usize = 32;

/// A tree of wanted paths, compiled once: `request.headers.User-Agent` is
/// three steps down. What each path stands for is up to the caller.
///
/// A key that has the dots in itself, `{"event.duration":1}`, takes the same
/// steps: some writers nest and some do not.
#[derive(Clone, Debug)]
pub struct Wanted<T> {
    leaf: Option<T>,
    /// Steps down, spread over the buckets by [`bucket`]; none at a leaf.
    steps: Vec<Vec<Step<T>>>,
}

/// One key, and what is wanted below it.
#[derive(Clone, Debug)]
struct Step<T> {
    key: Box<[u8]>,
    below: Wanted<T>,
}

/// Enough for the sixty names nginx logs go by to rarely share one.
const BUCKETS: usize = 128;

/// A cheap spread of keys; the real comparison follows.
fn bucket(key: &[u8]) -> usize {
    let (Some(&first), Some(&last)) = (key.first(), key.last()) else {
        return 0;
    };
    let middle = key[key.len() / 2];
    let mixed = usize::from(first) * 5 + usize::from(middle) * 3;
    (mixed + usize::from(last) + key.len() * 17) % BUCKETS
}

impl<T> Wanted<T> {
    /// Compiles the paths. Of two equal paths the first stays.
    pub fn new<'p>(paths: impl IntoIterator<Item = (&'p str, T)>) -> Self {
        let mut root = Wanted { leaf: None, steps: Vec::new() };
        for (path, leaf) in paths {
            let mut node = &mut root;
            for key in path.splitn(DEEPEST, '.') {
                node = node.step(key.as_bytes());
            }
            node.leaf.get_or_insert(leaf);
        }
        root
    }

    /// The node below this key, made if it is missing.
    fn step(&mut self, key: &[u8]) -> &mut Self {
        if self.steps.is_empty() {
            self.steps.resize_with(BUCKETS, Vec::new);
        }
        let steps = &mut self.steps[bucket(key)];
        let at = steps.iter().position(|step| *step.key == *key);
        let at = at.unwrap_or(steps.len());
        if at == steps.len() {
            let below = Wanted { leaf: None, steps: Vec::new() };
            steps.push(Step { key: key.into(), below });
        }
        &mut steps[at].below
    }

    /// What a scalar here stands for.
    pub(super) fn leaf(&self) -> Option<&T> {
        self.leaf.as_ref()
    }

    /// Whether anything is wanted inside an object here.
    pub(super) fn is_inner(&self) -> bool {
        !self.steps.is_empty()
    }

    /// What is wanted below this key, as it stands or taken as a path.
    pub(super) fn below(&self, key: &[u8]) -> Option<&Self> {
        let below = self.below_one(key);
        if below.is_some() || memchr::memchr(b'.', key).is_none() {
            return below;
        }
        let mut keys = key.split(|&byte| byte == b'.');
        keys.try_fold(self, |node, key| node.below_one(key))
    }

    fn below_one(&self, key: &[u8]) -> Option<&Self> {
        let steps = self.steps.get(bucket(key))?;
        let step = steps.iter().find(|step| *step.key == *key)?;
        Some(&step.below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_nested_and_dotted() {
        let wanted = Wanted::new([("a.b", 1), ("a", 2), ("c", 3), ("c", 4)]);
        let a = wanted.below(b"a").unwrap();
        assert_eq!(a.leaf(), Some(&2));
        assert_eq!(a.below(b"b").unwrap().leaf(), Some(&1));
        assert_eq!(wanted.below(b"a.b").unwrap().leaf(), Some(&1));
        assert_eq!(wanted.below(b"c").unwrap().leaf(), Some(&3));
        assert!(wanted.below(b"b").is_none());
        assert!(wanted.below(b"").is_none());
        assert!(wanted.below(b"a.b.c").is_none());
    }
}
