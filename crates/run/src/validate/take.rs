//! Reduction of the history of a quantity to one number.

use super::case::Take;

/// Parameters of a [`Take`] besides the history.
#[derive(Clone, Copy, Debug, Default)]
pub struct Details {
    /// Time [s].
    pub at: Option<f64>,
    /// Value that is crossed or exceeded.
    pub level: Option<f64>,
    /// Which peak or crossing, from 1.
    pub nth: usize,
}

/// A value that is compared: a number, or a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ComparedValue {
    /// A number.
    Number(f64),
    /// Stands, as opposed to falls.
    Stands(bool),
}

/// Makes one number of a history of (time, value), ordered by time.
pub fn take(kind: Take, details: Details, history: &[(f64, f64)]) -> Result<ComparedValue, String> {
    let (Some(&(start, first)), Some(&(end, last))) = (history.first(), history.last()) else {
        return Err("nothing was recorded".to_owned());
    };
    let level = || details.level.ok_or("`level` is missing".to_owned());
    let values = || history.iter().map(|&(_, q)| q);
    let number = match kind {
        Take::End => last,
        Take::Time => at_time(history, details.at.ok_or("`at` is missing")?)?,
        Take::Rate => (last - first) / (end - start),
        Take::Ratio => last / first,
        Take::Maximum => values().fold(f64::NEG_INFINITY, f64::max),
        Take::Minimum => values().fold(f64::INFINITY, f64::min),
        Take::Drift => values().map(|q| (q - first).abs()).fold(0.0, f64::max),
        Take::Peak => peak(history, details.nth)?,
        Take::Crossing => crossing(history, level()?, details.nth)?,
        Take::Last => last_above(history, level()?)?,
        Take::Path => path(history),
        Take::Detour => {
            let until = details.at.map_or(Ok(history.len()), |at| index_at(history, at).map(|last| last + 1))?;
            let part = &history[..until];
            path(part) / (part[part.len() - 1].1 - first).abs()
        }
        Take::Rise => rise(history, details.at, details.level),
        Take::Verdict => {
            let level = level()?;
            // NaN counts as collapse
            return Ok(ComparedValue::Stands(values().all(|q| q.abs() <= level)));
        }
    };
    Ok(ComparedValue::Number(number))
}

/// Largest rise of q above its lowest value so far, from the time `at` on, until |q| is above `level`.
fn rise(history: &[(f64, f64)], at: Option<f64>, level: Option<f64>) -> f64 {
    let (from, level) = (at.unwrap_or(f64::NEG_INFINITY), level.unwrap_or(f64::INFINITY));
    let (mut lowest, mut most) = (f64::INFINITY, 0.0_f64);
    for &(_, q) in history.iter().skip_while(|(t, _)| *t < from).take_while(|(_, q)| q.abs() <= level) {
        lowest = lowest.min(q);
        most = most.max(q - lowest);
    }
    most
}

/// The value at a time that ends a step.
fn at_time(history: &[(f64, f64)], at: f64) -> Result<f64, String> {
    index_at(history, at).map(|i| history[i].1)
}

/// Where in the history a step ends at this time.
fn index_at(history: &[(f64, f64)], at: f64) -> Result<usize, String> {
    let close = |t: f64| (t - at).abs() <= 1e-6 * (history[history.len() - 1].0 / history.len() as f64);
    history.iter().position(|(t, _)| close(*t)).ok_or_else(|| format!("no step ends at t = {at} s"))
}

fn path(history: &[(f64, f64)]) -> f64 {
    history.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).sum()
}

/// The vertex of the parabola through the nth local maximum of |q| and its neighbours.
fn peak(history: &[(f64, f64)], nth: usize) -> Result<f64, String> {
    let mut count = 0;
    for three in history.windows(3) {
        let [a, b, c] = [three[0].1.abs(), three[1].1.abs(), three[2].1.abs()];
        if b > a && b >= c {
            count += 1;
            if count == nth {
                let bend = a - 2.0 * b + c;
                return Ok(if bend < 0.0 { b - (a - c) * (a - c) / (8.0 * bend) } else { b });
            }
        }
    }
    Err(format!("peak {nth} is requested, but there are {count} peaks"))
}

/// Time of the nth passage through a level, on the straight line between two steps. Neither a start on the level nor
/// touching the level counts.
fn crossing(history: &[(f64, f64)], level: f64, nth: usize) -> Result<f64, String> {
    let mut count = 0;
    let mut last: Option<(f64, f64)> = None;
    for (t, q) in history.iter().map(|&(t, q)| (t, q - level)).filter(|&(_, q)| q != 0.0) {
        if let Some((t0, q0)) = last.filter(|(_, q0)| (*q0 < 0.0) != (q < 0.0)) {
            count += 1;
            if count == nth {
                return Ok(t0 + (t - t0) * (q0 / (q0 - q)));
            }
        }
        last = Some((t, q));
    }
    Err(format!("crossing {nth} is requested, but the level is crossed {count} times"))
}

fn last_above(history: &[(f64, f64)], level: f64) -> Result<f64, String> {
    let found = history.iter().rev().find(|(_, q)| q.abs() > level);
    found.map(|(t, _)| *t).ok_or_else(|| format!("the quantity is never above {level}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine() -> Vec<(f64, f64)> {
        (0..=4000).map(|i| i as f64 * 1e-3).map(|t| (t, (-0.1 * t).exp() * (std::f64::consts::TAU * t).sin())).collect()
    }

    fn number(kind: Take, details: Details, history: &[(f64, f64)]) -> f64 {
        match take(kind, details, history) {
            Ok(ComparedValue::Number(value)) => value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn crossings_are_between_steps() {
        let history: Vec<_> = sine().into_iter().step_by(7).collect();
        for nth in 1..=6 {
            let details = Details { level: Some(0.0), nth, ..Details::default() };
            assert!((number(Take::Crossing, details, &history) - 0.5 * nth as f64).abs() < 1e-4, "{nth}");
        }
        let details = Details { level: Some(0.0), nth: 60, ..Details::default() };
        assert!(take(Take::Crossing, details, &history).is_err());
    }

    #[test]
    fn peaks_are_between_steps() {
        // d/dt e^(−ct) sin ωt = 0 at tan ωt = ω/c
        let (c, omega) = (0.1, std::f64::consts::TAU);
        for nth in 1..=4 {
            let t = ((omega / c).atan() + std::f64::consts::PI * (nth as f64 - 1.0)) / omega;
            let expected = (-c * t).exp() * (omega * t).sin().abs();
            let history: Vec<_> = sine().into_iter().step_by(5).collect();
            let computed = number(Take::Peak, Details { nth, ..Details::default() }, &history);
            assert!((computed - expected).abs() < 1e-7, "{nth}: {computed} {expected}");
        }
    }

    #[test]
    fn simple_takes() {
        let history = [(0.0, 1.0), (0.5, -2.0), (1.0, 4.0), (1.5, 0.5), (2.0, 3.0)];
        let none = Details { nth: 1, ..Details::default() };
        for (kind, expected) in [
            (Take::End, 3.0),
            (Take::Rate, 1.0),
            (Take::Ratio, 3.0),
            (Take::Maximum, 4.0),
            (Take::Minimum, -2.0),
            (Take::Drift, 3.0),
            (Take::Path, 15.0),
            (Take::Detour, 7.5),
            (Take::Rise, 6.0),
        ] {
            assert_eq!(number(kind, none, &history), expected, "{kind:?}");
        }
        assert_eq!(number(Take::Time, Details { at: Some(0.5), ..none }, &history), -2.0);
        assert!(take(Take::Time, Details { at: Some(0.7), ..none }, &history).is_err());
        // it only falls until then
        assert_eq!(number(Take::Detour, Details { at: Some(0.5), ..none }, &history), 1.0);
        assert_eq!(number(Take::Rise, Details { at: Some(1.0), ..none }, &history), 2.5);
        assert_eq!(number(Take::Rise, Details { level: Some(3.0), ..none }, &history), 0.0);
        assert_eq!(number(Take::Last, Details { level: Some(3.5), ..none }, &history), 1.0);
        let verdict = |level| take(Take::Verdict, Details { level: Some(level), ..none }, &history);
        assert_eq!((verdict(4.0), verdict(3.9)), (Ok(ComparedValue::Stands(true)), Ok(ComparedValue::Stands(false))));
        assert_eq!(
            take(Take::Verdict, Details { level: Some(1.0), ..none }, &[(0.0, f64::NAN)]),
            Ok(ComparedValue::Stands(false))
        );
    }
}
