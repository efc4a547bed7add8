use proptest::prelude::*;

use super::*;

fn says(caption: &str) -> Option<String> {
    let check = check_disclosure(true, &[], Some(caption));
    assert_eq!(check.passed, check.missing.is_empty(), "{caption}");
    assert_eq!(check.passed, !check.found.is_empty(), "{caption}");
    assert!(check.message.ends_with('.'), "{}", check.message);
    check.found.into_iter().next()
}

fn behind(start: &str, end: &str) -> String {
    format!("{start}{} {end}", " and so on and on".repeat(12))
}

#[test]
fn plain_words_and_whole_tags_disclose() {
    for (caption, words) in [
        ("#ad", "#ad"),
        ("Loving the vest! #AD", "#ad"),
        ("Loving the vest! #Ad.", "#ad"),
        ("(#ad) Loving the vest", "#ad"),
        ("#ad#trailday", "#ad"),
        ("＃ad new vest", "#ad"),
        ("🏃#ad", "#ad"),
        ("🏃‍♀️#ad", "#ad"),
        ("New vest 🏃‍♀️ #sponsored by my friends", "#sponsored"),
        ("#PaidPartnership with @ridge", "#paidpartnership"),
        ("Paid partnership with Ridge", "paid partnership"),
        ("In a PAID PARTNERSHIP with Ridge", "paid partnership"),
        ("This run is sponsored by Ridge", "sponsored by"),
        ("Advertisement. New vest", "advertisement"),
        ("Ad: new vest", "ad"),
        ("AD | new vest", "ad"),
        ("[Sponsored] new vest", "sponsored"),
        ("Ad\nnew vest", "ad"),
        ("#trail #run #vest #ad", "#ad"),
        ("No filter, sponsored by Ridge", "sponsored by"),
        ("Not my first run. Paid partnership with Ridge", "paid partnership"),
    ] {
        assert_eq!(says(caption).as_deref(), Some(words), "{caption}");
    }
}

#[test]
fn what_only_looks_like_it_does_not() {
    for caption in [
        "On the trail",
        "#adventure on the trail",
        "#adidas",
        "#nad",
        "#a d",
        "a#ad",
        "#ad_free",
        "#ad-free zone",
        "Ad-free since 2020",
        "ad hoc run",
        "The ad was fun",
        "Thanks to my #partner",
        "#sp #spon #collab #ambassador",
        "unsponsored bystander",
        "Not sponsored by anybody",
        "This is not a paid partnership",
        "I am not in a paid partnership",
        "This isn’t sponsored by Ridge",
        "never sponsored by Ridge",
        "non-sponsored post",
        "sponsored bystanders",
        "prepaid partnership",
        // Look-alike letters, and invisible letters.
        "#\u{430}d",
        "#a\u{501}",
        "#a\u{200b}d",
        "#ad\u{301}",
        "#a\u{ad}d",
        "#\u{ff41}\u{ff44}",
        "# ad",
        "\u{200b}#\u{200b}ad",
        "",
        "   ",
        "####",
    ] {
        assert_eq!(says(caption), None, "{caption:?}");
    }
}

#[test]
fn what_nobody_reads_is_no_disclosure() {
    let wall = "New vest #run #trail #vest #win #day #ad";
    let far = behind("New vest", "#ad");
    let farther = behind("New vest", "paid partnership with Ridge");
    for caption in [wall, &far, &farther] {
        let check = check_disclosure(true, &[], Some(caption));
        assert!(!check.passed && check.found.is_empty(), "{caption}");
        assert_eq!(check.missing, [DISCLOSURE]);
        assert!(check.message.contains("where few will read it"), "{}", check.message);
    }
    // Disclosed twice, once in a visible place.
    assert_eq!(says(&behind("New vest #ad", "#ad")).as_deref(), Some("#ad"));
    // Words in between end the row.
    assert_eq!(says("#run #trail #vest #win and an #ad").as_deref(), Some("#ad"));
    // Characters are counted, not bytes.
    let emoji = format!("{} #ad", "🏃".repeat(SHOWN - 2));
    assert_eq!(says(&emoji).as_deref(), Some("#ad"));
    let over = format!("{} #ad", "🏃".repeat(SHOWN));
    assert_eq!(says(&over), None);
}

#[test]
fn required_hashtags_are_looked_for_as_whole_tags() {
    let wanted = ["#TrailDay".to_owned(), "#łódź".to_owned()];
    let check = |caption| check_disclosure(false, &wanted, Some(caption));
    let all = check("Run #trailday in #ŁÓDŹ");
    assert_eq!((all.passed, all.missing.len()), (true, 0));
    assert_eq!(all.found, ["#trailday", "#łódź"]);
    let some = check("Run #traildays in #Łódź");
    assert_eq!(
        (some.passed, &*some.found, &*some.missing),
        (false, &["#łódź".to_owned()][..], &["#trailday".to_owned()][..])
    );
    assert!(some.message.ends_with("Missing: #trailday."), "{}", some.message);
    let both = check_disclosure(true, &wanted, None);
    assert_eq!(both.missing, [DISCLOSURE, "#trailday", "#łódź"]);
    let nothing = check_disclosure(false, &[], None);
    assert_eq!((nothing.passed, &*nothing.message), (true, "No disclosure is required."));
}

proptest! {
    #[test]
    fn any_caption_is_looked_over(caption in any::<String>(), required in any::<bool>()) {
        let check = check_disclosure(required, &["#x".to_owned()], Some(&caption));
        prop_assert_eq!(check.passed, check.missing.is_empty());
    }

    #[test]
    fn what_is_said_first_counts(rest in "\\PC{0,200}") {
        let caption = format!("#ad {rest}");
        prop_assert!(check_disclosure(true, &[], Some(&caption)).passed);
    }
}
