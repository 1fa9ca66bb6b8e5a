//! The surface of a mesh by planes (in the plane: lines), as contacts need it.

use std::collections::BTreeMap;

use crate::kind::ElementKind;
use crate::mesh::{FiniteMesh, SurfaceFace};
use crate::operator::PointWeights;
use crate::rule::mass_rule;
use crate::small::inverse;

/// Normals that differ by less belong to one plane.
const SAME_NORMAL: f64 = 1e-7;

/// A face of the surface within its plane.
#[derive(Clone, Debug)]
pub(crate) struct PlaneFace<const D: usize> {
    pub kind: ElementKind,
    pub points: Vec<u32>,
    pub places: Vec<[f64; D]>,
}

/// Faces of the surface that lie in one plane.
#[derive(Clone, Debug)]
pub(crate) struct SurfacePlane<const D: usize> {
    /// Outward.
    pub normal: [f64; D],
    pub offset: f64,
    pub faces: Vec<PlaneFace<D>>,
}

/// The surface of a mesh.
#[derive(Clone, Debug)]
pub struct BlockSurface<const D: usize> {
    pub(crate) planes: Vec<SurfacePlane<D>>,
    size: f64,
}

pub(crate) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn minus<const D: usize>(a: &[f64; D], b: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|c| a[c] - b[c])
}

pub(crate) fn cross(a: &[f64], b: &[f64]) -> [f64; 3] {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

pub(crate) fn unit<const D: usize>(a: [f64; D]) -> [f64; D] {
    let length = dot(&a, &a).sqrt();
    a.map(|x| x / length)
}

impl<const D: usize> BlockSurface<D> {
    /// Groups the outer faces of a mesh by planes.
    pub fn new(mesh: &FiniteMesh<D>) -> Self {
        Self::of_faces(mesh, mesh.surface())
    }

    /// Groups some faces of a mesh by planes.
    pub fn of_faces(mesh: &FiniteMesh<D>, faces: impl IntoIterator<Item = SurfaceFace>) -> Self {
        let mut low = [f64::INFINITY; D];
        let mut high = [f64::NEG_INFINITY; D];
        for p in &mesh.points {
            (0..D).for_each(|c| (low[c], high[c]) = (low[c].min(p[c]), high[c].max(p[c])));
        }
        let size = (0..D).map(|c| high[c] - low[c]).fold(0.0, f64::max);
        let mut planes: Vec<SurfacePlane<D>> = Vec::new();
        for SurfaceFace { kind, points, .. } in faces {
            let places: Vec<[f64; D]> = points.iter().map(|&p| mesh.points[p as usize]).collect();
            let normal = normal(&places, kind.corners());
            let offset = dot(&normal, &places[0]);
            let face = PlaneFace { kind, points, places };
            let same = |plane: &&mut SurfacePlane<D>| {
                let turned = minus(&plane.normal, &normal);
                dot(&turned, &turned).sqrt() < SAME_NORMAL && (plane.offset - offset).abs() < 1e-7 * size
            };
            match planes.iter_mut().find(same) {
                Some(plane) => plane.faces.push(face),
                None => planes.push(SurfacePlane { normal, offset, faces: vec![face] }),
            }
        }
        Self { planes, size }
    }

    /// Extent of the block along its longest axis [m].
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Number of plane parts.
    pub fn planes(&self) -> usize {
        self.planes.len()
    }

    /// The plane whose outward normal is nearest to a direction, among those within `near` of a point [m].
    pub(crate) fn plane_at(&self, point: &[f64; D], outward: &[f64; D], near: f64) -> Option<&SurfacePlane<D>> {
        let aligned = |plane: &SurfacePlane<D>| dot(&plane.normal, outward);
        self.planes
            .iter()
            .filter(|plane| aligned(plane) > 0.9 && (dot(&plane.normal, point) - plane.offset).abs() <= near)
            .max_by(|a, b| aligned(a).total_cmp(&aligned(b)))
    }

    /// Weights that give the value at the point of the surface nearest to a point.
    pub fn nearest(&self, point: &[f64; D]) -> PointWeights {
        let mut best: Option<(f64, PointWeights)> = None;
        for plane in &self.planes {
            let height = dot(&plane.normal, point) - plane.offset;
            if best.as_ref().is_some_and(|(distance, _)| height.abs() > *distance) {
                continue;
            }
            for face in &plane.faces {
                let at = clamped(face.kind, reference(face, point));
                let values = face.kind.shape(at).values;
                let way = minus(&face.place(at), point);
                let distance = dot(&way, &way).sqrt();
                if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                    let weights = face.points.iter().copied().zip(values).filter(|(_, w)| *w != 0.0).collect();
                    best = Some((distance, weights));
                }
            }
        }
        best.map(|(_, weights)| weights).unwrap_or_default()
    }

    /// Points of the plane part with a point of the surface and this outward normal, within a distance of it: their places and their
    /// shares of the area; empty off the surface.
    pub fn points_around(&self, point: &[f64; D], outward: &[f64; D], radius: f64) -> Vec<(u32, [f64; D], f64)> {
        let Some(plane) = self.plane_at(point, outward, 1e-3 * self.size).filter(|p| dot(&p.normal, outward) > 0.999)
        else {
            return Vec::new();
        };
        let mut found: BTreeMap<u32, ([f64; D], f64)> = BTreeMap::new();
        for face in &plane.faces {
            for (&p, place) in face.points.iter().zip(&face.places) {
                found.entry(p).or_insert((*place, 0.0));
            }
        }
        plane.integrate(|_, face, values, w| {
            for (p, value) in face.points.iter().zip(values) {
                if let Some(own) = found.get_mut(p) {
                    own.1 += w * value;
                }
            }
        });
        let near = |place: &[f64; D]| {
            let way = minus(place, point);
            dot(&way, &way) <= radius * radius
        };
        found.into_iter().filter(|(_, (place, _))| near(place)).map(|(p, (place, area))| (p, place, area)).collect()
    }

    /// Weights of a force at a point of the surface that is spread over the plane part with that point: a pressure that varies
    /// linearly, with its resultant at the point. `None` for a point that is not on the surface.
    pub fn spread(&self, point: &[f64; D]) -> Option<PointWeights> {
        let near = 1e-6 * self.size;
        let on = |plane: &&SurfacePlane<D>| (dot(&plane.normal, point) - plane.offset).abs() <= near;
        let distance = |plane: &SurfacePlane<D>| {
            let ways = plane.faces.iter().map(|face| {
                let place = face.place(clamped(face.kind, reference(face, point)));
                let way = minus(&place, point);
                dot(&way, &way)
            });
            ways.fold(f64::INFINITY, f64::min)
        };
        let touched = self.planes.iter().filter(on).filter(|plane| distance(plane) <= near * near);
        let plane = touched.max_by(|a, b| a.area().total_cmp(&b.area()))?;
        // functions 1, x − point along two axes, of which the pressure is made
        let first = unit(minus(&plane.faces[0].places[1], &plane.faces[0].places[0]));
        let second: [f64; D] = if D == 2 {
            [0.0; D]
        } else {
            let axis = cross(&plane.normal, &first);
            std::array::from_fn(|c| axis[c])
        };
        let functions = |x: &[f64; D]| {
            let way = minus(x, point);
            [1.0, dot(&first, &way), dot(&second, &way)]
        };
        let mut gram = [[0.0; D]; D];
        plane.integrate(|x, _, _, w| {
            let f = functions(x);
            (0..D).for_each(|i| (0..D).for_each(|j| gram[i][j] += w * f[i] * f[j]));
        });
        // sum 1, first moments about the point 0
        let (_, inverse) = inverse(&gram);
        let mut weights: BTreeMap<u32, f64> = BTreeMap::new();
        plane.integrate(|x, face, values, w| {
            let f = functions(x);
            let pressure: f64 = (0..D).map(|i| inverse[i][0] * f[i]).sum();
            for (&p, value) in face.points.iter().zip(values) {
                *weights.entry(p).or_default() += w * pressure * value;
            }
        });
        Some(weights.into_iter().collect())
    }
}

impl<const D: usize> PlaneFace<D> {
    fn place(&self, at: [f64; 3]) -> [f64; D] {
        let mut place = [0.0; D];
        for (value, p) in self.kind.shape(at).values.iter().zip(&self.places) {
            place.iter_mut().zip(p).for_each(|(x, y)| *x += value * y);
        }
        place
    }
}

impl<const D: usize> SurfacePlane<D> {
    pub(crate) fn area(&self) -> f64 {
        let mut sum = 0.0;
        self.integrate(|_, _, _, w| sum += w);
        sum
    }

    /// Calls `sample(place, face, values of its shape functions, weight)` at the points of a rule that is exact for linear
    /// functions times shape functions.
    fn integrate(&self, mut sample: impl FnMut(&[f64; D], &PlaneFace<D>, &[f64], f64)) {
        for face in &self.faces {
            for (at, w) in mass_rule(face.kind) {
                let shape = face.kind.shape(at);
                let mut slopes = [[0.0; D]; 2];
                for (gradient, p) in shape.gradients.iter().zip(&face.places) {
                    for k in 0..D - 1 {
                        slopes[k].iter_mut().zip(p).for_each(|(s, x)| *s += gradient[k] * x);
                    }
                }
                let size = if D == 2 {
                    dot(&slopes[0], &slopes[0]).sqrt()
                } else {
                    let area = cross(&slopes[0], &slopes[1]);
                    dot(&area, &area).sqrt()
                };
                sample(&face.place(at), face, &shape.values, w * size);
            }
        }
    }
}

pub(crate) fn normal<const D: usize>(places: &[[f64; D]], corners: usize) -> [f64; D] {
    if D == 2 {
        let way = minus(&places[1], &places[0]);
        return unit(std::array::from_fn(|c| if c == 0 { way[1] } else { -way[0] }));
    }
    // sum over the corners (Newell)
    let mut sum = [0.0; D];
    for k in 0..corners {
        let area = cross(&places[k], &places[(k + 1) % corners]);
        sum.iter_mut().zip(area).for_each(|(s, a)| *s += a);
    }
    unit(sum)
}

/// Reference coordinates of a point projected to a face with straight sides.
pub(crate) fn reference<const D: usize>(face: &PlaneFace<D>, point: &[f64; D]) -> [f64; 3] {
    let linear = match face.kind.corners() {
        2 => ElementKind::Line2,
        3 => ElementKind::Triangle3,
        _ => ElementKind::Quad4,
    };
    let dim = linear.dimension();
    let mut at = if linear == ElementKind::Triangle3 { [1.0 / 3.0, 1.0 / 3.0, 0.0] } else { [0.0; 3] };
    for _ in 0..30 {
        let shape = linear.shape(at);
        let mut miss = *point;
        let mut slopes = [[0.0; D]; 2];
        for ((value, gradient), p) in shape.values.iter().zip(&shape.gradients).zip(&face.places) {
            for c in 0..D {
                miss[c] -= value * p[c];
                (0..dim).for_each(|k| slopes[k][c] += gradient[k] * p[c]);
            }
        }
        // least squares: the point may lie beside the plane
        let (a, b) = (dot(&slopes[0], &slopes[0]), dot(&slopes[0], &miss));
        let step = if dim == 1 {
            [b / a, 0.0]
        } else {
            let (c, d, e) = (dot(&slopes[0], &slopes[1]), dot(&slopes[1], &slopes[1]), dot(&slopes[1], &miss));
            let det = a * d - c * c;
            [(b * d - c * e) / det, (a * e - c * b) / det]
        };
        at = [at[0] + step[0], at[1] + step[1], 0.0];
        if step.iter().all(|s| s.abs() < 1e-15) || linear != ElementKind::Quad4 {
            break;
        }
        at = at.map(|x| x.clamp(-10.0, 10.0));
    }
    at
}

fn clamped(kind: ElementKind, at: [f64; 3]) -> [f64; 3] {
    if !kind.is_simplex() {
        return at.map(|x| x.clamp(-1.0, 1.0));
    }
    let (r, s) = (at[0].max(0.0), at[1].max(0.0));
    let excess = r + s;
    if excess <= 1.0 { [r, s, 0.0] } else { [r / excess, s / excess, 0.0] }
}
