//! Pictures of a structure as SVG and PNG, without a screen or a graphics card: bodies with hidden surfaces removed,
//! forces, thrust lines, open joints, velocities, loads, with scales and legend.
//!
//! 2D scenes are drawn as they are, 3D ones without perspective from any direction.
//!
//! | module | content |
//! |---|---|
//! | [`view`] | world to page |
//! | [`faces`] | faces of bodies, placed in the world |
//! | [`depth`] | visible faces: a depth buffer |
//! | [`order`] | painting order of polygons |
//! | [`hidden`] | hidden parts of lines |
//! | [`annotate`] | forces, thrust lines, cracks, cables, velocities, loads |
//! | [`legend`] | title, scale, colour bar, legend |
//! | [`marks`] | marked bodies |
//! | [`balls`] | discs and spheres |
//! | `points` | values at the points of elastic blocks |
//! | [`mod@exaggerate`] | enlarged displacements |
//! | [`show`] | names of the items drawn besides bodies |
//! | [`sheet`] | lines, areas and words of a page |
//! | [`svg`], [`bitmap`] | pages as files |
//! | [`drawing`] | drawings of curves as bitmaps |
//! | [`colour`], [`numbers`], [`glyphs`] | colours, readable numbers, letters |

mod annotate;
mod balls;
mod bitmap;
pub mod colour;
mod depth;
mod drawing;
mod exaggerate;
mod faces;
mod glyphs;
mod hidden;
mod legend;
mod marks;
pub mod numbers;
mod order;
mod points;
mod sheet;
mod show;
mod svg;
mod view;

use std::collections::HashMap;

use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, Snapshot};

use annotate::Annotator;
use balls::PaintedBall;
use colour::{ColourScale, PLANE, Rgb, STONES, SUPPORT, shade};
use faces::Polygons;
use hidden::Hider;
use legend::{LegendEntry, Swatch};
use points::PointColours;
use sheet::{Ink, Item, Sheet};
use view::{Projection, Room};

use crate::measures::{BlockQuantity, Joints, interfaces};
use crate::vector::{BoundingBox, Vec3, dot, place};

pub use drawing::drawing_as_png;
pub use exaggerate::{exaggerated, readable_factor};
pub use faces::{WorldFace, endless};
pub use marks::Mark;
pub use show::Show;
pub use svg::escape;
pub use view::ViewDirection;

/// A force that acts from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadArrow {
    /// Point of attack, world axes [m].
    pub point: [f64; 3],
    /// Force, world axes [N].
    pub force: [f64; 3],
}

/// Wind or current at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowArrow {
    /// World axes [m].
    pub point: [f64; 3],
    /// World axes [m/s].
    pub velocity: [f64; 3],
    /// True for wind, false for water.
    pub wind: bool,
}

/// Text of a picture, and the loads and flows, which are not recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caption {
    /// First line.
    pub title: String,
    /// Second line, after the time.
    pub note: String,
    /// Loads at the time of the snapshot.
    pub loads: Vec<LoadArrow>,
    /// Wind and current at the time of the snapshot.
    pub flows: Vec<FlowArrow>,
}

/// Style of pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Direction of view.
    pub direction: ViewDirection,
    /// Quantity that colours the blocks.
    pub colour: BlockQuantity,
    /// Numbers at both ends of the colour bar [SI]; `None`: the range of the snapshots that the artist was made with.
    pub range: Option<[f64; 2]>,
    /// Items drawn besides the bodies.
    pub show: Show,
    /// Width of the page [px].
    pub width: f64,
    /// Height of the drawing [px]; `None` adapts it to the structure.
    pub height: Option<f64>,
    /// Name of parts of an SVG file; where several are put into one page, each has its own.
    pub id: String,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            direction: ViewDirection::AXONOMETRIC,
            colour: BlockQuantity::Material,
            range: None,
            show: Show::default(),
            width: 1000.0,
            height: None,
            id: "drawing".to_owned(),
        }
    }
}

/// Error of a picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// More pixels than fit.
    #[error("a picture of {width} × {height} pixels is too large; the limit is 64 million pixels")]
    TooLarge {
        /// Pixels in a row.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// The bitmap could not be written.
    #[error("the bitmap could not be encoded: {0}")]
    Encoding(String),
}

/// Draws frames of one run, all in the same view and with the same colours.
#[derive(Debug)]
pub struct Artist<'a> {
    cast: &'a Cast,
    style: Style,
    polygons: Polygons,
    /// Half-spaces and half-planes.
    endless: Vec<bool>,
    view: Projection,
    scale: Option<ColourScale>,
    /// Reference of displacements.
    first: Snapshot,
    /// The joints as built; without them open joints are drawn up to the detection distance of contacts.
    joints: Option<Joints>,
    marks: Vec<Mark>,
    /// Colours of the marked bodies.
    marked: HashMap<usize, Rgb>,
}

/// A face or a ball on the page.
#[derive(Debug)]
struct PaintedFace {
    /// Page coordinates and nearness [px]; of a ball those of a polygon in its silhouette, at the depth of its centre.
    points: Vec<Vec3>,
    creases: Vec<bool>,
    group: u32,
    /// Colour with shading; of a sphere that of its brightest point.
    colour: Rgb,
    /// A disc or a sphere instead of a polygon.
    ball: Option<PaintedBall>,
}

/// A picture, ready to become a file.
#[derive(Debug)]
struct Painting {
    id: String,
    sheet: Sheet,
    faces: Vec<PaintedFace>,
    /// How strongly edges are drawn, 0 … 1.
    edges: f64,
    /// True in 2D: faces do not hide each other.
    flat: bool,
}

impl<'a> Artist<'a> {
    /// A view in which the given snapshots fit, the first frame of the run first; bodies farther away than
    /// the size of the structure are omitted.
    pub fn new(cast: &'a Cast, snapshots: &[&Snapshot]) -> Self {
        Self::styled(cast, snapshots, Style::default())
    }

    /// Like [`Artist::new`], with another style.
    pub fn styled(cast: &'a Cast, snapshots: &[&Snapshot], style: Style) -> Self {
        let first = snapshots.first().map_or_else(Snapshot::default, |first| (*first).clone());
        let endless = if snapshots.is_empty() { vec![false; cast.bodies.len()] } else { faces::endless(cast, &first) };
        let values = snapshots.iter().filter_map(|snapshot| style.colour.values(cast, &first, snapshot)).flatten();
        let scale = (style.colour != BlockQuantity::Material).then(|| ColourScale::new(style.colour, values));
        let scale = scale.map(|scale| ColourScale { range: style.range.unwrap_or(scale.range), ..scale });
        let right = if scale.is_some() { legend::BAR } else { 0.0 };
        // forces on an unbounded plane extend below the structure
        let forces = (style.show.resultants || style.show.contacts) && endless.contains(&true);
        let below = if forces { 0.5 * force_reach(cast) } else { 0.0 };
        let room = Room { width: style.width, height: style.height, right, below };
        let view = Projection::new(cast, &endless, snapshots, style.direction, room);
        let polygons = Polygons::new(cast, style.show.mesh);
        Self {
            cast,
            style,
            polygons,
            endless,
            view,
            scale,
            first,
            joints: None,
            marks: Vec::new(),
            marked: HashMap::new(),
        }
    }

    /// With the joints as built, so that open joints are drawn at any width.
    #[must_use]
    pub fn with_joints(self, joints: Option<Joints>) -> Self {
        Self { joints, ..self }
    }

    /// Marked bodies: in their own colour, with a ring if they are small.
    #[must_use]
    pub fn marked(self, marks: Vec<Mark>) -> Self {
        let mut marked = HashMap::new();
        for mark in &marks {
            mark.bodies.iter().for_each(|&body| {
                marked.entry(body).or_insert(mark.colour);
            });
        }
        Self { marks, marked, ..self }
    }

    /// Draws one snapshot as SVG.
    pub fn draw(&self, snapshot: &Snapshot, caption: &Caption) -> String {
        svg::write(&self.paint(snapshot, caption))
    }

    /// Draws one snapshot as PNG, `scale` times as many pixels as the style says.
    pub fn png(&self, snapshot: &Snapshot, caption: &Caption, scale: f64) -> Result<Vec<u8>, PictureError> {
        bitmap::write(&self.paint(snapshot, caption), scale)
    }

    /// Largest possible number of faces of a picture, for the choice between SVG and PNG.
    pub fn faces(&self) -> usize {
        let faces = |body: &CastBody| body.surface().polygons.len().max(usize::from(body.ball().is_some()));
        self.cast.bodies.iter().map(faces).sum()
    }

    fn paint(&self, snapshot: &Snapshot, caption: &Caption) -> Painting {
        let mut sheet = Sheet { drawing: self.view.size, ..Sheet::default() };
        self.ground(&mut sheet, snapshot);
        balls::spokes(&mut sheet, self.cast, snapshot, &self.view);
        let interfaces = interfaces(snapshot);
        let block = median_size(self.cast);
        let faces = self.faces_of(snapshot);
        let cables = self.style.show.cables && snapshot.cables.iter().any(|cable| !cable.points.is_empty());
        let mut annotator = Annotator {
            sheet: &mut sheet,
            view: &self.view,
            block,
            longest: self.longest_force(),
            rim: self.scale.is_some(),
            hider: (cables && self.cast.dimension == 3).then(|| Hider::new(self.view.size, &faces)),
            legend: self.signs(snapshot),
        };
        if self.style.show.cracks {
            let known = self.joints.as_ref().map(|joints| joints.openings(snapshot, block));
            annotator.cracks(known.as_deref().unwrap_or(&snapshot.contacts));
        }
        annotator.draw(&self.style.show, self.cast, snapshot, &interfaces, &caption.loads);
        if self.style.show.flows {
            annotator.flows(&caption.flows);
        }
        let mut entries = annotator.legend;
        entries.extend(self.rings(&mut sheet, snapshot));

        let strongest = interfaces.iter().filter(|i| i.carries()).map(|i| i.size()).fold(0.0, f64::max);
        let title = if caption.title.is_empty() { "Structure" } else { &caption.title };
        legend::head(&mut sheet, title, &self.line(snapshot, caption, strongest));
        if let Some(scale) = &self.scale {
            legend::bar(&mut sheet, scale);
        }
        legend::foot(&mut sheet, &self.view, &entries);
        Painting {
            id: self.style.id.clone(),
            sheet,
            faces,
            edges: ((block * self.view.scale - 2.0) / 16.0).clamp(0.12, 1.0),
            flat: self.cast.dimension == 2,
        }
    }

    /// Length of the largest force [px].
    fn longest_force(&self) -> f64 {
        (force_reach(self.cast) * self.view.scale).clamp(9.0, 140.0)
    }

    /// Unbounded planes, behind everything.
    fn ground(&self, sheet: &mut Sheet, snapshot: &Snapshot) {
        let mut planes = self.polygons.place(self.cast, snapshot, |body| self.endless[body]);
        if self.cast.dimension == 3 {
            faces::cut_planes(&mut planes);
        }
        for plane in planes.iter().filter(|plane| dot(plane.normal, self.view.towards) > 0.0) {
            let outline = plane.points.iter().map(|&point| self.view.page(point)).collect();
            let fill = shade(PLANE, 0.9 + 0.1 * self.view.brightness(plane.normal));
            let ink = Ink { stroke: Some(([0xc9, 0xc6, 0xbe], 1.0)), ..Ink::fill(fill) };
            sheet.below.push(Item::Path { outlines: vec![outline], closed: true, ink, inside: true });
        }
    }

    /// Faces towards the viewer.
    fn faces_of(&self, snapshot: &Snapshot) -> Vec<PaintedFace> {
        let values = self.style.colour.values(self.cast, &self.first, snapshot);
        let base = |body: usize| match (&self.scale, &values) {
            _ if self.marked.contains_key(&body) => self.marked[&body],
            (Some(scale), Some(values)) if !values[body].is_nan() => scale.colour(values[body]),
            _ if self.cast.bodies[body].support => SUPPORT,
            (Some(_), _) => colour::NO_VALUE,
            _ => STONES[self.cast.bodies[body].material % STONES.len()],
        };
        let inside = PointColours::new(self.style.colour, self.cast, snapshot);
        let of_face = |face: &WorldFace| match (&self.scale, inside.value(face.body, &face.corners)) {
            (Some(scale), Some(value)) if !self.marked.contains_key(&face.body) => scale.colour(value),
            _ => base(face.body),
        };
        // colours that represent numbers are shaded less
        let darkest = if self.scale.is_some() { 0.82 } else { 0.62 };
        let painted = |face: WorldFace| {
            let own = PaintedFace {
                points: face.points.iter().map(|&point| self.view.project(point)).collect(),
                colour: shade(of_face(&face), darkest + (1.0 - darkest) * self.view.brightness(face.normal)),
                creases: face.creases,
                group: face.group,
                ball: None,
            };
            (face.body, own)
        };
        let faces = self.polygons.place(self.cast, snapshot, |body| !self.endless[body]);
        let flat = self.cast.dimension == 2;
        let facing = |face: &WorldFace| flat || dot(face.normal, self.view.towards) > 1e-6;
        let mut painted: Vec<(usize, PaintedFace)> = faces.into_iter().filter(facing).map(painted).collect();
        painted.extend(balls::paint(self.cast, snapshot, &self.view, &base, darkest));
        if flat {
            // supports first
            painted.sort_by_key(|(body, _)| (!self.cast.bodies[*body].support, *body));
        }
        let mut painted: Vec<PaintedFace> = painted.into_iter().map(|(_, face)| face).collect();
        if flat {
            // later ones are nearer
            for (order, face) in painted.iter_mut().enumerate() {
                face.points.iter_mut().for_each(|point| point[2] = order as f64);
                face.ball.iter_mut().for_each(|ball| ball.centre[2] = order as f64);
            }
        }
        painted
    }

    /// Meaning of the colours of bodies.
    fn signs(&self, snapshot: &Snapshot) -> Vec<LegendEntry> {
        let mut signs = Vec::new();
        let there = |(index, _): &(usize, &CastBody)| snapshot.bodies.get(*index).is_none_or(|body| !body.absent);
        let bodies = || self.cast.bodies.iter().enumerate().filter(there);
        let free: Vec<usize> = bodies().filter(|(_, body)| !body.support).map(|(_, body)| body.material).collect();
        let names = self.cast.materials.iter().enumerate().filter(|(index, _)| free.contains(index));
        if self.scale.is_none() && names.clone().count() > 1 {
            signs.extend(names.take(STONES.len()).map(|(index, name)| LegendEntry {
                swatch: Swatch::Area { colour: STONES[index % STONES.len()] },
                label: name.clone(),
            }));
        }
        if bodies().any(|(index, body)| body.support && !self.endless[index]) {
            signs.push(LegendEntry { swatch: Swatch::Area { colour: SUPPORT }, label: "support".to_owned() });
        }
        signs
    }

    /// The line below the title.
    fn line(&self, snapshot: &Snapshot, caption: &Caption, strongest: f64) -> String {
        let there = || self.cast.bodies.iter().zip(&snapshot.bodies).filter(|(_, now)| !now.absent);
        let supports = there().filter(|(body, _)| body.support).count();
        let mut parts = vec![
            format!("t = {} s", numbers::digits(snapshot.time)),
            format!(
                "{}, {}",
                numbers::count(there().count() - supports, "free body", "free bodies"),
                numbers::count(supports, "support", "supports")
            ),
        ];
        if strongest > 0.0 {
            parts.push(format!("largest force between two bodies {}", numbers::quantity(strongest, "N")));
        }
        if !caption.note.is_empty() {
            parts.push(caption.note.clone());
        }
        parts.join(" · ")
    }
}

/// World position [m] of a point given in the axes of a body.
pub fn point_of_body(body: &BodySnapshot, point: [f64; 3]) -> [f64; 3] {
    place(body, point)
}

/// Convex faces of all bodies, each in the axes of its body.
pub fn faces_of_bodies(cast: &Cast) -> Vec<WorldFace> {
    let unmoved = Snapshot { bodies: vec![BodySnapshot::default(); cast.bodies.len()], ..Snapshot::default() };
    Polygons::new(cast, false).place(cast, &unmoved, |_| true)
}

/// Length of the largest force [m]: the size of a block, and for many blocks hardly more than the thickness of a block,
/// so that forces of neighbours do not overlap.
pub fn force_reach(cast: &Cast) -> f64 {
    let free = || cast.bodies.iter().filter(|body| !body.support);
    if free().count() <= 300 {
        return median_size(cast);
    }
    let thickness = |body: &CastBody| {
        if let Some(radius) = body.ball() {
            return 2.0 * radius;
        }
        let bounds = BoundingBox::of(body.surface().points.iter().copied());
        (0..cast.dimension).map(|k| bounds.high[k] - bounds.low[k]).fold(f64::INFINITY, f64::min)
    };
    1.4 * median(free().map(thickness))
}

/// Size of the body in the middle of all free bodies sorted by size [m].
pub fn median_size(cast: &Cast) -> f64 {
    let size = |body: &CastBody| match body.ball() {
        Some(radius) => 2.0 * radius * (cast.dimension as f64).sqrt(),
        None => faces::size(body.surface()),
    };
    median(cast.bodies.iter().filter(|body| !body.support).map(size))
}

/// The value in the middle; 1 when there are none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.filter(|x| x.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}
