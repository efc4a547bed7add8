//! Heights as lists spell them.

use crate::kernel::fold;

/// The heights of people, in centimetres.
const PEOPLE: std::ops::RangeInclusive<i64> = 120..=250;

/// The height that a text means, in centimetres; none if it is no height of a person.
pub(super) fn centimetres(text: &str) -> Option<i64> {
    let text = text.trim().to_lowercase().replace(['’', '′', '`', '´'], "'");
    let text = text.replace("''", "\"").replace(['”', '″', '“'], "\"");
    let metric = text.strip_suffix("cm").or_else(|| text.strip_suffix("cms"));
    let found = if let Some(number) = metric {
        whole(number.trim())
    } else if let Some(metres) = text.strip_suffix('m').filter(|it| it.contains(['.', ','])) {
        of_metres(metres.trim())
    } else if let Some((feet, inches)) = feet_and_inches(&text) {
        Some(tenths(inches_of(feet, inches)?))
    } else {
        let inches = text.trim_end_matches(|c: char| c.is_alphabetic() || "\".".contains(c));
        let number = whole(inches.trim())?;
        // A bare number is one of inches, or too large for it.
        Some(if number > 100 { number } else { tenths(number) })
    };
    found.filter(|height| PEOPLE.contains(height))
}

/// Inches in centimetres, rounded.
fn tenths(inches: i64) -> i64 {
    (inches * 254 + 50) / 100
}

fn inches_of(feet: i64, inches: i64) -> Option<i64> {
    ((3..=8).contains(&feet) && (0..12).contains(&inches)).then_some(feet * 12 + inches)
}

fn whole(text: &str) -> Option<i64> {
    let plain = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

/// Such as `1.88`.
fn of_metres(text: &str) -> Option<i64> {
    let (metres, rest) = text.split_once(['.', ','])?;
    let hundredths = format!("{rest:0<2}");
    (hundredths.len() == 2).then_some(())?;
    Some(whole(metres)? * 100 + whole(&hundredths)?)
}

/// Such as `6-2`, `6'2"`, `6' 2`, `6 ft. 2 in.`, `6'` and `6-02`; half inches are dropped.
fn feet_and_inches(text: &str) -> Option<(i64, i64)> {
    let plain = text.replace(['½', '¼', '¾'], "").replace(" 1/2", "");
    let words = fold(&plain.replace('\'', " ft ").replace('"', " in "));
    let words = words.replace("feet", "ft").replace("foot", "ft").replace("inches", "in");
    let words = words.replace("ft", " ft ").replace("in", " in ");
    let words = words.replace(['-', '–', '.'], " ");
    let has_feet = text.contains(['\'', '-', '–']) || words.contains("ft");
    let numbers: Vec<&str> =
        words.split_whitespace().filter(|word| !matches!(*word, "ft" | "in")).collect();
    match numbers.as_slice() {
        [feet] if has_feet => Some((whole(feet)?, 0)),
        [feet, inches] if has_feet => Some((whole(feet)?, whole(inches)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_read_as_rosters_spell_them() {
        for text in [
            "6-2",
            "6'2\"",
            "6'2",
            "6' 2\"",
            "6’2”",
            "6′2″",
            "6'2''",
            "6 ft 2 in",
            "6ft 2in",
            "6 ft. 2 in.",
            "6-02",
            "6 feet 2 inches",
            "188 cm",
            "188cm",
            "188",
            "1.88 m",
            "1,88m",
            "74",
            "74 in",
            "74\"",
            "6–2",
            "6-2 1/2",
            "6'2½\"",
        ] {
            assert_eq!(centimetres(text), Some(188), "{text}");
        }
        assert_eq!(centimetres("6'"), Some(183));
        assert_eq!(centimetres("5-11"), Some(180));
        assert_eq!(centimetres("1.9m"), Some(190));
    }

    #[test]
    fn other_texts_are_no_heights() {
        for text in
            ["", "-", "6-12", "9-2", "12 cm", "300 cm", "2-Jun", "6/2", "tall", "6-2-1", "1,888m"]
        {
            assert_eq!(centimetres(text), None, "{text}");
        }
    }
}
