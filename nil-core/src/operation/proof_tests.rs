//! A proof made by hand, and what keeps a file from being one.

use serde_json::json;

use super::*;

/// The lines of a proof of this many links, behind this link.
fn proof(before: &Head, length: i64) -> Vec<String> {
    let (mut lines, mut last) = (vec![String::new()], before.clone());
    for position in before.position + 1..=before.position + length {
        let entry = json!([
            position, last.hash, 100 + position, 1_700_000_000_000_000_i64, "host", "save", "college", 7, "created",
            null, { "name": "Zürich \"ETH\"\n" }, null, "request"
        ]);
        let sealed = entry.to_string();
        last = Head { position, hash: hash_of(&sealed) };
        lines
            .push(json!({ "position": position, "hash": last.hash, "sealed": sealed }).to_string());
    }
    lines[0] = json!({
        "format": FORMAT, "version": VERSION, "from": before.position + 1, "previous": before.hash,
        "until": last.position, "head": last.hash, "made_at": "2026-11-24T12:00:00Z",
    })
    .to_string();
    lines
}

fn checked(lines: &[String], earlier: Option<&Head>) -> Result<Header, Fault> {
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    check(&mut text.as_bytes(), earlier).unwrap()
}

#[track_caller]
fn wrong(lines: &[String], line: u64, why: &str) {
    let fault = checked(lines, None).unwrap_err();
    assert_eq!(fault.line, line, "{fault:?}");
    assert!(fault.why.contains(why), "{fault:?}");
}

fn head_of(line: &str) -> Head {
    let line: Line<'_> = serde_json::from_str(line).unwrap();
    Head { position: line.position, hash: line.hash.into_owned() }
}

#[test]
fn a_proof_of_the_whole_chain_or_of_a_part_holds() {
    let whole = proof(&Head::default(), 5);
    let header = checked(&whole, None).unwrap();
    assert_eq!((header.from, header.until), (1, 5));
    let fourth = head_of(&whole[4]);
    let part = checked(&proof(&fourth, 3), None).unwrap();
    assert_eq!((part.from, part.until, part.previous), (5, 7, fourth.hash));
    assert_eq!(checked(&proof(&Head::default(), 0), None).unwrap().until, 0);
}

#[test]
fn an_earlier_head_must_be_in_it() {
    let whole = proof(&Head::default(), 5);
    for line in &whole[1..] {
        checked(&whole, Some(&head_of(line))).unwrap();
    }
    let fourth = head_of(&whole[4]);
    checked(&proof(&fourth, 3), Some(&fourth)).unwrap();
    for other in [Head { position: 3, ..fourth.clone() }, Head { position: 9, ..fourth }] {
        let fault = checked(&whole, Some(&other)).unwrap_err();
        assert!(fault.line == 1 && fault.why.contains("without the link"), "{fault:?}");
    }
}

#[test]
fn every_change_is_found_at_its_line() {
    let good = proof(&Head::default(), 5);
    let with = |index: usize, old: &str, new: &str| {
        let mut lines = good.clone();
        assert!(lines[index].contains(old), "{}", lines[index]);
        lines[index] = lines[index].replacen(old, new, 1);
        lines
    };
    wrong(&with(3, "created", "changed"), 4, "another hash");
    let hash = head_of(&good[3]).hash;
    wrong(&with(3, &hash, &hash.replace(|c: char| c.is_ascii_digit(), "a")), 4, "another hash");
    wrong(&with(3, "\"position\":3", "\"position\":4"), 4, "position 4 where 3 follows");
    wrong(&with(3, "\"position\"", "\"more\":1,\"position\""), 4, "unknown field");
    wrong(&with(3, "{", ""), 4, "is wrong");

    let without = |index: usize| {
        let mut lines = good.clone();
        lines.remove(index);
        lines
    };
    wrong(&without(3), 4, "position 4 where 3 follows");
    wrong(&without(5), 6, "is missing");
    wrong(&without(0), 1, "is not the header");
    let mut swapped = good.clone();
    swapped.swap(2, 3);
    wrong(&swapped, 3, "position 3 where 2 follows");
    let mut longer = good.clone();
    longer.push(good[5].clone());
    wrong(&longer, 7, "position 5 where 6 follows");
    wrong(&[], 1, "is empty");
    wrong(&[good[0].clone(), String::new()], 2, "is wrong");

    // A text of its own with the right hash does not follow the link before.
    let mut forged = good.clone();
    let sealed = json!([2, hash, 1, 1, "a", "b", "c", 1, "d", null, null, null, "e"]).to_string();
    forged[2] = json!({ "position": 2, "hash": hash_of(&sealed), "sealed": sealed }).to_string();
    wrong(&forged, 3, "does not follow");
}

#[test]
fn a_header_must_fit_its_links() {
    let good = proof(&Head::default(), 2);
    let with = |field: &str, value: Value| {
        let mut header: Value = serde_json::from_str(&good[0]).unwrap();
        header[field] = value;
        [&[header.to_string()], &good[1..]].concat()
    };
    wrong(&with("format", json!("other")), 1, "is not the header");
    wrong(&with("version", json!(2)), 1, "is not the header");
    wrong(&with("from", json!(0)), 1, "wrong positions");
    wrong(&with("until", json!(-1)), 1, "wrong positions");
    wrong(&with("until", json!(1)), 3, "is behind position 1");
    wrong(&with("until", json!(3)), 4, "promises links up to position 3");
    wrong(&with("head", json!("x")), 1, "wrong `head`");
    wrong(&with("head", json!(hash_of("x"))), 1, "another head");
    wrong(&with("previous", json!(hash_of("x"))), 1, "wrong `previous`");
    wrong(&with("made_at", json!("today")), 1, "is wrong");
    wrong(&with("more", json!(1)), 1, "unknown field");
}

#[test]
fn a_line_without_an_end_is_refused_and_a_long_one_is_not_read() {
    let whole = proof(&Head::default(), 2).join("\n");
    let fault = check(&mut whole.as_bytes(), None).unwrap().unwrap_err();
    assert_eq!((fault.line, fault.why.as_str()), (3, "is cut off: it has no end"));
    let mut endless = io::BufReader::new(io::repeat(b' '));
    let fault = check(&mut endless, None).unwrap().unwrap_err();
    assert_eq!((fault.line, fault.why.as_str()), (1, "is longer than 16 MiB"));
}
