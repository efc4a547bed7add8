//! Charts of one column a month, each a link, and short bars beside the numbers of a table.

use maud::{Markup, html};

use super::chart::round_up;

/// The ground: its left edge, its right edge, its top and its bottom.
const GROUND: [i64; 4] = [46, 756, 8, 168];
/// The widest column.
const WIDEST: i64 = 40;

/// One column.
pub(super) struct Bar {
    /// Below the column.
    pub short: String,
    /// What a reader hears, and what is shown above the pointer.
    pub told: String,
    pub number: i64,
    pub address: String,
}

/// Columns that are links.
pub(super) struct Bars<'b> {
    pub about: &'b str,
    pub months: &'b [Bar],
    /// How a number reads at the side.
    pub side: fn(i64) -> String,
}

fn share(number: i64, of: i64, length: i64) -> i64 {
    let part = i128::from(number.max(0)) * i128::from(length) / i128::from(of.max(1));
    i64::try_from(part).unwrap_or_default()
}

impl Bars<'_> {
    pub(super) fn show(&self) -> Markup {
        let [left, right, high, low] = GROUND;
        let top =
            round_up(self.months.iter().map(|bar| bar.number).max().unwrap_or_default().max(1));
        let count = i64::try_from(self.months.len()).unwrap_or(1).max(1);
        let step = (right - left) / count;
        let width = (step * 7 / 10).min(WIDEST);
        let lines = [(low, 0), (i64::midpoint(low, high), top / 2), (high, top)];
        let place = |at: usize| left + step * i64::try_from(at).unwrap_or_default();
        html! {
            svg.plot.months viewBox="0 0 760 190" role="group" aria-label=(self.about)
                data-brush="c" {
                @for (y, number) in lines {
                    line.grid x1=(left) x2=(right) y1=(y) y2=(y) {}
                    text x="40" y=(y + 4) text-anchor="end" {
                        (if number == 0 { "0".to_owned() } else { (self.side)(number) })
                    }
                }
                // What differs from month to month is short: such a page has many of them.
                @for (at, bar) in self.months.iter().enumerate() {
                    @let top_of = low - share(bar.number, top, low - high);
                    a href=(bar.address) transform={ "translate(" (place(at)) ")" } {
                        title { (bar.told) }
                        path.hit d={ "M0 " (high) "h" (step - 2) "v" (low - high) "H0" } {}
                        path.b1 d={ "M" ((step - width) / 2) " " (low) "V" (top_of) "h" (width) "V" (low) } {}
                        text x=(step / 2) y="183" text-anchor="middle" aria-hidden="true" {
                            (bar.short)
                        }
                    }
                }
            }
        }
    }
}

/// A bar beside a number of a table, as long as the number's share of the largest one.
pub(super) fn meter(number: i64, most: i64) -> Markup {
    html! {
        svg.plot.meter viewBox="0 0 96 8" aria-hidden="true" {
            rect.b1 width=(share(number, most, 96).min(96)) height="8" rx="1" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(share(50, 100, 96), 48);
        assert_eq!(share(-1, 0, 96), 0);
        let bar = Bar { short: "Dec".into(), told: "x".into(), number: 7, address: "?a".into() };
        let bars = Bars { about: "Months", months: &[bar], side: |number| number.to_string() };
        assert!(bars.show().into_string().contains("href=\"?a\""));
    }
}
