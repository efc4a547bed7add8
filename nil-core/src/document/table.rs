//! Tables: rows that wrap, and headings repeated on every page.

use super::DocumentError;
use super::flow::{Flow, Mark};
use super::fonts::Fonts;
use super::line::{Line, lines};
use super::structure::{Part, Role};
use super::style::{CELL, COLUMN_HEAD, Ink, Length, POINT, STRONG_CELL, Style};

/// The space around the text of a cell.
const PADDING: Length = 4 * POINT;
/// The thickness of the lines between rows.
const HAIR: Length = POINT / 2;

/// A column: its heading, its width (the first column without one takes the rest), its alignment.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub head: &'static str,
    pub width: Length,
    pub right: bool,
}

impl Column {
    /// A column of text.
    pub const fn left(head: &'static str, points: Length) -> Self {
        Self { head, width: points * POINT, right: false }
    }

    /// A column of numbers.
    pub const fn right(head: &'static str, points: Length) -> Self {
        Self { head, width: points * POINT, right: true }
    }
}

/// The content of a cell: pieces of text below each other.
pub type Cell = Vec<(String, Style)>;

/// A cell of one paragraph.
pub fn cell(text: impl Into<String>, style: Style) -> Cell {
    vec![(text.into(), style)]
}

/// A table. The first cell of each row names the row.
#[derive(Debug)]
pub struct Table<'a> {
    pub columns: &'a [Column],
    /// Whether the columns have printed headings.
    pub headed: bool,
    pub rows: Vec<Vec<Cell>>,
}

impl<'a> Table<'a> {
    /// A table of names and values.
    pub fn facts(columns: &'a [Column; 2], rows: Vec<(&str, String)>) -> Self {
        let row = |(name, value)| vec![cell(name, STRONG_CELL), cell(value, CELL)];
        Self { columns, headed: false, rows: rows.into_iter().map(row).collect() }
    }
}

/// A column on the page.
#[derive(Debug, Clone, Copy)]
struct Slot {
    left: Length,
    width: Length,
    right: bool,
}

/// A cell being laid out.
struct Open {
    slot: Slot,
    part: Option<Part>,
    rest: std::vec::IntoIter<Line>,
}

impl Flow {
    /// Lays out a table.
    pub fn table(&mut self, table: Table<'_>) -> Result<(), DocumentError> {
        let slots = self.slots(table.columns);
        let heads = if table.headed {
            heads(&self.draft.fonts, table.columns, &slots)?
        } else {
            Vec::new()
        };
        let part = self.draft.structure.add(Role::Table, None);
        self.gap(4 * POINT);
        // A heading needs a row below it on the same page.
        self.need(height(&heads) + 2 * PADDING + 4 * COLUMN_HEAD.leading);
        self.heads(&heads, &slots, Some(part));
        for cells in table.rows {
            let open = self.open(cells, &slots, part).map_err(|error| self.located(error))?;
            self.row(open, &heads, &slots);
        }
        self.top += 6 * POINT;
        Ok(())
    }

    fn slots(&self, columns: &[Column]) -> Vec<Slot> {
        let given: Length = columns.iter().map(|column| column.width).sum();
        let rest = self.draft.frame.width - given;
        let mut left = self.draft.frame.left;
        let slots = columns.iter().map(|column| {
            let width = if column.width == 0 { rest } else { column.width };
            let slot = Slot { left, width, right: column.right };
            left += width;
            slot
        });
        slots.collect()
    }

    /// The row of headings; after a page break it is decoration, because a screen reader has
    /// already read it.
    fn heads(&mut self, heads: &[Vec<Line>], slots: &[Slot], table: Option<Part>) {
        if heads.is_empty() {
            self.rule(HAIR, Ink::Pale);
            return;
        }
        let (left, width) = (self.draft.frame.left, self.draft.frame.width);
        let full = height(heads) + 2 * PADDING;
        let area = Mark::Area { left, top: self.top, width, height: full, ink: Ink::Tint };
        self.decorate(area);
        let row = table.map(|table| self.draft.structure.add(Role::Row, Some(table)));
        for (lines, slot) in heads.iter().zip(slots) {
            let part = row.map(|row| self.draft.structure.add(Role::ColumnHead, Some(row)));
            self.cell(lines.iter().cloned(), *slot, part);
        }
        self.top += full;
        self.rule(HAIR, Ink::Blue);
    }

    fn open(
        &mut self,
        cells: Vec<Cell>,
        slots: &[Slot],
        table: Part,
    ) -> Result<Vec<Open>, DocumentError> {
        let row = self.draft.structure.add(Role::Row, Some(table));
        let mut open = Vec::new();
        for (index, (cell, slot)) in cells.into_iter().zip(slots).enumerate() {
            let role = if index == 0 { Role::RowHead } else { Role::Cell };
            let part = Some(self.draft.structure.add(role, Some(row)));
            let mut set = Vec::new();
            for (text, style) in cell {
                set.extend(lines(&self.draft.fonts, &text, style, slot.width - 2 * PADDING)?);
            }
            open.push(Open { slot: *slot, part, rest: set.into_iter() });
        }
        Ok(open)
    }

    /// A row: whole if it fits on a page, otherwise cut at the page's end.
    fn row(&mut self, mut cells: Vec<Open>, heads: &[Vec<Line>], slots: &[Slot]) {
        let page = self.draft.frame.height() - height(heads) - 4 * PADDING;
        loop {
            let tallest = cells.iter().map(|cell| sum(cell.rest.as_slice())).max().unwrap_or(0);
            let fits = tallest + 2 * PADDING + HAIR <= self.room();
            let splits = tallest > page && self.room() > page / 3;
            if !fits && !splits && !self.fresh() {
                self.turn();
                self.heads(heads, slots, None);
            }
            let room = self.room() - 2 * PADDING - HAIR;
            let mut used = 0;
            for cell in &mut cells {
                let count = fitting(cell.rest.as_slice(), room);
                let lines: Vec<Line> = cell.rest.by_ref().take(count).collect();
                used = used.max(sum(&lines));
                self.cell(lines.into_iter(), cell.slot, cell.part);
            }
            self.top += used + 2 * PADDING;
            self.rule(HAIR, Ink::Pale);
            if cells.iter().all(|cell| cell.rest.as_slice().is_empty()) {
                return;
            }
            self.turn();
            self.heads(heads, slots, None);
        }
    }

    fn cell(&mut self, lines: impl Iterator<Item = Line>, slot: Slot, part: Option<Part>) {
        let mut top = self.top + PADDING;
        for line in lines {
            let slack = slot.width - 2 * PADDING - line.width;
            let shift = if slot.right { slack.max(0) } else { 0 };
            let leading = line.style.leading;
            self.place_line(line, slot.left + PADDING + shift, top, part);
            top += leading;
        }
    }
}

fn heads(
    fonts: &Fonts,
    columns: &[Column],
    slots: &[Slot],
) -> Result<Vec<Vec<Line>>, DocumentError> {
    let cells = columns.iter().zip(slots);
    let width = |slot: &Slot| slot.width - 2 * PADDING;
    cells.map(|(column, slot)| lines(fonts, column.head, COLUMN_HEAD, width(slot))).collect()
}

fn sum(lines: &[Line]) -> Length {
    lines.iter().map(|line| line.style.leading).sum()
}

fn height(cells: &[Vec<Line>]) -> Length {
    cells.iter().map(|lines| sum(lines)).max().unwrap_or(0)
}

/// The number of lines that fit into a height: at least one, so that a row always advances.
fn fitting(lines: &[Line], room: Length) -> usize {
    let mut bottom = 0;
    let within = lines.iter().take_while(|line| {
        bottom += line.style.leading;
        bottom <= room
    });
    within.count().max(1)
}
