//! What cardholders' banks do in the last weeks of the demonstration's year, and what somebody did
//! in the processor's own console.

use nil_core::auth::Principal;
use nil_core::kernel::{Cents, PaymentId};
use nil_core::payments::sandbox;
use nil_core::ports::processor::{DisputeKind, DisputeState};
use serde_json::json;

use super::player::Player;
use crate::failure::Failure;

/// What was charged in the processor's own console, in cents.
const BY_HAND: Cents = Cents(4_200);

/// A week: `left` is how many weeks the year has after it, `charged` what was charged in it and not
/// refunded.
pub(super) async fn week(
    player: &Player,
    operator: &Principal,
    charged: &[i64],
    left: usize,
) -> Result<(), Failure> {
    let mut payments = charged.iter().filter_map(|id| PaymentId::new(*id));
    let Some(payment) = payments.next() else { return Ok(()) };
    let platform = &player.platform;
    let kind = if left == 0 { DisputeKind::EarlyWarning } else { DisputeKind::Chargeback };
    let Some(dispute) = sandbox::dispute(platform, payment, (kind, None)).await? else {
        return Ok(());
    };
    match left {
        // Lost, and on its way back to the card.
        3 => {
            sandbox::turn_dispute(platform, dispute, DisputeState::Lost).await?;
        }
        2 => {
            let statement = "The post was published as agreed, and the brand approved it.";
            let answer = json!({ "id": dispute, "statement": statement });
            player.call("admin.dispute.answer", operator, answer).await?;
        }
        1 => sandbox::charge_by_hand(platform, BY_HAND).await?,
        _ => {}
    }
    Ok(())
}
