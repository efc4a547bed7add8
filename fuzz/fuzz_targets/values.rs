//! The small languages of the kernel: what they take, they take again as they keep it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nil_core::kernel::{Email, Hashtag, Phone, Slug, Text, WebUrl};

macro_rules! keeps {
    ($text:expr, $($kind:ty),+) => {$(
        if let Ok(kept) = <$kind>::new($text) {
            let again = <$kind>::new(&*kept).unwrap_or_else(|why| panic!("{:?}: {why}", &*kept));
            assert_eq!(*again, *kept);
        }
    )+};
}

fuzz_target!(|text: &str| {
    keeps!(text, Phone, Slug, Hashtag, WebUrl, Text<1, 40>);
    if let Ok(email) = Email::new(text) {
        let again = Email::new(email.expose()).expect("an address that was taken");
        assert_eq!(again.expose(), email.expose());
    }
});
