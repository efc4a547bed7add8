//! Money: cards, payments, payouts, refunds, invoices, subscriptions, and the double-entry ledger under them.
//!
//! Tables: `payment_method`, `charge`, `payment`, `payment_share`, `commission_share`,
//! `commission_settlement`, `payout_account`, `payout`, `refund`, `invoice`, `invoice_line`,
//! `subscription_*`, `ledger_*`, `webhook_event`. State machines: [`ChargeStatus`], [`PaymentStatus`],
//! [`PayoutStatus`], [`RefundStatus`], [`InvoiceStatus`], [`SubscriptionStatus`].
//!
//! Every external movement of money takes three steps: write the row and commit; ask the processor outside
//! any transaction, under a key made of that row; settle the outcome.
//!
//! 1. [`paying`]: brands pay; [`settle_commission`] charges commission on sales. [`refunding`] reverses
//!    payments.
//! 2. [`sweep_payouts`] pays wallets out, [`retry_payouts`] tries failed payouts again.
//! 3. [`bill`] charges subscriptions; [`issue_invoices`] bills platform fees.
//! 4. [`hearing`] handles webhooks; [`reconcile`] settles what a crash or a silent processor left open.
//! 5. [`verify`] checks the books.
//!
//! Called by the catalog's operations, the worker, marketplace orders and the command line.

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
