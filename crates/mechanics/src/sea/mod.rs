//! Wind and water around floes in the plane: velocity fields, drag, Coriolis force, and the drift of a free floe.
//!
//! ```text
//! m dV/dt = −f m k × (V − U_tilt) + ∫ (τ_a + τ_w) dA + F,    I dω/dt = ∫ r × (τ_a + τ_w) dA + M
//! τ_a = ρ_a C_a R(α_a) |U_a| U_a,    τ_w = ρ_w C_w R(α_w) |U_w − ẋ| (U_w − ẋ),    ẋ = V + ω k × r
//! ```
//! U_a, U_w: velocities of wind and water at the point [m/s]; ρ, C: density [kg/m³] and drag coefficient of the fluid;
//! R(α): rotation by the turning angle; f = f₀ + β y: Coriolis parameter [1/s]; U_tilt = U_w at the centroid if the sea
//! surface slopes with the current, else zero; F, M: other forces. The wind stress ignores the velocity of the ice.
//!
//! | module | content |
//! |---|---|
//! | [`fields`] | velocities of wind and water |
//! | [`drift`] | one step of a floe without contacts |
//! | [`slab`] | a layer of water that is driven by floes and wind |
//!
//! References: Rabatel, Labbé & Weiss, JGR 120 (2015); constants: the public FloeDyn code.

pub mod drift;
pub mod fields;
pub mod slab;

pub use drift::{Drift, Floe};
pub use fields::{FieldKind, VelocityField};
pub use slab::{Slab, SlabMemory};
use voussoir_geometry::glam::DVec2;

/// Density of air and water [kg/m³].
pub const DENSITIES: [f64; 2] = [1.341, 1024.071];
/// Drag coefficients of air and water.
pub const DRAGS: [f64; 2] = [1.7e-3, 5e-3];
/// Angular velocity of the Earth [rad/s].
pub const EARTH_SPIN: f64 = 7.292_115e-5;
/// Radius of the Earth [m].
pub const EARTH_RADIUS: f64 = 6_371_000.0;

/// How velocities are integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriftScheme {
    /// Half a turn by Coriolis, implicit midpoint for the stresses, half a turn: second order, stable for any step.
    #[default]
    Midpoint,
    /// Explicit Euler, for comparisons: the Coriolis force makes floes faster.
    Euler,
}

/// Wind, water, Coriolis force and edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Sea {
    /// Wind and water.
    pub wind: VelocityField,
    /// Current.
    pub current: VelocityField,
    /// ρ_a C_a and ρ_w C_w of each material [kg/m³].
    pub stress: Vec<[f64; 2]>,
    /// Turning angles of air and water [rad], counter-clockwise.
    pub turning: [f64; 2],
    /// Coriolis parameter at y = 0 [1/s].
    pub coriolis: f64,
    /// Its rate of change with y [1/(m·s)].
    pub beta: f64,
    /// The sea surface slopes with the current.
    pub tilt: bool,
    /// How velocities are integrated.
    pub scheme: DriftScheme,
    /// Edges of the sea; `None`: without edges.
    pub domain: Option<Domain>,
    /// Layer of water that floes and wind drive (event-driven analysis); `None`: the current is prescribed.
    pub slab: Option<Slab>,
    /// Velocity of this layer [m/s]; part of the current.
    pub layer: DVec2,
}

/// A rectangle of sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Smallest coordinates [m].
    pub min: DVec2,
    /// Largest coordinates [m].
    pub max: DVec2,
    /// Edges along x and y.
    pub edges: [EdgeKind; 2],
}

impl Domain {
    /// True if a floe with its centroid at `place` has left at an open edge.
    pub fn loses(&self, place: DVec2) -> bool {
        (0..2)
            .any(|axis| self.edges[axis] == EdgeKind::Open && !(self.min[axis]..=self.max[axis]).contains(&place[axis]))
    }
}

/// What happens at two opposite edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// No effect.
    Free,
    /// A floe that leaves at one edge enters at the opposite edge.
    Periodic,
    /// A floe whose centroid leaves is removed and counted.
    Open,
}

impl Sea {
    /// Still air and water without drag, for `materials` materials: bodies move as in empty space.
    pub fn empty(materials: usize) -> Self {
        Self {
            wind: VelocityField::default(),
            current: VelocityField::default(),
            stress: vec![[0.0; 2]; materials],
            turning: [0.0; 2],
            coriolis: 0.0,
            beta: 0.0,
            tilt: false,
            scheme: DriftScheme::Midpoint,
            domain: None,
            slab: None,
            layer: DVec2::ZERO,
        }
    }

    /// Velocity of the water at a point and a time [m/s]: current and layer.
    pub fn water(&self, x: DVec2, t: f64) -> DVec2 {
        self.current.at(x, t) + self.layer
    }

    /// Force of the wind on an open area of the layer [N], at a time.
    pub fn wind_on_slab(&self, slab: &Slab, open: f64, t: f64) -> DVec2 {
        let wind = self.wind.at(slab.centre, t);
        DVec2::from_angle(self.turning[0]).rotate(wind * (slab.air * wind.length() * open))
    }

    /// Coriolis parameter f = 2Ω sin φ [1/s] of a latitude [rad].
    ///
    /// ```
    /// # use voussoir_mechanics::sea::Sea;
    /// // at the pole a free floe turns once in half a sidereal day
    /// let period = std::f64::consts::TAU / Sea::coriolis_at(std::f64::consts::FRAC_PI_2);
    /// assert!((period - 43_082.05).abs() < 0.01);
    /// ```
    pub fn coriolis_at(latitude: f64) -> f64 {
        2.0 * EARTH_SPIN * latitude.sin()
    }

    /// β = 2Ω cos φ / R of a latitude [rad], [1/(m·s)].
    pub fn beta_at(latitude: f64) -> f64 {
        2.0 * EARTH_SPIN * latitude.cos() / EARTH_RADIUS
    }

    /// Largest step of explicit Euler by the criterion of Rabatel (2015) [s]: the smaller of
    /// ρh/(2 |U_a| √(ρ_aC_aρ_wC_w)) and ¾ · 2K/L, K = |Na U_a + U_w|, L = (ρ_wC_w/ρh)(Na²U_a² + (Na U_a + 2 U_w)²), for the
    /// fastest wind and current up to the time `until` [s]. `mass` is the smallest mass per area [kg/m²]; infinite in
    /// still air and water.
    pub fn explicit_limit(&self, mass: f64, until: f64) -> f64 {
        let (air, water) = (self.wind.peak(until), self.current.peak(until));
        let mut limit = f64::INFINITY;
        for [a, w] in &self.stress {
            let nansen = (a / w).sqrt() * air;
            let first = mass / (2.0 * air * (a * w).sqrt());
            let (k, l) = (nansen + water, w / mass * (nansen.powi(2) + (nansen + 2.0 * water).powi(2)));
            let second = 0.75 * 2.0 * k / l;
            limit = [first, second].into_iter().filter(|x| x.is_finite()).fold(limit, f64::min);
        }
        limit
    }

    /// The first invalid number, with its name.
    pub fn fault(&self, materials: usize) -> Option<String> {
        if self.stress.len() != materials {
            return Some(format!("drag is given for {} materials, but there are {materials}", self.stress.len()));
        }
        let numbers = [self.turning[0], self.turning[1], self.coriolis, self.beta];
        if !numbers.iter().all(|x| x.is_finite()) {
            return Some("turning angles and the Coriolis parameter must be finite".to_owned());
        }
        if !self.stress.iter().flatten().all(|x| x.is_finite() && *x >= 0.0) {
            return Some("drag must be finite and not negative".to_owned());
        }
        if let Some(domain) = &self.domain
            && !(domain.min.is_finite() && domain.max.is_finite() && domain.min.cmplt(domain.max).all())
        {
            return Some("the domain must have finite edges and an area".to_owned());
        }
        let slab = self.slab.as_ref().and_then(Slab::fault);
        self.wind.fault().or_else(|| self.current.fault()).or(slab)
    }
}
