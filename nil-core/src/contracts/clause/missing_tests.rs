use chrono::Days;

use super::*;
use crate::contracts::terms::{AgentParty, GuardianParty, sample};

/// The missing clauses after one change to complete terms.
fn after(change: impl FnOnce(&mut Terms)) -> Vec<Clause> {
    let mut terms = sample();
    change(&mut terms);
    missing(&terms)
}

fn paid_as(kind: CompensationKind, cash: i64, goods: Option<&str>, value: Option<i64>) -> Terms {
    let mut terms = sample();
    terms.compensation.kind = kind;
    terms.compensation.agreed_amount_cents = cash;
    terms.compensation.product_description = goods.map(str::to_owned);
    terms.compensation.product_value_cents = value;
    terms.milestones.truncate(1);
    terms.milestones[0].amount_cents = cash;
    terms
}

#[test]
fn complete_terms_miss_nothing() {
    assert_eq!(missing(&sample()), []);
}

#[test]
fn unnamed_parties() {
    let cases: [fn(&mut Terms); 6] = [
        |terms| terms.number.clear(),
        |terms| terms.brand.company = "  ".to_owned(),
        |terms| terms.brand.contact.clear(),
        |terms| terms.athlete.legal_name.clear(),
        |terms| terms.athlete.institution.clear(),
        |terms| terms.athlete.sport.clear(),
    ];
    for change in cases {
        assert_eq!(after(change), [Clause::Parties]);
    }
}

#[test]
fn an_agent_has_a_name_an_agency_and_a_possible_share() {
    let agent = |agency: &str, name: &str, commission_basis_points| AgentParty {
        agency: agency.to_owned(),
        name: name.to_owned(),
        commission_basis_points,
    };
    assert_eq!(after(|terms| terms.agent = Some(agent("Lane & Co", "Kim Lane", 1_500))), []);
    for bad in [agent("", "Kim", 0), agent("Lane", " ", 0), agent("Lane", "Kim", 10_001)] {
        assert_eq!(after(|terms| terms.agent = Some(bad)), [Clause::Parties]);
    }
}

#[test]
fn a_term_has_both_ends_in_order_after_signing() {
    assert_eq!(after(|terms| terms.dates.effective_on = None), [Clause::Dates]);
    assert_eq!(after(|terms| terms.dates.term_ends_on = None), [Clause::Dates]);
    let too_late = after(|terms| {
        terms.dates.signed_on = terms.dates.effective_on.unwrap() + Days::new(1);
    });
    assert_eq!(too_late, [Clause::Dates]);
    let backwards = after(|terms| {
        terms.dates.term_ends_on = Some(terms.dates.effective_on.unwrap() - Days::new(1));
    });
    assert_eq!(backwards, [Clause::Dates]);
}

#[test]
fn every_due_date_lies_in_the_term() {
    let last = sample().dates.term_ends_on.unwrap();
    assert_eq!(after(|terms| terms.milestones[0].due_on = last), []);
    assert_eq!(after(|terms| terms.milestones[0].due_on = last + Days::new(1)), [Clause::Dates]);
    let before = after(|terms| {
        terms.milestones[0].due_on = terms.dates.effective_on.unwrap() - Days::new(1);
    });
    assert_eq!(before, [Clause::Dates]);
}

#[test]
fn something_is_licensed() {
    assert_eq!(after(|terms| terms.licensed_attributes.clear()), [Clause::LicensedAttributes]);
    assert_eq!(
        after(|terms| terms.licensed_attributes.push(String::new())),
        [Clause::LicensedAttributes]
    );
}

#[test]
fn use_has_media_a_territory_and_one_duration() {
    let cases: [fn(&mut Terms); 5] = [
        |terms| terms.usage.media.clear(),
        |terms| terms.usage.territory.clear(),
        |terms| terms.usage.days = None,
        |terms| terms.usage.days = Some(0),
        |terms| terms.usage.perpetual = true,
    ];
    for change in cases {
        assert_eq!(after(change), [Clause::UsageRights]);
    }
    let forever = after(|terms| {
        terms.usage.days = None;
        terms.usage.perpetual = true;
    });
    assert_eq!(forever, []);
}

#[test]
fn deliverables_are_there_and_described() {
    assert_eq!(after(|terms| terms.milestones.clear()), [Clause::Deliverables]);
    let cases: [fn(&mut Terms); 7] = [
        |terms| terms.job.title.clear(),
        |terms| terms.milestones[0].title.clear(),
        |terms| terms.milestones[0].activity.clear(),
        |terms| terms.milestones[0].platform.clear(),
        |terms| terms.milestones[0].media_kind.clear(),
        |terms| terms.milestones[0].quantity = 0,
        |terms| terms.milestones[0].live_days = Some(0),
    ];
    for change in cases {
        assert_eq!(after(change), [Clause::Deliverables]);
    }
}

#[test]
fn only_what_is_published_needs_a_live_period() {
    assert_eq!(after(|terms| terms.milestones[0].live_days = None), [Clause::Deliverables]);
    let in_a_shop = after(|terms| {
        terms.milestones[0].platform = "in_person".to_owned();
        terms.milestones[0].live_days = None;
    });
    assert_eq!(in_a_shop, []);
}

#[test]
fn compensation_says_how_much_when_and_on_what_condition() {
    let cases: [fn(&mut Terms); 7] = [
        |terms| terms.compensation.schedule.clear(),
        |terms| terms.compensation.condition.clear(),
        |terms| terms.compensation.currency = "dollars".to_owned(),
        |terms| terms.compensation.currency = "USD".to_owned(),
        |terms| terms.compensation.agreed_amount_cents += 1,
        |terms| terms.fee_basis_points = -1,
        |terms| {
            terms.milestones[0].amount_cents = i64::MAX;
            terms.milestones[1].amount_cents = i64::MAX;
        },
    ];
    for change in cases {
        assert_eq!(after(change), [Clause::Compensation]);
    }
}

#[test]
fn a_milestone_cannot_take_money_back() {
    let negative = after(|terms| {
        terms.milestones[0].amount_cents = -100;
        terms.milestones[1].amount_cents = terms.compensation.agreed_amount_cents + 100;
    });
    assert_eq!(negative, [Clause::Compensation]);
}

#[test]
fn each_kind_of_compensation_has_its_facts() {
    use CompensationKind::{Cash, Mixed, Product, Service};
    for (terms, complete) in [
        (paid_as(Cash, 100, None, None), true),
        (paid_as(Cash, 0, None, None), false),
        (paid_as(Product, 0, Some("Boots"), Some(9_900)), true),
        (paid_as(Product, 0, Some("Boots"), None), false),
        (paid_as(Product, 100, Some("Boots"), Some(9_900)), false),
        (paid_as(Service, 0, None, Some(9_900)), false),
        (paid_as(Mixed, 100, Some("Boots"), Some(9_900)), true),
        (paid_as(Mixed, 0, Some("Boots"), Some(9_900)), false),
    ] {
        let expected: &[Clause] = if complete { &[] } else { &[Clause::Compensation] };
        assert_eq!(missing(&terms), expected, "{:?}", terms.compensation);
    }
}

#[test]
fn a_share_of_sales_has_a_rate_and_a_ceiling() {
    for kind in [CompensationKind::Royalty, CompensationKind::Commission] {
        let mut terms = paid_as(kind, 0, None, Some(500_000));
        assert_eq!(missing(&terms), [Clause::Compensation]);
        terms.compensation.commission_basis_points = Some(750);
        assert_eq!(missing(&terms), []);
        terms.compensation.product_value_cents = None;
        assert_eq!(missing(&terms), [Clause::Compensation]);
    }
}

#[test]
fn there_is_a_business_purpose() {
    let vague = after(|terms| terms.job.business_purpose = "\n".to_owned());
    assert_eq!(vague, [Clause::NotForPerformance]);
}

#[test]
fn exclusivity_names_a_category_and_a_time() {
    let exclusive = |category: &str, days| ExclusivityTerms { category: category.into(), days };
    assert_eq!(after(|terms| terms.exclusivity = None), []);
    for bad in [exclusive("", 30), exclusive("Drinks", 0)] {
        assert_eq!(after(|terms| terms.exclusivity = Some(bad)), [Clause::Exclusivity]);
    }
}

#[test]
fn a_minor_has_a_guardian_who_consented() {
    assert_eq!(after(|terms| terms.athlete.minor = true), [Clause::GuardianConsent]);
    let consented = after(|terms| {
        terms.athlete.minor = true;
        terms.athlete.guardian = Some(GuardianParty {
            name: "Dana Okafor".to_owned(),
            consented_at: "2026-03-01T10:00:00Z".parse().unwrap(),
        });
    });
    assert_eq!(consented, []);
}

#[test]
fn some_law_governs() {
    assert_eq!(after(|terms| terms.governing_law.clear()), [Clause::GoverningLaw]);
}

#[test]
fn everything_missing_is_named_in_the_order_of_the_document() {
    let several = after(|terms| {
        terms.governing_law.clear();
        terms.usage.media.clear();
        terms.brand.company.clear();
    });
    assert_eq!(several, [Clause::Parties, Clause::UsageRights, Clause::GoverningLaw]);
}
