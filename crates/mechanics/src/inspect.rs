//! Inspection of a model before a run: interfaces, overlaps, bodies without a load path to a support, degenerate
//! shapes.

use voussoir_geometry::{BroadPhase, Detection, FeatureKind, Pose, Solid, Space, Surface, Vector};

use crate::contacts::ContactRecord;
use crate::measures::mass_and_weight;
use crate::model::{Model, Role};
use crate::step::detect::{Alert, find_beds, find_contacts};
use crate::step::law::Contact;
use crate::step::masses::Masses;

/// Overlap and opening, relative to the smaller body's size, up to which two bodies are in contact.
pub const TOLERANCE: f64 = 1e-3;

/// Overview of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Pairs of bodies within the alert distance, ordered by bodies.
    pub interfaces: Vec<Interface>,
    /// Contact points of all interfaces.
    pub contacts: usize,
    /// Pairs that overlap by more than the tolerance, worst first.
    pub overlaps: Vec<Overlap>,
    /// Free bodies with no path of closed contacts and cables to a support.
    pub floating: Vec<usize>,
    /// Free bodies whose shape suggests a mistake.
    pub suspicious: Vec<Suspicion>,
    /// Mass of the free bodies [kg].
    pub mass: f64,
    /// Weight of the free bodies [N].
    pub weight: f64,
}

/// The interface of two bodies in contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// Candidate and antagonist.
    pub bodies: [usize; 2],
    /// Type of the contact.
    pub kind: InterfaceKind,
    /// Contact points, padded to three components [m].
    pub points: Vec<[f64; 3]>,
    /// Area [m²]; length [m] in 2D.
    pub area: f64,
    /// Smallest gap, < 0 for an overlap [m].
    pub worst_gap: f64,
}

/// Features of two bodies in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterfaceKind {
    /// Faces (sides in 2D), over an area.
    FaceFace,
    /// An edge along a face.
    EdgeFace,
    /// A vertex on a face (a side in 2D).
    VertexFace,
    /// Two edges.
    EdgeEdge,
    /// A vertex at an edge.
    VertexEdge,
    /// Two vertices.
    VertexVertex,
    /// A round body on anything.
    Round,
}

impl InterfaceKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::FaceFace,
        Self::EdgeFace,
        Self::VertexFace,
        Self::EdgeEdge,
        Self::VertexEdge,
        Self::VertexVertex,
        Self::Round,
    ];

    /// The words in reports and JSON.
    pub fn words(self) -> &'static str {
        match self {
            Self::FaceFace => "face on face",
            Self::EdgeFace => "edge on face",
            Self::VertexFace => "vertex on face",
            Self::EdgeEdge => "edge on edge",
            Self::VertexEdge => "vertex on edge",
            Self::VertexVertex => "vertex on vertex",
            Self::Round => "round",
        }
    }

    /// From the area of an interface and the identifiers of its contacts; there is at least one.
    fn of(area: f64, names: impl Iterator<Item = u64>) -> Self {
        let kinds: Vec<FeatureKind> = names.filter_map(FeatureKind::of).collect();
        let all = |set: &[FeatureKind]| kinds.iter().all(|kind| set.contains(kind));
        if area > 0.0 {
            Self::FaceFace
        } else if all(&[FeatureKind::RoundVertex, FeatureKind::RoundEdge, FeatureKind::RoundFace]) {
            Self::Round
        } else if kinds.len() > 1
            && all(&[
                FeatureKind::VertexEdge,
                FeatureKind::EdgeVertex,
                FeatureKind::VertexVertex,
                FeatureKind::EdgeEdge,
            ])
        {
            // parallel edges: their common stretch ends at vertices
            Self::EdgeEdge
        } else if kinds.len() > 1 {
            Self::EdgeFace
        } else if all(&[FeatureKind::VertexVertex]) {
            Self::VertexVertex
        } else if all(&[FeatureKind::VertexEdge, FeatureKind::EdgeVertex]) {
            Self::VertexEdge
        } else if all(&[FeatureKind::EdgeEdge]) {
            Self::EdgeEdge
        } else {
            Self::VertexFace
        }
    }
}

/// A body with an unusual shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspicion {
    /// Its index.
    pub body: usize,
    /// Why the shape is unusual.
    pub reason: String,
}

/// Two overlapping bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// One body.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// Depth of the overlap [m].
    pub depth: f64,
}

/// Detects contacts up to `alert` [m] (`None`: the default of the dynamic analysis) with the default [`TOLERANCE`].
pub fn inspect<S: Space>(model: &Model<S>, alert: Option<f64>) -> Inspection {
    inspect_with_tolerance(model, alert, TOLERANCE)
}

/// Like [`inspect`]; overlaps are listed, and openings count as closed, beyond and up to `tolerance` times the size of
/// the smaller body.
pub fn inspect_with_tolerance<S: Space>(model: &Model<S>, alert: Option<f64>, tolerance: f64) -> Inspection {
    let masses = Masses::new(model);
    let poses: Vec<_> = model.bodies.iter().map(|body| body.pose).collect();
    let alert = Alert::Fixed(alert.unwrap_or_else(|| Alert::default_distance(&masses)));
    let detection = Detection::default();
    let beds = find_beds(model, &masses, detection);
    let contacts = find_contacts(model, &masses, &mut BroadPhase::new(), &poses, &alert, &beds, detection);
    let interfaces: Vec<Interface> = contacts
        .chunk_by(|a, b| (a.key.candidate, a.key.antagonist) == (b.key.candidate, b.key.antagonist))
        .map(interface)
        .collect();
    let slack = |interface: &Interface| tolerance * masses.smaller(interface.bodies[0], interface.bodies[1]);
    let mut overlaps: Vec<Overlap> = interfaces
        .iter()
        .filter(|interface| interface.worst_gap < -slack(interface))
        .map(|interface| Overlap { a: interface.bodies[0], b: interface.bodies[1], depth: -interface.worst_gap })
        .collect();
    overlaps.sort_by(|x, y| y.depth.total_cmp(&x.depth));
    let closed = interfaces.iter().filter(|interface| interface.worst_gap <= slack(interface)).map(|i| i.bodies);
    // a cable connects its anchors
    let tied = model.cables.iter().flat_map(|cable| cable.anchors.windows(2).map(|pair| [pair[0].body, pair[1].body]));
    let floating = floating(&masses, closed.chain(tied));
    let (mass, weight) = mass_and_weight(model);
    let suspicious = suspicious(model);
    Inspection { contacts: contacts.len(), interfaces, overlaps, floating, suspicious, mass, weight }
}

/// Contacts of bodies placed at `poses` whose gap is at most `reach` times the size of the smaller body, sorted by key.
/// They have no force and no velocity: the start of a static analysis.
pub fn contacts_within<S: Space>(model: &Model<S>, poses: &[Pose<S>], reach: f64) -> Vec<ContactRecord<S>> {
    let masses = Masses::new(model);
    let largest = masses.size.iter().copied().filter(|size| size.is_finite()).fold(0.0, f64::max);
    let alert = Alert::Fixed(reach * largest);
    let detection = Detection::default();
    let beds = find_beds(model, &masses, detection);
    let found = find_contacts(model, &masses, &mut BroadPhase::new(), poses, &alert, &beds, detection);
    let record = |contact: Contact<S>| {
        let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
        let near = contact.point.gap <= reach * masses.smaller(a, b);
        let friction = model.joints.between(model.bodies[a].material, model.bodies[b].material).friction;
        near.then(|| ContactRecord::open(contact.key, &contact.point, friction))
    };
    found.into_iter().filter_map(record).collect()
}

/// Sums the contacts of one pair; there is at least one.
fn interface<S: Space>(contacts: &[Contact<S>]) -> Interface {
    let area = contacts.iter().map(|contact| contact.point.area).sum();
    Interface {
        bodies: [contacts[0].key.candidate as usize, contacts[0].key.antagonist as usize],
        kind: InterfaceKind::of(area, contacts.iter().map(|contact| contact.key.feature)),
        points: contacts.iter().map(|contact| contact.point.position.to_3d()).collect(),
        area,
        worst_gap: contacts.iter().map(|contact| contact.point.gap).fold(f64::INFINITY, f64::min),
    }
}

/// Free bodies that no chain of pairs connects to a support.
fn floating(masses: &Masses, pairs: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); masses.node.len()];
    for [a, b] in pairs {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut held: Vec<bool> = masses.node.iter().map(Option::is_none).collect();
    let mut front: Vec<usize> = (0..held.len()).filter(|&i| held[i]).collect();
    while let Some(i) = front.pop() {
        for &j in &neighbours[i] {
            if !held[j] {
                held[j] = true;
                front.push(j);
            }
        }
    }
    (0..held.len()).filter(|&i| !held[i]).collect()
}

/// Volume over size³ (area over size² in 2D) below which a body is a sheet or a needle.
const LEAST_FULLNESS: f64 = 1e-4;
/// Length of an edge over the size below which it is probably a drawing error.
const SHORT_EDGE_RATIO: f64 = 1e-3;
/// Ratio of a size to the median size beyond which a body counts as very small or very large.
const CRUMB_RATIO: f64 = 0.02;
const GIANT_RATIO: f64 = 50.0;
/// Largest usual number of faces of a stone.
const MOST_FACES: usize = 400;

/// Free bodies whose shape suggests a mistake.
fn suspicious<S: Space>(model: &Model<S>) -> Vec<Suspicion> {
    let free = || model.bodies.iter().enumerate().filter(|(_, body)| body.role == Role::Free);
    let mut sizes: Vec<f64> = free().map(|(_, body)| body.shape.size()).collect();
    sizes.sort_by(f64::total_cmp);
    let Some(&middle) = sizes.get(sizes.len() / 2) else { return Vec::new() };
    let mut found = Vec::new();
    for (index, body) in free() {
        let size = body.shape.size();
        let volume = body.shape.mass_properties().map_or(f64::INFINITY, |mass| mass.volume);
        let fullness = volume / size.powi(S::DIM as i32);
        let surface = body.shape.surface(size);
        let shortest = shortest_edge(&surface);
        let reason = if fullness < LEAST_FULLNESS {
            format!("very thin: its volume is {fullness:.1e} of the cube of its size")
        } else if size < CRUMB_RATIO * middle {
            format!("very small: size {size:.2e} m, median size {middle:.2e} m")
        } else if size > GIANT_RATIO * middle {
            format!("very large: size {size:.2e} m, median size {middle:.2e} m")
        } else if shortest < SHORT_EDGE_RATIO * size {
            format!("very short edge: {shortest:.1e} m, {:.0e} of its size", shortest / size)
        } else if surface.polygons.len() > MOST_FACES {
            format!("it has {} faces", surface.polygons.len())
        } else {
            continue;
        };
        found.push(Suspicion { body: index, reason });
    }
    found
}

/// Length of the shortest edge of a surface [m]; in 2D the polygon is its outline.
fn shortest_edge(surface: &Surface) -> f64 {
    let length = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    let edges = surface.polygons.iter().flat_map(|polygon| {
        (0..polygon.len()).map(|i| {
            let [a, b] = [polygon[i], polygon[(i + 1) % polygon.len()]].map(|v| surface.points[v as usize]);
            length(a, b)
        })
    });
    edges.fold(f64::INFINITY, f64::min)
}
