//! Draws the pages: the only place with fractions, because the PDF writer requires them.

#![expect(clippy::float_arithmetic, reason = "whole lengths become the PDF writer's points here")]

use chrono::{Datelike, NaiveDate};
use krilla::color::rgb;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier};
use krilla::text::{GlyphId, KrillaGlyph};
use krilla::{Document, SerializeSettings};

use super::DocumentError;
use super::flow::{Draft, Entry, Mark, Placed};
use super::letters::{cleaned, is_private};
use super::line::Line;
use super::structure::{LANGUAGE, Part};
use super::style::{Ink, Length, POINT};
use super::typeface::{Glyph, UNITS_PER_EM};

/// The metadata of the file.
#[derive(Debug)]
pub struct Properties {
    /// Its title.
    pub title: String,
    /// Its subject.
    pub description: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its date.
    pub date: NaiveDate,
    /// The unique identity of the document.
    pub identity: String,
}

/// Writes a layout as a PDF.
pub fn write(draft: Draft, about: Properties) -> Result<Vec<u8>, DocumentError> {
    let mut document = Document::new_with(settings()?);
    let (width, height) = (points(draft.frame.sheet_width), points(draft.frame.sheet_height));
    let sheet = PageSettings::from_wh(width, height).ok_or_else(|| refused("bad paper size"))?;
    let mut content = Vec::new();
    for marks in &draft.pages {
        let mut page = document.start_page_with(sheet.clone());
        let mut surface = page.surface();
        draw(&mut surface, marks, &mut content)?;
        surface.finish();
        page.finish();
    }
    document.set_metadata(metadata(about));
    document.set_outline(outline(&draft.entries));
    document.set_tag_tree(draft.structure.tags(content));
    // The details are only in the error's debug form.
    document.finish().map_err(|error| refused(format!("{error:?}")))
}

fn refused(reason: impl Into<String>) -> DocumentError {
    DocumentError::Refused(reason.into())
}

fn settings() -> Result<SerializeSettings, DocumentError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|_| refused("the two standards exclude each other"))?;
    Ok(SerializeSettings { configuration, ..SerializeSettings::default() })
}

fn metadata(about: Properties) -> Metadata {
    let authors = about.authors.iter().map(|author| property(author));
    Metadata::new()
        .title(property(&about.title))
        .description(property(&about.description))
        .authors(authors.collect())
        .creator("nil".to_owned())
        .language(LANGUAGE.to_owned())
        .creation_date(midnight(about.date))
        .document_id(about.identity)
}

/// User text as a property of the file: printable, and no longer than readers accept.
fn property(text: &str) -> String {
    cleaned(text).chars().filter(|letter| !is_private(*letter)).take(200).collect()
}

/// The beginning of a day. The time zone is stated because a reader would otherwise assume its own.
fn midnight(date: NaiveDate) -> DateTime {
    let part = |number: u32| u8::try_from(number).unwrap_or(1);
    DateTime::new(u16::try_from(date.year()).unwrap_or(0))
        .month(part(date.month()))
        .day(part(date.day()))
        .hour(0)
        .minute(0)
        .second(0)
        .utc_offset_hour(0)
}

fn outline(entries: &[Entry]) -> Outline {
    let mut outline = Outline::new();
    for entry in entries {
        let place = XyzDestination::new(entry.page, Point::from_xy(0.0, points(entry.top)));
        outline.push_child(OutlineNode::new(entry.title.clone(), place));
    }
    outline
}

/// Draws a page's marks and records which content belongs to which part.
fn draw(
    surface: &mut Surface<'_>,
    marks: &[Placed],
    content: &mut Vec<(Part, Identifier)>,
) -> Result<(), DocumentError> {
    // Adjacent marks of one part form one piece of content: fewer tags, and less for a screen
    // reader to announce.
    for piece in marks.chunk_by(|one, next| one.part == next.part) {
        let part = piece.first().and_then(|placed| placed.part);
        let tag = part.map_or_else(decoration, |_| ContentTag::Other);
        let identifier = surface.start_tagged(tag);
        for placed in piece {
            draw_mark(surface, &placed.mark)?;
        }
        surface.end_tagged();
        content.extend(part.map(|part| (part, identifier)));
    }
    Ok(())
}

fn decoration() -> ContentTag<'static> {
    ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout))
}

fn draw_mark(surface: &mut Surface<'_>, mark: &Mark) -> Result<(), DocumentError> {
    match mark {
        Mark::Text { line, left, baseline } => {
            draw_line(surface, line, Point::from_xy(points(*left), points(*baseline)))
        }
        Mark::Area { left, top, width, height, ink } => {
            surface.set_fill(Some(fill(*ink)));
            let (left, top) = (points(*left), points(*top));
            let area = Rect::from_xywh(left, top, points(*width), points(*height));
            let mut outline = PathBuilder::new();
            outline.push_rect(area.ok_or_else(|| refused("a rectangle without an area"))?);
            if let Some(path) = outline.finish() {
                surface.draw_path(&path);
            }
            Ok(())
        }
    }
}

fn draw_line(surface: &mut Surface<'_>, line: &Line, start: Point) -> Result<(), DocumentError> {
    let size = points(line.style.size);
    surface.set_fill(Some(fill(line.style.ink)));
    let mut before = -line.hanging();
    // One call for each typeface and direction, because the writer takes glyphs of one order only.
    for run in line
        .visual()
        .chunk_by(|(_, one), (_, next)| one.typeface == next.typeface && one.level == next.level)
    {
        let typeface = run.first().and_then(|(_, glyph)| line.shaped.typefaces.get(glyph.typeface));
        let typeface = typeface.ok_or_else(|| refused("a glyph without its typeface"))?;
        let glyphs: Vec<KrillaGlyph> =
            run.iter().map(|(index, glyph)| drawn(line, *index, glyph)).collect();
        let left = Point::from_xy(start.x + em(before) * size, start.y);
        surface.draw_glyphs(left, &glyphs, typeface.font.clone(), &line.shaped.text, size, false);
        before += run.iter().map(|(_, glyph)| glyph.advance).sum::<i32>();
    }
    Ok(())
}

/// A glyph and the part of the text that it stands for.
fn drawn(line: &Line, index: usize, glyph: &Glyph) -> KrillaGlyph {
    let mut later = line.shaped.glyphs.iter().skip(index).map(|later| later.start);
    let end = later.find(|start| *start > glyph.start);
    let range = glyph.start..end.unwrap_or(line.shaped.text.len());
    let (x, y) = (em(glyph.x_offset), em(glyph.y_offset));
    KrillaGlyph::new(GlyphId::new(glyph.id), em(glyph.advance), x, y, 0.0, range, None)
}

/// A glyph's measure, or that of a line of glyphs, as a part of the em.
fn em(units: i32) -> f32 {
    let (whole, rest) = (units.div_euclid(UNITS_PER_EM), units.rem_euclid(UNITS_PER_EM));
    let exact = |number: i32| f32::from(i16::try_from(number).unwrap_or(i16::MAX));
    exact(whole) + exact(rest) / exact(UNITS_PER_EM)
}

fn fill(ink: Ink) -> Fill {
    let (red, green, blue) = ink.rgb();
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}

/// A length on a sheet in points. No sheet is longer than a thousand points, which fits.
fn points(length: Length) -> f32 {
    let whole = u16::try_from(length.max(0)).unwrap_or(u16::MAX);
    f32::from(whole) / f32::from(i16::try_from(POINT).unwrap_or(1))
}
