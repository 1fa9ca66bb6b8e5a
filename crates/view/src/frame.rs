//! One frame as packed arrays.

use voussoir_mechanics::snapshot::{Cast, ContactSnapshot, Deformed, Snapshot};
use voussoir_results::measures::{BlockQuantity, InterfaceResultant, interfaces, thrust_lines};
use voussoir_results::picture::median_size;
use voussoir_results::{ResultsError, SceneFacts};

use crate::bodies::{FieldPlace, fields};
use crate::pack::Pack;
use crate::run::Opened;

/// Joints are open beyond this fraction of the block size.
const OPEN_GAP: f64 = 2e-4;

/// Requested parts of a frame besides poses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Velocities.
    pub motion: bool,
    /// Pressure, stress, use, damage or slip of every block.
    pub values: Vec<BlockQuantity>,
    /// Interfaces.
    pub joints: bool,
    /// Thrust lines.
    pub thrust: bool,
    /// Outlines of open joints.
    pub cracks: bool,
    /// Cables.
    pub cables: bool,
    /// Loads.
    pub loads: bool,
    /// Wind and current.
    pub flows: bool,
    /// Single contacts.
    pub contacts: bool,
    /// Names of declared scalars.
    pub fields: Vec<String>,
}

impl Parts {
    /// Reads a comma-separated list of names; unknown names are ignored.
    pub fn read(text: &str) -> Self {
        let has = |name: &str| text.split(',').any(|part| part == name);
        let values = [
            BlockQuantity::Pressure,
            BlockQuantity::Stress,
            BlockQuantity::Use,
            BlockQuantity::Damage,
            BlockQuantity::Slip,
            BlockQuantity::Spin,
            BlockQuantity::Size,
            BlockQuantity::Force,
        ];
        let values = values.into_iter().filter(|quantity| has(quantity.name())).collect();
        Self {
            motion: has("motion") || has(BlockQuantity::Spin.name()),
            values,
            joints: has("joints"),
            thrust: has("thrust"),
            cracks: has("cracks"),
            cables: has("cables"),
            loads: has("loads"),
            flows: has("flows"),
            contacts: has("contacts"),
            fields: text.split(',').filter_map(|part| part.strip_prefix("field:")).map(str::to_owned).collect(),
        }
    }

    /// True if contacts must be read, which takes several times as long as poses.
    fn touch(&self) -> bool {
        !self.values.is_empty() || self.joints || self.thrust || self.cracks || self.contacts
    }
}

/// Packs frame `index`. Positions are relative to the origin of the run.
pub fn pack(opened: &Opened, scene: &dyn SceneFacts, index: usize, parts: &Parts) -> Result<Vec<u8>, ResultsError> {
    let results = &opened.results;
    let cast = results.cast();
    let snapshot = Snapshot {
        bodies: if parts.motion { results.bodies(index)? } else { results.poses(index)? },
        contacts: if parts.touch() { results.contacts(index)? } else { Vec::new() },
        cables: if parts.cables { results.cables(index)? } else { Vec::new() },
        deformed: results.deformed(index)?,
        body_fields: if parts.fields.is_empty() { Vec::new() } else { results.body_fields(index)? },
        time: results.times()[index],
        step: 0,
    };
    let place = |point: [f64; 3]| std::array::from_fn::<f64, 3, _>(|k| point[k] - opened.origin[k]);
    let mut pack = Pack::default();
    pack.say("frame", index);
    pack.say("time", snapshot.time);
    pack.f32s("position", snapshot.bodies.iter().flat_map(|body| place(body.position)));
    pack.f32s("rotation", snapshot.bodies.iter().flat_map(|body| body.rotation));
    pack.u8s("there", snapshot.bodies.iter().map(|body| u8::from(!body.absent)));
    if parts.motion {
        pack.f32s("velocity", snapshot.bodies.iter().flat_map(|body| body.velocity));
    }
    pack_deformed(&mut pack, opened, &snapshot);
    for name in &parts.fields {
        pack_field(&mut pack, cast, &snapshot, name);
    }
    for quantity in &parts.values {
        let values = quantity.values(cast, &opened.first, &snapshot).unwrap_or_default();
        pack.f32s(quantity.name(), values.into_iter());
    }
    let all = if parts.joints || parts.thrust { interfaces(&snapshot) } else { Vec::new() };
    if parts.joints {
        pack_joints(&mut pack, &all, place);
    }
    if parts.thrust {
        let lines = thrust_lines(cast, &all);
        let pieces = lines.iter().flat_map(|line| line.points.windows(2)).flatten();
        pack.f32s("thrust", pieces.flat_map(|&point| place(point)));
    }
    if parts.cracks {
        let block = median_size(cast);
        let known = opened.joints()?.map(|joints| joints.openings(&snapshot, block));
        let (ends, gaps, owners) = cracks(known.as_deref().unwrap_or(&snapshot.contacts), OPEN_GAP * block);
        pack.f32s("crack", ends.iter().flatten().flat_map(|&point| place(point)));
        pack.f32s("crack_opening", gaps.into_iter());
        pack.u32s("crack_body", owners.into_iter());
    }
    if parts.cables {
        let pieces = || snapshot.cables.iter().flat_map(|cable| cable.points.windows(2).map(move |ends| (ends, cable)));
        pack.f32s("cable", pieces().flat_map(|(ends, _)| ends).flat_map(|&point| place(point)));
        pack.f32s("cable_force", pieces().map(|(_, cable)| cable.force));
    }
    if parts.loads {
        let loads = scene.loads(&snapshot);
        let acting = || loads.iter().filter(|load| load.force.iter().any(|&x| x != 0.0));
        pack.f32s("load_place", acting().flat_map(|load| place(load.point)));
        pack.f32s("load_force", acting().flat_map(|load| load.force));
    }
    if parts.flows {
        let flows = scene.flows(&snapshot);
        pack.f32s("flow_place", flows.iter().flat_map(|flow| place(flow.point)));
        pack.f32s("flow_velocity", flows.iter().flat_map(|flow| flow.velocity));
        pack.u8s("flow_wind", flows.iter().map(|flow| u8::from(flow.wind)));
    }
    if parts.contacts {
        let contacts = || snapshot.contacts.iter().filter(|contact| contact.force.iter().any(|&x| x != 0.0));
        pack.f32s("contact_place", contacts().flat_map(|contact| place(contact.position)));
        pack.f32s("contact_force", contacts().flat_map(|contact| contact.force));
        pack.u32s("contact_body", contacts().map(|contact| contact.bodies[0]));
    }
    Ok(pack.finish())
}

/// Corners of deformed bodies, in the order of their numbers, in body axes.
fn pack_deformed(pack: &mut Pack, opened: &Opened, snapshot: &Snapshot) {
    if snapshot.deformed.is_empty() {
        return;
    }
    let corners = opened.corners();
    let of = |deformed: &Deformed| corners.get(&(deformed.body as usize)).map_or(&[][..], Vec::as_slice);
    pack.u32s("deformed_body", snapshot.deformed.iter().map(|deformed| deformed.body));
    let points = snapshot.deformed.iter().flat_map(|deformed| {
        of(deformed).iter().filter_map(|&corner| deformed.points.get(corner as usize)).flatten().copied()
    });
    pack.f32s("deformed_points", points);
}

/// A declared scalar, one value per body: of a scalar at points the largest one of the body.
fn pack_field(pack: &mut Pack, cast: &Cast, snapshot: &Snapshot, name: &str) {
    let Some((_, place)) = fields(cast).find(|(info, _)| info.name == name) else { return };
    let mut values = vec![f64::NAN; cast.bodies.len()];
    match place {
        FieldPlace::Bodies(field) => {
            let known = snapshot.body_fields.get(field).map_or(&[][..], Vec::as_slice);
            values.iter_mut().zip(known).for_each(|(value, known)| *value = *known);
        }
        FieldPlace::Points(field) => {
            for deformed in &snapshot.deformed {
                let own = deformed.values.get(field).into_iter().flatten().copied();
                if let Some(value) = values.get_mut(deformed.body as usize) {
                    *value = own.fold(f64::NAN, f64::max);
                }
            }
        }
    }
    pack.f32s(&format!("field:{name}"), values.into_iter());
}

fn pack_joints(pack: &mut Pack, all: &[InterfaceResultant], place: impl Fn([f64; 3]) -> [f64; 3]) {
    pack.u32s("joint_bodies", all.iter().flat_map(|joint| joint.bodies));
    pack.f32s("joint_centre", all.iter().flat_map(|joint| place(joint.centre)));
    pack.f32s("joint_force", all.iter().flat_map(|joint| joint.force));
    pack.f32s("joint_opening", all.iter().map(|joint| joint.opening));
}

type Cracks = (Vec<[[f64; 3]; 2]>, Vec<f64>, Vec<u32>);

/// Outlines of open joints: pieces, the opening at each, and the block that each belongs to.
fn cracks(contacts: &[ContactSnapshot], least: f64) -> Cracks {
    let mut open: Vec<&ContactSnapshot> = contacts.iter().filter(|contact| contact.gap > least).collect();
    open.sort_by_key(|contact| contact.bodies);
    let (mut ends, mut gaps, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    for joint in open.chunk_by(|a, b| a.bodies == b.bodies) {
        let gap = joint.iter().map(|contact| contact.gap).fold(0.0, f64::max);
        let outline = around(joint);
        let count = outline.len();
        let pieces = match count {
            1 => 1,
            2 => 1,
            _ => count,
        };
        for k in 0..pieces {
            ends.push([outline[k], outline[(k + 1) % count]]);
            gaps.push(gap);
            owners.push(joint[0].bodies[0]);
        }
    }
    (ends, gaps, owners)
}

/// Places of contacts in order around their middle, in the plane of the first normal.
fn around(joint: &[&ContactSnapshot]) -> Vec<[f64; 3]> {
    let count = joint.len() as f64;
    let middle: [f64; 3] =
        std::array::from_fn(|k| joint.iter().map(|contact| contact.position[k]).sum::<f64>() / count);
    let n = joint[0].normal;
    // any direction that is not parallel to the normal gives two axes in the plane
    let other = if n[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let u = cross(n, other);
    let v = cross(n, u);
    let angle = |point: &[f64; 3]| {
        let arm = std::array::from_fn(|k| point[k] - middle[k]);
        dot(arm, v).atan2(dot(arm, u))
    };
    let mut points: Vec<[f64; 3]> = joint.iter().map(|contact| contact.position).collect();
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_joint_is_outlined_without_crossing_itself() {
        let corner = |x: f64, y: f64, gap: f64| ContactSnapshot {
            bodies: [2, 1],
            position: [x, y, 0.0],
            normal: [0.0, 0.0, 1.0],
            gap,
            ..ContactSnapshot::default()
        };
        // points in arbitrary order
        let contacts = [corner(0.0, 0.0, 1e-3), corner(1.0, 1.0, 2e-3), corner(1.0, 0.0, 1e-3), corner(0.0, 1.0, 1e-3)];
        let (ends, gaps, owners) = cracks(&contacts, 1e-5);
        let length = |[a, b]: &[[f64; 3]; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        assert!((ends.iter().map(length).sum::<f64>() - 4.0).abs() < 1e-12, "the outline of a square");
        assert_eq!((gaps, owners), (vec![2e-3; 4], vec![2; 4]));
        assert!(cracks(&contacts, 1.0).0.is_empty());
    }
}
