//! Money: cards, payments, payouts, refunds, invoices, subscriptions, and the double-entry ledger under them.
//!
//! Tables: `payment_method`, `charge`, `payment`, `payment_share`, `commission_share`,
//! `commission_settlement`, `payout_account`, `payout`, `refund`, `invoice`, `invoice_line`,
//! `subscription_*`, `tax_form`, `tax_form_request`, `backup_withholding`, `ledger_*`, `webhook_event`. State machines: [`ChargeStatus`], [`PaymentStatus`],
//! [`PayoutStatus`], [`RefundStatus`], [`InvoiceStatus`], [`SubscriptionStatus`].
//!
//! Every movement of money through the processor takes three steps: write the row and commit; ask the processor outside
//! any transaction, under a key made of that row; settle the outcome. `movement` has these steps for all kinds, and says
//! why a crash between them loses no money.
//!
//! 1. [`paying`]: brands pay; [`settle_commission`] charges commission on sales. [`refunding`] reverses
//!    payments.
//! 2. [`sweep_payouts`] pays wallets out, [`retry_payouts`] tries failed payouts again.
//! 3. [`bill`] charges subscriptions; [`issue_invoices`] bills platform fees.
//! 4. [`webhook`] handles webhooks; [`reconcile`] settles what a crash or a silent processor left open.
//! 5. [`verify`] checks the books.
//!
//! Called by the catalog's operations, the worker, marketplace orders and the command line.

pub mod admin;
mod amount_owed;
mod auto_payout;
mod bank_return;
pub mod cancelling;
mod commission;
pub mod exporting;
mod fee;
mod giving_back;
pub mod history;
mod hold;
mod invoice;
mod invoice_document;
pub mod invoices;
mod invoicing;
pub mod ledger;
mod method;
pub mod methods;
mod movement;
mod order_payment;
pub mod paying;
pub mod paying_out;
mod payment;
mod payout;
mod payout_account;
pub mod payout_settings;
mod reconciling;
mod refund;
pub mod refunding;
mod retrying;
pub mod revenue;
pub mod sandbox;
mod selection;
mod settling;
mod settling_payouts;
mod store;
pub mod subscriptions;
mod tax;
pub mod taxes;
mod verify;
pub mod webhook;

pub use amount_owed::WantedPayment;
pub use auto_payout::{Swept, sweep_payouts};
pub use commission::settle_commission;
pub(crate) use giving_back::give_commission_back;
pub use hold::HeldCommission;
pub use invoice::{Invoice, InvoiceEvent, InvoiceKind, InvoiceLine, InvoiceStatus};
pub use invoicing::issue_invoices;
pub use method::PaymentMethod;
pub use movement::patiently;
pub use order_payment::CompletedOrder;
pub(crate) use order_payment::answer_order;
pub use payment::{ChargeEvent, ChargeStatus, Payment, PaymentEvent, PaymentKind, PaymentStatus};
pub use payout::{HoldReason, Payout, PayoutEvent, PayoutStatus};
pub use payout_account::{AccountKind, AccountStatus, PayoutAccount, PayoutPreference};
pub use reconciling::{Reconciled, reconcile};
pub use refund::{Refund, RefundEvent, RefundFee, RefundStatus};
pub use retrying::{Retried, retry_payouts};
pub use subscriptions::{
    Billed, ChangeStatus, Subscription, SubscriptionPlan, SubscriptionStatus, bill,
};
pub use taxes::ask_before_returns;
pub use verify::{Check, Report, verify};
