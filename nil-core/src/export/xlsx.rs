//! Tables as spreadsheets (the XLSX of ECMA-376), written while they are sent.

use std::mem;

use chrono::{NaiveTime, Timelike as _};

use super::archive::Archive;
use super::table::{Cell, Column, Table, amount, moment, number};
use crate::error::Result;
use crate::kernel::{Date, Time, utc_day};
use crate::operation::Pieces;

/// The media type of a spreadsheet.
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The maximum number of lines of a sheet.
const LONGEST_SHEET: usize = 1_048_576;
/// The maximum number of UTF-16 units of a cell.
const LONGEST_CELL: usize = 32_767;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The formats of cells: plain, bold, money, dates, instants.
const STYLES: &str = "<numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>\
    <numFmt numFmtId=\"165\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/></numFmts>\
    <fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>\
    <font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
    <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
    <fill><patternFill patternType=\"gray125\"/></fill></fills>\
    <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
    <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
    <cellXfs count=\"5\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
    <xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\"/>\
    <xf numFmtId=\"4\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>\
    <xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>\
    <xf numFmtId=\"165\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>\
    </cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/>\
    </cellStyles>";
/// The beginnings of cells: plain and bold text, money, dates, instants.
const PLAIN: &str = "<c s=\"0\" t=\"inlineStr\"><is><t xml:space=\"preserve\">";
const BOLD: &str = "<c s=\"1\" t=\"inlineStr\"><is><t xml:space=\"preserve\">";
const MONEY: &str = "<c s=\"2\"><v>";
const DAY: &str = "<c s=\"3\"><v>";
const MOMENT: &str = "<c s=\"4\"><v>";

/// A spreadsheet being sent to its reader. A table longer than a sheet continues on the next one.
pub(super) struct Book {
    archive: Archive,
    sheets: usize,
    /// The number of lines on the last sheet.
    lines: usize,
    xml: Vec<u8>,
}

impl Book {
    /// A spreadsheet without sheets, created at that time.
    pub(super) fn new(pieces: Pieces, at: Time) -> Self {
        Self { archive: Archive::new(pieces, at), sheets: 0, lines: 0, xml: Vec::new() }
    }

    /// Writes a line for each row; returns whether the reader is still there.
    pub(super) async fn lines<T: Table>(&mut self, rows: &[T::Row]) -> Result<bool> {
        for row in rows {
            if self.sheets == 0 || self.lines == LONGEST_SHEET {
                self.turn::<T>().await?;
            }
            self.push("<row>");
            for Column(_, cell) in T::COLUMNS {
                self.cell(cell(row));
            }
            self.push("</row>");
            self.lines += 1;
        }
        self.write().await
    }

    /// Ends the last sheet, adds the other parts of a spreadsheet, and closes it.
    pub(super) async fn finish<T: Table>(mut self) -> Result<()> {
        if self.sheets == 0 {
            self.turn::<T>().await?;
        }
        self.end_sheet().await?;
        for (name, xml) in parts(self.sheets, T::SHEET) {
            self.archive.begin(name).await?;
            self.archive.write(xml.into_bytes()).await?;
        }
        self.archive.close().await
    }

    /// Begins a sheet with the title row, which stays visible when scrolling.
    async fn turn<T: Table>(&mut self) -> Result<()> {
        self.end_sheet().await?;
        self.sheets += 1;
        self.archive.begin(&format!("xl/worksheets/sheet{}.xml", self.sheets)).await?;
        let columns = T::COLUMNS.len();
        self.push(&format!(
            "{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\">\
             <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>\
             </sheetView></sheetViews><cols><col min=\"1\" max=\"{columns}\" width=\"18\" \
             customWidth=\"1\"/></cols><sheetData><row>",
        ));
        for Column(title, _) in T::COLUMNS {
            self.text(title, BOLD);
        }
        self.push("</row>");
        self.lines = 1;
        Ok(())
    }

    async fn end_sheet(&mut self) -> Result<()> {
        if self.sheets > 0 {
            self.push("</sheetData></worksheet>");
            self.write().await?;
        }
        Ok(())
    }

    async fn write(&mut self) -> Result<bool> {
        self.archive.write(mem::take(&mut self.xml)).await
    }

    fn push(&mut self, xml: &str) {
        self.xml.extend_from_slice(xml.as_bytes());
    }

    fn cell(&mut self, cell: Cell<'_>) {
        match cell {
            Cell::Empty => self.push("<c/>"),
            Cell::Text(text) => self.text(&text, PLAIN),
            Cell::Number(whole) => {
                self.push("<c><v>");
                number(whole, &mut self.xml);
                self.push("</v></c>");
            }
            Cell::Cents(cents) => {
                self.push(MONEY);
                amount(cents, &mut self.xml);
                self.push("</v></c>");
            }
            Cell::Date(date) => match day(date) {
                Some(day) => {
                    self.push(DAY);
                    number(day, &mut self.xml);
                    self.push("</v></c>");
                }
                None => self.text(&date.to_string(), PLAIN),
            },
            Cell::Time(time) => self.moment(time),
        }
    }

    fn moment(&mut self, time: Time) {
        if let Some(day) = day(utc_day(time)) {
            self.push(MOMENT);
            number(day, &mut self.xml);
            self.push(&format!(".{:06}</v></c>", millionths(time.time())));
        } else {
            let mut text = Vec::new();
            moment(time, &mut text);
            self.text(&String::from_utf8_lossy(&text), PLAIN);
        }
    }

    /// Text is never a formula here, so it is written unchanged, except for characters that XML
    /// does not allow.
    fn text(&mut self, text: &str, head: &str) {
        self.push(head);
        if text.len() <= LONGEST_CELL && text.bytes().all(is_plain) {
            self.push(text);
        } else {
            self.escaped(text);
        }
        self.push("</t></is></c>");
    }

    fn escaped(&mut self, text: &str) {
        let mut units = 0;
        for (at, letter) in text.char_indices() {
            units += letter.len_utf16();
            if units > LONGEST_CELL {
                break;
            }
            match letter {
                '&' => self.push("&amp;"),
                '<' => self.push("&lt;"),
                '>' => self.push("&gt;"),
                '\r' => self.push("&#13;"),
                '_' if is_escape(&text[at..]) => self.push("_x005F_"),
                '\t' | '\n' => self.push(letter.encode_utf8(&mut [0; 4])),
                letter if letter < ' ' || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
                letter => self.push(letter.encode_utf8(&mut [0; 4])),
            }
        }
    }
}

/// Whether a byte is a character that needs no escape. A text of such bytes has as many UTF-16
/// units.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'_')
}

/// Whether a text begins with an escape sequence that spreadsheets read as a character: `_x0041_`.
fn is_escape(text: &str) -> bool {
    let mut letters = text.bytes();
    letters.next() == Some(b'_')
        && letters.next() == Some(b'x')
        && (0..4).all(|_| letters.next().is_some_and(|letter| letter.is_ascii_hexdigit()))
        && letters.next() == Some(b'_')
}

/// The number of a day in spreadsheets; none before 1900.
fn day(date: Date) -> Option<i64> {
    let first = Date::from_ymd_opt(1899, 12, 30)?;
    let days = (date - first).num_days();
    // Spreadsheets assume a 29 February 1900: before that day their numbers differ.
    (days > 60).then_some(days)
}

/// The elapsed part of a day.
fn millionths(time: NaiveTime) -> u64 {
    (u64::from(time.num_seconds_from_midnight()) * 1_000_000 + 43_200) / 86_400
}

/// The other parts of a spreadsheet with this many sheets of this name.
fn parts(sheets: usize, name: &str) -> [(&'static str, String); 5] {
    let each = |line: &dyn Fn(usize) -> String| (1..=sheets).map(line).collect::<String>();
    let types = each(&|at| {
        format!(
            "<Override PartName=\"/xl/worksheets/sheet{at}.xml\" ContentType=\"application/vnd.\
             openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>"
        )
    });
    let named = each(&|at| {
        let name = if at == 1 { name.to_owned() } else { format!("{name} {at}") };
        format!("<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"rId{at}\"/>")
    });
    let targets = each(&|at| {
        let target = format!("worksheets/sheet{at}.xml");
        format!("<Relationship Id=\"rId{at}\" Type=\"{OFFICE}/worksheet\" Target=\"{target}\"/>")
    });
    let styles = sheets + 1;
    [
        ("xl/styles.xml", format!("{HEAD}<styleSheet xmlns=\"{MAIN}\">{STYLES}</styleSheet>")),
        (
            "xl/workbook.xml",
            format!(
                "{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{named}</sheets>\
                 </workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">{targets}<Relationship \
                 Id=\"rId{styles}\" Type=\"{OFFICE}/styles\" Target=\"styles.xml\"/></Relationships>"
            ),
        ),
        (
            "_rels/.rels",
            format!(
                "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" \
                 Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "[Content_Types].xml",
            format!(
                "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
                 ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
                 <Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.\
                 openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>\
                 <Override PartName=\"/xl/styles.xml\" ContentType=\"application/vnd.\
                 openxmlformats-officedocument.spreadsheetml.styles+xml\"/>{types}</Types>"
            ),
        ),
    ]
}
