//! No bytes make the yaml reader panic, and every span lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use runnerlint::{syntax::yaml, text::SourceId};

fuzz_target!(|text: &str| {
    let tree = yaml::parse(text.into(), SourceId(0));
    for node in tree.nodes() {
        assert!(node.span().end as usize <= text.len());
    }
});
