//! What Helm would hand to the templates: layers merged exactly as Helm does it, with the origin
//! and the history of every value.
//!
//! [`merge`] is pure: charts ([`Chart`]), files ([`ValuesFile`]) and flags ([`Flag`]) are prepared
//! once into `Sources` and `Trees`; then any number of stacks can be merged in parallel.

mod chart;
mod helm_version;
mod lost;
mod merged;
mod set_flag;
mod stack;
mod value;

pub use chart::{Chart, Dependency, Import};
pub use helm_version::{Family, HelmVersion};
pub use lost::{Loss, LostPart, losses, losses_of};
pub use merged::Merged;
pub use set_flag::{Flag, FlagKind};
pub use stack::{HelmError, StackInput, Upgrade, UpgradeMode, ValuesFile, merge};
pub use value::{Data, Deleted, Layer, LayerId, Map, Origin, Past, Role, Value};
