//! Money: cards, payments, payouts, refunds, invoices, subscriptions, and the double-entry ledger
//! under them.
//!
//! Tables: `payment_method`, `charge`, `payment`, `payment_share`, `commission_share`,
//! `commission_settlement`, `payout_account`, `payout`, `refund`, `dispute`, `dispute_share`,
//! `dispute_terms`, `invoice`, `invoice_line`, `subscription_*`, `tax_form`, `tax_form_request`,
//! `backup_withholding`, `ledger_*`, `webhook_event`, `statement_line`, `processor_difference`.
//! State machines: [`ChargeStatus`], [`PaymentStatus`], [`PayoutStatus`], [`RefundStatus`],
//! [`DisputeStatus`], [`DifferenceStatus`], [`InvoiceStatus`],
//! [`SubscriptionStatus`].
//!
//! Every movement of money through the processor takes three steps: write the row and commit; ask
//! the processor outside any transaction, under a key made of that row; settle the outcome.
//! `movement` has these steps for all kinds, and says why a crash between them loses no money.
//!
//! 1. [`charges`]: brands pay, with a card of [`methods`]; [`settle_commission`] charges commission
//!    on sales. [`refunds`] reverses payments.
//! 2. [`payouts`]: [`sweep_payouts`] pays wallets out, [`retry_payouts`] tries failed payouts
//!    again.
//!    [`disputes`] follows what banks take back.
//! 3. [`subscriptions`]: [`bill`] charges them. [`invoices`]: [`issue_invoices`] bills platform
//!    fees.
//! 4. [`taxes`]: tax forms, withholding, information returns.
//! 5. [`webhook`] handles webhooks; [`reconcile`] settles what a crash or a silent processor left
//!    open.
//! 6. [`reconciliation`] compares the processor's statement with the rows of all these.
//! 7. [`browsing`]: lists, histories and exports. [`ledger`] keeps every movement; [`verify`]
//!    checks the books.
//!
//! Called by the catalog's operations, the worker, marketplace orders and the command line.

pub mod browsing;
pub mod charges;
pub mod disputes;
pub mod invoices;
pub mod ledger;
pub mod methods;
pub mod movement;
pub mod payouts;
pub mod reconciliation;
pub mod refunds;
pub mod sandbox;
mod store;
pub mod subscriptions;
pub mod taxes;
mod verify;
pub mod webhook;

pub use charges::amount_owed::WantedPayment;
pub use charges::commission::settle_commission;
pub use charges::order_payment::CompletedOrder;
pub(crate) use charges::order_payment::answer_order;
pub use charges::payment::{
    BulkPayment, ChargeEvent, ChargeStatus, Payment, PaymentEvent, PaymentKind, PaymentStatus,
};
pub use disputes::dispute::{
    Dispute, DisputeEvent, DisputeKind, DisputeShare, DisputeStatus, DisputeTerms, DisputedDeal,
};
pub use invoices::invoice::{Invoice, InvoiceEvent, InvoiceKind, InvoiceLine, InvoiceStatus};
pub use invoices::invoicing::issue_invoices;
pub use methods::method::PaymentMethod;
pub use movement::kinds::Reconciled;
pub use movement::mark::{check_books, mark, renew_mark, renew_mark_in};
pub use movement::reconciling::{reconcile, unsettled};
pub use payouts::auto_payout::{Swept, sweep_payouts};
pub use payouts::payout::{
    HeldCommission, HoldReason, ListedPayout, Payout, PayoutEvent, PayoutStatus,
};
pub use payouts::payout_account::{AccountKind, AccountStatus, PayoutAccount, PayoutPreference};
pub use payouts::retrying::{Retried, retry_payouts};
pub use reconciliation::{
    Compared, Comparison, DifferenceStatus, ProcessorDifference, compare, compare_due,
    open_differences,
};
pub(crate) use refunds::giving_back::give_commission_back;
pub use refunds::refund::{CONFIRMED_WITHIN, Refund, RefundEvent, RefundFee, RefundStatus};
pub use subscriptions::{
    Billed, ChangeStatus, Subscription, SubscriptionPlan, SubscriptionStatus, bill,
};
pub use taxes::ask_before_returns;
pub use verify::rule::Check;
pub use verify::{Report, note_verified, unbalanced_lately, verified_at, verify};
