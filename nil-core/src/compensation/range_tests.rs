use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::compensation::deal::ComparableDeal;
use crate::kernel::{AgentId, AthleteId, CollegeId, ContractId, PartnerId};

fn at(text: &str) -> Time {
    text.parse().unwrap()
}

fn now() -> Time {
    at("2026-11-20T12:00:00Z")
}

fn deal(id: i64, brand: i64, cents: i64) -> ComparableDeal {
    ComparableDeal {
        contract_id: ContractId::new(id).unwrap(),
        agreed_at: at("2026-10-01T12:00:00Z"),
        amount_cents: Cents(cents),
        athlete_id: AthleteId::new(id).unwrap(),
        partner_id: PartnerId::new(brand).unwrap(),
        company: format!("Company {brand}"),
        agent_id: None,
        college_id: CollegeId::new(1),
        division: Some(Division::D1),
        sport_id: SportId::new(1),
        followers: 2_000,
        platform: Some(MediaPlatform::Instagram),
        pieces: 1,
    }
}

fn sought() -> Sought {
    let work = Work {
        category: CategoryId::new(1).unwrap(),
        platform: Some(MediaPlatform::Instagram),
        pieces: Some(1),
    };
    let person =
        Person { division: Some(Division::D1), sport_id: SportId::new(1), followers: Some(1_500) };
    Sought { work, person, now: now() }
}

/// An athlete without deals.
fn stranger() -> Asker {
    Asker::Athlete(AthleteId::new(999).unwrap())
}

fn asked(deals: &[ComparableDeal], asker: &Asker) -> CompensationRange {
    let sought = sought();
    told(&choose(deals, &sought, asker), &sought, Some(Cents(30_000)), "Posts")
}

fn five() -> Vec<ComparableDeal> {
    (1..=5).map(|id| deal(id, 1 + id % 3, 10_000 * id)).collect()
}

#[test]
fn five_deals_of_three_brands_have_quartiles() {
    let range = asked(&five(), &stranger());
    assert_eq!((range.n, range.dropped.as_slice()), (Some(5), &[][..]));
    let told = range.quartiles.unwrap();
    assert_eq!(
        (told.p25_cents, told.p50_cents, told.p75_cents),
        (Cents(20_000), Cents(30_000), Cents(40_000))
    );
    assert_eq!(range.standing, Some(Standing::LowerMiddle));
    assert!(range.explanation.contains("5 deals of others in the category Posts"));
    assert!(range.explanation.contains("$200.00 to $400.00"), "{}", range.explanation);
}

#[test]
fn nothing_is_said_of_fewer_deals_brands_or_athletes_or_if_one_has_most() {
    let four = five()[..4].to_vec();
    let of_two_brands: Vec<_> = (1..=8).map(|id| deal(id, 1 + id % 2, 10_000)).collect();
    let mut one_company = five();
    for deal in &mut one_company {
        deal.company =
            if deal.partner_id.get() == 1 { "Ridge".into() } else { "RIDGE, Inc.".into() };
    }
    let mut of_two_athletes = five();
    for deal in &mut of_two_athletes {
        deal.athlete_id = AthleteId::new(1 + deal.contract_id.get() % 2).unwrap();
    }
    let one_has_most: Vec<_> =
        (1..=10).map(|id| deal(id, if id < 7 { 1 } else { id }, 10_000)).collect();
    for deals in [four, of_two_brands, one_company, of_two_athletes, one_has_most, Vec::new()] {
        let range = asked(&deals, &stranger());
        assert_eq!((range.n, range.quartiles, range.standing), (None, None, None));
        assert!(range.explanation.starts_with("There are not enough"), "{}", range.explanation);
    }
}

/// Two deals of one brand below the lower quartile: it knows what is in between.
#[test]
fn no_brand_has_most_deals_on_one_side_of_a_quartile() {
    let of = |brands: &[i64]| {
        let deals: Vec<_> =
            (1..).zip(brands).map(|(id, brand)| deal(id, *brand, 10_000 * id)).collect();
        asked(&deals, &stranger()).n
    };
    assert_eq!(of(&[1, 2, 3, 1, 2]), Some(5));
    for brands in [
        &[1, 1, 2, 3, 2][..],
        &[2, 3, 2, 1, 1],
        // Three of the five up to the third quartile.
        &[1, 2, 1, 3, 1, 4],
        // Three of the five from the first quartile on.
        &[4, 1, 2, 1, 3, 1],
    ] {
        assert_eq!(of(brands), None, "{brands:?}");
    }
}

#[test]
fn criteria_are_dropped_in_their_order_until_there_are_enough() {
    type Change = fn(&mut ComparableDeal);
    let changes: [(Criterion, Change); 6] = [
        (Criterion::Period, |deal| deal.agreed_at = at("2025-01-01T12:00:00Z")),
        (Criterion::Division, |deal| deal.division = None),
        (Criterion::Sport, |deal| deal.sport_id = SportId::new(2)),
        (Criterion::Followers, |deal| deal.followers = 5_000),
        (Criterion::Deliverables, |deal| deal.pieces = 2),
        (Criterion::Platform, |deal| deal.platform = None),
    ];
    for (place, (criterion, change)) in changes.iter().enumerate() {
        let mut deals = five();
        change(&mut deals[0]);
        let range = asked(&deals, &stranger());
        assert_eq!(range.dropped, Criterion::ALL[..=place], "{criterion}");
        assert_eq!(range.n, Some(5));
        let said = range.explanation.contains("these were not compared");
        assert!(said, "{}", range.explanation);
    }
    // What is not known is neither compared nor dropped.
    let mut unknown = sought();
    unknown.person = Person::default();
    let mut deals = five();
    deals[0].pieces = 9;
    let chosen = choose(&deals, &unknown, &stranger());
    assert_eq!(chosen.dropped, [Criterion::Period, Criterion::Deliverables]);
}

#[test]
fn what_the_caller_knows_is_taken_away_first() {
    let deals = five();
    assert_eq!(asked(&deals, &Asker::Athlete(AthleteId::new(3).unwrap())).n, None);
    assert_eq!(asked(&deals, &Asker::Partner(PartnerId::new(2).unwrap())).n, None);
    let mut agents = five();
    agents[4].agent_id = AgentId::new(7);
    let agent = Asker::Agent(AgentId::new(7).unwrap(), AthleteId::new(999).unwrap());
    assert_eq!(asked(&agents, &agent).n, None);
    let institution = |about| Asker::Institution {
        college: CollegeId::new(2).unwrap(),
        sports: Vec::new(),
        about,
    };
    assert_eq!(asked(&deals, &institution(None)).n, Some(5));
    assert_eq!(asked(&deals, &institution(ContractId::new(1))).n, None);
}

/// An institution sees its own deals one by one: it would know four others from the figures of
/// nine.
#[test]
fn deals_of_others_are_enough_by_themselves_or_left_out() {
    let mut deals: Vec<_> = (1..=9).map(|id| deal(id, 1 + id % 3, 10_000 * id)).collect();
    for deal in &mut deals[..4] {
        deal.college_id = CollegeId::new(2);
    }
    let own =
        Asker::Institution { college: CollegeId::new(1).unwrap(), sports: Vec::new(), about: None };
    assert_eq!(asked(&deals, &own).n, Some(5));
    deals.push(ComparableDeal { college_id: None, ..deal(10, 1, 5_000) });
    assert_eq!(asked(&deals, &own).n, Some(10));
}

proptest! {
    /// Asking about every amount tells no more than the quartiles: the standings change only there.
    #[test]
    fn standings_follow_from_the_quartiles(
        amounts in prop::collection::vec(1i64..5_000_000, 5..40), asked in 1i64..6_000_000,
    ) {
        let mut sorted: Vec<Cents> = amounts.into_iter().map(Cents).collect();
        sorted.sort_unstable();
        let told = quartiles(&sorted).unwrap();
        prop_assert!(told.p25_cents <= told.p50_cents && told.p50_cents <= told.p75_cents);
        let edges = BTreeSet::from([told.p25_cents, told.p50_cents, told.p75_cents]);
        let here = standing(Cents(asked), told);
        let next = standing(Cents(asked + 1), told);
        let changes = edges.contains(&Cents(asked)) || edges.contains(&Cents(asked + 1));
        prop_assert!(here == next || changes);
        // Rounding moves a quartile by less than five in a hundred, or two dollars and a half.
        let exact = sorted[sorted.len().div_ceil(4) - 1].get();
        let off = (told.p25_cents.get() - exact).abs();
        prop_assert!(off <= (exact / 20).max(500), "{exact} {off}");
    }

    /// However a deal is chosen, a set that is shown is large enough without what the caller knows.
    #[test]
    fn what_is_shown_is_always_large_enough(
        rows in prop::collection::vec((1i64..7, 1i64..6, 1i64..4, 0i64..6_000), 0..40), who in 1i64..6,
    ) {
        let deals: Vec<_> = (1..).zip(rows).map(|(id, (athlete, brand, college, followers))| {
            ComparableDeal {
                athlete_id: AthleteId::new(athlete).unwrap(),
                college_id: CollegeId::new(college),
                followers,
                ..deal(id, brand, 1_000 * id)
            }
        }).collect();
        let askers = [
            Asker::Athlete(AthleteId::new(who).unwrap()),
            Asker::Partner(PartnerId::new(who).unwrap()),
            Asker::Institution { college: CollegeId::new(who).unwrap(), sports: Vec::new(), about: None },
        ];
        for asker in askers {
            let chosen = choose(&deals, &sought(), &asker).deals;
            prop_assert!(chosen.iter().all(|deal| !asker.leaves_out(deal)));
            let unseen: Vec<_> = chosen.iter().filter(|deal| !asker.sees(deal)).collect();
            if !unseen.is_empty() {
                let brands: BTreeSet<_> = unseen.iter().map(|deal| deal.partner_id).collect();
                let athletes: BTreeSet<_> = unseen.iter().map(|deal| deal.athlete_id).collect();
                prop_assert!(unseen.len() >= DEALS && brands.len() >= BRANDS && athletes.len() >= 3);
            }
        }
    }
}
