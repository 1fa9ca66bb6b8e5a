//! The moments of a run that tell most.

use crate::Results;

use crate::history_table::HistoryTable;

/// A moment worth a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// Index of the frame.
    pub frame: usize,
    /// Why it is shown.
    pub words: &'static str,
    /// Velocities are drawn.
    pub moving: bool,
}

/// First and last frame, and between them the last moment at rest, the mechanism when it is clearly seen, and the
/// fastest moment. `block` is the size of a block [m].
pub fn telling(results: &Results, history: &HistoryTable, block: f64) -> Vec<Telling> {
    let Some(last) = results.frames().checked_sub(1) else { return Vec::new() };
    let (time, moved) = (history.column("time_s"), history.column("displacement_m"));
    let first_beyond = |distance: f64| moved.iter().position(|&d| d > distance).map(|row| time[row]);
    let frame_before = |t: f64| results.times().partition_point(|&frame| frame < t).saturating_sub(1);
    let frame_after = |t: f64| results.times().partition_point(|&frame| frame < t).min(last);

    let mut all = vec![Telling { frame: 0, words: "as built", moving: false }];
    let mut add = |frame: usize, words: &'static str, moving: bool| {
        if all.iter().all(|one| one.frame != frame) {
            all.push(Telling { frame, words, moving });
        }
    };
    // a support that moves, or an impact, has no rest before it
    if let (Some(onset), Some(clear)) = (first_beyond(1e-4 * block), first_beyond(0.02 * block)) {
        let standing = frame_before(onset);
        if standing > 1 {
            add(standing, "the last moment at rest", false);
        }
        add(frame_after(clear), "it moves", true);
        let energy = history.column("kinetic_j");
        let fastest =
            (0..energy.len()).filter(|&i| energy[i].is_finite()).max_by(|&a, &b| energy[a].total_cmp(&energy[b]));
        if let Some(row) = fastest {
            let frame = results.nearest(time[row]);
            if frame < last {
                add(frame, "most kinetic energy", true);
            }
        }
    }
    add(last, "the end", false);
    all.sort_by_key(|one| one.frame);
    all
}
