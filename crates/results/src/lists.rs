//! Lists that describe the bodies of a run in `results.vtkhdf`: names, masses, shapes, polygons. They are written at
//! the start and extended when bodies appear; existing entries never change, so earlier frames stay valid.

use serde::{Deserialize, Serialize};
use voussoir_hdf5::message::Type;
use voussoir_hdf5::skeleton::{GroupId, Skeleton};
use voussoir_hdf5::writer::DatasetId;
use voussoir_mechanics::snapshot::{Cast, CastBody};

use crate::channels::{block, list_chunk};

/// Smallest limit for the length of the names of bodies that appear [bytes].
const NAME_BYTES: usize = 64;

/// Sizes of all lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub bodies: usize,
    pub points: usize,
    pub polygons: usize,
    pub corners: usize,
    pub balls: usize,
}

impl Totals {
    /// After adding one body.
    fn with(mut self, body: &CastBody) -> Self {
        let surface = body.surface();
        self.bodies += 1;
        self.points += surface.points.len();
        self.polygons += surface.polygons.len();
        self.corners += surface.polygons.iter().map(Vec::len).sum::<usize>();
        self.balls += usize::from(body.ball().is_some());
        self
    }

    pub fn of(bodies: &[CastBody]) -> Self {
        Self::default().and(bodies)
    }

    /// After adding several bodies.
    pub fn and(self, bodies: &[CastBody]) -> Self {
        bodies.iter().fold(self, Self::with)
    }
}

/// The lists.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lists {
    /// Bytes of a name.
    pub name_bytes: usize,
    // one row per body
    pub name: DatasetId,
    pub material: DatasetId,
    pub support: DatasetId,
    pub mass: DatasetId,
    pub volume: DatasetId,
    pub radius: DatasetId,
    // one row more than there are bodies
    pub point_offsets: DatasetId,
    pub polygon_offsets: DatasetId,
    /// Points in body axes.
    pub points: DatasetId,
    /// Polygons: one offset more than there are polygons, and their corners as numbers of points.
    pub corner_offsets: DatasetId,
    pub corners: DatasetId,
    // one row per polygon
    pub cell_body: DatasetId,
    pub cell_material: DatasetId,
    pub cell_support: DatasetId,
    // one row per ball
    pub ball_body: DatasetId,
    pub ball_material: DatasetId,
    pub ball_support: DatasetId,
    // one row per version of the totals
    pub version_points: DatasetId,
    pub version_polygons: DatasetId,
    pub version_corners: DatasetId,
    pub version_balls: DatasetId,
}

impl Lists {
    /// Adds empty lists, with chunks for the bodies of a cast, to a file.
    pub fn new(file: &mut Skeleton, cast: &Cast) -> Self {
        let Totals { bodies, points, polygons, corners, balls } = Totals::of(&cast.bodies);
        let appearing = cast.features.appearing;
        let longest = cast.bodies.iter().map(|body| body.name.len()).max().unwrap_or(0).max(1);
        let name_bytes = if appearing { longest.max(NAME_BYTES) } else { longest };
        let mut list = |element: Type, tail: &[u64], rows: usize| {
            file.dataset(block(element, tail, list_chunk(rows as u64, appearing)))
        };
        Self {
            name_bytes,
            name: list(Type::Text(name_bytes as u32), &[], bodies),
            material: list(Type::I64, &[], bodies),
            support: list(Type::U8, &[], bodies),
            mass: list(Type::F64, &[], bodies),
            volume: list(Type::F64, &[], bodies),
            radius: list(Type::F64, &[], bodies),
            point_offsets: list(Type::I64, &[], bodies + 1),
            polygon_offsets: list(Type::I64, &[], bodies + 1),
            points: list(Type::F64, &[3], points),
            corner_offsets: list(Type::I64, &[], polygons + 1),
            corners: list(Type::I64, &[], corners),
            cell_body: list(Type::I32, &[], polygons),
            cell_material: list(Type::I32, &[], polygons),
            cell_support: list(Type::U8, &[], polygons),
            ball_body: list(Type::I32, &[], balls),
            ball_material: list(Type::I32, &[], balls),
            ball_support: list(Type::U8, &[], balls),
            version_points: list(Type::I64, &[], 1),
            version_polygons: list(Type::I64, &[], 1),
            version_corners: list(Type::I64, &[], 1),
            version_balls: list(Type::I64, &[], 1),
        }
    }

    /// Names of the lists in `/voussoir/bodies`.
    pub fn link(&self, file: &mut Skeleton, group: GroupId) {
        for (name, id) in [
            ("name", self.name),
            ("material", self.material),
            ("support", self.support),
            ("mass", self.mass),
            ("volume", self.volume),
            ("radius", self.radius),
            ("points", self.points),
            ("point_offsets", self.point_offsets),
            ("polygon_offsets", self.polygon_offsets),
        ] {
            file.link(group, name, id);
        }
    }

    /// Rows that start the lists of offsets.
    pub fn zeros(&self) -> [(DatasetId, Vec<u8>); 3] {
        [self.point_offsets, self.polygon_offsets, self.corner_offsets].map(|id| (id, 0i64.to_le_bytes().to_vec()))
    }

    /// Rows of bodies that come after those that are counted in `before`.
    pub fn rows(&self, bodies: &[CastBody], before: Totals) -> Vec<(DatasetId, Vec<u8>)> {
        let mut rows = Rows::default();
        let mut totals = before;
        for body in bodies {
            let (surface, support) = (body.surface(), u8::from(body.support));
            rows.text(self.name, &body.name, self.name_bytes);
            rows.long(self.material, body.material);
            rows.add(self.support, &[support]);
            rows.add(self.mass, &body.mass.to_le_bytes());
            rows.add(self.volume, &body.volume.to_le_bytes());
            rows.add(self.radius, &body.ball().unwrap_or(0.0).to_le_bytes());
            surface.points.iter().flatten().for_each(|x| rows.add(self.points, &x.to_le_bytes()));
            let mut end = totals.corners;
            for polygon in &surface.polygons {
                end += polygon.len();
                rows.long(self.corner_offsets, end);
                polygon.iter().for_each(|&point| rows.long(self.corners, totals.points + point as usize));
            }
            let kinds = [
                (surface.polygons.len(), self.cell_body, self.cell_material, self.cell_support),
                (usize::from(body.ball().is_some()), self.ball_body, self.ball_material, self.ball_support),
            ];
            for (count, own, material, supports) in kinds {
                for _ in 0..count {
                    rows.add(own, &(totals.bodies as i32).to_le_bytes());
                    rows.add(material, &(body.material as i32).to_le_bytes());
                    rows.add(supports, &[support]);
                }
            }
            totals = totals.with(body);
            rows.long(self.point_offsets, totals.points);
            rows.long(self.polygon_offsets, totals.polygons);
        }
        rows.0
    }

    /// A row with the numbers of points, polygons and balls that are valid from the next frame on.
    pub fn version(&self, totals: Totals) -> [(DatasetId, Vec<u8>); 4] {
        [
            (self.version_points, totals.points),
            (self.version_polygons, totals.polygons),
            (self.version_corners, totals.corners),
            (self.version_balls, totals.balls),
        ]
        .map(|(id, value)| (id, (value as i64).to_le_bytes().to_vec()))
    }
}

/// Bytes for each list, in the order in which lists were first used.
#[derive(Default)]
struct Rows(Vec<(DatasetId, Vec<u8>)>);

impl Rows {
    fn add(&mut self, id: DatasetId, bytes: &[u8]) {
        match self.0.iter_mut().find(|(known, _)| *known == id) {
            Some((_, all)) => all.extend(bytes),
            None => self.0.push((id, bytes.to_vec())),
        }
    }

    fn long(&mut self, id: DatasetId, value: usize) {
        self.add(id, &(value as i64).to_le_bytes());
    }

    /// A text, padded with zeros; the caller guarantees that it fits.
    fn text(&mut self, id: DatasetId, text: &str, bytes: usize) {
        let mut padded = text.as_bytes().to_vec();
        padded.resize(bytes, 0);
        self.add(id, &padded);
    }
}
