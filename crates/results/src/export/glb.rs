//! glTF 2.0 in one file (GLB): a node per body and per straight piece of a cable, an animation of all nodes that move.
//!
//! Bodies of the same shape share a mesh; discs and spheres are one mesh of radius 1 for each colour, scaled by their
//! nodes. A deformed body has a mesh of its own, with a morph target for each chosen frame, or for at most
//! [`MOST_TARGETS`] of them; between these its points move along straight lines. glTF has y up; one node above all
//! others turns our z-up world.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, Snapshot};

use super::rods::{NodePlacement, pieces, rod};
use crate::Results;
use crate::error::ResultsError;
use crate::measures::BlockQuantity;
use crate::picture::colour::{CABLE, ColourScale, NO_VALUE, Rgb, STONES, SUPPORT};
use crate::picture::median_size;
use crate::triangles::triangulate;
use crate::vector::{Vec3, newell, sub, unit};

/// Numbers of glTF: single precision and unsigned integers, targets of buffers.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Drawn radius of cables, relative to the block size.
const CABLE_RADIUS: f64 = 0.02;

/// Maximum number of morph targets of a deformed body.
const MOST_TARGETS: usize = 64;

/// How a GLB file is made.
#[derive(Clone, Debug, Default)]
pub struct GlbOptions {
    /// Quantity that colours the blocks, in the last frame: colours of glTF do not change with time.
    pub colour: BlockQuantity,
}

/// The chosen frames of a run as one GLB file.
pub fn glb(results: &Results, frames: &[usize], options: &GlbOptions) -> Result<Vec<u8>, ResultsError> {
    let cast = results.cast();
    let last = frames.last().copied().unwrap_or(0);
    let mut file = File::default();
    let (mut poses, mut cables) = (Vec::with_capacity(frames.len()), Vec::with_capacity(frames.len()));
    for &frame in frames {
        poses.push(results.poses(frame)?);
        cables.push(results.cables(frame)?);
    }
    let colours = colours(results, last, options.colour)?;
    let times: Vec<f32> = frames.iter().map(|&frame| results.times()[frame] as f32).collect();
    let shapes = Shapes::of(results, frames)?;
    let mut nodes = file.bodies(cast, poses.first().map_or(&[][..], Vec::as_slice), &colours, &shapes);
    file.animate_shapes(&nodes, &shapes, &times);
    let size = |body: usize| cast.bodies[body].ball().unwrap_or(1.0);
    let placed = |body: usize| poses.iter().map(move |frame| placement(&frame[body], size(body))).collect::<Vec<_>>();
    let mut moving: Vec<(usize, Vec<NodePlacement>)> =
        nodes.iter().enumerate().filter_map(|(body, node)| Some(((*node)?, placed(body)))).collect();
    let rods = file.cables(cast, pieces(&cables, CABLE_RADIUS * median_size(cast)));
    nodes.extend(rods.iter().map(|(node, _)| Some(*node)));
    moving.extend(rods);
    if frames.len() > 1 {
        file.animate(&moving, &times);
    }
    file.finish(cast, results.title(), &nodes)
}

/// Colour of every body.
fn colours(results: &Results, last: usize, quantity: BlockQuantity) -> Result<Vec<Rgb>, ResultsError> {
    let cast = results.cast();
    let plain = |index: usize| {
        let body = &cast.bodies[index];
        if body.support { SUPPORT } else { STONES[body.material % STONES.len()] }
    };
    if quantity == BlockQuantity::Material {
        return Ok((0..cast.bodies.len()).map(plain).collect());
    }
    let (first, snapshot): (Snapshot, Snapshot) = (results.frame(0)?, results.frame(last)?);
    let values = quantity.values(cast, &first, &snapshot).unwrap_or_default();
    let scale = ColourScale::new(quantity, values.iter().copied());
    // few colours, so that bodies of one shape share meshes
    let stepped = |value: f64| {
        let [low, high] = scale.range;
        scale.colour(low + ((scale.place(value) * 32.0).round() / 32.0) * (high - low))
    };
    Ok(values
        .iter()
        .zip(&cast.bodies)
        .map(|(value, body)| match value.is_nan() {
            true if body.support => SUPPORT,
            true => NO_VALUE,
            false => stepped(*value),
        })
        .collect())
}

/// Points of deformed bodies in frames of an animation.
#[derive(Default)]
struct Shapes {
    /// Which of the chosen frames are targets.
    keys: Vec<usize>,
    /// For each body that is deformed in any of them its points, frame by frame.
    points: BTreeMap<usize, Vec<Vec<Vec3>>>,
}

impl Shapes {
    fn of(results: &Results, frames: &[usize]) -> Result<Self, ResultsError> {
        let cast = results.cast();
        if !cast.features.deforming {
            return Ok(Self::default());
        }
        let count = frames.len().min(MOST_TARGETS);
        let key = |k: usize| if count > 1 { k * (frames.len() - 1) / (count - 1) } else { 0 };
        let keys: Vec<usize> = (0..count).map(key).collect();
        let mut points: BTreeMap<usize, Vec<Vec<Vec3>>> = BTreeMap::new();
        for (k, &key) in keys.iter().enumerate() {
            for deformed in results.deformed(frames[key])? {
                let body = deformed.body as usize;
                let form = || vec![cast.bodies[body].surface().points.clone(); count];
                points.entry(body).or_insert_with(form)[k] = deformed.points;
            }
        }
        Ok(Self { keys, points })
    }
}

/// A file under construction.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl File {
    /// Adds numbers and returns the index of their accessor.
    fn accessor(&mut self, data: &[u8], kind: &str, component: u32, count: usize, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": data.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend(data);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind,
        }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: &[f32], kind: &str, width: usize, target: Option<u32>) -> usize {
        let data: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let accessor = self.accessor(&data, kind, FLOAT, values.len() / width, target);
        // readers need the bounds of positions and times
        let bound = |k: usize, pick: fn(f32, f32) -> f32| values.iter().skip(k).step_by(width).copied().reduce(pick);
        if width != 4 {
            self.accessors[accessor]["min"] = (0..width).map(|k| json!(bound(k, f32::min))).collect();
            self.accessors[accessor]["max"] = (0..width).map(|k| json!(bound(k, f32::max))).collect();
        }
        accessor
    }

    /// A node per body, in order; returns the indices of the nodes, `None` for bodies without a surface.
    fn bodies(&mut self, cast: &Cast, first: &[BodySnapshot], colours: &[Rgb], shapes: &Shapes) -> Vec<Option<usize>> {
        let mut materials: HashMap<Rgb, usize> = HashMap::new();
        let mut meshes: HashMap<(Vec<u8>, usize), usize> = HashMap::new();
        let mut nodes = Vec::with_capacity(cast.bodies.len());
        // balls of all sizes are one shape
        let ball = Surface::ball(cast.dimension, 1.0);
        for (index, ((body, placed), &colour)) in cast.bodies.iter().zip(first).zip(colours).enumerate() {
            let surface = if body.ball().is_some() { &ball } else { body.surface() };
            if surface.polygons.is_empty() {
                nodes.push(None);
                continue;
            }
            let material = *materials.entry(colour).or_insert_with(|| self.material(colour));
            let mesh = match shapes.points.get(&index) {
                Some(targets) => self.mesh(surface, material, targets),
                None => {
                    *meshes.entry((fingerprint(surface), material)).or_insert_with(|| self.mesh(surface, material, &[]))
                }
            };
            let place = placed.position.map(|x| x as f32);
            let mut node =
                json!({ "name": body.name, "mesh": mesh, "translation": place, "rotation": rotation(placed) });
            let size = if placed.absent { 0.0 } else { body.ball().unwrap_or(1.0) };
            if size != 1.0 {
                node["scale"] = json!([size, size, size]);
            }
            self.nodes.push(node);
            nodes.push(Some(self.nodes.len() - 1));
        }
        nodes
    }

    /// A node per segment of a cable; returns the nodes with their placement in every frame.
    fn cables(&mut self, cast: &Cast, pieces: Vec<(usize, Vec<NodePlacement>)>) -> Vec<(usize, Vec<NodePlacement>)> {
        if pieces.is_empty() {
            return Vec::new();
        }
        let material = self.material(CABLE);
        let mesh = self.mesh(&rod(), material, &[]);
        let node = |(cable, placed): (usize, Vec<NodePlacement>)| {
            let name = cast.cables.get(cable).map_or("cable", |cable| cable.name.as_str());
            let NodePlacement { place, turn, size } = placed[0];
            self.nodes
                .push(json!({ "name": name, "mesh": mesh, "translation": place, "rotation": turn, "scale": size }));
            (self.nodes.len() - 1, placed)
        };
        pieces.into_iter().map(node).collect()
    }

    fn material(&mut self, colour: Rgb) -> usize {
        // glTF uses linear light
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let [r, g, b] = colour.map(linear);
        self.materials.push(json!({
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9 },
            "doubleSided": true,
        }));
        self.materials.len() - 1
    }

    /// Flat faces: every face has its own corners and its own normal. `targets` are positions of the points to which
    /// the mesh is deformed; if there is one, the mesh has these positions.
    fn mesh(&mut self, surface: &Surface, material: usize, targets: &[Vec<Vec3>]) -> usize {
        let (still, targets) = if let [only] = targets { (only, &[][..]) } else { (&surface.points, targets) };
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let faces = || surface.polygons.iter().filter(|polygon| polygon.len() >= 3);
        for polygon in faces() {
            let outline: Vec<Vec3> = polygon.iter().map(|&corner| still[corner as usize]).collect();
            let normal = unit(newell(&outline));
            let first = (positions.len() / 3) as u32;
            for point in &outline {
                positions.extend(point.map(|x| x as f32));
                normals.extend(normal.map(|x| x as f32));
            }
            indices.extend(triangulate(&outline).into_iter().flatten().map(|corner| first + corner));
        }
        let position = self.floats(&positions, "VEC3", 3, Some(VERTICES));
        let normal = self.floats(&normals, "VEC3", 3, Some(VERTICES));
        let data: Vec<u8> = indices.iter().flat_map(|i: &u32| i.to_le_bytes()).collect();
        let index = self.accessor(&data, "SCALAR", UNSIGNED, indices.len(), Some(INDICES));
        let mut primitive = json!(
            { "attributes": { "POSITION": position, "NORMAL": normal }, "indices": index, "material": material }
        );
        let mut mesh = json!({});
        if !targets.is_empty() {
            let moved = |points: &Vec<Vec3>| -> Vec<f32> {
                let corners = faces().flatten().map(|&corner| corner as usize);
                corners.flat_map(|corner| sub(points[corner], still[corner])).map(|x| x as f32).collect()
            };
            let mut target = |points| json!({ "POSITION": self.floats(&moved(points), "VEC3", 3, Some(VERTICES)) });
            primitive["targets"] = targets.iter().map(&mut target).collect();
            // without an animation the shape of the first frame is shown
            let weights = (0..targets.len()).map(|k| f64::from(u8::from(k == 0)));
            mesh["weights"] = weights.collect();
        }
        mesh["primitives"] = json!([primitive]);
        self.meshes.push(mesh);
        self.meshes.len() - 1
    }

    /// Weights of the targets of deformed bodies: at the time of each target that one alone, the same for all bodies.
    fn animate_shapes(&mut self, nodes: &[Option<usize>], shapes: &Shapes, times: &[f32]) {
        let count = shapes.keys.len();
        let deformed: Vec<usize> = shapes.points.keys().filter_map(|&body| nodes[body]).collect();
        if count < 2 || deformed.is_empty() {
            return;
        }
        let times: Vec<f32> = shapes.keys.iter().map(|&key| times[key]).collect();
        let weights: Vec<f32> = (0..count * count).map(|k| f32::from(u8::from(k % (count + 1) == 0))).collect();
        let (input, output) = (self.floats(&times, "SCALAR", 1, None), self.floats(&weights, "SCALAR", 1, None));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        let sampler = self.samplers.len() - 1;
        for node in deformed {
            self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": "weights" } }));
        }
    }

    /// Translations and rotations of all nodes that move; those that come or go have no size while they are absent.
    fn animate(&mut self, nodes: &[(usize, Vec<NodePlacement>)], times: &[f32]) {
        let mut input = None;
        for (node, placed) in nodes {
            let places: Vec<f32> = placed.iter().flat_map(|frame| frame.place).collect();
            let turns = continuous(placed.iter().map(|frame| frame.turn));
            let sizes: Vec<f32> = placed.iter().flat_map(|frame| frame.size).collect();
            for (path, kind, width, values) in
                [("translation", "VEC3", 3, places), ("rotation", "VEC4", 4, turns), ("scale", "VEC3", 3, sizes)]
            {
                if values.chunks_exact(width).all(|value| value == &values[..width]) {
                    continue;
                }
                let input = *input.get_or_insert_with(|| self.floats(times, "SCALAR", 1, None));
                let output = self.floats(&values, kind, width, None);
                let interpolation = if path == "scale" { "STEP" } else { "LINEAR" };
                self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
                let sampler = self.samplers.len() - 1;
                self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
            }
        }
    }

    /// Header, description and numbers.
    fn finish(mut self, cast: &Cast, title: &str, nodes: &[Option<usize>]) -> Result<Vec<u8>, ResultsError> {
        let children: Vec<usize> = nodes.iter().flatten().copied().collect();
        let mut root = json!({ "name": if title.is_empty() { "structure" } else { title } });
        if !children.is_empty() {
            root["children"] = json!(children);
        }
        // single precision is not accurate enough for survey coordinates
        if cast.origin != [0.0; 3] {
            root["extras"] = json!({ "origin_m": cast.origin });
        }
        if cast.dimension == 3 {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            root["rotation"] = json!([-half, 0.0, 0.0, half]);
        }
        self.nodes.push(root);
        let mut description = json!({
            "asset": { "version": "2.0", "generator": concat!("voussoir ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [self.nodes.len() - 1] }],
            "nodes": self.nodes,
        });
        // glTF has no empty lists
        for (name, list) in [
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
        ] {
            if !list.is_empty() {
                description[name] = list.into();
            }
        }
        if !self.bytes.is_empty() {
            description["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        }
        if !self.channels.is_empty() {
            description["animations"] =
                json!([{ "name": "motion", "channels": self.channels, "samplers": self.samplers }]);
        }
        let mut text = description.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let length = |length: usize| u32::try_from(length).map_err(|_| ResultsError::TooLarge { what: "GLB" });
        let mut out = Vec::with_capacity(total);
        out.extend(b"glTF");
        out.extend([2, length(total)?].map(u32::to_le_bytes).as_flattened());
        out.extend(length(text.len())?.to_le_bytes());
        out.extend(b"JSON");
        out.extend(text);
        if !self.bytes.is_empty() {
            out.extend(length(self.bytes.len())?.to_le_bytes());
            out.extend(b"BIN\0");
            out.extend(self.bytes);
        } else {
            let total = length(out.len())?;
            out[8..12].copy_from_slice(&total.to_le_bytes());
        }
        Ok(out)
    }
}

/// Placement of a body with this size; size zero while it is absent.
fn placement(body: &BodySnapshot, size: f64) -> NodePlacement {
    let size = [if body.absent { 0.0 } else { size as f32 }; 3];
    NodePlacement { place: body.position.map(|x| x as f32), turn: rotation(body), size }
}

/// A unit quaternion in single precision.
fn rotation(body: &BodySnapshot) -> [f32; 4] {
    let size = body.rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
    if size > 0.0 { body.rotation.map(|x| (x / size) as f32) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// Quaternions, each with the sign that is nearer to the previous one.
fn continuous(rotations: impl Iterator<Item = [f32; 4]>) -> Vec<f32> {
    let mut all: Vec<f32> = Vec::new();
    for q in rotations {
        let before = all.last_chunk::<4>().copied().unwrap_or(q);
        let along: f32 = q.iter().zip(before).map(|(a, b)| a * b).sum();
        all.extend(if along < 0.0 { q.map(|x| -x) } else { q });
    }
    all
}

/// Data common to surfaces of the same shape, to single precision.
fn fingerprint(surface: &Surface) -> Vec<u8> {
    let points = surface.points.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes());
    let polygons = surface.polygons.iter().flat_map(|polygon| {
        let ends = std::iter::once(u32::MAX);
        polygon.iter().copied().chain(ends).flat_map(u32::to_le_bytes)
    });
    points.chain(polygons).collect()
}
