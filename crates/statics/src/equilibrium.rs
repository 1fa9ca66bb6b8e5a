//! From a structure to a conic program, and back.
//!
//! Forces are scaled by the mean load of a body, rotations by the sizes of bodies, so all numbers of the program are
//! near 1. Without friction a contact has one component; with limited compressive strength in 2D the two ends of a
//! joint form one element:
//!
//! | | condition |
//! |---|---|
//! | Coulomb, cohesion c, tension f_t | ‖T‖ ≤ μN + cA, N ≥ −f_t A |
//! | zero dilatancy (one pass of the iteration) | ‖T‖ ≤ tanψ·N + (μ − tanψ) N°, N ≥ 0 |
//! | strength f_c, 2D | N² ≤ 2 f_c A N_i at both ends i: rectangular stress block |
//! | strength f_c, 3D | N ≤ f_c A in every cell of a divided joint |
//! | tie of strength S | 0 ≤ tension ≤ S |

use voussoir_geometry::{Solid, Space, Vector};

use crate::conic::bounds::bounds;
use crate::conic::normal::Small;
use crate::conic::program::MOST_COMPONENTS;
use crate::conic::{Outcome, Program, ProgramSolution};
use crate::structure::Structure;

/// Smaller friction coefficients are zero.
const LEAST_FRICTION: f64 = 1e-9;

/// Capacity of joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capacity {
    /// Cohesion [Pa].
    pub cohesion: f64,
    /// Tensile strength [Pa].
    pub tension: f64,
    /// Compressive strength [Pa]; `None`: unlimited.
    pub compression: Option<f64>,
}

impl Capacity {
    /// True for dry joints of unlimited strength: the contact law of the dynamic analysis.
    pub fn is_dry(&self) -> bool {
        *self == Self::default()
    }
}

/// Friction law of the elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Law<'a> {
    /// Associated friction, all μ times a factor.
    Associated { friction: f64 },
    /// A pass of the non-associated iteration: tanψ, the normal force N° of every contact in the previous pass [N], and
    /// the penalty for changing them, in λ per ½ (N − N°)² of mean loads.
    Fixed { dilatancy: f64, normal: &'a [f64], nearness: f64 },
}

/// Which force components of which contact an element has.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Ties are counted after the contacts.
    contact: usize,
    /// First component in the program.
    first: usize,
    /// 1 or dim.
    components: usize,
}

/// A program with the data to interpret its solution.
#[derive(Debug)]
pub(crate) struct Posed {
    pub program: Program,
    parts: Vec<Part>,
    /// Unit of force [N].
    unit: f64,
    /// λ of the structure over λ of the program.
    pub live_scale: f64,
    /// Unit of length of each node [m].
    sizes: Vec<f64>,
    dofs: usize,
    dim: usize,
    /// Contacts and ties.
    rows: usize,
}

/// Terms of the program besides the structure.
#[derive(Clone, Debug)]
pub(crate) struct Terms<'a, S: Space> {
    /// Dead loads (nodes × dofs).
    pub dead: &'a [f64],
    /// Load to be multiplied (nodes × dofs).
    pub live: Option<&'a [f64]>,
    /// Cost of the force of each contact, world axes: Σ cost·force is minimised.
    pub price: Option<&'a [S::Vector]>,
    pub law: Law<'a>,
    pub capacity: &'a Capacity,
    /// Contact points are shifted towards the centre of their patch by this fraction.
    pub shrink: f64,
}

impl<'a, S: Space> Terms<'a, S> {
    /// Associated friction, full joints.
    pub fn new(dead: &'a [f64], capacity: &'a Capacity) -> Self {
        Self { dead, live: None, price: None, law: Law::Associated { friction: 1.0 }, capacity, shrink: 0.0 }
    }
}

/// Thickness perpendicular to the plane in 2D [m]: mass over density and area; 1 in 3D.
pub(crate) fn depth<S: Space>(structure: &Structure<S>) -> f64 {
    if S::DIM == 3 {
        return 1.0;
    }
    let body = &structure.model.bodies[structure.body[0]];
    let density = structure.model.materials[body.material].density;
    body.shape.mass_properties().map_or(1.0, |mass| body.mass / (density * mass.volume))
}

impl<S: Space> Structure<S> {
    /// Poses a program.
    pub(crate) fn pose(&self, terms: &Terms<'_, S>) -> Posed {
        let (nodes, dofs, dim) = (self.nodes(), S::DOFS, S::DIM);
        let mean = |loads: &[f64]| self.size_of(loads) / (nodes as f64).sqrt();
        let depth = depth(self);
        let unit = [mean(terms.dead), terms.live.map_or(0.0, mean), 1.0].into_iter().find(|x| *x > 0.0).unwrap_or(1.0);
        // if the strength governs, forces have its order of magnitude
        let strongest = terms.capacity.cohesion.max(terms.capacity.compression.unwrap_or(0.0));
        let joint = self.patches.iter().map(|p| p.area).sum::<f64>() / self.patches.len().max(1) as f64 * depth;
        let unit = unit.max(0.1 * strongest * joint);
        let dead = self.scaled(terms.dead, 1.0 / unit);
        // scale the multiplied load to the size of the dead load
        let live_scale = terms.live.map_or(1.0, |live| unit / mean(live));
        let live = terms.live.map_or(Vec::new(), |live| self.scaled(live, live_scale / unit));
        let mut posed = Posed {
            program: Program::new(dofs, dead, live),
            parts: Vec::with_capacity(self.contacts.len()),
            unit,
            live_scale,
            sizes: self.size.clone(),
            dofs,
            dim,
            rows: self.contacts.len() + self.ties().count(),
        };
        let points: Vec<S::Vector> = self.points(terms.shrink);
        let joined = terms.capacity.compression.is_some() && dim == 2;
        for patch in &self.patches {
            let pairs = joined && patch.contacts.len() == 2 && patch.area > 0.0;
            if pairs {
                self.joint_element(
                    &mut posed,
                    terms,
                    &points,
                    [patch.contacts[0], patch.contacts[1]],
                    patch.area * depth,
                );
            } else {
                patch.contacts.iter().for_each(|&i| self.contact_element(&mut posed, terms, &points, i, depth));
            }
        }
        for (k, tie) in self.ties().enumerate() {
            let mut entries = self.cable_rows(&tie.cable);
            for (node, row) in &mut entries {
                row[S::DIM..].iter_mut().for_each(|x| *x /= self.size[*node as usize]);
            }
            let views: Vec<(u32, &[f64])> = entries.iter().map(|(node, row)| (*node, &row[..])).collect();
            let element = posed.program.element(&views, &[0.0]);
            let first = posed.program.first_component(element);
            posed.parts.push(Part { contact: self.contacts.len() + k, first, components: 1 });
            posed.program.positive(&[1.0], 0.0);
            if tie.strength().is_finite() {
                posed.program.positive(&[-1.0], tie.strength() / unit);
            }
        }
        posed
    }

    /// Contact points, shifted towards the centres of their patches.
    pub(crate) fn points(&self, shrink: f64) -> Vec<S::Vector> {
        let mut points: Vec<S::Vector> = self.contacts.iter().map(|contact| contact.position).collect();
        if shrink > 0.0 {
            for patch in &self.patches {
                for &i in &patch.contacts {
                    points[i] = points[i] + (patch.centre - points[i]) * shrink;
                }
            }
        }
        points
    }

    fn scaled(&self, loads: &[f64], by: f64) -> Vec<f64> {
        let mut out = loads.to_vec();
        for (load, size) in out.chunks_exact_mut(S::DOFS).zip(&self.size) {
            load.iter_mut().enumerate().for_each(|(k, x)| *x *= if k < S::DIM { by } else { by / size });
        }
        out
    }

    /// Rows of some components of a contact for its nodes, rotations in units of the size.
    fn rows(&self, contact: usize, at: S::Vector, components: usize) -> Vec<(u32, Vec<f64>)> {
        let record = &self.contacts[contact];
        let mut entries = Vec::with_capacity(2);
        for (body, sign) in [(record.key.candidate, 1.0), (record.key.antagonist, -1.0)] {
            let Some(node) = self.node[body as usize] else { continue };
            let pose = &self.poses[body as usize];
            let size = self.size[node as usize];
            let mut block = vec![0.0; components * S::DOFS];
            for (direction, row) in self.frame(contact).iter().zip(block.chunks_exact_mut(S::DOFS)) {
                S::jacobian_row(pose.rotation, at - pose.position, *direction * sign, row);
                row[S::DIM..].iter_mut().for_each(|x| *x /= size);
            }
            entries.push((node, block));
        }
        entries
    }

    fn price(&self, terms: &Terms<'_, S>, contact: usize, components: usize) -> Vec<f64> {
        match terms.price {
            Some(price) => self.frame(contact)[..components].iter().map(|axis| axis.dot(price[contact])).collect(),
            None => vec![0.0; components],
        }
    }

    /// Friction in the cone of the program and fixed resistance [N] of a contact.
    fn friction(&self, terms: &Terms<'_, S>, contact: usize, depth: f64) -> (f64, f64) {
        let record = &self.contacts[contact];
        let cohesion = self.cohesion(contact, terms.capacity, depth);
        match terms.law {
            Law::Associated { friction } => (friction * record.friction, cohesion),
            Law::Fixed { dilatancy, normal, .. } => {
                let slope = dilatancy.min(record.friction);
                (slope, cohesion + (record.friction - slope) * normal[contact].max(0.0))
            }
        }
    }

    fn contact_element(
        &self,
        posed: &mut Posed,
        terms: &Terms<'_, S>,
        points: &[S::Vector],
        contact: usize,
        depth: f64,
    ) {
        let (mu, fixed) = self.friction(terms, contact, depth);
        let has_fixed = fixed > 0.0 || terms.capacity.cohesion > 0.0 || matches!(terms.law, Law::Fixed { .. });
        let smooth = mu < LEAST_FRICTION && !has_fixed;
        let components = if smooth { 1 } else { S::DIM };
        let mut entries = self.rows(contact, points[contact], components);
        let mut price = self.price(terms, contact, components);
        // proximity: an additional component q ≥ ½ (N − N°)², with a cost and without effect on the bodies
        let near = match terms.law {
            Law::Fixed { normal, nearness, .. } if nearness > 0.0 && !smooth => Some((normal[contact], nearness)),
            _ => None,
        };
        if let Some((_, nearness)) = near {
            entries.iter_mut().for_each(|(_, block)| block.resize((components + 1) * S::DOFS, 0.0));
            price.push(nearness);
        }
        let width = price.len();
        let views: Vec<(u32, &[f64])> = entries.iter().map(|(node, block)| (*node, &block[..])).collect();
        let element = posed.program.element(&views, &price);
        posed.parts.push(Part { contact, first: posed.program.first_component(element), components });
        let (unit, area) = (posed.unit, self.contacts[contact].area * depth);
        let tension = terms.capacity.tension * area / unit;
        let normal = [1.0, 0.0, 0.0, 0.0];
        if !smooth {
            add_friction(&mut posed.program, S::DIM, 0, width, mu, fixed / unit);
        }
        if smooth || has_fixed || tension > 0.0 {
            posed.program.positive(&normal[..width], tension);
        }
        if let Some(strength) = terms.capacity.compression.filter(|_| area > 0.0) {
            posed.program.positive(&[-1.0, 0.0, 0.0, 0.0][..width], strength * area / unit);
        }
        if let Some((before, _)) = near {
            // 2q ≥ (N − N°)² as a Lorentz cone: (q + ½, q − ½, N − N°)
            let mut own = [0.0; 4];
            own[components] = 1.0;
            posed.program.lorentz([&own[..width], &own[..width], &normal[..width]], [0.5, -0.5, -before / unit]);
        }
    }

    /// The two ends of a 2D joint with limited strength; `area` is that of the whole joint [m²].
    fn joint_element(
        &self,
        posed: &mut Posed,
        terms: &Terms<'_, S>,
        points: &[S::Vector],
        ends: [usize; 2],
        area: f64,
    ) {
        let mut entries: Vec<(u32, Vec<f64>)> = Vec::new();
        let mut price = Vec::new();
        for &contact in &ends {
            for (k, (node, block)) in self.rows(contact, points[contact], 2).into_iter().enumerate() {
                match entries.get_mut(k) {
                    Some((_, rows)) => rows.extend(block),
                    None => entries.push((node, block)),
                }
            }
            price.extend(self.price(terms, contact, 2));
        }
        let views: Vec<(u32, &[f64])> = entries.iter().map(|(node, block)| (*node, &block[..])).collect();
        let element = posed.program.element(&views, &price);
        let unit = posed.unit;
        let strength = terms.capacity.compression.unwrap_or(f64::INFINITY) * area / unit;
        for (k, &contact) in ends.iter().enumerate() {
            let first = posed.program.first_component(element) + 2 * k;
            posed.parts.push(Part { contact, first, components: 2 });
            let (mu, fixed) = self.friction(terms, contact, depth(self));
            add_friction(&mut posed.program, 2, 2 * k, 4, mu, fixed / unit);
            let mut own = [0.0; 4];
            own[2 * k] = 1.0;
            posed.program.positive(&own, 0.0);
            // N² ≤ 2 S Nₖ as a Lorentz cone: (Nₖ + S, Nₖ − S, √2 N)
            let both = [std::f64::consts::SQRT_2, 0.0, std::f64::consts::SQRT_2, 0.0];
            posed.program.lorentz([&own, &own, &both], [strength, -strength, 0.0]);
        }
    }
}

/// ‖T‖ ≤ μN + fixed for the contact whose components start at `first` of an element with `components`.
fn add_friction(program: &mut Program, dim: usize, first: usize, components: usize, mu: f64, fixed: f64) {
    let row = |normal: f64, k: usize, tangential: f64| {
        let mut row = [0.0; 4];
        row[first] = normal;
        if k > 0 {
            row[first + k] = tangential;
        }
        row
    };
    if dim == 2 {
        program.positive(&row(mu, 1, 1.0)[..components], fixed);
        program.positive(&row(mu, 1, -1.0)[..components], fixed);
    } else {
        let (n, t1, t2) = (row(mu, 0, 0.0), row(0.0, 1, 1.0), row(0.0, 2, 1.0));
        program.lorentz([&n[..components], &t1[..components], &t2[..components]], [fixed, 0.0, 0.0]);
    }
}

impl Posed {
    /// Force of every contact in its own axes, then the tension of every tie (contacts and ties × dim) [N].
    pub fn forces(&self, solution: &ProgramSolution) -> Vec<f64> {
        self.in_newtons(&solution.forces)
    }

    /// The same from components of the program.
    pub fn in_newtons(&self, components: &[f64]) -> Vec<f64> {
        let mut forces = vec![0.0; self.rows * self.dim];
        for part in &self.parts {
            for k in 0..part.components {
                forces[part.contact * self.dim + k] = components[part.first + k] * self.unit;
            }
        }
        forces
    }

    /// The forces stored in the contacts, as components of the program.
    pub fn components<S: Space>(&self, structure: &Structure<S>) -> Vec<f64> {
        let mut components = vec![0.0; self.program.components()];
        let pulls: Vec<f64> = structure.ties().map(|tie| tie.force).collect();
        for part in &self.parts {
            let Some(contact) = structure.contacts.get(part.contact) else {
                components[part.first] = pulls[part.contact - structure.contacts.len()] / self.unit;
                continue;
            };
            let force = contact.force;
            for (k, axis) in structure.frame(part.contact).iter().enumerate().take(part.components) {
                components[part.first + k] = axis.dot(force) / self.unit;
            }
        }
        components
    }

    /// One multiple of the identity per element, by contact.
    pub fn diagonal(&self, stiff: impl Fn(usize) -> f64) -> impl Iterator<Item = Small> {
        self.parts.iter().map(move |part| {
            let value = stiff(part.contact);
            let mut block = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
            (0..part.components).for_each(|k| block[k * MOST_COMPONENTS + k] = value);
            block
        })
    }

    /// Velocities of the nodes (nodes × dofs), angular velocities in their own unit; their scale is arbitrary.
    pub fn velocities(&self, solution: &ProgramSolution) -> Vec<f64> {
        let mut velocities = solution.velocities.clone();
        for (v, size) in velocities.chunks_exact_mut(self.dofs).zip(&self.sizes) {
            v[self.dim..].iter_mut().for_each(|x| *x /= size);
        }
        velocities
    }

    /// Bounds of λ of the structure if forces have no cost: from forces, and from velocities. For an unbounded
    /// direction, λ along it and its bound.
    pub fn multiplier(&self, solution: &ProgramSolution) -> [f64; 2] {
        let [lower, upper] = match solution.outcome {
            Outcome::Optimal | Outcome::Stalled => {
                let bounds = bounds(&self.program, solution);
                [-bounds.upper, -bounds.lower]
            }
            Outcome::NoForces | Outcome::Unbounded => [solution.multiplier, -solution.dual],
        };
        [lower * self.live_scale, upper * self.live_scale]
    }

    /// Another load to be multiplied (nodes × dofs), in the units of the program.
    pub fn live_in_units<S: Space>(&self, structure: &Structure<S>, live: &[f64]) -> Vec<f64> {
        structure.scaled(live, self.live_scale / self.unit)
    }

    /// λ of the computed forces.
    pub fn load_factor(&self, solution: &ProgramSolution) -> f64 {
        solution.multiplier * self.live_scale
    }

    /// Bounds of the least Σ cost·force [N]: from velocities, and from the computed forces.
    pub fn value(&self, solution: &ProgramSolution) -> [f64; 2] {
        let bounds = bounds(&self.program, solution);
        [bounds.lower * self.unit, bounds.upper * self.unit]
    }
}
