//! World to page: 2D as it is, 3D along a fixed direction, without perspective.

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use super::parts::place;
use super::{Vec3, dot};

/// Width of the drawing [px].
const WIDTH: f64 = 1000.0;
/// Height of the drawing at the least, and at the most [px].
const HEIGHTS: (f64, f64) = (280.0, 720.0);
/// Free border around the structure [px].
const BORDER: f64 = 40.0;
/// The viewer stands to the left of −y … [degrees]
const AZIMUTH_DEG: f64 = -28.0;
/// … and above the horizon [degrees].
const ELEVATION_DEG: f64 = 18.0;

/// How the world is drawn.
#[derive(Clone, Debug)]
pub struct View {
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

impl View {
    /// A view in which the first moment fits, and the others as far as they are not too far away; `endless` says
    /// which bodies do not count.
    pub fn new(cast: &Cast, endless: &[bool], moments: &[&Snapshot]) -> Self {
        let mut view = Self::directions(cast.dimension);
        let (mut low, mut high) = ([-0.5; 2], [0.5; 2]);
        for (i, moment) in moments.iter().enumerate() {
            let Some((lowest, highest)) = view.bounds(cast, endless, moment) else { continue };
            if i == 0 {
                (low, high) = (lowest, highest);
                continue;
            }
            // half the structure's size more on every side, and no farther
            let reach = 0.5 * (high[0] - low[0]).max(high[1] - low[1]);
            for axis in 0..2 {
                low[axis] = low[axis].min(lowest[axis].max(low[axis] - reach));
                high[axis] = high[axis].max(highest[axis].min(high[axis] + reach));
            }
        }
        let extent = [high[0] - low[0], high[1] - low[1]].map(|x| x.max(1e-9));
        let room = [WIDTH - 2.0 * BORDER, HEIGHTS.1 - 2.0 * BORDER];
        view.scale = (room[0] / extent[0]).min(room[1] / extent[1]);
        let height = (extent[1] * view.scale + 2.0 * BORDER).clamp(HEIGHTS.0, HEIGHTS.1);
        view.size = [WIDTH, height];
        let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        view.origin = [0.5 * WIDTH - middle[0] * view.scale, 0.5 * height + middle[1] * view.scale];
        view
    }

    fn directions(dimension: usize) -> Self {
        let (right, up, towards) = if dimension == 2 {
            ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
        } else {
            let (sin_a, cos_a) = AZIMUTH_DEG.to_radians().sin_cos();
            let (sin_e, cos_e) = ELEVATION_DEG.to_radians().sin_cos();
            // towards = right × up
            ([cos_a, sin_a, 0.0], [-sin_e * sin_a, sin_e * cos_a, cos_e], [cos_e * sin_a, -cos_e * cos_a, sin_e])
        };
        Self { dimension, right, up, towards, scale: 1.0, origin: [0.0; 2], size: [WIDTH, HEIGHTS.0] }
    }

    /// Box around all bodies with an end, in metres on the page.
    fn bounds(&self, cast: &Cast, endless: &[bool], moment: &Snapshot) -> Option<([f64; 2], [f64; 2])> {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for ((body, placed), _) in cast.bodies.iter().zip(&moment.bodies).zip(endless).filter(|(_, endless)| !**endless)
        {
            for &point in &body.surface.points {
                let world = place(placed, point);
                for (axis, direction) in [self.right, self.up].into_iter().enumerate() {
                    let x = dot(world, direction);
                    low[axis] = low[axis].min(x);
                    high[axis] = high[axis].max(x);
                }
            }
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

    /// How near a point is to the viewer [m].
    pub fn nearness(&self, point: Vec3) -> f64 {
        dot(point, self.towards)
    }
}
