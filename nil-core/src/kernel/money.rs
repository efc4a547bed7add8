//! Money: whole minor units in an `i64`, never a float. One currency per platform (`usd`).

use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The format of amounts in schemas.
pub const AMOUNT_FORMAT: &str = "cents";
/// The format of rates in schemas.
pub const RATE_FORMAT: &str = "basis-points";

/// An amount in cents; may be negative in a ledger entry.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Cents(pub i64);

impl Cents {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The bare number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Whether it is more than nothing.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Rounded to its first two digits, and to whole five dollars: for figures that must not give
    /// an exact amount away. What is more than nothing stays more than nothing.
    #[must_use]
    pub fn rounded(self) -> Self {
        let size = self.0.unsigned_abs().checked_ilog10().unwrap_or_default();
        let step = 10_i64.saturating_pow(size.saturating_sub(1)).max(500);
        let near = self.0.saturating_add(step / 2).div_euclid(step).saturating_mul(step);
        Self(if self.is_positive() { near.max(step) } else { near })
    }
}

impl Add for Cents {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}
impl AddAssign for Cents {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl Sub for Cents {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
impl Neg for Cents {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}
impl Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

/// For people: `$1,250.00`.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = (self.0.unsigned_abs() / 100).to_string();
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        f.pad(&format!("{sign}${grouped}.{:02}", self.0.unsigned_abs() % 100))
    }
}

impl JsonSchema for Cents {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Cents".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer", "format": AMOUNT_FORMAT,
            "description": "amount in minor units (cents)", "examples": [125_000]
        })
    }
}

/// An amount in an input: 1 cent to `MAX` cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UpTo<const MAX: i64>(Cents);

/// An amount in an input: 1 cent to 10,000,000 dollars.
pub type Amount = UpTo<1_000_000_000>;

/// The total of up to a thousand payments: 1 cent to 40,000,000,000 dollars. Each payment covers
/// work and commission on sales, of at most an [`Amount`] each, and has a fee of at most the same
/// sum again.
pub type Total = UpTo<{ 1_000 * 2 * 2 * 1_000_000_000 }>;

impl<const MAX: i64> UpTo<MAX> {
    /// The amount, if it is within the limits.
    #[must_use]
    pub fn new(cents: i64) -> Option<Self> {
        (1..=MAX).contains(&cents).then_some(Self(Cents(cents)))
    }

    /// As plain money.
    #[must_use]
    pub const fn cents(self) -> Cents {
        self.0
    }
}

impl<'de, const MAX: i64> Deserialize<'de> for UpTo<MAX> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(i64::deserialize(from)?).ok_or_else(|| {
            serde::de::Error::custom(format_args!("must be from 1 to {MAX} cents ({})", Cents(MAX)))
        })
    }
}

impl<const MAX: i64> JsonSchema for UpTo<MAX> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("UpTo{MAX}").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer", "format": AMOUNT_FORMAT, "minimum": 1, "maximum": MAX,
            "description": "amount in minor units (cents)", "examples": [125_000]
        })
    }
}

/// A rate in hundredths of a percent: 1,000 is 10 %. From 0 to 10,000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct BasisPoints(i64);

impl BasisPoints {
    /// The rate, if it is between 0 and 100 %.
    #[must_use]
    pub const fn new(rate: i64) -> Option<Self> {
        if rate >= 0 && rate <= 10_000 { Some(Self(rate)) } else { None }
    }

    /// The bare number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// This share of `amount`, rounded half to even.
    #[must_use]
    pub fn of(self, amount: Cents) -> Cents {
        proportion(amount, self.0, 10_000)
    }
}

impl<'de> Deserialize<'de> for BasisPoints {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(i64::deserialize(from)?)
            .ok_or_else(|| serde::de::Error::custom("must be between 0 and 10000 basis points"))
    }
}

impl JsonSchema for BasisPoints {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "BasisPoints".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer", "format": RATE_FORMAT, "minimum": 0, "maximum": 10_000,
            "description": "rate in basis points (1000 is 10 %)", "examples": [1_000]
        })
    }
}

/// `amount × part ÷ whole`, rounded half to even; 0 if `whole` is 0.
#[must_use]
pub fn proportion(amount: Cents, part: i64, whole: i64) -> Cents {
    if whole == 0 {
        return Cents::ZERO;
    }
    let product = i128::from(amount.0) * i128::from(part);
    let whole = i128::from(whole);
    let (quotient, rest) = (product.div_euclid(whole), product.rem_euclid(whole));
    let up = match (rest * 2).cmp(&whole.abs()) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => quotient % 2 != 0,
        std::cmp::Ordering::Less => false,
    };
    let rounded = quotient + i128::from(up);
    Cents(i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX }))
}

/// `total` in `parts` shares that differ by at most a cent; the first shares get the remainder.
#[must_use]
pub fn even_split(total: Cents, parts: usize) -> Vec<Cents> {
    weighted_split(total, &vec![Cents(1); parts])
}

/// `total` split in proportion to `weights`; the shares sum to it exactly, and the first ones get
/// the remaining cents. If all weights are zero, they count as equal.
#[must_use]
pub fn weighted_split(total: Cents, weights: &[Cents]) -> Vec<Cents> {
    let sum: i128 = weights.iter().map(|weight| i128::from(weight.0)).sum();
    if sum == 0 {
        return if weights.is_empty() { Vec::new() } else { even_split(total, weights.len()) };
    }
    let mut shares: Vec<Cents> = weights
        .iter()
        .map(|weight| {
            let share = i128::from(total.0) * i128::from(weight.0) / sum;
            Cents(i64::try_from(share).unwrap_or_default())
        })
        .collect();
    let mut rest = total - shares.iter().copied().sum();
    for share in &mut shares {
        if !rest.is_positive() {
            break;
        }
        *share += Cents(1);
        rest = rest - Cents(1);
    }
    shares
}

super::column::column!(Cents(i64), BigInt);
super::column::column!(BasisPoints(i64), BigInt);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rounded_amounts_have_two_digits_and_five_dollars() {
        for (cents, told) in [
            (0, 0),
            (1, 500),
            (749, 500),
            (750, 1_000),
            (12_345, 12_000),
            (49_999, 50_000),
            (123_456, 120_000),
            (999_999, 1_000_000),
        ] {
            assert_eq!(Cents(cents).rounded(), Cents(told), "{cents}");
        }
        assert!(Cents(i64::MAX).rounded().is_positive());
    }

    #[test]
    fn halves_round_to_even() {
        let half = BasisPoints::new(5_000).unwrap();
        assert_eq!(half.of(Cents(1)), Cents(0));
        assert_eq!(half.of(Cents(3)), Cents(2));
        assert_eq!(half.of(Cents(5)), Cents(2));
    }

    #[test]
    fn money_reads_like_money() {
        assert_eq!(Cents(123_456_789).to_string(), "$1,234,567.89");
        assert_eq!(Cents(-5).to_string(), "-$0.05");
    }

    proptest! {
        #[test]
        fn splits_sum_exactly(total in 0i64..1_000_000_000, weights in prop::collection::vec(0i64..1_000_000, 1..60)) {
            let weights: Vec<Cents> = weights.into_iter().map(Cents).collect();
            let shares = weighted_split(Cents(total), &weights);
            prop_assert_eq!(shares.len(), weights.len());
            prop_assert_eq!(shares.into_iter().sum::<Cents>(), Cents(total));
        }

        #[test]
        fn even_shares_differ_by_a_cent_at_most(total in 0i64..1_000_000_000, parts in 1usize..500) {
            let shares = even_split(Cents(total), parts);
            let (least, most) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
            prop_assert!(most.get() - least.get() <= 1);
            prop_assert!(shares.is_sorted_by(|a, b| a >= b));
        }
    }
}
