//! Values that a chart makes because of another value, whose origin they get.

use crate::values::{Data, Map, Origin, Value};

#[derive(Debug, Clone, Copy)]
pub(super) struct Maker<'a> {
    cause: &'a Value,
}

impl<'a> Maker<'a> {
    pub(super) fn of(cause: &'a Value) -> Self {
        Self { cause }
    }

    pub(super) fn value(self, data: Data) -> Value {
        let Origin { layer, node } = self.cause.origin;
        Value::new(data, Origin { layer, node })
    }

    pub(super) fn text(self, text: &str) -> Value {
        self.value(Data::String(text.to_owned()))
    }

    pub(super) fn flag(self, flag: bool) -> Value {
        self.value(Data::Bool(flag))
    }

    pub(super) fn list(self, items: impl IntoIterator<Item = Value>) -> Value {
        self.value(Data::List(items.into_iter().collect()))
    }

    pub(super) fn words(self, words: &[&str]) -> Value {
        self.list(words.iter().map(|word| self.text(word)))
    }

    pub(super) fn map(self, entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        self.value(Data::Map(Map { entries, deleted: Vec::new() }))
    }

    pub(super) fn env(self, name: &str, value: &str) -> Value {
        self.map([("name", self.text(name)), ("value", self.text(value))])
    }

    pub(super) fn mount(self, name: &str, path: &str) -> Value {
        self.map([("name", self.text(name)), ("mountPath", self.text(path))])
    }

    /// The mount of the work volume.
    pub(super) fn work(self) -> Value {
        self.mount("work", "/home/runner/_work")
    }

    pub(super) fn empty_dir(self, name: &str) -> Value {
        self.map([("name", self.text(name)), ("emptyDir", self.map([]))])
    }

    /// What a daemon that is an init container must pass before the others start.
    pub(super) fn docker_probe(self) -> Value {
        let number = |number: i64| self.value(Data::Int(number));
        self.map([
            ("exec", self.map([("command", self.words(&["docker", "info"]))])),
            ("initialDelaySeconds", number(0)),
            ("failureThreshold", number(24)),
            ("periodSeconds", number(5)),
        ])
    }

    /// A volume that is claimed for each pod.
    pub(super) fn claimed(self, name: &str, claim: Option<&Value>) -> Value {
        let spec = claim.cloned().unwrap_or_else(|| self.value(Data::Null));
        let template = self.map([("spec", spec)]);
        let ephemeral = self.map([("volumeClaimTemplate", template)]);
        self.map([("name", self.text(name)), ("ephemeral", ephemeral)])
    }
}
