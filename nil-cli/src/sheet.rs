//! Rows under a header: a table that fits the terminal, or lines with tabs where another program
//! reads them.

use comfy_table::ColumnConstraint::LowerBoundary;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle, Width};

use crate::out::{self, say};

/// A table without a terminal fits into so many characters.
const WIDTH: u16 = 80;

/// The spaces beside each cell.
const PADDING: u16 = 2;

/// A longer word is cut, however wide the table is.
const LONGEST: u16 = 60;

/// Words are cut no shorter than this to make room for one more column.
const ROOMY: u16 = 24;

/// Words are cut no shorter than this: where that is not enough, each row is shown in pairs of a
/// name and a value.
const NARROWEST: u16 = 8;

/// Rows under a header.
pub(crate) struct Sheet {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether the last columns may be left out where there is no room for them.
    dispensable: bool,
}

impl Sheet {
    pub(crate) fn new<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Self {
        let header = header.into_iter().map(Into::into).collect();
        Self { header, rows: Vec::new(), dispensable: false }
    }

    /// Lets the last columns be left out of a narrow table.
    pub(crate) fn dispensable(mut self) -> Self {
        self.dispensable = true;
        self
    }

    pub(crate) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Prints a table with one rule under the header.
    pub(crate) fn draw(self) {
        let width = Table::new().width().unwrap_or(WIDTH);
        out::page(&self.drawn(width));
    }

    /// The table in this width.
    fn drawn(mut self, width: u16) -> String {
        let mut widths = self.longest_words();
        if self.dispensable {
            let kept = fitting(&widths, width);
            widths.truncate(kept);
            self.header.truncate(kept);
            self.rows.iter_mut().for_each(|row| row.truncate(kept));
        }
        let Some(longest) = cut(&widths, width) else {
            return self.in_pairs(width);
        };
        let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
        let mut table = Table::new();
        table
            .load_style(style)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width)
            .set_header(self.header)
            .add_rows(self.rows)
            // Addresses and names of operations are copied: they are cut in two only where there is
            // no room.
            .set_constraints(widths.iter().map(|&most| {
                LowerBoundary(Width::Fixed(most.min(longest).saturating_add(PADDING)))
            }));
        let mut text = String::new();
        for line in table.to_string().lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Each row as a table of its own, of names and values, without what is empty.
    fn in_pairs(self, width: u16) -> String {
        let mut text = String::new();
        for (number, row) in self.rows.into_iter().enumerate() {
            let mut pairs = Self::new([String::new(), (number + 1).to_string()]);
            for (name, cell) in self.header.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                pairs.row([name.clone(), cell]);
            }
            text.push_str(&pairs.drawn(width));
            text.push('\n');
        }
        text
    }

    /// The length of the longest word of each column.
    fn longest_words(&self) -> Vec<u16> {
        let mut longest = vec![0; self.header.len()];
        for row in std::iter::once(&self.header).chain(&self.rows) {
            for (most, cell) in longest.iter_mut().zip(row) {
                let words = cell.split_whitespace().map(|word| word.chars().count());
                *most = words.fold(*most, usize::max);
            }
        }
        let bounded = |most| u16::try_from(most).unwrap_or(u16::MAX).min(LONGEST);
        longest.into_iter().map(bounded).collect()
    }

    /// Prints a table on a terminal. Elsewhere each row is a line without the header, its cells
    /// separated by tabs.
    pub(crate) fn list(self) {
        if out::is_for_people() {
            return self.draw();
        }
        for row in self.rows {
            let cells: Vec<String> =
                row.iter().map(|cell| cell.replace(['\t', '\n', '\r'], " ")).collect();
            say!("{}", cells.join("\t"));
        }
    }
}

/// The width of columns whose words are cut at `longest`, with a space between each two.
fn wide(widths: &[u16], longest: u16) -> u16 {
    let columns = widths.iter().map(|&most| most.min(longest).saturating_add(PADDING + 1));
    columns.fold(0, u16::saturating_add).saturating_sub(1)
}

/// How many columns fit before words must be cut short: at least two.
fn fitting(widths: &[u16], width: u16) -> usize {
    let fits = |count: &usize| wide(widths.get(..*count).unwrap_or(widths), ROOMY) <= width;
    (2..=widths.len()).rev().find(fits).unwrap_or(2)
}

/// The length at which words must be cut so that all columns fit; none if there are too many
/// columns. A name and a value always fit.
fn cut(widths: &[u16], width: u16) -> Option<u16> {
    let fits = |longest: &u16| wide(widths, *longest) <= width;
    let narrow = if widths.len() > 2 { NARROWEST } else { 1 };
    (narrow..=LONGEST).rev().find(fits).or((widths.len() <= 2).then_some(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_list(columns: usize, word: &str) -> Sheet {
        let names: Vec<String> = (0..columns).map(|number| format!("column_{number}")).collect();
        let mut sheet = Sheet::new(names);
        sheet.row(vec![word; columns]);
        sheet.row(vec!["a few short words"; columns]);
        sheet
    }

    fn widest(text: &str) -> usize {
        text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    #[test]
    fn a_table_fits_its_width_whatever_is_in_it() {
        let email = "a.very.long.address.of.somebody@athletics.lakeshore-state.example";
        for columns in 1..=11 {
            for width in [60, 80, 132] {
                for word in ["x", "2026-11-20T19:03:00Z", email] {
                    let text = a_list(columns, word).drawn(width);
                    assert!(widest(&text) <= width.into(), "{columns} columns in {width}:\n{text}");
                }
            }
        }
    }

    #[test]
    fn rows_with_too_many_columns_are_shown_in_pairs() {
        let text = a_list(9, "long-words-here").drawn(80);
        assert!(text.contains(" column_8   long-words-here\n"), "{text}");
        assert_eq!(text.matches("column_0").count(), 2, "{text}");
        assert!(widest(&text) <= 80, "{text}");
    }

    #[test]
    fn the_last_columns_are_left_out_before_words_are_cut_short() {
        let text = a_list(7, "2026-11-20T19:03:00Z").dispensable().drawn(80);
        assert!(widest(&text) <= 80, "{text}");
        assert!(text.contains("column_2") && !text.contains("column_3"), "{text}");
        assert!(text.contains("2026-11-20T19:03:00Z"), "{text}");
        let text = a_list(2, &"y".repeat(70)).dispensable().drawn(80);
        assert!(text.contains("column_1"), "{text}");
    }
}
