//! Which pods can run on which pools, as Karpenter and the scheduler decide it. An answer is "no"
//! only where it is sure: what is templated or depends on things not in view is unknown.

mod demand;
mod fit;
mod label_set;
mod near;
mod placement;
mod requirements;
mod size;
mod taint;

pub use demand::{Demand, Refusal, World, demands};
pub use fit::{Fit, Miss};
pub use label_set::{LabelSet, Truth};
pub use near::{NearLabel, NearToleration};
pub(super) use near::{extends, is_slip};
pub use placement::{Placement, Term};
pub use requirements::{Asked, Requirements};
pub(crate) use size::milli;
pub use taint::{Atom, Taint, Toleration};
