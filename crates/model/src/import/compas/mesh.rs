//! Meshes of COMPAS: `vertex` with coordinates by key, `face` with keys of corners by key.

use std::collections::HashMap;

use serde_json::Value;
use voussoir_geometry::glam::DVec3;

use super::value::{content, entries};

/// A surface with the keys of its faces, by which surface loads name them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CompasMesh {
    /// Corners.
    pub vertices: Vec<DVec3>,
    /// Key and corners of every face.
    pub faces: Vec<(u64, Vec<u32>)>,
}

/// True if an object looks like a mesh.
pub(super) fn is_mesh(value: &Value) -> bool {
    let data = content(value);
    data.get("vertex").is_some() && data.get("face").is_some()
}

/// Reads a mesh; the error says what is missing.
pub(super) fn read(value: &Value) -> Result<CompasMesh, String> {
    let data = content(value);
    let (Some(vertex), Some(face)) = (data.get("vertex"), data.get("face")) else {
        return Err("not a mesh: `vertex` or `face` is missing".to_owned());
    };
    let defaults = ["default_vertex_attributes", "dva"].iter().find_map(|key| data.get(*key)).unwrap_or(&Value::Null);
    let mut mesh = CompasMesh::default();
    let mut places: HashMap<String, u32> = HashMap::new();
    for (number, name, attributes) in entries(vertex) {
        let coordinate = |key: &str| {
            let found = attributes.get(key).or_else(|| defaults.get(key));
            found.map_or(Some(0.0), Value::as_f64).filter(|x| x.is_finite())
        };
        let (Some(x), Some(y), Some(z)) = (coordinate("x"), coordinate("y"), coordinate("z")) else {
            return Err(format!("vertex {name}: its coordinates are not numbers"));
        };
        let key = if name.is_empty() { number.to_string() } else { name.to_owned() };
        places.insert(key, mesh.vertices.len() as u32);
        mesh.vertices.push(DVec3::new(x, y, z));
    }
    for (number, name, corners) in entries(face) {
        let Some(corners) = corners.as_array() else { return Err(format!("face {name}: not a list of vertices")) };
        let mut face = Vec::with_capacity(corners.len());
        for corner in corners {
            let key = corner.as_str().map_or_else(|| corner.to_string(), str::to_owned);
            let Some(&place) = places.get(&key) else { return Err(format!("face {name}: there is no vertex {key}")) };
            if face.last() != Some(&place) {
                face.push(place);
            }
        }
        // COMPAS 0 repeats the first corner at the end
        if face.len() > 1 && face.first() == face.last() {
            face.pop();
        }
        mesh.faces.push((number, face));
    }
    Ok(mesh)
}

/// Area times unit normal and centroid of a plane or nearly plane polygon.
pub(super) fn area_and_centroid(points: &[DVec3]) -> (DVec3, DVec3) {
    let foot = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let (mut area, mut first) = (DVec3::ZERO, DVec3::ZERO);
    let triangles: Vec<(DVec3, DVec3)> = (0..points.len())
        .map(|i| {
            let [a, b] = [points[i] - foot, points[(i + 1) % points.len()] - foot];
            (0.5 * a.cross(b), (a + b) / 3.0)
        })
        .collect();
    triangles.iter().for_each(|(part, _)| area += *part);
    let normal = area.normalize_or_zero();
    triangles.iter().for_each(|(part, centre)| first += *centre * part.dot(normal));
    (area, if area == DVec3::ZERO { foot } else { foot + first / area.length() })
}
