//! The plans that can be subscribed to.

use crate::auth::Permission::Finance;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::payments::subscriptions::planning;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Finance,
            "admin.subscription_plan.save",
            Post,
            "/brand-subscriptions/save",
            "save a subscription plan",
            planning::save,
        )
        .says("Plan saved"),
        operator(
            Finance,
            "admin.subscription_plan.set_status",
            Post,
            "/brand-subscriptions/status_update",
            "activate or deactivate a plan",
            planning::set_status,
        )
        .says("Plan saved"),
        operator(
            Finance,
            "admin.subscription_plan.list",
            Get,
            "/brand-subscriptions/{status}/{id}",
            "list plans",
            planning::list,
        ),
    ]
}
