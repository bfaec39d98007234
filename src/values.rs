//! What Helm would hand to the templates: layers merged exactly as Helm does it, with the origin
//! and the history of every value.
//!
//! [`merge`] is pure: charts ([`Chart`]), files ([`ValuesFile`]) and flags ([`Flag`]) are prepared
//! once into `Sources` and `Trees`; then any number of stacks can be merged in parallel.

mod chart;
mod coalesce;
mod dependencies;
mod documents;
mod flag;
mod heap;
mod helm_version;
mod imports;
mod lost;
mod merged;
pub mod number;
mod overlay;
mod print;
pub mod read;
mod schema;
mod stack;
mod value;
mod version_range;

pub use chart::{Chart, Dependency, Import};
pub use flag::{Flag, FlagKind};
pub use helm_version::{Family, HelmVersion};
pub use lost::{Loss, LostPart, Step, losses, losses_of, path_text};
pub use merged::Merged;
pub use print::{go_type, printed, to_json};
pub use stack::{HelmError, StackInput, Upgrade, UpgradeMode, ValuesFile, merge};
pub use value::{Data, Deleted, Layer, LayerId, Map, Origin, Past, Role, Value};
pub use version_range::version_in;
