//! Draws a picture anew before it is shown to everybody: decoded, reduced, upright, encoded. What a
//! file says beside its pixels (the place and the device of a photo, editing notes, a colour
//! profile, bytes after the end) is lost.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use super::file::MediaType;
use super::file_content::FileContent;
use crate::error::{Error, Result};
use crate::platform::Bench;

/// The maximum number of pixels of any picture: the photo of a large camera.
const PIXELS: u64 = 25_000_000;

/// The maximum number of bytes of a decoded picture.
const MEMORY: u64 = 128 * 1024 * 1024;

const QUALITY: u8 = 85;

const UNREADABLE: &str = "cannot be read as a picture; it may be damaged";

/// How large a picture may be, and how large it is kept. No side is kept longer than 1024 pixels,
/// so that a kept picture is always within the maximum size of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The maximum of either side, in pixels.
    side: u32,
    /// The maximum of either side that is kept.
    kept: u32,
    /// Whether the sides must be about equal.
    square: bool,
}

impl Frame {
    /// The site's logo.
    pub(crate) const LOGO: Self = Self { side: 4096, kept: 1024, square: false };
    /// The site's icon in a browser.
    pub(crate) const FAVICON: Self = Self { side: 4096, kept: 256, square: true };

    /// The picture of a profile. A photo fits as a camera takes it.
    pub(crate) const PHOTO: Self = Self { side: 8192, kept: 1024, square: false };

    /// The reason why a picture of this size is refused, if it is.
    fn check(self, (width, height): (u32, u32)) -> Result<(), String> {
        let (longer, shorter) = (width.max(height), width.min(height));
        if longer > self.side || u64::from(width) * u64::from(height) > PIXELS {
            let (side, most) = (self.side, PIXELS / 1_000_000);
            return Err(format!(
                "is {width} by {height} pixels; at most {side} by {side}, and {most} megapixels"
            ));
        }
        // A quarter more is still cut or filled by browsers without looking wrong.
        if self.square && u64::from(longer) * 4 > u64::from(shorter) * 5 {
            return Err(format!("is {width} by {height} pixels; must be about square"));
        }
        Ok(())
    }
}

/// A picture that was drawn anew.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// PNG, or JPEG for a JPEG.
    pub(crate) media_type: MediaType,
    /// Its bytes.
    pub(crate) content: FileContent,
}

/// The picture, drawn anew; 422 at `field` unless it is a JPEG, PNG or WebP picture that fits the
/// frame. Of an animation only the first picture is kept. Bytes that are not in memory yet are read
/// once there is a place.
pub(crate) async fn redrawn(
    place: Bench,
    field: &str,
    (media_type, bytes): (MediaType, Bytes),
    frame: Frame,
) -> Result<Drawn> {
    let drawn = place.run(move || draw(media_type, &bytes, frame)).await?;
    drawn.map_err(|why| Error::invalid(field, why))
}

fn draw(media_type: MediaType, bytes: &[u8], frame: Frame) -> Result<Drawn, String> {
    let format = match media_type {
        MediaType::Jpeg => ImageFormat::Jpeg,
        MediaType::Png => ImageFormat::Png,
        MediaType::Webp if is_whole_riff(bytes) => ImageFormat::WebP,
        MediaType::Webp => return Err(UNREADABLE.into()),
        _ => return Err("must be a JPEG, PNG or WebP picture".into()),
    };
    let picture = decode(format, bytes, frame)?;
    let mut kept = Vec::new();
    let (written, media_type) = if format == ImageFormat::Jpeg {
        let encoder = JpegEncoder::new_with_quality(&mut kept, QUALITY);
        (opaque(picture).write_with_encoder(encoder), MediaType::Jpeg)
    } else {
        let encoder = PngEncoder::new(&mut kept);
        (of_bytes(picture).write_with_encoder(encoder), MediaType::Png)
    };
    written.map_err(|error| refused(&error))?;
    Ok(Drawn { media_type, content: FileContent::new(kept)? })
}

/// The pixels, reduced and upright. The size that the file declares is checked before memory is
/// taken for them.
fn decode(format: ImageFormat, bytes: &[u8], frame: Frame) -> Result<DynamicImage, String> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| refused(&error))?;
    frame.check(decoder.dimensions())?;
    if decoder.total_bytes() > MEMORY {
        return Err("takes too much memory: save it with 8 bits per colour".into());
    }
    let orientation = decoder.orientation().map_err(|error| refused(&error))?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| refused(&error))?;
    if picture.width().max(picture.height()) > frame.kept {
        picture = picture.thumbnail(frame.kept, frame.kept);
    }
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// What the decoder found is no use to a caller.
fn refused(error: &image::ImageError) -> String {
    tracing::debug!(%error, "a picture could not be drawn");
    UNREADABLE.into()
}

/// Whether every part of this WebP picture ends within it. The decoder takes memory for parts as
/// they declare it.
fn is_whole_riff(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((head, after)) = rest.split_at_checked(8) {
        let [_, _, _, _, size @ ..] = head else {
            return false;
        };
        let size = <[u8; 4]>::try_from(size).map(u32::from_le_bytes);
        let size = size.ok().and_then(|size| usize::try_from(size).ok());
        let Some(behind) = size.and_then(|size| after.get(size..)) else {
            return false;
        };
        // Parts begin at even places.
        rest = if size.is_some_and(|size| size % 2 == 1) {
            behind.get(1..).unwrap_or_default()
        } else {
            behind
        };
    }
    true
}

/// A JPEG has no transparency.
fn opaque(picture: DynamicImage) -> DynamicImage {
    match picture {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) => picture,
        other => other.into_rgb8().into(),
    }
}

/// With a byte per colour: nobody sees more of a logo.
fn of_bytes(picture: DynamicImage) -> DynamicImage {
    match picture {
        DynamicImage::ImageLuma8(_)
        | DynamicImage::ImageLumaA8(_)
        | DynamicImage::ImageRgb8(_)
        | DynamicImage::ImageRgba8(_) => picture,
        other => other.into_rgba8().into(),
    }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, RgbImage, RgbaImage};

    use super::*;

    fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.into().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn size(drawn: &Drawn) -> (u32, u32) {
        let picture = image::load_from_memory(&drawn.content).unwrap();
        (picture.width(), picture.height())
    }

    #[test]
    fn pictures_are_kept_as_jpeg_or_png_and_reduced() {
        let large = encoded(RgbImage::new(2_000, 1_000), ImageFormat::Jpeg);
        let drawn = draw(MediaType::Jpeg, &large, Frame::LOGO).unwrap();
        assert_eq!((drawn.media_type, size(&drawn)), (MediaType::Jpeg, (1024, 512)));
        let small = encoded(RgbaImage::new(20, 10), ImageFormat::WebP);
        let drawn = draw(MediaType::Webp, &small, Frame::LOGO).unwrap();
        assert_eq!((drawn.media_type, size(&drawn)), (MediaType::Png, (20, 10)));
        let gray = encoded(GrayImage::new(300, 300), ImageFormat::Png);
        let drawn = draw(MediaType::Png, &gray, Frame::FAVICON).unwrap();
        assert_eq!((drawn.media_type, size(&drawn)), (MediaType::Png, (256, 256)));
    }

    #[test]
    fn what_does_not_fit_the_frame_is_refused() {
        let wide = encoded(GrayImage::new(4_097, 1), ImageFormat::Png);
        let why = draw(MediaType::Png, &wide, Frame::LOGO).unwrap_err();
        assert!(why.starts_with("is 4097 by 1 pixels"), "{why}");
        for (width, height, fits) in [(50, 40, true), (51, 40, false), (40, 51, false)] {
            let icon = encoded(GrayImage::new(width, height), ImageFormat::Png);
            assert_eq!(draw(MediaType::Png, &icon, Frame::FAVICON).is_ok(), fits, "{width}");
        }
        assert!(draw(MediaType::Gif, b"GIF89a", Frame::LOGO).is_err());
    }

    #[test]
    fn no_part_of_a_webp_picture_ends_behind_it() {
        let whole = encoded(RgbaImage::new(20, 10), ImageFormat::WebP);
        assert!(is_whole_riff(&whole));
        let mut longer = whole.clone();
        longer.extend(b"EXIF\xff\xff\xff\xff");
        for wrong in [&longer[..], &whole[..whole.len() - 3]] {
            assert_eq!(draw(MediaType::Webp, wrong, Frame::LOGO).unwrap_err(), UNREADABLE);
        }
    }
}
