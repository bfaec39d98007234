//! What `githubServerTLS.runnerMountPath` adds.

use super::maker::Maker;
use crate::values::Value;
use crate::view::Field;

pub(super) struct Tls<'a> {
    make: Maker<'a>,
    folder: &'a str,
    config_map: &'a str,
    key: &'a str,
}

impl<'a> Tls<'a> {
    /// Nothing in it where the chart adds nothing; none where the settings cannot be known.
    pub(super) fn read(values: &'a Value) -> Option<Option<Self>> {
        let settings = values.get("githubServerTLS");
        if settings.is_some_and(Value::is_unknown) {
            return None;
        }
        let (folder, cause) = match Field::of(settings.and_then(|tls| tls.get("runnerMountPath")), Value::as_str) {
            Field::Present("", _) | Field::Absent => return Some(None),
            Field::Present(folder, cause) => (folder, cause),
            Field::WrongShape(_) | Field::Unknown(_) => return None,
        };
        let text = |key| settings?.at(&["certificateFrom", "configMapKeyRef", key])?.as_str();
        Some(Some(Self { make: Maker::of(cause), folder, config_map: text("name")?, key: text("key")? }))
    }

    fn file(&self) -> String {
        format!("{}/{}", self.folder.trim_end_matches('/'), self.key)
    }

    pub(super) fn env(&self) -> [Value; 2] {
        [self.make.env("NODE_EXTRA_CA_CERTS", &self.file()), self.make.env("RUNNER_UPDATE_CA_CERTS", "1")]
    }

    pub(super) fn mount(&self) -> Value {
        let make = self.make;
        let (name, path) = (make.text("github-server-tls-cert"), make.text(&self.file()));
        make.map([("name", name), ("mountPath", path), ("subPath", make.text(self.key))])
    }

    /// The mount of the whole volume, as the experimental chart writes it.
    pub(super) fn folder_mount(&self) -> Value {
        let make = self.make;
        let (name, path) = (make.text("github-server-tls-cert"), make.text(self.folder));
        make.map([("name", name), ("mountPath", path), ("readOnly", make.flag(true))])
    }

    pub(super) fn volume(&self) -> Value {
        let make = self.make;
        let item = make.map([("key", make.text(self.key)), ("path", make.text(self.key))]);
        let from = make.map([("name", make.text(self.config_map)), ("items", make.list([item]))]);
        make.map([("name", make.text("github-server-tls-cert")), ("configMap", from)])
    }
}
