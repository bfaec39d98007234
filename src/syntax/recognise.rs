//! Files that are read with care or not at all: templates and files encrypted by SOPS.

use super::Node;

/// Whether a file name says that its text is a template: what it will be is not known.
pub fn is_template_name(name: &str) -> bool {
    let extension = name.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map(|(_, extension)| extension);
    matches!(
        extension,
        Some("gotmpl" | "tpl" | "tmpl" | "j2" | "jinja" | "jinja2" | "tftpl" | "erb" | "mustache" | "hbs")
    )
}

/// Whether a document is encrypted by SOPS: its structure can be read, its values cannot.
pub fn is_sops(root: Node<'_>) -> bool {
    let Some(sops) = root.get("sops") else { return false };
    ["mac", "version", "lastmodified"].iter().filter(|key| sops.get(key).is_some()).count() >= 2
}

/// Whether a YAML text has template markup outside of scalars, so that it is YAML only once it is
/// rendered. To be asked of a text that has errors: markup inside scalars is none of this.
pub fn is_template(text: &str) -> bool {
    // Indentation of the line that began the block scalar we are in.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = line.trim();
        if content.is_empty() || block.is_some_and(|block| indent > block) {
            continue;
        }
        block = begins_block(content).then_some(indent);
        if has_markup_node(content) {
            return true;
        }
    }
    false
}

/// Whether a line ends in a block scalar's header: `key: |`, `- >-2`.
fn begins_block(line: &str) -> bool {
    let line = line.find(" #").map_or(line, |comment| line.get(..comment).unwrap_or(line)).trim_end();
    let header = line.trim_end_matches(['+', '-', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    let Some(before) = header.strip_suffix(['|', '>']) else { return false };
    line.len() - header.len() <= 2 && (before.is_empty() || before.ends_with([' ', '\t']))
}

/// Whether markup stands where a node begins: plain scalars may hold `{{` further on.
fn has_markup_node(line: &str) -> bool {
    let mut rest = line;
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start();
    }
    if starts_markup(rest) {
        return true;
    }
    let mut parts = rest.split(": ");
    let key = parts.next().unwrap_or_default();
    !key.starts_with(['"', '\'', '#'])
        && parts.next().is_some_and(|value| starts_markup(value.trim_start_matches([' ', '['])))
}

fn starts_markup(text: &str) -> bool {
    ["{{", "{%", "{#-", "%{", "<%"].iter().any(|mark| text.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::yaml;
    use crate::text::SourceId;

    #[test]
    fn names() {
        for name in ["values.yaml.gotmpl", "a/b/_helpers.tpl", "config.toml.j2", "x.tftpl"] {
            assert!(is_template_name(name), "{name}");
        }
        for name in ["values.yaml", "tpl", "a.tpl/values.yaml", "config.template.toml"] {
            assert!(!is_template_name(name), "{name}");
        }
    }

    #[test]
    fn templates() {
        for text in [
            "{{- if .x }}\na: 1\n{{- end }}",
            "a: {{ .x }}",
            "a:\n  - {{ .x }}",
            "a:\n  {{- toYaml . | nindent 2 }}",
            "a: [{{ x }}]",
            "{% if x %}",
        ] {
            assert!(is_template(text), "{text}");
        }
        for text in [
            "a: 1",
            "a: '{{ .x }}'",
            "a: b-{{ .x }}",
            "c: |\n  {{ .x }}\n\n  a: {{ .y }}\nb: 1",
            "# {{ x }}",
            "- >-2\n   {{ x }}",
            "a: {b: {}}",
        ] {
            assert!(!is_template(text), "{text}");
        }
    }

    #[test]
    fn sops() {
        let tree = yaml::parse("a: ENC[x]\nsops:\n  mac: ENC[y]\n  version: 3.8.1\n".into(), SourceId(0));
        let plain = yaml::parse("sops:\n  version: 1\n".into(), SourceId(0));
        // Without a root nothing was read.
        assert!(tree.root().is_none_or(is_sops));
        assert!(!plain.root().is_some_and(is_sops));
    }
}
