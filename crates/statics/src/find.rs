//! The limiting value of a parameter for which a structure stands, by bisection on certificates.

use serde::Serialize;

/// The limit that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Find {
    /// Smallest: the minimum value that stands.
    Smallest,
    /// Largest: the maximum value that stands.
    Largest,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The limit that is searched.
    pub find: Find,
    /// The last value that stands; `None` if there is none.
    pub value: Option<f64>,
    /// Lower end of the last interval.
    pub lower: f64,
    /// The upper end of the last interval.
    pub upper: f64,
    /// Number of evaluated structures.
    pub evaluations: usize,
    /// Values that were not decided within the tolerance; they are treated as collapsing.
    pub undecided: usize,
    /// "found", or the verdict of the whole interval: "all stand", "all fall".
    pub outcome: &'static str,
}

/// Bisects `between` to `tolerance` times its upper end. `stands` returns true, false or undecided for a value.
pub fn find<E>(
    find: Find,
    between: [f64; 2],
    tolerance: f64,
    mut stands: impl FnMut(f64) -> Result<Option<bool>, E>,
) -> Result<Found, E> {
    let (mut evaluations, mut undecided) = (0, 0);
    let mut ask = |value: f64| {
        evaluations += 1;
        stands(value).map(|answer| {
            undecided += usize::from(answer.is_none());
            answer.unwrap_or(false)
        })
    };
    let [low, high] = between;
    let (mut good, mut bad) = if find == Find::Smallest { (high, low) } else { (low, high) };
    let mut outcome = "found";
    let mut value = None;
    if !ask(good)? {
        outcome = "all fall";
    } else if ask(bad)? {
        (outcome, value) = ("all stand", Some(bad));
    } else {
        let width = tolerance * low.abs().max(high.abs());
        while (good - bad).abs() > width {
            let middle = 0.5 * (good + bad);
            if middle == good || middle == bad {
                break;
            }
            if ask(middle)? {
                good = middle;
            } else {
                bad = middle;
            }
        }
        value = Some(good);
    }
    Ok(Found { find, value, lower: good.min(bad), upper: good.max(bad), evaluations, undecided, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_found() {
        let limit = 0.3217;
        let up = find::<()>(Find::Smallest, [0.0, 1.0], 1e-6, |x| Ok(Some(x >= limit))).unwrap();
        assert!(up.value.is_some_and(|v| v >= limit && v - limit < 1e-6) && up.lower < limit);
        let down = find::<()>(Find::Largest, [0.0, 1.0], 1e-6, |x| Ok(Some(x <= limit))).unwrap();
        assert!(down.value.is_some_and(|v| v <= limit && limit - v < 1e-6) && down.upper > limit);
        let all = find::<()>(Find::Largest, [0.0, 1.0], 1e-6, |_| Ok(Some(true))).unwrap();
        assert_eq!((all.outcome, all.value, all.evaluations), ("all stand", Some(1.0), 2));
        let none = find::<()>(Find::Largest, [0.0, 1.0], 1e-6, |_| Ok(None)).unwrap();
        assert_eq!((none.outcome, none.value, none.undecided), ("all fall", None, 1));
    }
}
