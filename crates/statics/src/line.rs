//! Thrust lines: through the centres of pressure of the joints of a chain.
//!
//! | line | definition |
//! |---|---|
//! | found | line of the static solution: the *effective* line, with all lateral forces on the chain |
//! | minimum, maximum | the states of smallest and largest thrust |
//! | funicular | the conventional polygon: all loads on the chain as weights, with the force at the crown |
//!
//! The forces of all contacts between two links are summed, whatever the number of patches:
//! N = Σ f·n, x_p = Σ (f·n) x / N.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::ContactRecord;

use crate::chain::Chain;
use crate::patch::{gauge, hull};
use crate::structure::Structure;

/// Kind of thrust line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineKind {
    /// Of the computed forces.
    Found,
    /// Of the state of smallest thrust.
    Minimum,
    /// Of the state of largest thrust.
    Maximum,
    /// The conventional polygon of weights.
    Funicular,
}

/// A thrust line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThrustLine {
    /// Kind of thrust line.
    pub kind: LineKind,
    /// Name of the chain.
    pub chain: String,
    /// Its points, joint by joint.
    pub points: Vec<LinePoint>,
}

/// One joint of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinePoint {
    /// Links on both sides of the joint.
    pub between: [String; 2],
    /// Centre of pressure \[m\].
    pub at: [f64; 3],
    /// Force on the link after the joint \[N\].
    pub force_n: [f64; 3],
    /// 0 at the centre of the joint, 1 at its edge.
    pub eccentricity: f64,
    /// ‖T‖/(μN); 1 slips.
    pub friction_use: f64,
    /// Two ends of the joint, for drawings \[m\].
    pub joint: [[f64; 3]; 2],
}

/// A joint between two links: data common to all states.
struct ChainJoint<S: Space> {
    between: [String; 2],
    /// Contacts, and +1 if the candidate is in the link after the joint.
    contacts: Vec<(usize, f64)>,
    /// From the link before the joint to the link after it.
    normal: S::Vector,
    tangents: Vec<S::Vector>,
    centre: S::Vector,
    outline: Vec<[f64; 2]>,
    friction: f64,
}

impl<S: Space> Structure<S> {
    /// The line of a chain for contacts with their forces (those of the structure, in its order).
    pub fn line(&self, chain: &Chain, kind: LineKind, contacts: &[ContactRecord<S>]) -> ThrustLine {
        let points = self.chain_joints(chain).iter().map(|joint| point(joint, contacts)).collect();
        ThrustLine { kind, chain: chain.name.clone(), points }
    }

    fn chain_joints(&self, chain: &Chain) -> Vec<ChainJoint<S>> {
        chain.links.windows(2).filter_map(|pair| self.chain_joint(&chain.name, &pair[0], &pair[1])).collect()
    }

    fn chain_joint(&self, chain: &str, before: &[usize], after: &[usize]) -> Option<ChainJoint<S>> {
        let label = |link: &[usize]| match link {
            [one] => self.name(*one).to_owned(),
            many => format!("{} and {} more of {chain}", self.name(many[0]), many.len() - 1),
        };
        let mut contacts = Vec::new();
        let (mut normal, mut centre, mut area, mut friction) = (S::zero(), S::zero(), 0.0, f64::INFINITY);
        for (i, contact) in self.contacts.iter().enumerate() {
            let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
            let sign = match (after.contains(&a) && before.contains(&b), before.contains(&a) && after.contains(&b)) {
                (true, _) => 1.0,
                (_, true) => -1.0,
                _ => continue,
            };
            let weight = contact.area.max(1e-12);
            contacts.push((i, sign));
            normal += contact.normal * (sign * weight);
            centre += contact.position * weight;
            area += weight;
            friction = friction.min(contact.friction);
        }
        let length = normal.length();
        if contacts.is_empty() || length == 0.0 {
            return None;
        }
        let normal = normal / length;
        let mut frame = Vec::new();
        S::frame(normal, &mut frame);
        let (tangents, centre) = (frame.split_off(1), centre / area);
        let flat = |x: S::Vector| {
            let along = |k: usize| tangents.get(k).map_or(0.0, |t| t.dot(x - centre));
            [along(0), along(1)]
        };
        let outline = hull(contacts.iter().map(|&(i, _)| flat(self.contacts[i].position)).collect());
        let between = [label(before), label(after)];
        Some(ChainJoint { between, contacts, normal, tangents, centre, outline, friction })
    }

    /// The conventional funicular polygon: every load on a link, its weight and the forces of bodies other than its
    /// neighbours, acts as a weight. Force and position at the crown, where the thrust is largest, are those of `line`;
    /// the polygon continues from there to both sides. `None` for chains that do not span.
    pub fn funicular(&self, chain: &Chain, line: &ThrustLine, dead: &[f64]) -> Option<ThrustLine> {
        let joints = self.chain_joints(chain);
        let (first, last) = (line.points.first()?, line.points.last()?);
        if joints.len() < 3 || joints.len() != line.points.len() || joints.len() + 1 != chain.links.len() {
            return None;
        }
        let up = S::UP;
        let mut across: Vec<f64> = (0..S::DIM).map(|k| last.at[k] - first.at[k]).collect();
        across[up] = 0.0;
        let span = across.iter().map(|x| x * x).sum::<f64>().sqrt();
        let along = S::Vector::from_slice(&across) / span;
        let thrust_at = |k: usize| S::Vector::from_slice(&line.points[k].force_n).dot(along);
        // of equal thrusts the one nearest to the centre
        let middle = |k: usize| (2 * k + 1).abs_diff(joints.len());
        let crown = (0..joints.len()).reduce(|a, b| {
            let larger = thrust_at(b).abs() - thrust_at(a).abs();
            let equal = larger.abs() <= 1e-6 * thrust_at(a).abs();
            if (equal && middle(b) < middle(a)) || (!equal && larger > 0.0) { b } else { a }
        })?;
        let thrust = thrust_at(crown);
        if !(span > 1e-9 && thrust.abs() > 0.0 && thrust.is_finite()) {
            return None;
        }
        let weights: Vec<[f64; 2]> =
            chain.links[1..chain.links.len() - 1].iter().map(|link| self.weight_on(chain, link, along, dead)).collect();
        let place = |p: [f64; 3]| [S::Vector::from_slice(&p).dot(along), p[up]];
        let mut points: Vec<Option<LinePoint>> = vec![None; joints.len()];
        // to the end and to the start: along the last side to the line of action of the weight, then the new side
        for (sign, order) in [(-1.0, (crown..joints.len()).collect::<Vec<_>>()), (1.0, (0..=crown).rev().collect())] {
            let (mut at, mut vertical) = (place(line.points[crown].at), line.points[crown].force_n[up]);
            for k in order {
                if k != crown {
                    let [weight, x] = weights[if sign < 0.0 { k - 1 } else { k }];
                    at = [x, at[1] + (x - at[0]) * vertical / thrust];
                    vertical += sign * weight;
                }
                points[k] = Some(crossing(&joints[k], &line.points[k], at, [thrust, vertical], along)?);
            }
        }
        let points = points.into_iter().collect::<Option<Vec<_>>>()?;
        Some(ThrustLine { kind: LineKind::Funicular, chain: chain.name.clone(), points })
    }

    /// Sum of weights on a link and its position along the span.
    fn weight_on(&self, chain: &Chain, link: &[usize], along: S::Vector, dead: &[f64]) -> [f64; 2] {
        let up = S::UP;
        let (mut weight, mut moment) = (0.0, 0.0);
        let mut add = |force: S::Vector, x: f64| {
            weight -= force.get(up);
            moment -= force.get(up) * x;
        };
        for &body in link {
            let Some(node) = self.node[body] else { continue };
            let (force, spin) = S::unpack(&dead[node as usize * S::DOFS..][..S::DOFS]);
            let turned = S::spin_to_3d(S::spin_to_world(self.poses[body].rotation, spin));
            // the torque of a weight about the axis across the span shifts its line of action
            let axis = cross(along.to_3d(), upwards::<S>());
            let about: f64 = (0..3).map(|k| turned[k] * axis[k]).sum();
            let vertical = force.get(up);
            let shift = if vertical.abs() > 0.0 { about / vertical } else { 0.0 };
            add(force, self.poses[body].position.dot(along) + shift);
        }
        let member = |body: usize| chain.links.iter().any(|other| other.contains(&body));
        for contact in &self.contacts {
            let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
            let sign = match (link.contains(&a) && !member(b), link.contains(&b) && !member(a)) {
                (true, _) => 1.0,
                (_, true) => -1.0,
                _ => continue,
            };
            add(contact.force * sign, contact.position.dot(along));
        }
        [weight, if weight != 0.0 { moment / weight } else { self.poses[link[0]].position.dot(along) }]
    }
}

fn upwards<S: Space>() -> [f64; 3] {
    let mut e = [0.0; 3];
    e[S::UP] = 1.0;
    e
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl<S: Space> ChainJoint<S> {
    fn flat(&self, x: S::Vector) -> [f64; 2] {
        let along = |k: usize| self.tangents.get(k).map_or(0.0, |t| t.dot(x - self.centre));
        [along(0), along(1)]
    }

    fn at(&self, [u, v]: [f64; 2]) -> S::Vector {
        let mut x = self.centre;
        self.tangents.iter().zip([u, v]).for_each(|(t, s)| x += *t * s);
        x
    }

    /// The ends of the joint through its centre, in the steepest direction, for drawings of an elevation.
    fn ends(&self) -> [[f64; 3]; 2] {
        let up = S::UP;
        // direction in the plane of the joint that is vertical or, in level joints, along the first axis
        let slopes = [0, 1].map(|k| self.tangents.get(k).map_or(0.0, |t| t.get(up)));
        let size = slopes[0].hypot(slopes[1]);
        let direction = if size > 0.1 { slopes.map(|s| s / size) } else { [1.0, 0.0] };
        let reach = |d: [f64; 2]| {
            let g = gauge(&self.outline, d);
            if g > 0.0 && g.is_finite() { 1.0 / g } else { 0.0 }
        };
        let back = direction.map(|d| -d);
        let end = |d: [f64; 2]| self.at(d.map(|x| x * reach(d))).to_3d();
        [end(back), end(direction)]
    }
}

fn point<S: Space>(joint: &ChainJoint<S>, contacts: &[ContactRecord<S>]) -> LinePoint {
    let (mut force, mut centre, mut normal) = (S::zero(), S::zero(), 0.0);
    for &(i, sign) in &joint.contacts {
        let own = contacts[i].force * sign;
        let pressed = own.dot(joint.normal);
        force += own;
        normal += pressed;
        centre += contacts[i].position * pressed;
    }
    let centre = if normal > 0.0 { centre / normal } else { joint.centre };
    let shear = (force - joint.normal * normal).length();
    LinePoint {
        between: joint.between.clone(),
        at: centre.to_3d(),
        force_n: force.to_3d(),
        eccentricity: gauge(&joint.outline, joint.flat(centre)),
        friction_use: if normal > 0.0 && joint.friction > 0.0 { shear / (joint.friction * normal) } else { 0.0 },
        joint: joint.ends(),
    }
}

/// Intersection of a line of action (through `at`, along the force) with a joint.
fn crossing<S: Space>(
    joint: &ChainJoint<S>,
    known: &LinePoint,
    at: [f64; 2],
    force: [f64; 2],
    along: S::Vector,
) -> Option<LinePoint> {
    let up = S::UP;
    let n = [joint.normal.dot(along), joint.normal.get(up)];
    let middle = [joint.centre.dot(along), joint.centre.get(up)];
    let facing = n[0] * force[0] + n[1] * force[1];
    if facing == 0.0 {
        return None;
    }
    let s = (n[0] * (middle[0] - at[0]) + n[1] * (middle[1] - at[1])) / facing;
    let hit = [at[0] + s * force[0], at[1] + s * force[1]];
    let mut shift = (along * (hit[0] - middle[0])).to_3d();
    shift[up] += hit[1] - middle[1];
    let centre = joint.centre + S::Vector::from_slice(&shift);
    let mut pushed = (along * force[0]).to_3d();
    pushed[up] += force[1];
    let pushed = S::Vector::from_slice(&pushed);
    let normal = pushed.dot(joint.normal);
    let shear = (pushed - joint.normal * normal).length();
    Some(LinePoint {
        between: joint.between.clone(),
        at: centre.to_3d(),
        force_n: pushed.to_3d(),
        eccentricity: gauge(&joint.outline, joint.flat(centre)),
        friction_use: if normal > 0.0 && joint.friction > 0.0 { shear / (joint.friction * normal) } else { 0.0 },
        joint: known.joint,
    })
}
