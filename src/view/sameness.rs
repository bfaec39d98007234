//! Whether two values say the same, wherever they were written.

use crate::values::{Data, Value};

impl Value {
    /// Whether both hold the same data; origin, history and order of keys do not count.
    pub fn says_the_same_as(&self, other: &Value) -> bool {
        match (&self.data, &other.data) {
            (Data::List(a), Data::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says_the_same_as(b)),
            (Data::Map(a), Data::Map(b)) => {
                let same = |(key, a): (&String, &Value)| b.entries.get(key).is_some_and(|b| a.says_the_same_as(b));
                a.entries.len() == b.entries.len() && a.entries.iter().all(same)
            }
            (a, b) => a == b || self.as_f64().is_some() && self.as_f64() == other.as_f64(),
        }
    }
}
