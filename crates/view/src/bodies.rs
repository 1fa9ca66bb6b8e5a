//! Constant data of a run as packed arrays: names, materials, faces and edges of all bodies.

use std::collections::HashMap;

use serde_json::json;
use voussoir_mechanics::snapshot::{Cast, FieldInfo};
use voussoir_results::SceneFacts;
use voussoir_results::picture::{faces_of_bodies, force_reach, median_size};

use crate::pack::Pack;
use crate::run::Opened;

/// Packs bodies: corners in the axes of their bodies, faces cut into triangles, edges; discs and spheres as bodies with a
/// radius.
pub fn pack(opened: &Opened, scene: &dyn SceneFacts) -> Vec<u8> {
    let results = &opened.results;
    let cast = results.cast();
    let mut pack = Pack::default();
    pack.say("title", results.title());
    pack.say("dimension", cast.dimension);
    pack.say("generation", opened.generation());
    pack.say("names", cast.bodies.iter().map(|body| body.name.clone()).collect::<Vec<_>>());
    pack.say("materials", cast.materials.clone());
    pack.say("block", median_size(cast));
    pack.say("reach", force_reach(cast));
    pack.say("origin", json!(opened.origin));
    pack.say("stages", scene.stages().into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    pack.u32s("material", cast.bodies.iter().map(|body| body.material as u32));
    pack.u8s("support", cast.bodies.iter().map(|body| u8::from(body.support)));
    pack.u8s("endless", opened.endless.iter().map(|&endless| u8::from(endless)));

    let fields = fields(cast).map(|(info, _)| json!({ "name": info.name, "unit": info.unit }));
    pack.say("fields", fields.collect::<Vec<_>>());
    let balls = || cast.bodies.iter().enumerate().filter_map(|(i, body)| Some((i, body.ball()?)));
    pack.u32s("ball_body", balls().map(|(i, _)| i as u32));
    pack.f32s("ball_radius", balls().map(|(_, radius)| radius));

    let faces = faces_of_bodies(cast);
    let mut corners = Corners::default();
    let (mut triangles, mut edges) = (Vec::new(), Vec::new());
    for face in &faces {
        let named = face.corners.iter().zip(&face.points);
        let own: Vec<u32> = named.map(|(&corner, &point)| corners.number(face.body, corner, point)).collect();
        triangles.extend((2..own.len()).flat_map(|k| [own[0], own[k - 1], own[k]]));
        // every edge once: the one of its two directions that goes upwards
        let lone = cast.bodies[face.body].surface().polygons.len() == 1;
        for (k, _) in face.creases.iter().enumerate().filter(|(_, crease)| **crease) {
            let (a, b) = (own[k], own[(k + 1) % own.len()]);
            if lone || a < b {
                edges.extend([a, b]);
            }
        }
    }
    pack.f32s("points", corners.points.iter().flatten().copied());
    pack.u32s("owners", corners.owners.iter().copied());
    pack.u32s("triangles", triangles.into_iter());
    pack.u32s("edges", edges.into_iter());
    pack.finish()
}

/// Location of a declared scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPlace {
    /// At points of deformed bodies: the n-th field of points.
    Points(usize),
    /// Of bodies: the n-th field of bodies.
    Bodies(usize),
}

/// Scalars that the analysis declared.
pub fn fields(cast: &Cast) -> impl Iterator<Item = (&FieldInfo, FieldPlace)> {
    let features = &cast.features;
    let points = features.point_fields.iter().enumerate().map(|(i, info)| (info, FieldPlace::Points(i)));
    points.chain(features.body_fields.iter().enumerate().map(|(i, info)| (info, FieldPlace::Bodies(i))))
}

/// Points of the surface of every body that are corners of faces, in the order in which [`pack`] numbers them.
pub fn corners_of(cast: &Cast) -> HashMap<usize, Vec<u32>> {
    let mut all: HashMap<usize, Vec<u32>> = HashMap::new();
    let mut corners = Corners::default();
    for face in &faces_of_bodies(cast) {
        for (&corner, &point) in face.corners.iter().zip(&face.points) {
            let before = corners.points.len();
            if corners.number(face.body, corner, point) as usize == before {
                all.entry(face.body).or_default().push(corner);
            }
        }
    }
    all
}

/// Vertices of all bodies, without duplicates: the GPU transforms each of them once per picture.
#[derive(Default)]
struct Corners {
    points: Vec<[f64; 3]>,
    owners: Vec<u32>,
    numbers: HashMap<(usize, u32), u32>,
}

impl Corners {
    /// The number of a corner of a body, given as a point of its surface.
    fn number(&mut self, body: usize, corner: u32, point: [f64; 3]) -> u32 {
        *self.numbers.entry((body, corner)).or_insert_with(|| {
            self.points.push(point);
            self.owners.push(body as u32);
            self.points.len() as u32 - 1
        })
    }
}
