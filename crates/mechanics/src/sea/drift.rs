//! One step of a floe without contacts.
//!
//! Strang splitting: the Coriolis force turns V − U_tilt by −f h/2 exactly, then the stresses act by the implicit
//! midpoint rule, V₁ = V₀ + h M⁻¹ [F(V_m) + F_ext], V_m = ½(V₀ + V₁), at the middle of the step in space and time, then
//! the second half of the turn. The displacement is h V_m. A step has [`PARTS`] such parts. The rule is of second order,
//! and the stresses take energy from a floe in still water
//! for every step length, since their work is h F(V_m)·V_m. Newton's method solves for V_m; its matrix
//! M − ½h ∂F/∂V is positive definite for turning angles below 90°, because |u|u is monotone.
//!
//! Stresses are integrated by the coarse rule of the floe ([`AreaRule`]) where the relative velocities of its four points
//! differ by at most [`SMOOTH`], by the medium rule up to [`MEDIUM`] and for stresses of the water that are below [`SMALL`]
//! times the stress of the wind (floes almost at rest in a jam), by the fine rule otherwise.

use voussoir_geometry::AreaRule;
use voussoir_geometry::glam::DVec2;

use super::{DriftScheme, Sea};

/// Difference of the relative velocities, over their mean, up to which four points are enough.
const SMOOTH: f64 = 0.01;
/// Difference up to which the medium rule is enough: at 0.1, for the rectangle of case F11, its error is 1e-6 of the
/// torque, and it grows at least with the fourth power.
const MEDIUM: f64 = 0.05;
/// Stress of the water over that of the wind up to which the medium rule is enough.
const SMALL: f64 = 1e-3;
/// Equal parts of a step, each with the midpoint rule.
const PARTS: u32 = 3;
/// Newton steps.
const MOST_STEPS: usize = 60;
/// Newton's method ends when a step changes the speed by less than this fraction.
const CLOSE: f64 = 1e-14;

/// Constants of a floe.
#[derive(Clone, Copy, Debug)]
pub struct Floe<'a> {
    /// Mass [kg].
    pub mass: f64,
    /// Inertia about the centroid [kg·m²].
    pub inertia: f64,
    /// Points of its area, from the centroid.
    pub rule: &'a AreaRule,
    /// ρ_a C_a and ρ_w C_w [kg/m³].
    pub stress: [f64; 2],
}

/// A step of a floe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// Velocity of the centroid and spin at the end [m/s, rad/s].
    pub velocity: [f64; 3],
    /// Impulses of wind and water [N·s, N·m·s].
    pub impulse: [[f64; 3]; 2],
    /// Displacement of the centroid per time, less the mean of the velocities at the start and at the end [m/s].
    pub shift: DVec2,
    /// Mean velocity with which constant forces do their work: V_m [m/s, rad/s].
    pub mean: [f64; 3],
    /// Work of wind, of water (with the tilt of the sea surface) and of other forces [J].
    pub work: [f64; 3],
}

/// A point of the area at the middle of the step: arm [m], weight [m²], velocity of the water [m/s].
type Wet = (DVec2, f64, DVec2);

impl Sea {
    /// Moves a floe with the velocity `v` (V, ω) from `position` and `angle` at `time` over a step of `h` [s]; `force` is
    /// the sum of all other forces on the floe (N, N, N·m), constant over the step.
    pub fn drift(
        &self,
        floe: &Floe<'_>,
        (position, angle): (DVec2, f64),
        v: [f64; 3],
        force: [f64; 3],
        (time, h): (f64, f64),
    ) -> Drift {
        if self.scheme == DriftScheme::Euler {
            return self.part(floe, (position, angle), v, (force, [0.0; 3]), (time, h));
        }
        let (mut at, mut sum) = ((position, angle), Drift { velocity: v, ..Drift::default() });
        let part = h / f64::from(PARTS);
        // change of velocity of the previous part, where the iteration for the next one begins
        let mut change = [0.0; 3];
        for k in 0..PARTS {
            let start = sum.velocity;
            let step = self.part(floe, at, start, (force, change), (time + f64::from(k) * part, part));
            change = std::array::from_fn(|i| step.velocity[i] - start[i]);
            let mean: [f64; 3] = std::array::from_fn(|i| 0.5 * (start[i] + step.velocity[i]));
            at.0 += (DVec2::new(mean[0], mean[1]) + step.shift) * part;
            at.1 += mean[2] * part;
            sum.velocity = step.velocity;
            for (sum, more) in sum.impulse.iter_mut().flatten().zip(step.impulse.iter().flatten()) {
                *sum += more;
            }
            sum.work.iter_mut().zip(step.work).for_each(|(sum, more)| *sum += more);
            sum.mean.iter_mut().zip(step.mean).for_each(|(sum, more)| *sum += more / f64::from(PARTS));
        }
        let mean = DVec2::new(v[0] + sum.velocity[0], v[1] + sum.velocity[1]) * 0.5;
        sum.shift = (at.0 - position) / h - mean;
        sum
    }

    // the arguments are those of `drift`
    /// One part of the step; `change` is about the change of velocity.
    fn part(
        &self,
        floe: &Floe<'_>,
        (position, angle): (DVec2, f64),
        v: [f64; 3],
        (force, change): ([f64; 3], [f64; 3]),
        (time, h): (f64, f64),
    ) -> Drift {
        let euler = self.scheme == DriftScheme::Euler;
        // where and when the stresses are evaluated
        let ahead = if euler { 0.0 } else { 0.5 * h };
        let linear = DVec2::new(v[0], v[1]);
        let (x, t) = (position + linear * ahead, time + ahead);
        let turn = DVec2::from_angle(angle + v[2] * ahead);
        let air = self.air_force(floe, x, turn, t);
        let pressed = DVec2::new(air[0], air[1]).length() / floe.rule.area;
        let wet = self.wet(floe, (x, turn), t, v, pressed);
        let coriolis = self.coriolis + self.beta * x.y;
        let geostrophic = if self.tilt { self.water(x, t) } else { DVec2::ZERO };
        let masses = [floe.mass, floe.mass, floe.inertia];
        if euler {
            let (water, _) = self.water_force(floe, &wet, v);
            let lag = (linear - geostrophic).perp() * (-coriolis * floe.mass);
            let turned = [lag.x, lag.y, 0.0];
            let total: [f64; 3] = std::array::from_fn(|i| air[i] + water[i] + force[i] + turned[i]);
            let velocity: [f64; 3] = std::array::from_fn(|i| v[i] + h * total[i] / masses[i]);
            let mean: [f64; 3] = std::array::from_fn(|i| 0.5 * (v[i] + velocity[i]));
            let with_tilt: [f64; 3] = std::array::from_fn(|i| water[i] + turned[i]);
            return Drift {
                velocity,
                impulse: [air, water].map(|f| f.map(|f| f * h)),
                shift: DVec2::ZERO,
                mean,
                work: [air, with_tilt, force].map(|f| h * dot(&f, &mean)),
            };
        }
        let half = DVec2::from_angle(-0.5 * coriolis * h);
        let turned = |v: DVec2| geostrophic + half.rotate(v - geostrophic);
        let start = turned(linear);
        let start = [start.x, start.y, v[2]];
        let given: [f64; 3] = std::array::from_fn(|i| air[i] + force[i]);
        let guess = std::array::from_fn(|i| start[i] + 0.5 * change[i]);
        let middle = self.middle(floe, &wet, masses, (start, guess), given, h);
        let (water, _) = self.water_force(floe, &wet, middle);
        let end: [f64; 3] = std::array::from_fn(|i| start[i] + h * (given[i] + water[i]) / masses[i]);
        let after = turned(DVec2::new(end[0], end[1]));
        let mean: [f64; 3] = std::array::from_fn(|i| 0.5 * (start[i] + end[i]));
        let mut work = [air, water, force].map(|f| h * dot(&f, &mean));
        if self.tilt {
            // the slope of the surface does work where the turn is not about zero
            let energy = |v: DVec2| 0.5 * floe.mass * v.length_squared();
            work[1] += energy(after) - energy(DVec2::new(end[0], end[1])) + energy(DVec2::new(start[0], start[1]))
                - energy(linear);
        }
        Drift {
            velocity: [after.x, after.y, end[2]],
            impulse: [air, water].map(|f| f.map(|f| f * h)),
            shift: DVec2::new(mean[0], mean[1]) - (linear + after) * 0.5,
            mean,
            work,
        }
    }

    /// Force and torque of the wind.
    fn air_force(&self, floe: &Floe<'_>, x: DVec2, turn: DVec2, t: f64) -> [f64; 3] {
        if floe.stress[0] == 0.0 || self.wind.parts.is_empty() {
            return [0.0; 3];
        }
        let angle = DVec2::from_angle(self.turning[0]);
        let stress = |u: DVec2| angle.rotate(u * u.length()) * floe.stress[0];
        if self.wind.is_uniform() {
            // the area is centred: no torque
            let force = stress(self.wind.at(x, t)) * floe.rule.area;
            return [force.x, force.y, 0.0];
        }
        let sample = |points: &[(DVec2, f64)]| -> Vec<Wet> {
            let arm = |r: DVec2| turn.rotate(r);
            points.iter().map(|(r, w)| (arm(*r), *w, self.wind.at(x + arm(*r), t))).collect()
        };
        let mut points = sample(&floe.rule.coarse);
        let differ = difference(&points, [0.0; 3]).0;
        if differ > SMOOTH {
            points = sample(if differ <= MEDIUM { &floe.rule.medium } else { &floe.rule.fine });
        }
        let mut sum = [0.0; 3];
        for (r, weight, u) in points {
            let force = stress(u) * weight;
            sum[0] += force.x;
            sum[1] += force.y;
            sum[2] += r.perp_dot(force);
        }
        sum
    }

    /// The points at which the drag of the water is evaluated; `pressed` is the stress of the wind [Pa].
    fn wet(&self, floe: &Floe<'_>, (x, turn): (DVec2, DVec2), t: f64, v: [f64; 3], pressed: f64) -> Vec<Wet> {
        if floe.stress[1] == 0.0 {
            return Vec::new();
        }
        let uniform = self.current.is_uniform().then(|| self.water(x, t));
        let sample = |points: &[(DVec2, f64)]| -> Vec<Wet> {
            let place = |r: DVec2| uniform.unwrap_or_else(|| self.water(x + r, t));
            points.iter().map(|(r, w)| (turn.rotate(*r), *w)).map(|(r, w)| (r, w, place(r))).collect()
        };
        let points = sample(&floe.rule.coarse);
        let (differ, fastest) = difference(&points, v);
        if differ <= SMOOTH {
            return points;
        }
        let enough = differ <= MEDIUM || floe.stress[1] * fastest * fastest <= SMALL * pressed;
        sample(if enough { &floe.rule.medium } else { &floe.rule.fine })
    }

    /// Slope of the drag of the water by the velocity at `v`, symmetric part, row by row; not negative [kg/s, kg·m/s, kg·m²/s].
    pub fn drag_slope(&self, floe: &Floe<'_>, (position, angle): (DVec2, f64), v: [f64; 3], time: f64) -> [f64; 9] {
        // a slope needs no more than the medium rule
        let wet = self.wet(floe, (position, DVec2::from_angle(angle)), time, v, f64::INFINITY);
        let slope = self.water_force(floe, &wet, v).1;
        std::array::from_fn(|k| -0.5 * (slope[k] + slope[k % 3 * 3 + k / 3]))
    }

    /// Force and torque of the water on a floe that moves with `v`, and their derivatives by the velocity, row by row.
    fn water_force(&self, floe: &Floe<'_>, wet: &[Wet], v: [f64; 3]) -> ([f64; 3], [f64; 9]) {
        let (sin, cos) = self.turning[1].sin_cos();
        let (mut sum, mut slope) = ([0.0; 3], [0.0; 9]);
        for (r, weight, water) in wet {
            let u = *water - crate::kinematics::plane_velocity(v, *r);
            let speed = u.length();
            let c = floe.stress[1] * weight;
            let stress = u * (c * speed);
            let force = DVec2::new(cos * stress.x - sin * stress.y, sin * stress.x + cos * stress.y);
            sum[0] += force.x;
            sum[1] += force.y;
            sum[2] += r.perp_dot(force);
            if speed == 0.0 {
                continue;
            }
            // −∂(|u|u)/∂u = −(|u| 1 + u uᵀ/|u|), turned
            let n = u / speed;
            let [xx, xy, yy] = [c * speed * (1.0 + n.x * n.x), c * speed * n.x * n.y, c * speed * (1.0 + n.y * n.y)];
            let (a, b) = (cos * xx - sin * xy, cos * xy - sin * yy);
            let (d, e) = (sin * xx + cos * xy, sin * xy + cos * yy);
            // columns V_x, V_y, ω with ∂ẋ/∂ω = (−r_y, r_x)
            let (aw, dw) = (-a * r.y + b * r.x, -d * r.y + e * r.x);
            for (at, value) in [(0, a), (1, b), (2, aw), (3, d), (4, e), (5, dw)] {
                slope[at] -= value;
            }
            slope[6] -= r.x * d - r.y * a;
            slope[7] -= r.x * e - r.y * b;
            slope[8] -= r.x * dw - r.y * aw;
        }
        (sum, slope)
    }

    /// V_m of the implicit midpoint rule, by Newton's method with step control from `guess`.
    fn middle(
        &self,
        floe: &Floe<'_>,
        wet: &[Wet],
        masses: [f64; 3],
        (start, guess): ([f64; 3], [f64; 3]),
        given: [f64; 3],
        h: f64,
    ) -> [f64; 3] {
        let free: [f64; 3] = std::array::from_fn(|i| start[i] + 0.5 * h * given[i] / masses[i]);
        if wet.is_empty() {
            return free;
        }
        // lengths by the radius of gyration, so that errors of V and ω are speeds
        let gyration = (masses[2] / masses[0]).sqrt();
        let speed = |v: &[f64; 3]| (v[0] * v[0] + v[1] * v[1] + (gyration * v[2]).powi(2)).sqrt();
        let miss = |v: &[f64; 3]| -> ([f64; 3], [f64; 9]) {
            let (force, slope) = self.water_force(floe, wet, *v);
            (std::array::from_fn(|i| v[i] - free[i] - 0.5 * h * force[i] / masses[i]), slope)
        };
        let mut v = guess;
        let (mut error, mut slope) = miss(&v);
        for _ in 0..MOST_STEPS {
            let mut matrix = [0.0; 9];
            for (k, entry) in matrix.iter_mut().enumerate() {
                *entry = f64::from(u8::from(k % 4 == 0)) - 0.5 * h * slope[k] / masses[k / 3];
            }
            let step = solve3(&matrix, &error);
            let size = speed(&step);
            if !size.is_finite() || size <= CLOSE * (speed(&v) + speed(&free)) {
                return v;
            }
            let mut share = 1.0;
            loop {
                let next: [f64; 3] = std::array::from_fn(|i| v[i] - share * step[i]);
                let found = miss(&next);
                if speed(&found.0) < speed(&error) || share < 1e-6 {
                    if share < 1e-6 && speed(&found.0) >= speed(&error) {
                        // only rounding errors are left
                        return v;
                    }
                    (v, error, slope) = (next, found.0, found.1);
                    break;
                }
                share *= 0.5;
            }
        }
        v
    }
}

/// Largest difference of the velocities relative to a floe with the velocity `v` from their mean, over their mean, and the
/// largest of them [m/s].
fn difference(points: &[Wet], v: [f64; 3]) -> (f64, f64) {
    let relative = |(r, _, u): &Wet| *u - crate::kinematics::plane_velocity(v, *r);
    let mean: DVec2 = points.iter().map(relative).sum::<DVec2>() / points.len().max(1) as f64;
    let far = points.iter().map(|point| (relative(point) - mean).length()).fold(0.0, f64::max);
    let fastest = points.iter().map(|point| relative(point).length()).fold(0.0, f64::max);
    (if far > 0.0 { far / mean.length() } else { 0.0 }, fastest)
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves a 3 × 3 system by Cramer's rule.
fn solve3(m: &[f64; 9], b: &[f64; 3]) -> [f64; 3] {
    let minor = |i: usize, j: usize| {
        let at = |r: usize, c: usize| m[(i + r) % 3 * 3 + (j + c) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant: f64 = (0..3).map(|j| m[j] * minor(0, j)).sum();
    std::array::from_fn(|j| (0..3).map(|i| minor(i, j) * b[i]).sum::<f64>() / determinant)
}
