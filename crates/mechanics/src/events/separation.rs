//! How long two moving bodies certainly stay apart: conservative advancement of second order.
//!
//! For an axis that separates two convex parts (the normal of a side of either part, in the axes of that part, or the
//! line between two corners), the height hⱼ(t) of every corner of the other part above the side has a known rate, and
//! a bound A of its second derivative over the rest of the leg:
//! ```text
//! hⱼ(t + τ) ≥ hⱼ + ḣⱼ τ − ½ A τ²
//! A = |a₂ − a₁| + (|α₂| + ω₂²) rⱼ + (|α₁| + ω₁²) ρ + 2 |ω₁| u
//! ```
//! (1: the part with the side; rⱼ: distance of the corner from the centroid of body 2; ρ, u: bounds of the distance and of the speed of its corners
//! relative to body 1.) The parts stay apart up to the smallest root. The convergence to the time of contact is
//! quadratic, and a contact that opens gives a step of 2ḣ/A instead of none.
//!
//! References: Mirtich (1996), conservative advancement; Rabatel (2015), time of contact of floes.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Space};

use super::form::{Form, Part};
use super::leg::Leg;
use crate::kinematics::rigid_velocity;

/// Distance of two bodies at one time, and the time for which they stay apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// Distance along the best separating axis, a lower bound of the distance; below zero: overlap [m].
    pub gap: f64,
    /// Time for which the bodies certainly stay apart [s]; infinite if they never meet on their legs.
    pub safe: f64,
    /// Rate of the gap of the nearest corner [m/s].
    pub rate: f64,
}

/// Bound of the acceleration of two centroids relative to each other [m/s²].
fn relative_pull(a: &Mover<'_>, b: &Mover<'_>) -> f64 {
    (b.pull - a.pull).length() + a.acceleration + b.acceleration
}

/// A body at one time, with bounds of its motion over the rest of its leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover<'a> {
    form: &'a Form,
    pose: Pose<D2>,
    turn: DVec2,
    linear: DVec2,
    spin: f64,
    /// Acceleration of the centroid without the contribution of δ.
    pull: DVec2,
    /// Bound of the contribution of δ.
    acceleration: f64,
    turning: f64,
    fastest_spin: f64,
    speed: f64,
}

impl<'a> Mover<'a> {
    /// A body on a leg at the time `t`; `shift` moves it to its periodic image.
    pub fn new(form: &'a Form, leg: &Leg, shift: DVec2, t: f64) -> Self {
        let mut pose = leg.pose_at(t);
        pose.position += shift;
        let (v, a) = (leg.velocity_at(t), leg.acceleration());
        let end = leg.velocity_at(leg.end);
        let linear = DVec2::new(v[0], v[1]);
        Self {
            form,
            pose,
            turn: DVec2::from_angle(pose.rotation),
            linear,
            spin: v[2],
            pull: DVec2::new(a[0], a[1]),
            acceleration: leg.bend().0,
            turning: a[2].abs(),
            fastest_spin: v[2].abs().max(end[2].abs()),
            speed: linear.length().max(DVec2::new(end[0], end[1]).length()) + leg.bend().1,
        }
    }
}

/// Overlap that closed contacts may have: rounding errors, and more inside a jam.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ease {
    /// Added to all gaps [m].
    pub slack: f64,
    /// Corners without slack left that close or open more slowly than this [m/s] …
    pub calm: f64,
    /// … may overlap by this much more [m].
    pub more: f64,
}

impl Ease {
    /// First root of h + r τ − ½ a τ² for h ≥ 0; infinite if there is none.
    fn root(&self, h: f64, rate: f64, a: f64) -> f64 {
        root(if rate.abs() <= self.calm { h.max(self.more) } else { h }, rate, a)
    }
}

/// First root of h + r τ − ½ a τ² for h ≥ 0; infinite if there is none.
fn root(h: f64, rate: f64, a: f64) -> f64 {
    let h = h.max(0.0);
    let square = rate * rate + 2.0 * a * h;
    if rate < 0.0 {
        return 2.0 * h / (-rate + square.sqrt());
    }
    if a > 0.0 { (rate + square.sqrt()) / a } else { f64::INFINITY }
}

/// Distance of two bodies, and the time for which they stay apart, at most `rest` [s].
pub(super) fn look(a: &Mover<'_>, b: &Mover<'_>, rest: f64, ease: &Ease) -> Look {
    let apart = b.pose.position - a.pose.position;
    let distance = apart.length();
    // circles around the centroids
    let circles = distance - a.form.reach - b.form.reach + ease.slack;
    if circles > 0.0 {
        let rate = apart.dot(b.linear - a.linear) / distance;
        let safe = root(circles, rate, relative_pull(a, b));
        if safe >= rest || circles > 0.5 * (a.form.reach + b.form.reach) {
            return Look { gap: circles, safe, rate };
        }
    }
    let mut all = Look { gap: f64::INFINITY, safe: f64::INFINITY, rate: 0.0 };
    for first in &a.form.parts {
        for second in &b.form.parts {
            let found = look_at_parts((a, first), (b, second), rest, ease);
            if found.gap < all.gap {
                (all.gap, all.rate) = (found.gap, found.rate);
            }
            all.safe = all.safe.min(found.safe);
        }
    }
    all
}

/// The better of the axes of both parts.
fn look_at_parts(a: (&Mover<'_>, &Part), b: (&Mover<'_>, &Part), rest: f64, ease: &Ease) -> Look {
    let radius = a.1.radius + b.1.radius - ease.slack;
    let sides = [best_side(a, b, radius), best_side(b, a, radius)];
    let mut best: Option<Look> = None;
    let mut take = |found: Look| {
        let better = best.is_none_or(|best| {
            let apart = found.gap > 0.0 && best.gap > 0.0 || (found.gap - best.gap).abs() <= ease.more;
            if apart { found.safe > best.safe } else { found.gap > best.gap }
        });
        if better {
            best = Some(Look { gap: best.map_or(found.gap, |best| best.gap.max(found.gap)), ..found });
        }
    };
    if let Some((side, _)) = sides[0] {
        take(by_side(a, b, side, radius, rest, ease));
    }
    if let Some((side, _)) = sides[1] {
        take(by_side(b, a, side, radius, rest, ease));
    }
    if radius + ease.slack > 0.0 && !a.1.points.is_empty() && !b.1.points.is_empty() {
        take(by_corners(a, b, radius, ease));
    }
    best.unwrap_or(Look { gap: f64::INFINITY, safe: f64::INFINITY, rate: 0.0 })
}

/// A corner of `b` in the axes of `a`.
fn seen(a: &Mover<'_>, b: &Mover<'_>, point: DVec2) -> DVec2 {
    let world = b.pose.position + b.turn.rotate(point) - a.pose.position;
    DVec2::new(a.turn.x * world.x + a.turn.y * world.y, a.turn.x * world.y - a.turn.y * world.x)
}

/// The side of `a` with the largest distance from `b`.
fn best_side(a: (&Mover<'_>, &Part), b: (&Mover<'_>, &Part), radius: f64) -> Option<((DVec2, f64), f64)> {
    if b.1.points.is_empty() || a.1.sides.is_empty() {
        return None;
    }
    let points: Vec<DVec2> = b.1.points.iter().map(|p| seen(a.0, b.0, *p)).collect();
    let height = |(n, d): &(DVec2, f64)| points.iter().map(|p| n.dot(*p) - d).fold(f64::INFINITY, f64::min) - radius;
    a.1.sides.iter().map(|side| (*side, height(side))).max_by(|x, y| x.1.total_cmp(&y.1))
}

/// Heights of the corners of `b` above one side of `a`.
fn by_side(
    (a, _): (&Mover<'_>, &Part),
    (b, part): (&Mover<'_>, &Part),
    (normal, offset): (DVec2, f64),
    radius: f64,
    rest: f64,
    ease: &Ease,
) -> Look {
    let apart = (b.pose.position - a.pose.position).length();
    let closing = a.speed + b.speed;
    let rho = apart + closing * rest + b.form.reach;
    let fastest = closing + b.fastest_spin * b.form.reach + a.fastest_spin * rho;
    let mut bound = relative_pull(a, b);
    if a.turning > 0.0 || a.fastest_spin > 0.0 {
        bound += (a.turning + a.fastest_spin.powi(2)) * rho + 2.0 * a.fastest_spin * fastest;
    }
    let world = a.turn.rotate(normal);
    let mut found = Look { gap: f64::INFINITY, safe: f64::INFINITY, rate: f64::INFINITY };
    for point in &part.points {
        let arm = b.turn.rotate(*point);
        let from = b.pose.position + arm - a.pose.position;
        let gap = world.dot(from) - offset - radius;
        let velocity = rigid_velocity::<D2>(b.linear, b.spin, arm) - a.linear - D2::spin_cross(a.spin, from);
        let rate = world.dot(velocity);
        let turning = (b.turning + b.fastest_spin.powi(2)) * arm.length();
        found.safe = found.safe.min(ease.root(gap, rate, bound + turning));
        if gap < found.gap {
            (found.gap, found.rate) = (gap, rate);
        }
    }
    found
}

/// Along the line between the nearest corners of both parts, in world axes.
fn by_corners(a: (&Mover<'_>, &Part), b: (&Mover<'_>, &Part), radius: f64, ease: &Ease) -> Look {
    let world = |m: &Mover<'_>, p: DVec2| m.pose.position + m.turn.rotate(p);
    let mut nearest = (f64::INFINITY, DVec2::ZERO);
    for p in &a.1.points {
        for q in &b.1.points {
            let line = world(b.0, *q) - world(a.0, *p);
            if line.length_squared() < nearest.0 {
                nearest = (line.length_squared(), line);
            }
        }
    }
    let normal = nearest.1.normalize_or_zero();
    if a.1.points.len() == 1 && b.1.points.len() == 1 && a.0.form.parts.len() == 1 && b.0.form.parts.len() == 1 {
        // centred discs: |Δ| is convex but for the accelerations
        let rate = normal.dot(b.0.linear - a.0.linear);
        let gap = nearest.0.sqrt() - radius;
        return Look { gap, rate, safe: ease.root(gap, rate, relative_pull(a.0, b.0)) };
    }
    let turning = |m: &Mover<'_>| (m.turning + m.fastest_spin.powi(2)) * m.form.reach;
    let both = relative_pull(a.0, b.0) + turning(a.0) + turning(b.0);
    let mut found = Look { gap: f64::INFINITY, safe: f64::INFINITY, rate: f64::INFINITY };
    for p in &a.1.points {
        let (arm, place) = (a.0.turn.rotate(*p), world(a.0, *p));
        let from = rigid_velocity::<D2>(a.0.linear, a.0.spin, arm);
        for q in &b.1.points {
            let other = b.0.turn.rotate(*q);
            let gap = normal.dot(world(b.0, *q) - place) - radius;
            let rate = normal.dot(rigid_velocity::<D2>(b.0.linear, b.0.spin, other) - from);
            found.safe = found.safe.min(ease.root(gap, rate, both));
            if gap < found.gap {
                (found.gap, found.rate) = (gap, rate);
            }
        }
    }
    found
}
