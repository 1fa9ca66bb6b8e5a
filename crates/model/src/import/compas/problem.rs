//! Problems of compas_dem: loads, prescribed displacements, contact law.
//!
//! A point load acts at its point, or with a moment at the centroid; a surface load [N/m²] times the area of its face acts at
//! the centroid of the face; a body force is an acceleration of all blocks. Moment vectors and rotations are in world axes.
//! Mohr–Coulomb: ‖T‖ ≤ c S + μ N, tension up to t_c S [Pa]. The springs kn and kt [N/m] of a whole contact become kn/A and kt/A
//! [Pa/m] with the mean area A of the contacts.

use std::collections::BTreeMap;

use serde_json::Value;
use voussoir_geometry::glam::DVec3;

use super::document::CompasDocument;
use super::mesh::area_and_centroid;
use super::value::{class, content, number, text, three, vector};
use crate::import::{ImportOptions, Notes};
use crate::scene::actions::{LoadSpec, MotionQuantitySpec, MotionSpec, Ramp, Select, Selection, TimeFunctionSpec};
use crate::scene::joints::{BondSpec, ElasticSpec, FrictionSpec, MohrCoulombSpec};
use crate::scene::{JointSpec, NumberOrVector};

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The part of a scene that a problem determines.
#[derive(Default)]
pub(super) struct Actions {
    pub gravity: Option<NumberOrVector>,
    pub loads: Vec<LoadSpec>,
    /// Motions of blocks, by their place in the list of blocks.
    pub motions: BTreeMap<usize, MotionSpec>,
    pub joint: Option<JointSpec>,
}

/// Reads a problem; `names` are those of the blocks in the scene.
pub(super) fn actions(
    document: &CompasDocument,
    problem: &Value,
    names: &[String],
    options: &ImportOptions,
    notes: &mut Notes,
) -> Actions {
    let mut reader =
        Reader { document, names, options, notes, found: Actions::default(), moved: BTreeMap::new(), ramps: 0 };
    for group in problem.get("boundary_conditions").and_then(Value::as_array).into_iter().flatten() {
        reader.group(content(group), super::value::name(group).unwrap_or("load"));
    }
    let given = |parts: &[[Option<f64>; 3]; 2]| parts.iter().flatten().any(Option::is_some);
    for (block, parts) in std::mem::take(&mut reader.moved).into_iter().filter(|(_, parts)| given(parts)) {
        let motion = reader.motion(block, parts);
        reader.found.motions.insert(block, motion);
    }
    reader.contact(problem.get("contact_properties").map_or(&Value::Null, content));
    if let Some(solver) = problem.get("solver").map(content).and_then(|solver| text(solver, "name")) {
        reader.notes.changed(format!("the solver {solver} of the problem and its parameters are not used"));
    }
    if reader.ramps > 0 {
        let half = 0.5 * options.duration;
        let loads = format!("{} load(s) with loading_type \"ramp\"", reader.ramps);
        reader.notes.changed(match options.ramp {
            true => format!(
                "{loads} grow over the first {half} s of a run; `voussoir stand --time {half}` has their full value"
            ),
            false => format!("{loads} act with their full value from the start; --ramp lets them grow in a run"),
        });
    }
    reader.found
}

struct Reader<'a> {
    document: &'a CompasDocument,
    names: &'a [String],
    options: &'a ImportOptions,
    notes: &'a mut Notes,
    found: Actions,
    /// Components of translation [units of the source] and rotation [rad] of blocks, where they are given.
    moved: BTreeMap<usize, [[Option<f64>; 3]; 2]>,
    ramps: usize,
}

impl Reader<'_> {
    fn group(&mut self, group: &Value, name: &str) {
        if let Some(g) = number(group, "g") {
            let known = self.found.gravity.get_or_insert(NumberOrVector::Number(g)).clone();
            if known != NumberOrVector::Number(g) {
                self.notes
                    .changed(format!("group {name}: gravity {g} differs from that of the first group, which is used"));
            }
        }
        for kind in ["point_loads", "surface_loads", "body_forces", "displacements"] {
            for (i, entry) in group.get(kind).and_then(Value::as_array).into_iter().flatten().enumerate() {
                let label = format!("{name}-{}-{}", kind.trim_end_matches('s').replace('_', "-"), i + 1);
                let data = content(entry);
                let ramp = text(data, "loading_type") == Some("ramp");
                self.ramps += usize::from(ramp);
                let before = self.found.loads.len();
                let read = match kind {
                    "point_loads" => self.point_load(&label, data),
                    "surface_loads" => self.surface_load(&label, data),
                    "body_forces" => self.body_force(&label, data),
                    _ => self.displacement(class(entry), data),
                };
                if let Err(reason) = read {
                    self.notes.dropped(format!("{label}: {reason}"));
                }
                if ramp && self.options.ramp {
                    let growing = Some(self.grow());
                    self.found.loads[before..].iter_mut().for_each(|load| load.function.clone_from(&growing));
                }
            }
        }
        let known = ["point_loads", "surface_loads", "body_forces", "displacements", "g", "name"];
        for (key, value) in group.as_object().into_iter().flatten() {
            if !known.contains(&key.as_str()) && !value.is_null() {
                self.notes.dropped(format!("group {name}: {key} is unknown"));
            }
        }
    }

    /// From nothing to the full value over the first half of the simulated time.
    fn half(&self) -> Ramp {
        Ramp { start: None, end: 0.5 * self.options.duration, from: None, to: None }
    }

    /// The function of a load that grows.
    fn grow(&self) -> TimeFunctionSpec {
        TimeFunctionSpec { constant: None, table: None, sine: None, ramp: Some(self.half()) }
    }

    /// Place of a block in the list by the number of its node.
    fn block(&self, data: &Value) -> Result<usize, String> {
        let node = data.get("block_index").and_then(Value::as_u64).ok_or("it names no block")?;
        self.document
            .blocks
            .iter()
            .position(|block| block.node == node)
            .ok_or_else(|| format!("there is no block with the node {node}"))
    }

    fn load(&self, name: &str, select: &str) -> LoadSpec {
        LoadSpec {
            name: name.to_owned(),
            select: Selection::One(Select::Named(select.to_owned())),
            force: None,
            moment: None,
            point: None,
            acceleration: None,
            fill: None,
            pressure: None,
            mass: None,
            function: None,
        }
    }

    fn point_load(&mut self, label: &str, data: &Value) -> Result<(), String> {
        let block = self.block(data)?;
        let part = |key: &str| match data.get(key).filter(|value| !value.is_null()) {
            None => Ok(None),
            Some(value) => vector(value).map(Some).ok_or_else(|| format!("`{key}` is not three numbers")),
        };
        let [force, moment, point] = [part("force")?, part("moment")?, part("point")?];
        let mut load = self.load(label, &self.names[block]);
        let turned = |v: DVec3| self.options.up.turn(v);
        load.force = force.map(|force| turned(force).to_array().to_vec());
        load.moment = moment.map(|moment| NumberOrVector::Vector(turned(moment).to_array().to_vec()));
        load.point = point.map(|point| (turned(point) * self.scale()).to_array().to_vec());
        self.found.loads.push(load);
        Ok(())
    }

    /// Metres per unit of the source.
    fn scale(&self) -> f64 {
        self.options.unit.map_or(1.0, |unit| unit.metres()) * self.options.scale
    }

    fn surface_load(&mut self, label: &str, data: &Value) -> Result<(), String> {
        let block = self.block(data)?;
        let key = data.get("face_index").and_then(Value::as_u64).ok_or("it names no face")?;
        let traction = data.get("load").and_then(vector).ok_or("`load` is not three numbers")?;
        let mesh = &self.document.blocks[block].mesh;
        let face = mesh.faces.iter().find(|(number, _)| *number == key).ok_or(format!("there is no face {key}"))?;
        let points: Vec<DVec3> = face.1.iter().map(|&corner| mesh.vertices[corner as usize] * self.scale()).collect();
        let (area, centroid) = area_and_centroid(&points);
        let mut load = self.load(label, &self.names[block]);
        load.force = Some((self.options.up.turn(traction) * area.length()).to_array().to_vec());
        load.point = Some(self.options.up.turn(centroid).to_array().to_vec());
        self.found.loads.push(load);
        Ok(())
    }

    fn body_force(&mut self, label: &str, data: &Value) -> Result<(), String> {
        let acceleration = data.get("acceleration").and_then(vector).ok_or("`acceleration` is not three numbers")?;
        let mut load = self.load(label, "*");
        load.acceleration = Some(self.options.up.turn(acceleration).to_array().to_vec());
        self.found.loads.push(load);
        Ok(())
    }

    /// A translation or a rotation: a component that is given replaces that of an earlier entry, as `compas_dem` resolves them.
    fn displacement(&mut self, class: &str, data: &Value) -> Result<(), String> {
        let block = self.block(data)?;
        let turns = class == "Rotation" || data.get("rotation").is_some();
        let key = if turns { "rotation" } else { "translation" };
        let parts = data.get(key).and_then(three).ok_or_else(|| format!("`{key}` is not three numbers"))?;
        let known = &mut self.moved.entry(block).or_default()[usize::from(turns)];
        for (axis, part) in parts.into_iter().enumerate().filter(|(_, part)| part.is_some()) {
            if known[axis].is_some_and(|old| Some(old) != part) {
                let name = &self.names[block];
                self.notes.changed(format!(
                    "{name}: the {key} along {} is given several times; the last value is used, as in compas_dem",
                    AXES[axis]
                ));
            }
            known[axis] = part;
        }
        Ok(())
    }

    /// Translation and rotation of a block as one motion, which grows over half of the simulated time.
    fn motion(&mut self, block: usize, [translation, rotation]: [[Option<f64>; 3]; 2]) -> MotionSpec {
        let support = self.document.blocks[block].support;
        for (what, parts) in [("translation", translation), ("rotation", rotation)] {
            let given = parts.iter().any(Option::is_some);
            let free: String = (0..3).filter(|axis| parts[*axis].is_none()).map(|axis| AXES[axis]).collect();
            if free.is_empty() || (support && !given) {
                continue;
            }
            let as_there = if support { ", as compas_dem holds a support" } else { "" };
            let name = &self.names[block];
            self.notes
                .changed(format!("{name}: the {what} is free along {free} in the source; it is held there{as_there}"));
        }
        let vector = |parts: [Option<f64>; 3]| {
            let given = parts.iter().any(Option::is_some);
            given.then(|| self.options.up.turn(DVec3::from_array(parts.map(|part| part.unwrap_or(0.0)))))
        };
        MotionSpec {
            path: None,
            quantity: MotionQuantitySpec::Position,
            direction: vector(translation).map(|way| (way * self.scale()).to_array().to_vec()),
            axis: vector(rotation).map(|axis| NumberOrVector::Vector(axis.to_array().to_vec())),
            pivot: None,
            constant: None,
            table: None,
            sine: None,
            ramp: Some(self.half()),
            accelerogram: None,
            components: Vec::new(),
        }
    }

    fn contact(&mut self, properties: &Value) {
        let law = properties.get("contact_model").map_or(&Value::Null, content);
        let mu = number(law, "mu").or_else(|| number(law, "phi").map(|phi| phi.to_radians().tan()));
        let friction = mu.unwrap_or(self.options.friction);
        let mut joint = JointSpec::coulomb(["*".to_owned(), "*".to_owned()], friction);
        joint.friction = Some(FrictionSpec::Coefficient(friction));
        if mu.is_none() && !law.is_null() {
            self.notes.changed(format!("the contact law has no friction; {friction} is assumed"));
        }
        let [c, t_c] = ["c", "t_c"].map(|key| number(law, key).unwrap_or(0.0));
        if c > 0.0 || t_c > 0.0 {
            // a bond has at most the tension of the tip of its cone
            let most = if friction > 0.0 { c / friction } else { f64::INFINITY };
            if t_c > most {
                self.notes
                    .changed(format!("t_c = {t_c} Pa is above c/μ = {most} Pa, the tip of the cone, which is used"));
            }
            let bond = MohrCoulombSpec { cohesion: c, tension: Some(t_c.min(most)) };
            joint.bond = Some(BondSpec::MohrCoulomb(bond));
        }
        let springs = properties.get("joint_model").map_or(&Value::Null, content);
        if let (Some(kn), Some(kt)) = (number(springs, "kn"), number(springs, "kt")) {
            let areas = &self.document.areas;
            if areas.is_empty() {
                self.notes
                    .dropped(format!("springs kn = {kn}, kt = {kt} N/m: the file has no contacts with their area"));
            } else {
                let scale = self.scale();
                let mean = scale * scale * areas.iter().sum::<f64>() / areas.len() as f64;
                joint.elastic = Some(ElasticSpec {
                    normal: Some(kn / mean),
                    tangential: Some(kt / mean),
                    mortar: None,
                    block: None,
                    closure: None,
                    influence: None,
                });
                self.notes.changed(format!(
                    "springs kn = {kn}, kt = {kt} N/m of a contact became springs per area with the mean area of {} \
                     contacts, {mean:.4} m²",
                    areas.len()
                ));
            }
        }
        self.found.joint = Some(joint);
    }
}
