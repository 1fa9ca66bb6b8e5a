//! Named numbers of a case and their insertion into scenes: `${0.5*width}` becomes a number.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::formula::evaluate;

/// A number, or a formula over the values of the case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number or a formula in quotes")]
pub enum Number {
    /// As written.
    Plain(f64),
    /// Over the case's values.
    Formula(String),
}

/// Values by name.
pub type CaseValues = BTreeMap<String, Number>;

/// Looks names up; values may refer to each other in any order.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    values: CaseValues,
}

impl Scope {
    /// The values of the case, with replacements of a run.
    pub fn new(case: &CaseValues, run: &CaseValues) -> Self {
        let mut values = case.clone();
        values.extend(run.iter().map(|(name, number)| (name.clone(), number.clone())));
        Self { values }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(&self, name: &str, value: f64) -> Self {
        let mut scope = self.clone();
        scope.values.insert(name.to_owned(), Number::Plain(value));
        scope
    }

    /// True if there is a value of that name.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value of a number or formula.
    pub fn value(&self, number: &Number) -> Result<f64, String> {
        self.resolve(number, &mut Vec::new())
    }

    /// The value of a name.
    pub fn named(&self, name: &str) -> Result<f64, String> {
        self.look_up(name, &mut Vec::new())
    }

    fn resolve(&self, number: &Number, open: &mut Vec<String>) -> Result<f64, String> {
        let value = match number {
            Number::Plain(value) => *value,
            Number::Formula(text) => evaluate(text, &mut |name| self.look_up(name, open))?,
        };
        if value.is_finite() { Ok(value) } else { Err(format!("{number:?} is {value}, it must be finite")) }
    }

    fn look_up(&self, name: &str, open: &mut Vec<String>) -> Result<f64, String> {
        let number = self.values.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.values.keys().map(String::as_str).collect();
            format!("there is no value `{name}`; there are: {}", known.join(", "))
        })?;
        if open.iter().any(|n| n == name) {
            return Err(format!("the value `{name}` depends on itself"));
        }
        open.push(name.to_owned());
        let value = self.resolve(number, open)?;
        open.pop();
        Ok(value)
    }

    /// Replaces every `${formula}` of a text by its value, with all digits.
    pub fn fill(&self, text: &str) -> Result<String, String> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let end = rest[start..].find('}').ok_or("`${` without `}`")? + start;
            let value = self.value(&Number::Formula(rest[start + 2..end].to_owned()))?;
            out += &rest[..start];
            // a whole number stays one, so that counts can be filled in too
            out += &if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value}") } else { format!("{value:e}") };
            rest = &rest[end + 1..];
        }
        Ok(out + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(pairs: &[(&str, &str)]) -> Scope {
        let values = pairs.iter().map(|(name, text)| (name.to_string(), Number::Formula(text.to_string()))).collect();
        Scope::new(&values, &CaseValues::new())
    }

    #[test]
    fn values_refer_to_each_other_in_any_order() {
        let scope = scope(&[("a", "2*b"), ("b", "c + 1"), ("c", "3")]);
        assert_eq!(scope.named("a"), Ok(8.0));
        assert_eq!(scope.fill("[${a/3}, { x = ${b} }]").unwrap(), format!("[{:e}, {{ x = 4 }}]", 8.0 / 3.0));
    }

    #[test]
    fn circles_and_gaps_are_errors() {
        let scope = scope(&[("a", "b"), ("b", "a"), ("c", "1/0")]);
        assert!(scope.named("a").unwrap_err().contains("depends on itself"));
        assert!(scope.named("c").unwrap_err().contains("finite"));
        assert!(scope.fill("${d}").unwrap_err().contains("there is no value `d`"));
        assert!(scope.fill("${a").is_err());
    }

    #[test]
    fn filled_numbers_keep_all_digits() {
        let text = scope(&[]).fill("${1/3}").unwrap();
        assert_eq!(text.parse::<f64>().unwrap(), 1.0 / 3.0);
    }
}
