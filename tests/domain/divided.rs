//! What is divided adds up again to the cent, whatever the amounts: by heads, by weights, by rates.

use nil_core::kernel::{BasisPoints, Cents, SeededRandom, even_split, proportion, weighted_split};
use nil_tests::{Draw as _, or_long, trust};

/// How many divisions there are in every run, and behind `NIL_LONG`.
const DIVISIONS: usize = 100_000;
const LONG: usize = 1_000_000;

/// An amount of any size, from nothing to ten billion dollars.
fn amount(random: &SeededRandom) -> Cents {
    let digits = 10_i64.pow(random.below(13));
    Cents(random.below(digits))
}

#[test]
fn shares_add_up_to_the_cent() {
    let divisions = or_long(DIVISIONS, LONG);
    let random = SeededRandom::new(225);
    for number in 0..divisions {
        let total = amount(&random);
        let heads = 1 + random.below(8_usize);
        let even = even_split(total, heads);
        assert_eq!(even.iter().copied().sum::<Cents>(), total, "{number}: {total:?} by {heads}");
        let (least, most) = (even.iter().min().unwrap().0, even.iter().max().unwrap().0);
        assert!(most - least <= 1, "{number}: {even:?}");

        let weights: Vec<Cents> = (0..heads).map(|_| amount(&random)).collect();
        let shares = weighted_split(total, &weights);
        assert_eq!(shares.iter().copied().sum::<Cents>(), total, "{number}: by {weights:?}");
        assert!(shares.iter().all(|share| share.0 >= 0), "{number}: {shares:?}");

        let rate = BasisPoints::new(random.below(10_001)).unwrap();
        let part = rate.of(total);
        assert!(part.0 >= 0 && part.0 <= total.0, "{number}: {rate:?} of {total:?} is {part:?}");
        // A share of a share, as of a refund, is never more than the share.
        let some = Cents(random.below(total.0 + 1));
        assert!(proportion(part, some.0, total.0).0 <= part.0, "{number}: {some:?}");
        assert_eq!(proportion(part, total.0.max(1), total.0.max(1)), part);
    }
    trust::tried("R17", "divisions", divisions);
}
