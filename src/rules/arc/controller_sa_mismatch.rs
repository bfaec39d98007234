//! A scale set's manager role is bound to another account than the controller in view runs under.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Controller, Field, Fleet, Nearness, Object, ScaleSet, nearest_label};

const KEY: &str = "controllerServiceAccount";
/// How the chart's roles for the controller end, old name and new.
const ENDINGS: [&str; 2] = ["-gha-rs-manager", "-gha-runner-scale-set-manager"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let controllers = fleet.controllers();
    let sets: Vec<_> = fleet.scale_sets().into_iter().filter(ScaleSet::is_values).collect();
    let in_values: Vec<_> = sets.iter().filter_map(Bound::of_set).collect();
    let rendered: Vec<_> = fleet.objects.iter().filter_map(Bound::of_object).collect();
    // Rendered output lies nearer to a rendered controller than the values that it was made of.
    for bound in [&in_values, &rendered] {
        // Where others name a controller, one that does not may be for another that is not in view.
        let is_of_others = |controller: &_| in_values.iter().chain(&rendered).any(|other| other.names(controller));
        judge(bound, &controllers, &is_of_others, checker);
    }
}

fn judge<'a>(
    bound: &[Bound<'_, 'a>],
    controllers: &[Controller<'a>],
    is_of_others: &dyn Fn(&Controller<'a>) -> bool,
    checker: &mut Checker<'_>,
) {
    let ones: Vec<_> = bound.iter().map(|bound| ("", bound.value)).collect();
    let others: Vec<_> = controllers.iter().map(|controller| ("", controller.value)).collect();
    let files = Nearness { trees: checker.trees(), sources: checker.sources() };
    for (one, near) in bound.iter().zip(files.pairs(&ones, &others)) {
        // One that fits, or may fit, is enough.
        let near = near.into_iter().filter_map(|index| controllers.get(index));
        let differences: Option<Vec<_>> = near.map(|controller| Some((one.differs(controller)?, controller))).collect();
        let Some((difference, controller)) = differences.unwrap_or_default().first().copied() else { continue };
        let is_slip = nearest_label(difference.said, std::iter::once(difference.is)).is_some();
        if !is_of_others(controller) || is_slip || files.is_same_file(one.value, controller.value) {
            report(one, difference, controller, checker);
        }
    }
}

fn report(bound: &Bound<'_, '_>, difference: Difference<'_>, controller: &Controller<'_>, checker: &mut Checker<'_>) {
    let Difference { at, what, said, is } = difference;
    let message = format!(
        "the controller in view runs under the {what} `{is}`, and this names `{said}`: it may not manage the scale set"
    );
    let mut finding = checker.report_value(at, message);
    finding.related(controller.account_at.origin.node, "the controller");
    match bound.home {
        Home::Set(set) => finding.fault_in_set(set, KEY).help(format!("set `{KEY}.{what}` to `{is}`")),
        Home::Binding(object) => finding
            .fault_in_object(object, KEY)
            .help(format!("name `{is}`, by `{KEY}.{what}` of the scale set's chart")),
    };
}

/// Where a difference stands, and what it is.
#[derive(Clone, Copy)]
struct Difference<'b> {
    at: &'b Value,
    what: &'static str,
    said: &'b str,
    is: &'b str,
}

enum Home<'b, 'a> {
    Set(&'b ScaleSet<'a>),
    Binding(&'b Object<'a>),
}

/// An account that may manage a scale set.
struct Bound<'b, 'a> {
    name: Field<'a, &'a str>,
    namespace: Field<'a, &'a str>,
    value: &'a Value,
    home: Home<'b, 'a>,
}

impl<'b, 'a> Bound<'b, 'a> {
    fn of_set(set: &'b ScaleSet<'a>) -> Option<Self> {
        let value = set.at(&[KEY])?;
        let text = |key| Field::of(value.get(key), Value::as_str);
        Some(Self { name: text("name"), namespace: text("namespace"), value, home: Home::Set(set) })
    }

    /// The account that the chart's role for the controller is bound to.
    fn of_object(object: &'b Object<'a>) -> Option<Self> {
        let is_ours = object.kind == "RoleBinding" && ENDINGS.iter().any(|ending| object.name.ends_with(ending));
        let [subject] = object.value.get("subjects").filter(|_| is_ours)?.as_list()? else { return None };
        let text = |key| Field::of(subject.get(key), Value::as_str);
        let is_account = text("kind").known() == Some("ServiceAccount");
        is_account.then(|| Self {
            name: text("name"),
            namespace: text("namespace"),
            value: object.value,
            home: Home::Binding(object),
        })
    }

    /// Whether it is the account of a controller, as far as its namespace is known, or may be.
    fn names(&self, controller: &Controller<'a>) -> bool {
        let is_name = match self.name {
            Field::Present(name, _) => controller.account.as_deref() == Some(name),
            Field::Unknown(_) => true,
            Field::Absent | Field::WrongShape(_) => false,
        };
        is_name && self.differs(controller).is_none()
    }

    /// How the account surely is another than a controller's.
    fn differs<'c>(&self, controller: &'c Controller<'a>) -> Option<Difference<'c>> {
        let pairs =
            [("name", self.name, controller.account.as_deref()), ("namespace", self.namespace, controller.namespace)];
        pairs.into_iter().find_map(|(what, said, is)| match (said, is) {
            (Field::Present(said, at), Some(is)) if said != is && !said.is_empty() => {
                Some(Difference { at, what, said, is })
            }
            _ => None,
        })
    }
}
