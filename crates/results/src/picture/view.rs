//! Projection from world to page: 2D in its plane, 3D along a given direction, without perspective.

use std::str::FromStr;

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::vector::{Vec3, dot, place};

/// Smallest and largest height of the drawing, relative to its width.
const HEIGHTS: (f64, f64) = (0.28, 0.72);
/// Free border around the structure [px].
const BORDER: f64 = 40.0;

/// Direction of view; 2D scenes are always viewed from the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewDirection {
    /// About the vertical, from −y towards +x [degrees].
    pub azimuth: f64,
    /// Above the horizon [degrees].
    pub elevation: f64,
}

impl ViewDirection {
    /// Isometric view.
    pub const AXONOMETRIC: Self = Self { azimuth: -28.0, elevation: 18.0 };

    /// Names of views.
    pub const NAMED: [(&'static str, Self); 7] = [
        ("iso", Self::AXONOMETRIC),
        ("front", Self { azimuth: 0.0, elevation: 0.0 }),
        ("back", Self { azimuth: 180.0, elevation: 0.0 }),
        ("left", Self { azimuth: -90.0, elevation: 0.0 }),
        ("right", Self { azimuth: 90.0, elevation: 0.0 }),
        ("top", Self { azimuth: 0.0, elevation: 90.0 }),
        ("bottom", Self { azimuth: 0.0, elevation: -90.0 }),
    ];
}

impl FromStr for ViewDirection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((_, direction)) = Self::NAMED.into_iter().find(|(name, _)| *name == text) {
            return Ok(direction);
        }
        let angles: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        match angles[..] {
            [azimuth, elevation] if azimuth.abs() <= 360.0 && elevation.abs() <= 90.0 => {
                Ok(Self { azimuth, elevation })
            }
            _ => Err(format!(
                "unknown view `{text}`; valid views: {}, or AZIMUTH,ELEVATION in degrees, for instance -28,18",
                Self::NAMED.map(|(name, _)| name).join(", ")
            )),
        }
    }
}

/// A projection.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    /// 2 or 3.
    pub dimension: usize,
    /// World directions that point to the right and up on the page.
    right: Vec3,
    up: Vec3,
    /// World direction towards the viewer.
    pub towards: Vec3,
    /// Pixels per metre.
    pub scale: f64,
    /// Page coordinates of the world's origin [px].
    origin: [f64; 2],
    /// Size of the drawing [px].
    pub size: [f64; 2],
}

/// Available space on the page.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Width of the drawing [px].
    pub width: f64,
    /// Height of the drawing [px]; `None` adapts it to the structure.
    pub height: Option<f64>,
    /// Free width at the right [px].
    pub right: f64,
    /// Largest extent of drawings below the structure [m].
    pub below: f64,
}

impl Projection {
    /// A view that contains the first frame, and the others up to a limit; `endless` marks the bodies to ignore.
    pub fn new(cast: &Cast, endless: &[bool], snapshots: &[&Snapshot], direction: ViewDirection, room: Room) -> Self {
        let mut view = Self::directions(cast.dimension, direction);
        let (mut low, mut high) = ([-0.5; 2], [0.5; 2]);
        for (i, snapshot) in snapshots.iter().enumerate() {
            let Some((lowest, highest)) = view.bounds(cast, endless, snapshot) else { continue };
            if i == 0 {
                (low, high) = (lowest, highest);
                continue;
            }
            // at most half the size of the structure more on every side
            let reach = 0.5 * (high[0] - low[0]).max(high[1] - low[1]);
            for axis in 0..2 {
                low[axis] = low[axis].min(lowest[axis].max(low[axis] - reach));
                high[axis] = high[axis].max(highest[axis].min(high[axis] + reach));
            }
        }
        low[1] -= room.below;
        let extent = [high[0] - low[0], high[1] - low[1]].map(|x| x.max(1e-9));
        let inner = (room.width - room.right - 2.0 * BORDER).max(1.0);
        let (lowest, highest) = match room.height {
            Some(height) => (height, height),
            None => (HEIGHTS.0 * room.width, HEIGHTS.1 * room.width),
        };
        view.scale = (inner / extent[0]).min((highest - 2.0 * BORDER).max(1.0) / extent[1]);
        let height = (extent[1] * view.scale + 2.0 * BORDER).clamp(lowest, highest);
        view.size = [room.width, height];
        let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        view.origin = [0.5 * (room.width - room.right) - middle[0] * view.scale, 0.5 * height + middle[1] * view.scale];
        view
    }

    fn directions(dimension: usize, ViewDirection { azimuth, elevation }: ViewDirection) -> Self {
        let (right, up, towards) = if dimension == 2 {
            ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
        } else {
            let (sin_a, cos_a) = azimuth.to_radians().sin_cos();
            let (sin_e, cos_e) = elevation.to_radians().sin_cos();
            // towards = right × up
            ([cos_a, sin_a, 0.0], [-sin_e * sin_a, sin_e * cos_a, cos_e], [cos_e * sin_a, -cos_e * cos_a, sin_e])
        };
        Self { dimension, right, up, towards, scale: 1.0, origin: [0.0; 2], size: [1.0, 1.0] }
    }

    /// Box around all bounded bodies, in metres on the page.
    fn bounds(&self, cast: &Cast, endless: &[bool], snapshot: &Snapshot) -> Option<([f64; 2], [f64; 2])> {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (index, (body, placed)) in cast.bodies.iter().zip(&snapshot.bodies).enumerate() {
            if endless.get(index) == Some(&true) {
                continue;
            }
            let mut hold = |world: Vec3, radius: f64| {
                for (axis, direction) in [self.right, self.up].into_iter().enumerate() {
                    let x = dot(world, direction);
                    low[axis] = low[axis].min(x - radius);
                    high[axis] = high[axis].max(x + radius);
                }
            };
            snapshot.points_of(cast, index).iter().for_each(|&point| hold(place(placed, point), 0.0));
            body.ball().into_iter().for_each(|radius| hold(placed.position, radius));
        }
        (low.iter().chain(&high).all(|x| x.is_finite())).then_some((low, high))
    }

    /// Page coordinates of a point [px].
    pub fn page(&self, point: Vec3) -> [f64; 2] {
        let [dx, dy] = self.page_vector(point);
        [self.origin[0] + dx, self.origin[1] + dy]
    }

    /// A vector on the page [px].
    pub fn page_vector(&self, vector: Vec3) -> [f64; 2] {
        [dot(vector, self.right) * self.scale, -dot(vector, self.up) * self.scale]
    }

    /// Nearness of a point to the viewer [px].
    pub fn nearness(&self, point: Vec3) -> f64 {
        dot(point, self.towards) * self.scale
    }

    /// Page coordinates and nearness of a point [px].
    pub fn project(&self, point: Vec3) -> Vec3 {
        let [x, y] = self.page(point);
        [x, y, self.nearness(point)]
    }

    /// Direction and strength of the light along the page (right, up) and towards the viewer, whose product with a
    /// normal is the brightness; `None` in 2D, where there is no shade.
    pub fn light(&self) -> Option<Vec3> {
        (self.dimension == 3).then(|| [-0.3, 0.78 * self.up[2], 0.78 * self.towards[2] + 0.55])
    }

    /// Brightness of a face, 0 … 1: the light comes from above, from the left, and from the viewer.
    pub fn brightness(&self, normal: Vec3) -> f64 {
        if self.dimension == 2 {
            return 1.0;
        }
        let light = 0.78 * normal[2] + 0.55 * dot(normal, self.towards) - 0.3 * dot(normal, self.right);
        light.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_views_look_where_they_say() {
        let towards = |name: &str| Projection::directions(3, name.parse().unwrap()).towards.map(|x| x.round());
        assert_eq!(towards("front"), [0.0, -1.0, 0.0]);
        assert_eq!(towards("right"), [1.0, 0.0, 0.0]);
        assert_eq!(towards("left"), [-1.0, 0.0, 0.0]);
        assert_eq!(towards("back"), [0.0, 1.0, 0.0]);
        assert_eq!(towards("top"), [0.0, 0.0, 1.0]);
        assert_eq!(towards("-90, 0"), [-1.0, 0.0, 0.0]);
        assert!("sideways".parse::<ViewDirection>().unwrap_err().contains("iso, front"));
        assert!("10,100".parse::<ViewDirection>().is_err());
    }
}
