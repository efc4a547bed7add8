//! Charts: two columns a day, drawn as SVG, with the same numbers in a table below.

use chrono::NaiveDate;
use maud::{Markup, html};

use super::texts::say;
use super::words;

/// The ground: its left edge, its right edge, its top and its bottom, in tenths.
const GROUND: [i64; 4] = [380, 4_360, 80, 1_300];
/// The widest column.
const WIDEST: i64 = 120;

/// One day's two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub day: NaiveDate,
    pub first: i64,
    pub second: i64,
}

/// Two columns a day.
pub(super) struct Columns<'c> {
    pub id: &'c str,
    pub title: &'c str,
    pub about: &'c str,
    pub names: [&'c str; 2],
    pub points: &'c [Point],
    /// How a number reads: in the table, and short at the side.
    pub words: fn(i64) -> String,
    pub short: fn(i64) -> String,
}

/// The least round number that is not below this one.
#[must_use]
pub(super) fn round_up(number: i64) -> i64 {
    let mut unit = 1;
    loop {
        for step in [unit, unit * 2, unit * 5] {
            if step >= number {
                return step;
            }
        }
        if unit > i64::MAX / 10 {
            return number;
        }
        unit *= 10;
    }
}

impl Columns<'_> {
    pub(super) fn show(&self) -> Markup {
        let most = self.points.iter().map(|point| point.first.max(point.second)).max();
        let top = round_up(most.unwrap_or_default().max(1));
        let [left, right, high, low] = GROUND;
        let height = |number: i64| {
            let tall = i128::from(number) * i128::from(low - high) / i128::from(top);
            i64::try_from(tall).unwrap_or_default()
        };
        let count = i64::try_from(self.points.len()).unwrap_or(1).max(1);
        let step = (right - left) / count;
        let width = (step * 2 / 5).min(WIDEST);
        let mut bars = Vec::new();
        let mut at = left + step / 2;
        for point in self.points {
            for (class, number, x) in [("b1", point.first, at - width), ("b2", point.second, at)] {
                if number > 0 {
                    bars.push((class, x, low - height(number), height(number)));
                }
            }
            at += step;
        }
        let lines = [(low, 0), (i64::midpoint(low, high), top / 2), (high, top)];
        html! {
            section.panel {
                header {
                    h2 id=(self.id) { (self.title) }
                    ul.key {
                        li { i.b1 {} (self.names[0]) }
                        li { i.b2 {} (self.names[1]) }
                    }
                }
                div.pad {
                    svg.plot viewBox="0 0 440 150" role="img" aria-label=(self.about) {
                        @for (y, number) in lines {
                            line.grid x1=(tenths(left)) x2=(tenths(right)) y1=(tenths(y)) y2=(tenths(y)) {}
                            text x="32" y=(tenths(y + 40)) text-anchor="end" {
                                (if number == 0 { "0".to_owned() } else { (self.short)(number) })
                            }
                        }
                        @for (class, x, y, tall) in bars {
                            rect class=(class) x=(tenths(x)) y=(tenths(y)) width=(tenths(width))
                                height=(tenths(tall)) {}
                        }
                        (self.days())
                    }
                    (self.table())
                }
            }
        }
    }

    /// The first and the last day below the ground.
    fn days(&self) -> Markup {
        let day = |point: &Point| words::short_day_text(point.day);
        html! {
            @if let (Some(first), Some(last)) = (self.points.first(), self.points.last()) {
                text x="45" y="145" text-anchor="start" { (day(first)) }
                text x="429" y="145" text-anchor="end" { (day(last)) }
            }
        }
    }

    fn table(&self) -> Markup {
        let told = self.points.iter().filter(|point| point.first != 0 || point.second != 0);
        html! {
            details.more {
                summary { (say!("as-a-table")) }
                div.scroll role="region" aria-label=(say!("titled-as-a-table", title = self.title)) tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { (say!("day-head")) }
                            th.n scope="col" { (self.names[0]) }
                            th.n scope="col" { (self.names[1]) }
                        } }
                        tbody { @for point in told { tr {
                            th scope="row" { (words::short_day(point.day)) }
                            td.n { ((self.words)(point.first)) }
                            td.n { ((self.words)(point.second)) }
                        } } }
                    }
                }
            }
        }
    }
}

pub(super) fn tenths(number: i64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_line_is_a_round_number() {
        for (number, line) in [(1, 1), (3, 5), (7, 10), (11, 20), (240_500, 500_000)] {
            assert_eq!(round_up(number), line);
        }
        assert_eq!(round_up(i64::MAX), i64::MAX);
    }
}
