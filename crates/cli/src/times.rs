//! Selection of frames of a run: `first`, `last`, `all`, a time, or a range of times.

use std::str::FromStr;

use voussoir_results::Results;

use crate::failure::{CommandResult, Failure};

/// Selection of frames.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// The first frame.
    First,
    /// The last frame.
    Last,
    /// Every frame.
    All,
    /// The frame nearest to a time [s].
    At(f64),
    /// Frames from one time to another [s].
    Span(f64, f64),
}

impl FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let span = |from: f64, to: f64| (from <= to).then_some(Self::Span(from, to));
        let found = match text.trim() {
            "first" => Some(Self::First),
            "last" => Some(Self::Last),
            "all" => Some(Self::All),
            text => match text.split_once("..") {
                Some((from, to)) => {
                    let end = |part: &str, open: f64| if part.trim().is_empty() { Some(open) } else { number(part) };
                    let (from, to) = (end(from, f64::NEG_INFINITY), end(to, f64::INFINITY));
                    from.zip(to).and_then(|(from, to)| span(from, to))
                }
                None => number(text).map(Self::At),
            },
        };
        found.ok_or_else(|| format!("`{text}` is not a time; write seconds, A..B, first, last or all"))
    }
}

impl Times {
    /// The frames of a run, every `every`-th of them; at least one.
    pub fn frames(&self, results: &Results, every: usize) -> CommandResult<Vec<usize>> {
        let times = results.times();
        let Some(last) = times.len().checked_sub(1) else {
            return Err(Failure::bad_input(format!("{}: the run has no frames yet", results.dir().display())));
        };
        let (from, to) = match self {
            Self::First => (0, 0),
            Self::Last => (last, last),
            Self::All => (0, last),
            Self::At(time) => (results.nearest(*time), results.nearest(*time)),
            Self::Span(from, to) => {
                let range = times.partition_point(|t| t < from)..times.partition_point(|t| t <= to);
                if range.is_empty() {
                    let text = format!("no frame between t = {from} s and {to} s; the run goes to {} s", times[last]);
                    return Err(Failure::bad_input(text));
                }
                (range.start, range.end - 1)
            }
        };
        Ok((from..=to).step_by(every.max(1)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn times_are_read() {
        let read = |text: &str| text.parse::<Times>();
        assert_eq!(read("1.5"), Ok(Times::At(1.5)));
        assert_eq!(read("last"), Ok(Times::Last));
        assert_eq!(read("0.5..2"), Ok(Times::Span(0.5, 2.0)));
        assert_eq!(read("..2"), Ok(Times::Span(f64::NEG_INFINITY, 2.0)));
        for bad in ["", "2..1", "soon", "1..x", "inf"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
