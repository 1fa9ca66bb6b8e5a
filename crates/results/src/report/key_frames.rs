//! Selection of the frames that the report draws.

use crate::Results;

use crate::history_table::HistoryTable;

/// A frame that the report draws.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFrame {
    /// Index of the frame.
    pub frame: usize,
    /// Caption: why the frame is drawn.
    pub words: &'static str,
    /// True if velocities are drawn.
    pub moving: bool,
}

/// The first and the last frame; between them, if the structure moves, the last frame at rest, the first frame with a
/// visible displacement, and the frame with the largest kinetic energy. `block` is the size of a block [m].
pub fn key_frames(results: &Results, history: &HistoryTable, block: f64) -> Vec<KeyFrame> {
    let Some(last) = results.frames().checked_sub(1) else { return Vec::new() };
    let (time, moved) = (history.column("time_s"), history.column("displacement_m"));
    let first_beyond = |distance: f64| moved.iter().position(|&d| d > distance).map(|row| time[row]);
    let frame_before = |t: f64| results.times().partition_point(|&frame| frame < t).saturating_sub(1);
    let frame_after = |t: f64| results.times().partition_point(|&frame| frame < t).min(last);

    let mut all = vec![KeyFrame { frame: 0, words: "as built", moving: false }];
    let mut add = |frame: usize, words: &'static str, moving: bool| {
        if all.iter().all(|one| one.frame != frame) {
            all.push(KeyFrame { frame, words, moving });
        }
    };
    // with a moving support or an impact at the start there is no frame at rest
    if let (Some(onset), Some(clear)) = (first_beyond(1e-4 * block), first_beyond(0.02 * block)) {
        let standing = frame_before(onset);
        if standing > 1 {
            add(standing, "last time at rest", false);
        }
        add(frame_after(clear), "moving", true);
        let energy = history.column("kinetic_j");
        let fastest =
            (0..energy.len()).filter(|&i| energy[i].is_finite()).max_by(|&a, &b| energy[a].total_cmp(&energy[b]));
        if let Some(row) = fastest {
            let frame = results.nearest(time[row]);
            if frame < last {
                add(frame, "largest kinetic energy", true);
            }
        }
    }
    add(last, "end", false);
    all.sort_by_key(|one| one.frame);
    all
}
