//! `-f a,b`: the names of files in one argument, split as Go's `encoding/csv` splits a record.

use std::str::FromStr;

/// The files that one `-f` names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FileList(pub(super) Vec<String>);

impl FromStr for FileList {
    type Err = String;

    fn from_str(argument: &str) -> Result<Self, String> {
        let argument = argument.replace("\r\n", "\n");
        // Of a carriage return at the very end Go thinks that its line feed is yet to come.
        let argument = argument.strip_suffix('\r').unwrap_or(&argument);
        if argument.is_empty() {
            return Ok(Self::default());
        }
        let mut rest = argument.trim_start_matches('\n');
        if rest.is_empty() {
            return Err("names no file".to_owned());
        }
        let mut names = Vec::new();
        loop {
            let (name, behind) = field(rest)?;
            names.push(name);
            match behind.strip_prefix(',') {
                Some(next) => rest = next,
                // What stands on further lines is a record that nobody reads.
                None => return Ok(Self(names)),
            }
        }
    }
}

/// One name, and what stands behind it: a comma, a line break or nothing.
fn field(text: &str) -> Result<(String, &str), String> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', '\n']).unwrap_or(text.len());
        let (name, behind) = text.split_at(end);
        return if name.contains('"') {
            Err("bare \" in a name without quotes".to_owned())
        } else {
            Ok((name.into(), behind))
        };
    };
    let (mut name, mut rest) = (String::new(), quoted);
    loop {
        let (part, behind) = rest.split_once('"').ok_or("a quoted name does not end")?;
        name.push_str(part);
        match behind.strip_prefix('"') {
            Some(next) => {
                name.push('"');
                rest = next;
            }
            None if behind.is_empty() || behind.starts_with([',', '\n']) => return Ok((name, behind)),
            None => return Err("a quoted name goes on behind its quote".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FileList;

    #[test]
    fn names_are_split_as_helm_splits_them() {
        for (argument, names) in [
            ("", &[] as &[&str]),
            ("a.yaml", &["a.yaml"]),
            ("a,b", &["a", "b"]),
            ("a, b", &["a", " b"]),
            ("a,,b,", &["a", "", "b", ""]),
            ("\"a,b\",c", &["a,b", "c"]),
            ("\"a\"\"b\"", &["a\"b"]),
            ("\"a\nb\"", &["a\nb"]),
            ("\n\na,b\nc", &["a", "b"]),
            ("a\r\n", &["a"]),
            ("a\r", &["a"]),
            ("\"\"", &[""]),
        ] {
            let found = argument.parse::<FileList>().map(|list| list.0);
            assert_eq!(found, Ok(names.iter().map(ToString::to_string).collect()), "{argument:?}");
        }
        for refused in ["\"a", "a\"b", "\"a\"b", "\"a\" ,b", "\n"] {
            assert!(refused.parse::<FileList>().is_err(), "{refused:?}");
        }
    }
}
