//! Shapes in 2D: convex polygons, discs, thick segments, half-planes, rigid compounds of convex parts.
//!
//! | module | content |
//! |---|---|
//! | `polygon` | convex polygons: checks, repairs, mass |
//! | `segment` | thick lines with round ends |
//! | `compound` | parts that move as one body, and their internal sides |
//! | `decompose` | decomposition of non-convex polygons into convex parts |
//! | `holes` | the same for polygons with holes |
//! | `hull` | convex hull of points |
//! | `rounded` | outlines with rounded corners |
//! | `area_rule` | quadrature over the area of a shape |
//! | `collide` | contact points, one file per pair of shapes |

mod area_rule;
mod collide;
mod compound;
pub(crate) mod decompose;
mod holes;
mod hull;
mod polygon;
mod rounded;
mod segment;

use glam::DVec2;

use crate::detection::Detection;
use crate::error::{Checked, ShapeError, check_positive, check_size};
use crate::pose::Pose;
use crate::solid::{Aabb, CENTRE_TOLERANCE, ContactPoint, MassProperties, ShapeData, Solid, Surface};
use crate::space::D2;

pub use area_rule::AreaRule;
pub use collide::rounded::{CornerMemory, PlacedOutline, RoundedContact, RoundedContactType, meet};
pub use compound::Compound2;
pub use hull::hull;
pub use polygon::Polygon;
pub use rounded::{NearestPart, OutlinePart, RoundedCorner, RoundedOutline, RoundedSide, default_rounding};
pub use segment::Segment;

/// Parts of a compound may overlap by this fraction of the smaller part's size.
const PART_OVERLAP: f64 = 1e-6;
/// Sides of the polygon that stands for a disc in pictures.
const DISC_SIDES: usize = 32;

/// A shape in the plane, in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape2 {
    /// A convex polygon.
    Polygon(Polygon),
    /// A disc.
    Disc(Disc),
    /// A thick line with round ends.
    Segment(Segment),
    /// Everything on one side of a line.
    HalfPlane(HalfPlane),
    /// Convex parts that move as one.
    Compound(Compound2),
}

/// A disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Centre in the shape's axes [m].
    pub centre: DVec2,
    /// Radius [m].
    pub radius: f64,
}

/// The points with normal·x ≤ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// Unit normal, out of the material.
    pub normal: DVec2,
    /// Distance of the line from the origin along the normal [m].
    pub offset: f64,
}

impl Shape2 {
    /// A convex polygon from its outline.
    pub fn polygon(outline: Vec<DVec2>) -> Result<Checked<Self>, ShapeError> {
        let (polygon, repairs) = Polygon::new(&outline)?;
        Ok(Checked { shape: Self::Polygon(polygon), repairs })
    }

    /// A polygon from its outline; one that is not convex becomes a compound of convex parts.
    pub fn outline(outline: &[DVec2]) -> Result<Checked<Self>, ShapeError> {
        let (mut parts, repairs) = Polygon::parts(outline)?;
        let shape = match parts.len() {
            1 => Self::Polygon(parts.remove(0)),
            _ => Self::Compound(Compound2::new(parts.into_iter().map(Self::Polygon).collect())),
        };
        Ok(Checked { shape, repairs })
    }

    /// A polygon with holes: a compound of convex parts around them.
    pub fn outline_with_holes(outline: &[DVec2], holes: &[Vec<DVec2>]) -> Result<Checked<Self>, ShapeError> {
        if holes.is_empty() {
            return Self::outline(outline);
        }
        let (parts, repairs) = Polygon::parts_around(outline, holes)?;
        let shape = Self::Compound(Compound2::new(parts.into_iter().map(Self::Polygon).collect()));
        Ok(Checked { shape, repairs })
    }

    /// A rectangle of full sizes `sizes` around the origin.
    pub fn rectangle(sizes: DVec2) -> Result<Self, ShapeError> {
        check_positive("width of the rectangle", sizes.x)?;
        check_positive("height of the rectangle", sizes.y)?;
        let h = 0.5 * sizes;
        let corners = [-h, DVec2::new(h.x, -h.y), h, DVec2::new(-h.x, h.y)];
        Ok(Self::Polygon(Polygon::new(&corners)?.0))
    }

    /// A disc around the origin.
    pub fn disc(radius: f64) -> Result<Self, ShapeError> {
        check_positive("radius of the disc", radius)?;
        check_size(2.0 * radius)?;
        Ok(Self::Disc(Disc { centre: DVec2::ZERO, radius }))
    }

    /// A thick line along x with round ends, `length` between their centres, around the origin.
    pub fn segment(length: f64, thickness: f64) -> Result<Self, ShapeError> {
        check_positive("length of the segment", length)?;
        check_positive("thickness of the segment", thickness)?;
        check_size(length + thickness)?;
        let end = DVec2::new(0.5 * length, 0.0);
        Ok(Self::Segment(Segment { ends: [-end, end], radius: 0.5 * thickness }))
    }

    /// Everything below a line through the origin with this outward normal (of any length).
    pub fn half_plane(normal: DVec2) -> Result<Self, ShapeError> {
        check_positive("length of the normal of the half-plane", normal.length())?;
        Ok(Self::HalfPlane(HalfPlane { normal: normal / normal.length(), offset: 0.0 }))
    }

    /// The convex hull of points.
    pub fn hull(points: &[DVec2]) -> Result<Self, ShapeError> {
        if let Some(vertex) = points.iter().position(|p| !p.is_finite()) {
            return Err(ShapeError::NotFinite { vertex });
        }
        let corners = hull(points);
        if corners.len() < 3 && points.len() >= 3 {
            return Err(ShapeError::ZeroVolume { volume: 0.0, size: polygon::extent(points) });
        }
        Ok(Self::Polygon(Polygon::new(&corners)?.0))
    }

    // This and other constructors repeat those of `Shape3`: types, formulas and errors of the two dimensions differ.
    /// Convex parts placed in the axes of the compound; compounds among them are taken apart.
    pub fn compound(parts: Vec<(Pose<D2>, Self)>) -> Result<Self, ShapeError> {
        let mut placed = Vec::new();
        for (part, (pose, shape)) in parts.iter().enumerate() {
            if !pose.position.is_finite() || !pose.rotation.is_finite() {
                return Err(ShapeError::BadPlacement { part });
            }
            match shape.placed(pose) {
                Self::HalfPlane(_) => return Err(ShapeError::EndlessPart { part }),
                Self::Compound(inner) => placed.extend(inner.parts.into_iter().map(|p| (part, p))),
                convex => placed.push((part, convex)),
            }
        }
        if placed.is_empty() {
            return Err(ShapeError::NoParts);
        }
        let (origin, mut points) = (Pose::identity(), Vec::new());
        for (i, (first, a)) in placed.iter().enumerate() {
            // parts of one compound have been checked already
            for (second, b) in placed[..i].iter().filter(|(second, _)| second != first) {
                points.clear();
                a.collide(&origin, b, &origin, 0.0, &mut points);
                let depth = points.iter().map(|p| -p.gap).fold(0.0, f64::max);
                if depth > PART_OVERLAP * a.size().min(b.size()) {
                    return Err(ShapeError::OverlappingParts { first: *second, second: *first, depth });
                }
            }
        }
        let shape = Self::Compound(Compound2::new(placed.into_iter().map(|p| p.1).collect()));
        check_size(shape.size())?;
        Ok(shape)
    }

    /// The same shape moved and turned in its own axes.
    pub fn placed(&self, pose: &Pose<D2>) -> Self {
        match self {
            Self::Polygon(p) => Self::Polygon(p.moved(pose)),
            Self::Disc(d) => Self::Disc(Disc { centre: pose.point(d.centre), ..*d }),
            Self::Segment(s) => Self::Segment(s.moved(pose)),
            Self::HalfPlane(h) => {
                let normal = pose.direction(h.normal);
                Self::HalfPlane(HalfPlane { normal, offset: h.offset + normal.dot(pose.position) })
            }
            Self::Compound(c) => {
                // internal sides stay internal
                Self::Compound(Compound2 { parts: c.parts.iter().map(|part| part.placed(pose)).collect() })
            }
        }
    }

    /// Centre and radius of a circle around a finite shape.
    fn circle(&self) -> (DVec2, f64) {
        match self {
            Self::Polygon(p) => (p.centre(), p.radius()),
            Self::Disc(d) => (d.centre, d.radius),
            Self::Segment(s) => (s.at(0.5), 0.5 * s.along().length() + s.radius),
            Self::HalfPlane(_) => (DVec2::ZERO, f64::INFINITY),
            Self::Compound(c) => {
                let bounds = self.bounds(&Pose::identity());
                let centre = bounds.min.midpoint(bounds.max);
                let reach = |part: &Shape2| {
                    let (c, r) = part.circle();
                    c.distance(centre) + r
                };
                (centre, c.parts.iter().map(reach).fold(0.0, f64::max))
            }
        }
    }
}

impl Solid<D2> for Shape2 {
    fn from_data(data: &ShapeData) -> Result<Self, ShapeError> {
        match data {
            ShapeData::Ball { radius } => Self::disc(*radius),
            ShapeData::Solid { points, .. } => {
                let outline: Vec<DVec2> = points.iter().map(|p| DVec2::new(p[0], p[1])).collect();
                Self::outline(&outline).map(|checked| checked.shape)
            }
        }
    }

    fn parts(&self) -> Option<&[Self]> {
        if let Self::Compound(compound) = self { Some(compound.parts()) } else { None }
    }

    fn mass_properties(&self) -> Option<MassProperties<D2>> {
        match self {
            Self::Polygon(p) => Some(p.mass_properties()),
            Self::Disc(d) => {
                let r2 = d.radius * d.radius;
                let volume = std::f64::consts::PI * r2;
                Some(MassProperties { volume, centroid: d.centre, inertia: 0.5 * volume * r2 })
            }
            Self::Segment(s) => Some(s.mass_properties()),
            Self::HalfPlane(_) => None,
            Self::Compound(c) => {
                let parts: Vec<_> = c.parts.iter().map(Solid::mass_properties).collect::<Option<_>>()?;
                let volume: f64 = parts.iter().map(|p| p.volume).sum();
                let centroid = parts.iter().map(|p| p.centroid * p.volume).sum::<DVec2>() / volume;
                // Huygens–Steiner
                let about = |p: &MassProperties<D2>| p.inertia + p.volume * p.centroid.distance_squared(centroid);
                Some(MassProperties { volume, centroid, inertia: parts.iter().map(about).sum() })
            }
        }
    }

    fn bounds(&self, pose: &Pose<D2>) -> Aabb<D2> {
        match self {
            Self::Polygon(p) => {
                let turn = DVec2::from_angle(pose.rotation);
                let turned = || p.vertices().iter().map(|&v| turn.rotate(v));
                let (low, high) =
                    (turned().fold(DVec2::INFINITY, DVec2::min), turned().fold(DVec2::NEG_INFINITY, DVec2::max));
                Aabb { min: low + pose.position, max: high + pose.position }
            }
            Self::Disc(d) => {
                let centre = pose.point(d.centre);
                Aabb { min: centre - d.radius, max: centre + d.radius }
            }
            Self::Segment(s) => {
                let [a, b] = s.ends.map(|end| pose.point(end));
                Aabb { min: a.min(b) - s.radius, max: a.max(b) + s.radius }
            }
            Self::HalfPlane(h) => {
                let normal = pose.direction(h.normal);
                half_plane_bounds(normal, h.offset + normal.dot(pose.position))
            }
            Self::Compound(c) => {
                let empty = Aabb { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
                c.parts.iter().fold(empty, |b, part| b.union(&part.bounds(pose)))
            }
        }
    }

    fn size(&self) -> f64 {
        2.0 * self.circle().1
    }

    fn translated(&self, by: DVec2) -> Self {
        self.placed(&Pose::at(by))
    }

    fn area_rule(&self) -> AreaRule {
        AreaRule::new(self)
    }

    fn centred_ball(&self) -> Option<f64> {
        match self {
            Self::Disc(d) if d.centre.length() <= CENTRE_TOLERANCE * d.radius => Some(d.radius),
            _ => None,
        }
    }

    fn surface(&self, extent: f64) -> Surface {
        let outline: Vec<DVec2> = match self {
            Self::Polygon(p) => p.vertices().to_vec(),
            Self::Disc(d) => return disc(d.centre, d.radius),
            Self::Segment(s) => s.outline(),
            Self::HalfPlane(h) => {
                // a square below the line
                let (along, foot) = (-h.normal.perp() * (0.5 * extent), h.normal * h.offset);
                let down = -h.normal * extent;
                vec![foot - along, foot - along + down, foot + along + down, foot + along]
            }
            Self::Compound(c) => {
                let mut all = Surface::default();
                for part in c.parts.iter().map(|part| part.surface(extent)) {
                    all.append(part);
                }
                return all;
            }
        };
        polygon_surface(&outline)
    }

    fn collide_by(
        &self,
        pose: &Pose<D2>,
        other: &Self,
        other_pose: &Pose<D2>,
        alert: f64,
        detection: Detection,
        out: &mut Vec<ContactPoint<D2>>,
    ) {
        collide::collide(self, pose, other, other_pose, alert, detection, out);
    }
}

/// A disc as a regular polygon.
pub(crate) fn disc(centre: DVec2, radius: f64) -> Surface {
    let step = std::f64::consts::TAU / DISC_SIDES as f64;
    let outline: Vec<DVec2> = (0..DISC_SIDES).map(|i| centre + radius * DVec2::from_angle(i as f64 * step)).collect();
    polygon_surface(&outline)
}

/// One polygon.
fn polygon_surface(outline: &[DVec2]) -> Surface {
    Surface {
        points: outline.iter().map(|p| [p.x, p.y, 0.0]).collect(),
        polygons: vec![(0..outline.len() as u32).collect()],
    }
}

/// Infinite, except on the bounded side of a half-plane whose normal is an axis.
fn half_plane_bounds(normal: DVec2, offset: f64) -> Aabb<D2> {
    let (mut min, mut max) = (DVec2::NEG_INFINITY, DVec2::INFINITY);
    for i in 0..2 {
        if normal[1 - i] == 0.0 && normal[i] > 0.0 {
            max[i] = offset / normal[i];
        } else if normal[1 - i] == 0.0 && normal[i] < 0.0 {
            min[i] = offset / normal[i];
        }
    }
    Aabb { min, max }
}
