//! The words of pages about operations.

use std::collections::BTreeSet;

use nil_core::catalog::{Entry, Interface, catalog};

fn with_pages() -> impl Iterator<Item = &'static Entry> {
    [Interface::Compliance, Interface::Admin].into_iter().flat_map(|it| catalog().of(it))
}

/// Whether words begin with a capital letter and are no sentence.
fn is_heading(words: &str) -> bool {
    words.starts_with(char::is_uppercase) && !words.ends_with('.') && words.len() <= 50
}

#[test]
fn every_page_has_a_heading_of_its_own() {
    let mut titles = BTreeSet::new();
    for entry in with_pages() {
        assert!(is_heading(entry.title), "{}: {:?}", entry.name, entry.title);
        assert!(titles.insert((entry.interface.as_str(), entry.title)), "{} twice", entry.title);
    }
}

#[test]
fn everything_that_writes_has_the_words_of_a_button() {
    for entry in with_pages() {
        let (name, verb) = (entry.name, entry.verb);
        assert!(verb.is_empty() || is_heading(verb) && verb.len() <= 25, "{name}: {verb}");
        assert!(!(verb.is_empty() && entry.writes()), "{name} has no words for its button");
        let has_form = entry.writes() || entry.method.has_body();
        assert!(verb.is_empty() || has_form, "{name} needs no button");
    }
}

#[test]
fn these_ask_first() {
    let asking: Vec<_> = with_pages().filter(|entry| entry.confirm.is_some()).collect();
    for entry in &asking {
        let confirm = entry.confirm.expect("what is told first");
        assert!(entry.writes(), "{}", entry.name);
        for words in [confirm.happens, confirm.stays] {
            assert!(words.starts_with(char::is_uppercase) && words.ends_with('.'), "{words}");
            assert!(!words.contains("  "), "{words}");
        }
    }
    let mut asking: Vec<_> = asking.iter().map(|entry| entry.name).collect();
    asking.sort_unstable();
    let expected = [
        "admin.agent.unlink_athlete",
        "admin.announcement.save",
        "admin.college.allow_passwords",
        "admin.content.delete",
        "admin.dispute.accept",
        "admin.dispute.answer",
        "admin.dispute.save_terms",
        "admin.impersonation.start",
        "admin.job.cancel_contract",
        "admin.job.remove_athlete",
        "admin.operator.reset_log_in",
        "admin.payment.refund",
        "admin.payout.cancel",
        "admin.payout.retry",
        "admin.payout.trigger",
        "admin.processor_request.decide",
        "admin.site.save_email_sender",
        "admin.tax.file_returns",
        "admin.tax.set_withholding",
        "admin.template.reset",
        "admin.totp.off",
        "admin.university_admin.reset_two_step",
        "admin.user.close",
        "compliance.calendar.make",
        "compliance.calendar.revoke",
        "compliance.disclosure.delete",
        "compliance.portal_user.reset_two_step",
        "compliance.sign_on.remove",
        "compliance.squad_list.remove",
        "compliance.totp.off",
        "compliance.webhook.remove",
        "compliance.webhook.rotate_secret",
    ];
    assert_eq!(asking, expected);
}
