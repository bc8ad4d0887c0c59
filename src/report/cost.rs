//! What the streams cost, and what of it bought nothing.

use serde::Serialize;

use super::page::Page;
use super::paint::Ink;
use super::words::{mean, money, share};

/// What the streams of the trusted window cost.
#[derive(Clone, Debug, Serialize)]
pub struct CostReport {
    /// Hours held in it, summed over the streams.
    pub stream_hours: f64,
    /// Those of them that were held by superseded streams: the waste.
    pub superseded_hours: f64,
    /// Stream hours a day, at the rate of the trusted window.
    pub stream_hours_per_day: f64,
    /// Superseded stream hours a day, at the same rate.
    pub superseded_hours_per_day: f64,
    /// What `--price-per-hour` says.
    pub price_per_hour: Option<f64>,
    /// What the stream hours cost at that price.
    pub price: Option<f64>,
    /// What the superseded ones cost.
    pub wasted: Option<f64>,
    /// What those of a day cost.
    pub wasted_per_day: Option<f64>,
}

/// The hours, and below them the money.
pub(super) fn write(page: &mut Page<'_>, cost: &CostReport) {
    page.fact("cost", Ink::Strong, &hours(cost));
    page.fact("", Ink::Plain, &price(cost).unwrap_or_default());
}

/// How many of the hours were wasted.
fn hours(cost: &CostReport) -> String {
    let all = mean(cost.stream_hours);
    if cost.superseded_hours <= 0.0 {
        return format!("none of {all} trusted stream hours was superseded");
    }
    let part = share(cost.superseded_hours / cost.stream_hours);
    format!(
        "{} of {all} trusted stream hours were superseded ({part}): {} a day",
        least(cost.superseded_hours),
        least(cost.superseded_hours_per_day)
    )
}

/// A mean that is only `0.0` where there is none.
fn least(number: f64) -> String {
    if number > 0.0 && number < 0.05 {
        "less than 0.1".to_owned()
    } else {
        mean(number)
    }
}

/// What that comes to.
fn price(cost: &CostReport) -> Option<String> {
    let (an_hour, all) = (cost.price_per_hour?, money(cost.price?));
    if cost.superseded_hours <= 0.0 {
        return Some(format!(
            "at {an_hour} an hour: {all}, none of it wasted"
        ));
    }
    let (wasted, a_day) = (money(cost.wasted?), money(cost.wasted_per_day?));
    Some(format!(
        "at {an_hour} an hour: {wasted} of {all} wasted, {a_day} a day"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Style;

    fn text(cost: &CostReport) -> String {
        let style = Style { width: 100, ..Style::default() };
        let mut page = Page::new(&style);
        write(&mut page, cost);
        page.into_text()
    }

    fn free(total: f64, superseded: f64) -> CostReport {
        CostReport {
            stream_hours: total,
            superseded_hours: superseded,
            stream_hours_per_day: 2.0 * total,
            superseded_hours_per_day: 2.0 * superseded,
            price_per_hour: None,
            price: None,
            wasted: None,
            wasted_per_day: None,
        }
    }

    #[test]
    fn hours_are_said_and_money_only_where_there_is_a_price() {
        let cost = free(1840.0, 1214.4);
        let hours = "cost        1,214 of 1,840 trusted stream hours were \
                     superseded (66%): 2,429 a day\n";
        assert_eq!(text(&cost), hours);
        let priced = CostReport {
            price_per_hour: Some(0.21),
            price: Some(386.4),
            wasted: Some(255.024),
            wasted_per_day: Some(510.048),
            ..cost
        };
        let money = "            at 0.21 an hour: 255.02 of 386.40 wasted, \
                     510.05 a day\n";
        assert_eq!(text(&priced), format!("{hours}{money}"));
    }

    #[test]
    fn a_little_is_not_said_to_be_nothing() {
        let text = text(&free(5.8, 0.0003));
        let expected = "cost        less than 0.1 of 5.8 trusted stream hours \
                        were superseded (< 1%): less than 0.1 a day\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn where_nothing_is_superseded_nothing_is_wasted() {
        let cost = CostReport {
            price_per_hour: Some(0.5),
            price: Some(6.0),
            wasted: Some(0.0),
            wasted_per_day: Some(0.0),
            ..free(12.0, 0.0)
        };
        let expected = "cost        none of 12.0 trusted stream hours was \
                        superseded\n            at 0.5 an hour: 6.00, none \
                        of it wasted\n";
        assert_eq!(text(&cost), expected);
    }
}
