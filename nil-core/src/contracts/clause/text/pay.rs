//! The wording of the compensation.

use crate::contracts::terms::{CompensationKind, CompensationTerms, Terms};
use crate::wording::{inline, money, percent, sentence};

/// The amount, schedule and condition of the compensation, and who pays the fee.
pub(super) fn compensation(terms: &Terms) -> Vec<String> {
    let pay = &terms.compensation;
    vec![
        format!(
            "For the Deliverables and the license the Athlete receives {}.",
            consideration(pay)
        ),
        format!("Schedule: {}", sentence(&pay.schedule)),
        format!("Condition: {}", sentence(&pay.condition)),
        format!(
            "Cash is paid through the Marketplace. The Brand pays the Marketplace’s fee, {} of \
             each payment, in addition; the fee does not reduce what the Athlete receives. \
             Nothing is owed beyond what this Agreement states, and each party bears its own \
             expenses.",
            percent(terms.fee_basis_points)
        ),
    ]
}

fn consideration(pay: &CompensationTerms) -> String {
    let cash = money(&pay.currency, pay.agreed_amount_cents);
    match pay.kind {
        CompensationKind::Cash => format!("{cash} in cash"),
        CompensationKind::Product => format!("the following products: {}", goods(pay)),
        CompensationKind::Service => format!("the following services: {}", goods(pay)),
        CompensationKind::Mixed => format!("{cash} in cash and in addition: {}", goods(pay)),
        CompensationKind::Royalty => share(
            pay,
            "a royalty",
            "the Brand’s net sales of the goods that bear the Licensed Attributes",
        ),
        CompensationKind::Commission => {
            share(pay, "a commission", "the net sales that come about through the Athlete")
        }
    }
}

fn goods(pay: &CompensationTerms) -> String {
    let described = inline(pay.product_description.as_deref().unwrap_or_default());
    let described = described.trim_end_matches('.');
    format!("{described} (fair value {})", value(pay))
}

fn share(pay: &CompensationTerms, name: &str, base: &str) -> String {
    let rate = percent(pay.commission_basis_points.unwrap_or_default());
    let guarantee = if pay.agreed_amount_cents > 0 {
        format!("{} in cash and in addition ", money(&pay.currency, pay.agreed_amount_cents))
    } else {
        String::new()
    };
    let most = value(pay);
    format!("{guarantee}{name} of {rate} of {base}, accounted for monthly, at most {most} in all")
}

fn value(pay: &CompensationTerms) -> String {
    money(&pay.currency, pay.product_value_cents.unwrap_or_default())
}
