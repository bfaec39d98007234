//! No bytes make the toml reader panic, and every span lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use runnerlint::{syntax::toml, text::SourceId};

fuzz_target!(|text: &str| {
    let tree = toml::parse(text.into(), SourceId(0));
    for node in tree.nodes() {
        assert!(node.span().end as usize <= text.len());
    }
});
