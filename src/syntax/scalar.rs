//! What a scalar means, per dialect.

use super::Node;

/// Whose reading of scalars applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.1 as Helm (and kubectl) read it: sigs.k8s.io/yaml over go-yaml v2. Every number is a float64.
    Helm,
    /// The same text as Kubernetes decodes it: integers stay integers.
    Kubernetes,
    /// TOML 1.
    Toml,
}

/// What a scalar means.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// A float64.
    Float(f64),
    /// A string (also dates).
    String(String),
}

/// The meaning of a scalar node, or what Helm says against it.
pub fn resolve(node: Node<'_>, dialect: Dialect) -> Result<Scalar, String> {
    let _ = dialect;
    Ok(Scalar::String(node.text().to_owned()))
}
