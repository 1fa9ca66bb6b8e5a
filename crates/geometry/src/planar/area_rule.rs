//! Quadrature over the area of a plane shape, for stresses that depend on the velocity of every point.
//!
//! The fine rule has the product rule of Gauss on the triangles between the centroid c of each convex part and its
//! sides, in the coordinates x = c + s [(1 − t) a + t b − c], dA = 2T s ds dt, T the area of the triangle: functions
//! that are homogeneous about the centroid, such as |r| r, are exact along s. A disc has Gauss points along the radius
//! and equal angles. The coarse rule has four points c ± √2 σᵢ eᵢ of equal weight (σᵢ², eᵢ: second moments of the area
//! per area, and their axes); it is exact for polynomials of degree two. The medium rule has Radon's seven points of degree
//! five on the triangles between one corner of each convex part and its sides; for a disc it is the fine rule.

use glam::DVec2;

use super::{Polygon, Shape2};
use crate::solid::Solid;

/// Gauss points on [0, 1] and their weights.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];
/// Radon's rule of degree five on a triangle: first barycentric coordinate of three points (the other two are equal) and
/// their weight, twice, and the weight of the centroid; shares of the area.
const RADON: [(f64, f64); 2] =
    [(0.059_715_871_789_769_82, 0.132_394_152_788_506_2), (0.797_426_985_353_087_3, 0.125_939_180_544_827_15)];
const RADON_CENTRE: f64 = 0.225;
/// Angles of the rule of a disc.
const ANGLES: usize = 32;

/// Points and weights [m, m²] in the axes of the shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaRule {
    /// Area [m²].
    pub area: f64,
    /// Coarse rule: four points, exact to degree two; empty for an unbounded shape.
    pub coarse: Vec<(DVec2, f64)>,
    /// Medium rule: exact to degree five for polygons.
    pub medium: Vec<(DVec2, f64)>,
    /// Fine rule.
    pub fine: Vec<(DVec2, f64)>,
}

impl AreaRule {
    /// The rule of a shape; empty for half-planes.
    pub fn new(shape: &Shape2) -> Self {
        let mut fine = Vec::new();
        add(shape, &mut fine);
        let Some(mass) = shape.mass_properties() else { return Self::default() };
        let mut second = [0.0; 3];
        for (point, weight) in &fine {
            let r = *point - mass.centroid;
            second[0] += weight * r.x * r.x;
            second[1] += weight * r.x * r.y;
            second[2] += weight * r.y * r.y;
        }
        let area = mass.volume;
        let [xx, xy, yy] = second.map(|moment| moment / area);
        let turn = 0.5 * (2.0 * xy).atan2(xx - yy);
        let (mean, half) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
        let axis = DVec2::from_angle(turn);
        let arms = [axis * (2.0 * (mean + half)).max(0.0).sqrt(), axis.perp() * (2.0 * (mean - half)).max(0.0).sqrt()];
        let coarse = arms
            .into_iter()
            .flat_map(|arm| [(mass.centroid + arm, 0.25 * area), (mass.centroid - arm, 0.25 * area)])
            .collect();
        let mut medium = Vec::new();
        add_medium(shape, &mut medium);
        Self { area, coarse, medium, fine }
    }
}

/// The medium rule, for polygons; discs and rounded shapes use the fine rule.
fn add_medium(shape: &Shape2, out: &mut Vec<(DVec2, f64)>) {
    match shape {
        Shape2::Polygon(polygon) => {
            let corners = polygon.vertices();
            for pair in corners.windows(2).skip(1) {
                let [a, b, c] = [corners[0], pair[0], pair[1]];
                let area = 0.5 * (b - a).perp_dot(c - a);
                out.push(((a + b + c) / 3.0, RADON_CENTRE * area));
                for (own, weight) in RADON {
                    let other = 0.5 * (1.0 - own);
                    for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
                        out.push((p * own + (q + r) * other, weight * area));
                    }
                }
            }
        }
        Shape2::Compound(compound) => compound.parts.iter().for_each(|part| add_medium(part, out)),
        _ => add(shape, out),
    }
}

fn add(shape: &Shape2, out: &mut Vec<(DVec2, f64)>) {
    match shape {
        Shape2::Polygon(polygon) => add_polygon(polygon, out),
        Shape2::Disc(disc) => {
            let step = std::f64::consts::TAU / ANGLES as f64;
            for (s, weight) in GAUSS {
                for k in 0..ANGLES {
                    // between the axes: the lines of symmetry are where most integrands are not smooth
                    let arm = DVec2::from_angle((k as f64 + 0.5) * step) * (s * disc.radius);
                    out.push((disc.centre + arm, weight * s * disc.radius * disc.radius * step));
                }
            }
        }
        Shape2::Segment(segment) => {
            if let Ok((polygon, _)) = Polygon::new(&segment.outline()) {
                add_polygon(&polygon, out);
            }
        }
        Shape2::HalfPlane(_) => {}
        Shape2::Compound(compound) => compound.parts.iter().for_each(|part| add(part, out)),
    }
}

fn add_polygon(polygon: &Polygon, out: &mut Vec<(DVec2, f64)>) {
    let centre = polygon.mass_properties().centroid;
    for i in 0..polygon.vertices().len() {
        let [a, b] = polygon.side(i).map(|vertex| vertex - centre);
        let double = a.perp_dot(b);
        for (s, weight) in GAUSS {
            for (t, other) in GAUSS {
                out.push((centre + (a * (1.0 - t) + b * t) * s, weight * other * double * s));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area, first and second moments are those of the mass properties; |x|³ of a disc is 2π/5 R⁵.
    #[test]
    fn moments_are_exact() {
        let outline = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)];
        let angle: Vec<DVec2> = outline.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
        for shape in [Shape2::outline(&angle).unwrap().shape, Shape2::disc(2.5).unwrap()] {
            let (rule, mass) = (AreaRule::new(&shape), shape.mass_properties().unwrap());
            for points in [&rule.coarse, &rule.medium, &rule.fine] {
                let sum = |f: &dyn Fn(DVec2) -> f64| points.iter().map(|(x, w)| w * f(*x)).sum::<f64>();
                assert!((sum(&|_| 1.0) - mass.volume).abs() < 1e-12 * mass.volume);
                assert!((sum(&|x| x.x) - mass.volume * mass.centroid.x).abs() < 1e-12 * mass.volume);
                let polar = sum(&|x| x.distance_squared(mass.centroid));
                assert!((polar - mass.inertia).abs() < 1e-11 * mass.inertia);
            }
        }
        let rule = AreaRule::new(&Shape2::disc(2.0).unwrap());
        let cubic: f64 = rule.fine.iter().map(|(x, w)| w * x.length().powi(3)).sum();
        assert!((cubic / (0.4 * std::f64::consts::PI * 32.0) - 1.0).abs() < 1e-13);
    }
}
