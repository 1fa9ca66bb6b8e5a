//! Numbers of one block or one joint: in one frame, and over time. Double precision, as recorded.

use rayon::prelude::*;
use serde_json::{Value, json};
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_results::measures::{BlockQuantity, InterfaceResultant, interfaces, mean_stress, principal};
use voussoir_results::picture::median_size;
use voussoir_results::{ResultsError, SceneFacts};

use crate::run::Opened;

/// Largest number of points of a plot over time.
const MOST_POINTS: usize = 400;
/// Maximum number of points if contacts must be read.
const MOST_CONTACT_POINTS: usize = 120;
/// Displacement, relative to the block size, beyond which a block counts as moved.
const MOVED_DISTANCE: f64 = 1e-3;

/// All numbers of a block in a frame; `None` if the block does not exist.
pub fn block(opened: &Opened, body: usize, frame: usize) -> Result<Option<Value>, ResultsError> {
    let cast = opened.results.cast();
    let Some(about) = cast.bodies.get(body) else { return Ok(None) };
    let snapshot = opened.results.frame(frame)?;
    let (now, first) = (snapshot.bodies[body], opened.first.bodies[body]);
    let moved: [f64; 3] = std::array::from_fn(|k| now.position[k] - first.position[k]);
    let own = only(snapshot, body as u32);
    let joints = interfaces(&own);
    let stress = mean_stress(cast, &own)[body];
    let value = |quantity: BlockQuantity| {
        let values = quantity.values(cast, &opened.first, &own);
        values.map(|values| values[body]).filter(|value| value.is_finite())
    };
    let principal = (!about.support && stress[0].is_finite()).then(|| principal(&stress, cast.dimension));
    Ok(Some(json!({
        "block": body,
        "name": about.name,
        "material": cast.materials.get(about.material),
        "support": about.support,
        "mass_kg": if about.support { None } else { Some(about.mass) },
        "volume_m3": (about.volume > 0.0).then_some(about.volume),
        "frame": frame,
        "time_s": own.time,
        "position_m": surveyed(now.position, cast.origin),
        "displacement_m": length(moved),
        "displacement_vector_m": moved,
        "rotation_deg": turned(first.rotation, now.rotation).to_degrees(),
        "speed_m_s": length(now.velocity),
        "velocity_m_s": now.velocity,
        "spin_rad_s": length(now.spin),
        "pressure_pa": value(BlockQuantity::Pressure),
        "principal_pa": principal,
        "use": value(BlockQuantity::Use),
        "damage": value(BlockQuantity::Damage),
        "slip_m": value(BlockQuantity::Slip),
        "joints": joints.iter().map(|joint| {
            let other = joint.bodies[usize::from(joint.bodies[0] as usize == body)] as usize;
            json!({
                "bodies": joint.bodies,
                "other": other,
                "name": cast.bodies.get(other).map(|body| &body.name),
                "force_n": joint.size(),
                "opening_m": joint.opening,
            })
        }).collect::<Vec<_>>(),
    })))
}

/// All numbers of a joint in a frame.
pub fn joint(opened: &Opened, bodies: [u32; 2], frame: usize) -> Result<Value, ResultsError> {
    let snapshot = opened.results.frame(frame)?;
    let time = snapshot.time;
    let name = |body: u32| opened.results.cast().bodies.get(body as usize).map(|body| &body.name);
    let found = between(snapshot, bodies);
    let head = json!({ "bodies": bodies, "names": bodies.map(name), "frame": frame, "time_s": time });
    let Some(joint) = found else { return Ok(merge(head, json!({ "contacts": 0 }))) };
    let words = ["open", "sticks", "slides"];
    let body = json!({
        "contacts": joint.contacts,
        "force_n": joint.force,
        "size_n": joint.size(),
        "normal_n": joint.normal_force,
        "tangential_n": joint.tangential_force,
        "use": joint.friction_use(),
        "friction": joint.friction,
        "centre_m": surveyed(joint.centre, opened.results.cast().origin),
        "moment_nm": length(joint.moment),
        "area_m2": joint.area,
        "mean_pressure_pa": (joint.area > 0.0).then(|| joint.normal_force / joint.area),
        "opening_m": joint.opening,
        "damage": joint.damage,
        "slip_m": joint.slip,
        "status": words.get(usize::from(joint.status)),
    });
    Ok(merge(head, body))
}

/// A number of a block over time; `None` when there is no such block or number.
pub fn block_track(opened: &Opened, body: usize, of: &str) -> Result<Option<Value>, ResultsError> {
    let results = &opened.results;
    let quantity = of.parse::<BlockQuantity>().ok().filter(|quantity| *quantity != BlockQuantity::Material);
    let Some(quantity) = quantity.filter(|_| body < results.cast().bodies.len()) else { return Ok(None) };
    let moves = matches!(quantity, BlockQuantity::Displacement | BlockQuantity::Speed);
    let frames = samples(results.frames(), if moves { MOST_POINTS } else { MOST_CONTACT_POINTS });
    let value = |&frame: &usize| {
        if moves {
            let (position, velocity) = results.body_at(frame, body)?;
            let first = opened.first.bodies[body].position;
            let moved = std::array::from_fn(|k| position[k] - first[k]);
            return Ok(length(if quantity == BlockQuantity::Speed { velocity } else { moved }));
        }
        let own = only(results.frame(frame)?, body as u32);
        Ok(quantity.values(results.cast(), &opened.first, &own).map_or(f64::NAN, |values| values[body]))
    };
    let values = frames.par_iter().map(value).collect::<Result<Vec<f64>, ResultsError>>()?;
    Ok(Some(track(opened, &frames, &values, quantity.label(), quantity.unit())))
}

/// A number of a joint over time; `None` when there is no such number.
pub fn joint_track(opened: &Opened, bodies: [u32; 2], of: &str) -> Result<Option<Value>, ResultsError> {
    let (label, unit, pick): (_, _, fn(&InterfaceResultant) -> f64) = match of {
        "force" => ("force", "N", InterfaceResultant::size),
        "use" => ("friction utilisation ‖T‖/μN", "", InterfaceResultant::friction_use),
        "opening" => ("opening", "m", |joint| joint.opening),
        "damage" => ("damage", "", |joint| joint.damage),
        "slip" => ("slip", "m", |joint| joint.slip),
        _ => return Ok(None),
    };
    let frames = samples(opened.results.frames(), MOST_CONTACT_POINTS);
    let value = |&frame: &usize| {
        let found = between(opened.results.frame(frame)?, bodies);
        Ok(found.as_ref().map_or(0.0, pick))
    };
    let values = frames.par_iter().map(value).collect::<Result<Vec<f64>, ResultsError>>()?;
    Ok(Some(track(opened, &frames, &values, label, unit)))
}

/// For every block the stage in which it first moved, from 0; −1 for blocks that did not.
pub fn stages(opened: &Opened, scene: &dyn SceneFacts) -> Result<Value, ResultsError> {
    let results = &opened.results;
    let stages = scene.stages();
    let mut first_moved = vec![-1i64; results.cast().bodies.len()];
    let far = MOVED_DISTANCE * median_size(results.cast());
    let steps = results.steps()?;
    for (stage, (_, end)) in stages.iter().enumerate() {
        let Some(frame) = steps.partition_point(|step| step <= end).checked_sub(1) else { continue };
        let bodies = results.bodies(frame)?;
        for ((now, then), stage_of) in bodies.iter().zip(&opened.first.bodies).zip(&mut first_moved) {
            let moved = std::array::from_fn(|k| now.position[k] - then.position[k]);
            if *stage_of < 0 && length(moved) > far {
                *stage_of = stage as i64;
            }
        }
    }
    Ok(json!({ "names": stages.into_iter().map(|(name, _)| name).collect::<Vec<_>>(), "stage": first_moved }))
}

/// Frames of a plot: all, or evenly chosen ones with the first and the last among them.
fn samples(frames: usize, most: usize) -> Vec<usize> {
    match frames {
        0 => Vec::new(),
        frames if frames <= most => (0..frames).collect(),
        frames => (0..most).map(|i| i * (frames - 1) / (most - 1)).collect(),
    }
}

fn track(opened: &Opened, frames: &[usize], values: &[f64], label: &str, unit: &str) -> Value {
    let times = opened.results.times();
    let finite: Vec<Option<f64>> = values.iter().map(|&value| value.is_finite().then_some(value)).collect();
    json!({
        "label": label,
        "unit": unit,
        "frames": frames,
        "times": frames.iter().map(|&frame| times[frame]).collect::<Vec<_>>(),
        "values": finite,
    })
}

/// A snapshot with the contacts of one body only.
fn only(mut snapshot: Snapshot, body: u32) -> Snapshot {
    snapshot.contacts.retain(|contact| contact.bodies.contains(&body));
    snapshot
}

/// The interface of two bodies, in either order.
fn between(mut snapshot: Snapshot, [a, b]: [u32; 2]) -> Option<InterfaceResultant> {
    snapshot.contacts.retain(|contact| contact.bodies == [a, b] || contact.bodies == [b, a]);
    interfaces(&snapshot).into_iter().next()
}

fn merge(mut a: Value, b: Value) -> Value {
    if let (Value::Object(a), Value::Object(b)) = (&mut a, b) {
        a.extend(b);
    }
    a
}

/// A point in survey coordinates.
fn surveyed(point: [f64; 3], origin: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| point[k] + origin[k])
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Angle between two orientations [rad].
fn turned(a: [f64; 4], b: [f64; 4]) -> f64 {
    let along: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    // the vector part of the difference, which is exact for small angles
    let [ax, ay, az, aw] = a.map(|x| -x);
    let [bx, by, bz, bw] = b;
    let part = [
        aw * bx - ax * bw - ay * bz + az * by,
        aw * by + ax * bz - ay * bw - az * bx,
        aw * bz - ax * by + ay * bx - az * bw,
    ];
    2.0 * length(part).atan2(along.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_turns_keep_their_digits() {
        let half = 1e-9f64;
        let turn = |angle: f64| [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
        assert!((turned(turn(0.3), turn(0.3 + half)) / half - 1.0).abs() < 1e-6);
        assert!((turned(turn(0.0), turn(1.0)) - 1.0).abs() < 1e-12);
        // the two quaternions of one orientation
        assert!(turned(turn(0.3), turn(0.3).map(|x| -x)) < 1e-12);
    }

    #[test]
    fn plots_have_the_first_and_the_last_frame() {
        assert_eq!(samples(3, 10), [0, 1, 2]);
        let many = samples(1000, 100);
        assert_eq!((many.len(), many[0], many[99]), (100, 0, 999));
    }
}
