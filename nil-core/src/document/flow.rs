//! Lays out pages: the position of each line of text.

use super::fonts::Fonts;
use super::line::{Line, lines};
use super::structure::{Part, Role, Structure};
use super::style::{BODY, Frame, HEADING, Ink, LABEL, Length, POINT, SUBTITLE, Style, TITLE};
use super::{DocumentError, Paper};

/// The width of the column for the numbers of clauses and paragraphs.
pub const HANG: Length = 30 * POINT;

/// Something drawn on a page.
#[derive(Debug)]
pub enum Mark {
    /// A line of text; `baseline` is measured from the upper edge of the sheet.
    Text { line: Line, left: Length, baseline: Length },
    /// A filled rectangle: a rule or a background.
    Area { left: Length, top: Length, width: Length, height: Length, ink: Ink },
}

/// A mark and the part of the document it belongs to; none for decoration.
#[derive(Debug)]
pub struct Placed {
    pub mark: Mark,
    pub part: Option<Part>,
}

impl Placed {
    /// A mark without meaning for a screen reader.
    pub const fn decoration(mark: Mark) -> Self {
        Self { mark, part: None }
    }

    /// A line of text whose upper edge is `top`.
    pub fn line(line: Line, left: Length, top: Length, part: Option<Part>) -> Self {
        // Half of the additional leading is above the text; letters rise to four fifths of their
        // size.
        let style = line.style;
        let baseline = top + (style.leading - style.size) / 2 + style.size * 4 / 5;
        Self { mark: Mark::Text { line, left, baseline }, part }
    }
}

/// A heading, for the table of contents beside the pages.
#[derive(Debug)]
pub struct Entry {
    pub title: String,
    pub page: usize,
    pub top: Length,
}

/// A finished layout.
#[derive(Debug)]
pub struct Draft {
    pub fonts: Fonts,
    pub frame: Frame,
    pub pages: Vec<Vec<Placed>>,
    pub structure: Structure,
    pub entries: Vec<Entry>,
}

/// Text being laid out on pages.
#[derive(Debug)]
pub struct Flow {
    pub draft: Draft,
    /// The upper edge of the next element.
    pub top: Length,
    /// The title of the section, for errors.
    section: String,
}

impl Flow {
    /// An empty first page.
    pub fn new(paper: Paper, fonts: &Fonts) -> Self {
        let frame = Frame::of(paper);
        let (structure, entries) = (Structure::default(), Vec::new());
        let (fonts, pages) = (fonts.clone(), vec![Vec::new()]);
        let draft = Draft { fonts, frame, pages, structure, entries };
        Self { draft, top: frame.top, section: "Title".to_owned() }
    }

    /// The head of a document: its number, its title, and what it is about, above a rule.
    pub fn head(&mut self, number: &str, title: &str, subject: &str) -> Result<(), DocumentError> {
        let label = self.draft.structure.add(Role::Paragraph, None);
        let heading = self.draft.structure.add(Role::Title(title.to_owned()), None);
        let about = self.draft.structure.add(Role::Paragraph, None);
        self.text(number, LABEL, 0, label)?;
        self.top += 2 * POINT;
        self.text(title, TITLE, 0, heading)?;
        self.top += 2 * POINT;
        self.text(subject, SUBTITLE, 0, about)?;
        self.top += 6 * POINT;
        self.rule(POINT * 3 / 2, Ink::Blue);
        Ok(())
    }

    /// The height left on the page.
    pub fn room(&self) -> Length {
        self.draft.frame.bottom - self.top
    }

    /// Whether the page is still empty.
    pub fn fresh(&self) -> bool {
        self.top == self.draft.frame.top
    }

    /// Continues on a new page.
    pub fn turn(&mut self) {
        self.draft.pages.push(Vec::new());
        self.top = self.draft.frame.top;
    }

    /// Turns the page unless this height is left.
    pub fn need(&mut self, height: Length) {
        if self.room() < height && !self.fresh() {
            self.turn();
        }
    }

    /// Leaves a gap, except at the top of a page.
    pub fn gap(&mut self, height: Length) {
        if !self.fresh() {
            self.top += height;
        }
    }

    /// Draws a rule or a background on the current page.
    pub fn decorate(&mut self, mark: Mark) {
        self.put(Placed::decoration(mark));
    }

    /// Draws a line of text whose upper edge is `top`.
    pub fn place_line(&mut self, line: Line, left: Length, top: Length, part: Option<Part>) {
        let placed = Placed::line(line, left, top, part);
        self.put(placed);
    }

    fn put(&mut self, placed: Placed) {
        if let Some(page) = self.draft.pages.last_mut() {
            page.push(placed);
        }
    }

    /// A horizontal rule across the text.
    pub fn rule(&mut self, thickness: Length, ink: Ink) {
        let Frame { left, width, .. } = self.draft.frame;
        self.decorate(Mark::Area { left, top: self.top, width, height: thickness, ink });
        self.top += thickness;
    }

    /// Text of one style across the pages, indented at the left.
    pub fn text(
        &mut self,
        text: &str,
        style: Style,
        indent: Length,
        part: Part,
    ) -> Result<(), DocumentError> {
        let width = self.draft.frame.width - indent;
        let lines = self.set(text, style, width)?;
        self.lines(lines, indent, part);
        Ok(())
    }

    fn set(&self, text: &str, style: Style, width: Length) -> Result<Vec<Line>, DocumentError> {
        lines(&self.draft.fonts, text, style, width).map_err(|error| self.located(error))
    }

    /// The error with the section in which it arose.
    pub fn located(&self, error: DocumentError) -> DocumentError {
        match error {
            DocumentError::Lacking { letters, .. } => {
                DocumentError::Lacking { letters, section: self.section.clone() }
            }
            refused @ DocumentError::Refused(_) => refused,
        }
    }

    /// Lines below each other. A page break leaves no single line of a paragraph on either side.
    fn lines(&mut self, lines: Vec<Line>, indent: Length, part: Part) {
        let Frame { left, width, .. } = self.draft.frame;
        let left = left + indent;
        let mut rest = lines.into_iter();
        while let Some(leading) = rest.as_slice().first().map(|line| line.style.leading) {
            let fitting = usize::try_from(self.room() / leading).unwrap_or(0);
            let count = lines_here(rest.len(), fitting, self.fresh());
            for line in rest.by_ref().take(count) {
                let slack = width - indent - line.width;
                let shift = if line.leftwards() { slack.max(0) } else { 0 };
                self.place_line(line, left + shift, self.top, Some(part));
                self.top += leading;
            }
            if !rest.as_slice().is_empty() {
                self.turn();
            }
        }
    }

    /// A heading, on the same page as the beginning of the text below it. Its number, if any, is in
    /// the margin.
    pub fn heading(&mut self, number: &str, title: &str) -> Result<(), DocumentError> {
        self.gap(9 * POINT);
        self.need(HEADING.leading + 2 * POINT + 3 * BODY.leading);
        title.clone_into(&mut self.section);
        let whole = if number.is_empty() { title.to_owned() } else { format!("{number} {title}") };
        self.entry(&whole);
        let part = self.draft.structure.add(Role::Heading(whole), None);
        let indent = if number.is_empty() { 0 } else { HANG };
        self.hang(number, HEADING, part)?;
        self.text(title, HEADING, indent, part)?;
        self.top += 2 * POINT;
        Ok(())
    }

    /// A paragraph with its number in the margin.
    pub fn numbered(&mut self, number: &str, text: &str) -> Result<(), DocumentError> {
        let part = self.draft.structure.add(Role::Paragraph, None);
        self.need(2 * BODY.leading);
        self.hang(number, BODY, part)?;
        self.text(text, BODY, HANG, part)?;
        self.top += 3 * POINT;
        Ok(())
    }

    /// Text in the margin beside the next element, without moving down.
    fn hang(&mut self, text: &str, style: Style, part: Part) -> Result<(), DocumentError> {
        let left = self.draft.frame.left;
        for line in self.set(text, style, HANG)? {
            self.place_line(line, left, self.top, Some(part));
        }
        Ok(())
    }

    /// Lists a heading in the table of contents.
    pub fn entry(&mut self, title: &str) {
        let page = self.draft.pages.len() - 1;
        self.draft.entries.push(Entry { title: title.to_owned(), page, top: self.top });
    }
}

/// The number of a paragraph's lines that stay on this page.
fn lines_here(all: usize, fitting: usize, fresh: bool) -> usize {
    let count = match (all.min(fitting), all.saturating_sub(fitting)) {
        // One line would be left over: move a second line along with it.
        (here, 1) => here.saturating_sub(1),
        (here, _) => here,
    };
    match count {
        // A page always takes something; otherwise the layout would never end.
        0 if fresh => all.min(fitting.max(1)),
        // A first line alone would be left behind.
        1 if all > 1 && !fresh => 0,
        count => count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_paragraph_stands_alone() {
        assert_eq!(lines_here(5, 9, false), 5);
        assert_eq!(lines_here(9, 5, false), 5);
        assert_eq!(lines_here(6, 5, false), 4);
        assert_eq!(lines_here(5, 1, false), 0);
        assert_eq!(lines_here(3, 2, false), 0);
        assert_eq!(lines_here(1, 0, false), 0);
    }

    #[test]
    fn a_fresh_page_always_takes_a_line() {
        for all in 1..6 {
            for fitting in 0..6 {
                assert!(lines_here(all, fitting, true) > 0, "{all} lines, {fitting} fit");
            }
        }
    }

    #[test]
    fn a_long_text_fills_page_after_page() {
        let mut flow = Flow::new(Paper::A4, &Fonts::default());
        let part = flow.draft.structure.add(Role::Paragraph, None);
        flow.text(&"consideration ".repeat(9_000), BODY, 0, part).unwrap();
        assert!(flow.draft.pages.len() > 20);
        let bottom = flow.draft.frame.bottom;
        for placed in flow.draft.pages.iter().flatten() {
            assert!(matches!(&placed.mark, Mark::Text { baseline, .. } if *baseline < bottom));
        }
    }

    #[test]
    fn a_heading_moves_along_with_what_it_announces() {
        let mut flow = Flow::new(Paper::Letter, &Fonts::default());
        flow.top = flow.draft.frame.bottom - 2 * HEADING.leading;
        flow.heading("7.", "Termination").unwrap();
        assert_eq!(flow.draft.entries[0].page, 1);
        assert_eq!(flow.draft.entries[0].title, "7. Termination");
    }
}
