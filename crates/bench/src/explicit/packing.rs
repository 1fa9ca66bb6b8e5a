//! Settled packings of discs between two walls on a floor.

use std::fmt::Write as _;
use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Shape2, Solid};
use voussoir_mechanics::Explicit;
use voussoir_mechanics::explicit::ExplicitSettings;
use voussoir_mechanics::explicit::packing::{PackingTask, pack};
use voussoir_mechanics::explicit::settings::{Damping, ExplicitGoal, Rest};
use voussoir_mechanics::joints::elastic::{Elastic, Influence};
use voussoir_mechanics::model::{Body, Joint, JointTable, Material, Model, Role};
use voussoir_mechanics::state::State;

/// Discs of a tile; larger packings are made of tiles.
const TILE: usize = 2000;
/// Mean radius [m], and the largest deviation from it, relative.
const RADIUS: [f64; 2] = [0.05, 0.2];
/// Porosity of a tile.
const POROSITY: f64 = 0.17;
/// Part of the tile that the discs cover before they grow.
const FIRST_COVER: f64 = 0.3;
/// Springs of contacts [N/m] for a depth of 1 m.
pub const SPRINGS: [f64; 2] = [1e8, 5e7];
/// Friction.
pub const FRICTION: f64 = 0.5;
/// Local damping.
pub const DAMPING: f64 = 0.7;
/// Density of the grains [kg/m³].
const DENSITY: f64 = 2000.0;
/// Unbalanced force at rest, relative to the contact force, and most steps until then.
const REST: Rest = Rest { unbalanced: 1e-3, patience: 4000 };

/// A packing.
pub struct Packing {
    /// Centres and radii [m].
    pub discs: Vec<(DVec2, f64)>,
    /// Width and height of the container [m].
    pub size: DVec2,
}

/// Numbers between 0 and 1 (Park and Miller's generator).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0 * 48271 % 2147483647;
        self.0 as f64 / 2147483647.0
    }
}

/// A packed tile, twice as wide as high.
pub fn tile() -> Result<Packing, String> {
    let mut random = Random(7);
    let radii: Vec<f64> = (0..TILE).map(|_| RADIUS[0] * (1.0 + RADIUS[1] * (2.0 * random.next() - 1.0))).collect();
    let solid: f64 = radii.iter().map(|r| std::f64::consts::PI * r * r).sum();
    let area = solid / (1.0 - POROSITY);
    let size = DVec2::new((2.0 * area).sqrt(), (0.5 * area).sqrt());
    let (columns, rows) = (64, TILE.div_ceil(64));
    let cell = size / DVec2::new(columns as f64, rows as f64);
    let scale = (FIRST_COVER / (1.0 - POROSITY)).sqrt();
    let place = |i: usize| (DVec2::new((i % columns) as f64, (i / columns) as f64) + 0.5) * cell;
    let play = 0.5 * cell.min_element() - scale * RADIUS[0] * (1.0 + RADIUS[1]);
    let centres = (0..TILE)
        .map(|i| place(i) + DVec2::new(2.0 * random.next() - 1.0, 2.0 * random.next() - 1.0) * play.max(0.0))
        .collect();
    let region = vec![DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y)];
    let task = PackingTask { region, obstacles: Vec::new(), radii: radii.clone(), centres, scale, area };
    let packing = pack(&task).map_err(|e| e.to_string())?;
    Ok(Packing { discs: packing.centres.into_iter().zip(radii).collect(), size })
}

impl Packing {
    /// Tiles side by side and on each other, numbered along rows of cells.
    pub fn tiled(&self, columns: usize, rows: usize) -> Self {
        let shifts = (0..rows).flat_map(|j| (0..columns).map(move |i| DVec2::new(i as f64, j as f64)));
        let mut discs: Vec<(DVec2, f64)> =
            shifts.flat_map(|shift| self.discs.iter().map(move |&(c, r)| (c + shift * self.size, r))).collect();
        let width = 2.0 * RADIUS[0] * (1.0 + RADIUS[1]);
        discs.sort_by(|(a, _), (b, _)| {
            let row = |c: &DVec2| (c.y / width).floor();
            row(a).total_cmp(&row(b)).then(a.x.total_cmp(&b.x))
        });
        Self { discs, size: self.size * DVec2::new(columns as f64, rows as f64) }
    }

    /// The discs between walls, under gravity.
    pub fn model(&self) -> Result<Arc<Model<D2>>, String> {
        let mut bodies = Vec::with_capacity(self.discs.len() + 3);
        let walls = [(DVec2::Y, DVec2::ZERO), (DVec2::X, DVec2::ZERO), (-DVec2::X, DVec2::new(self.size.x, 0.0))];
        for (normal, at) in walls {
            let shape = Shape2::half_plane(normal).map_err(|e| e.to_string())?;
            bodies.push(body("wall".to_owned(), shape, at, Role::Support(None)));
        }
        for (i, &(centre, radius)) in self.discs.iter().enumerate() {
            let shape = Shape2::disc(radius).map_err(|e| e.to_string())?;
            bodies.push(body(format!("disc[{i}]"), shape, centre, Role::Free));
        }
        let elastic = Elastic { influence: Influence::Length(1.0), ..Elastic::new(SPRINGS[0], SPRINGS[1]) };
        let joint = Joint { elastic: Some(elastic), ..Joint::coulomb(FRICTION) };
        let materials = vec![Material { name: "grain".to_owned(), density: DENSITY, strength: None }];
        let mut model = Model::new(bodies, materials, JointTable::uniform(1, joint));
        model.gravity = DVec2::new(0.0, -9.81);
        Ok(Arc::new(model))
    }

    /// The state in which the discs have come to rest, and their unbalanced force.
    pub fn settled(&self, model: &Arc<Model<D2>>) -> Result<(State<D2>, f64), String> {
        let mut explicit = Explicit::new(Arc::clone(model), settings(ExplicitGoal::Rest(REST)), State::initial(model))
            .map_err(|e| e.to_string())?;
        while !voussoir_mechanics::analysis::Analysis::is_done(&explicit) {
            explicit.step().map_err(|e| e.to_string())?;
        }
        let unbalanced = explicit.unbalanced_force()[0];
        match voussoir_mechanics::analysis::Analysis::into_state(Box::new(explicit)) {
            voussoir_mechanics::AnyState::Two(mut state) => {
                // the next stage
                state.position.stage += 1;
                Ok((state, unbalanced))
            }
            voussoir_mechanics::AnyState::Three(_) => Err("not in the plane".to_owned()),
        }
    }
}

/// Settings of an equilibrium search.
pub fn settings(goal: ExplicitGoal) -> ExplicitSettings {
    ExplicitSettings {
        damping: Damping::Local { blocks: DAMPING, particles: DAMPING },
        goal,
        report_every: 1000,
        ..ExplicitSettings::default()
    }
}

fn body(name: String, shape: Shape2, at: DVec2, role: Role) -> Body<D2> {
    let (mass, inertia) = shape.mass_properties().map_or((1.0, 1.0), |mass| (mass.volume, mass.inertia));
    let (mass, inertia) = (DENSITY * mass, DENSITY * inertia);
    let (tags, material, velocity, spin) = (Vec::new(), 0, DVec2::ZERO, 0.0);
    Body { name, tags, shape: Arc::new(shape), material, mass, inertia, role, pose: Pose::at(at), velocity, spin }
}

/// The packing as JSON for the peers.
pub fn describe(packing: &Packing, model: &Model<D2>, state: &State<D2>, dt: f64, steps: usize) -> String {
    let first = model.bodies.len() - packing.discs.len();
    let mut text = format!(
        "{{\"width\":{:?},\"height\":{:?},\"kn\":{:?},\"kt\":{:?},\"friction\":{FRICTION},\"damping\":{DAMPING},\"dt\":{dt:?},\
         \"steps\":{steps},\"skin\":{:?},\"discs\":[",
        packing.size.x,
        packing.size.y,
        SPRINGS[0],
        SPRINGS[1],
        // as far as our own lists reach
        0.04 * 2.0 * RADIUS[0] * (1.0 - RADIUS[1]),
    );
    for (i, (_, radius)) in packing.discs.iter().enumerate() {
        let (at, mass) = (state.poses[first + i].position, model.bodies[first + i].mass);
        let _ = write!(text, "{}[{:?},{:?},{radius:?},{mass:?}]", if i > 0 { "," } else { "" }, at.x, at.y);
    }
    text.push_str("]}");
    text
}
