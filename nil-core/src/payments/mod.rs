//! Money: cards, payments, payouts, refunds, subscriptions, and the double-entry ledger under them.
//!
//! Whatever moves money outside is written down first, then asked of the processor outside any
//! transaction under a key made of that row, then settled. [`reconcile`] ends what a crash or a silent
//! processor left open, [`sweep_payouts`] pays out on its own, [`retry_payouts`] tries again, [`bill`] charges
//! subscriptions, [`verify`] checks the books.

mod account;
mod asking_again;
pub mod cancelling;
mod commission;
mod fee;
pub mod hearing;
pub mod histories;
mod holding;
mod invoice;
mod invoice_document;
pub mod invoices;
mod invoicing;
pub mod ledger;
pub mod managing;
mod method;
pub mod methods;
mod naming;
mod order_payment;
mod owed;
pub mod paying;
pub mod paying_out;
mod payment;
mod payout;
pub mod receiving;
mod reconciling;
mod refund;
pub mod refunding;
mod retrying;
mod returns;
pub mod sandbox;
mod settling;
mod store;
pub mod subscriptions;
mod sweeping;
mod tax;
mod verify;

pub use account::{AccountKind, AccountStatus, PayoutAccount, Preference};
pub use commission::settle_commission;
pub use invoice::{Invoice, InvoiceEvent, InvoiceKind, InvoiceLine, InvoiceStatus};
pub use invoicing::issue_invoices;
pub use method::PaymentMethod;
pub use order_payment::CompletedOrder;
pub(crate) use order_payment::answer_order;
pub use owed::WantedPayment;
pub use payment::{ChargeEvent, ChargeStatus, Payment, PaymentEvent, PaymentKind, PaymentStatus};
pub use payout::{HoldReason, Payout, PayoutEvent, PayoutStatus};
pub use reconciling::{Reconciled, reconcile};
pub use refund::{Refund, RefundEvent, RefundFee, RefundStatus};
pub use retrying::{Retried, retry_payouts};
pub(crate) use settling::{ask_charge, patiently, settle_charge};
pub use subscriptions::{Billed, Subscription, SubscriptionPlan, SubscriptionStatus, bill};
pub use sweeping::{Swept, sweep_payouts};
pub use verify::{Check, Report, verify};
