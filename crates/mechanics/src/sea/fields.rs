//! Velocity fields of wind and water: sums of simple fields, each times a function of time.
//!
//! A field is a velocity at a point and a time; a gridded field would be one more [`FieldKind`].

use voussoir_geometry::glam::DVec2;

use crate::time_function::TimeFunction;

/// Velocities in the plane: the sum of its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VelocityField {
    /// The parts, each with a factor that depends on time.
    pub parts: Vec<(FieldKind, TimeFunction)>,
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// The same velocity everywhere [m/s].
    Uniform(DVec2),
    /// The same velocity everywhere, straight lines between rows (time [s], velocity [m/s]); constant outside.
    Series(Vec<(f64, DVec2)>),
    /// (rate · y, 0) about `centre`, turned by `direction` (unit vector of the flow).
    Shear {
        /// Where the velocity is zero [m].
        centre: DVec2,
        /// Direction of the flow, unit length.
        direction: DVec2,
        /// Change of velocity per length across the flow [1/s].
        rate: f64,
    },
    /// Straight lines between rows (y [m], velocity [m/s]); constant outside.
    Profile(Vec<(f64, DVec2)>),
    /// ω k × (x − centre).
    Rotation {
        /// Where the velocity is zero [m].
        centre: DVec2,
        /// Angular velocity [rad/s].
        rate: f64,
    },
    /// Vortex of Rankine's type: solid rotation inside `radius`, speed · (radius/r)^exponent outside.
    Vortex {
        /// Centre at time zero [m].
        centre: DVec2,
        /// Velocity of the centre [m/s].
        travel: DVec2,
        /// Radius of the core [m].
        radius: f64,
        /// Speed at the edge of the core [m/s]; above zero: counter-clockwise.
        speed: f64,
        /// How the speed decreases outside; 1 for Rankine's vortex.
        exponent: f64,
    },
}

impl VelocityField {
    /// Velocity at a point and a time [m/s].
    pub fn at(&self, x: DVec2, t: f64) -> DVec2 {
        self.parts.iter().map(|(kind, function)| kind.at(x, t) * function.value(t)).sum()
    }

    /// True if the velocity is the same everywhere.
    pub fn is_uniform(&self) -> bool {
        self.parts.iter().all(|(kind, _)| matches!(kind, FieldKind::Uniform(_) | FieldKind::Series(_)))
    }

    /// A bound of the speeds of bounded parts up to a time [s]; shear and rotation, which have none, do not count.
    pub fn peak(&self, until: f64) -> f64 {
        let peak = |(kind, function): &(FieldKind, TimeFunction)| {
            let factor = match function {
                TimeFunction::Constant(value) => value.abs(),
                TimeFunction::Table(rows) => {
                    let ends = [0.0, until].map(|t| function.value(t).abs());
                    let inside = rows.iter().filter(|row| (0.0..=until).contains(&row.0)).map(|row| row.1.abs());
                    inside.chain(ends).fold(0.0, f64::max)
                }
                TimeFunction::Sine { amplitude, .. } => amplitude.abs(),
            };
            factor * kind.speed()
        };
        self.parts.iter().map(peak).sum()
    }

    /// The first invalid number, with its name.
    pub fn fault(&self) -> Option<String> {
        self.parts.iter().find_map(|(kind, function)| {
            kind.fault().or_else(|| function.check("velocity field").err().map(|error| error.to_string()))
        })
    }
}

/// Linear interpolation between rows of increasing first numbers; constant outside.
fn interpolated(rows: &[(f64, DVec2)], at: f64) -> DVec2 {
    let after = rows.partition_point(|row| row.0 <= at);
    match (after.checked_sub(1).and_then(|i| rows.get(i)), rows.get(after)) {
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * ((at - a.0) / (b.0 - a.0)),
        (Some(row), None) | (None, Some(row)) => row.1,
        (None, None) => DVec2::ZERO,
    }
}

impl FieldKind {
    /// Velocity at a point and a time [m/s].
    pub fn at(&self, x: DVec2, t: f64) -> DVec2 {
        match self {
            Self::Uniform(velocity) => *velocity,
            Self::Series(rows) => interpolated(rows, t),
            Self::Shear { centre, direction, rate } => *direction * (rate * direction.perp_dot(x - *centre)),
            Self::Profile(rows) => interpolated(rows, x.y),
            Self::Rotation { centre, rate } => (x - *centre).perp() * *rate,
            Self::Vortex { centre, travel, radius, speed, exponent } => {
                let arm = x - *centre - *travel * t;
                let r = arm.length();
                if r <= *radius {
                    return arm.perp() * (speed / radius);
                }
                let falls = if *exponent == 1.0 { radius / r } else { (radius / r).powf(*exponent) };
                arm.perp() * (speed * falls / r)
            }
        }
    }

    /// Largest speed [m/s]; zero for fields without a bound.
    fn speed(&self) -> f64 {
        match self {
            Self::Uniform(velocity) => velocity.length(),
            Self::Series(rows) | Self::Profile(rows) => rows.iter().map(|row| row.1.length()).fold(0.0, f64::max),
            Self::Shear { .. } | Self::Rotation { .. } => 0.0,
            Self::Vortex { speed, .. } => speed.abs(),
        }
    }

    fn fault(&self) -> Option<String> {
        let rising = |rows: &[(f64, DVec2)]| {
            !rows.is_empty()
                && rows.windows(2).all(|pair| pair[0].0 < pair[1].0)
                && rows.iter().all(|row| row.0.is_finite() && row.1.is_finite())
        };
        let good = match self {
            Self::Uniform(velocity) => velocity.is_finite(),
            Self::Series(rows) | Self::Profile(rows) => rising(rows),
            Self::Shear { centre, direction, rate } => {
                centre.is_finite() && (direction.length() - 1.0).abs() < 1e-9 && rate.is_finite()
            }
            Self::Rotation { centre, rate } => centre.is_finite() && rate.is_finite(),
            Self::Vortex { centre, travel, radius, speed, exponent } => {
                centre.is_finite()
                    && travel.is_finite()
                    && *radius > 0.0
                    && [radius, speed, exponent].iter().all(|x| x.is_finite())
            }
        };
        (!good).then(|| "a velocity field has a number that is not finite, or rows that do not rise".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vortices_are_continuous_and_travel() {
        for exponent in [1.0, 4.0] {
            let vortex = FieldKind::Vortex {
                centre: DVec2::new(10.0, 0.0),
                travel: DVec2::new(0.0, 8.0),
                radius: 300.0,
                speed: 20.0,
                exponent,
            };
            let at = |r: f64| vortex.at(DVec2::new(10.0 + r, 80.0), 10.0);
            assert!((at(300.0 - 1e-9) - at(300.0 + 1e-9)).length() < 1e-9);
            assert!((at(600.0).y - 20.0 * 0.5_f64.powf(exponent)).abs() < 1e-12);
            assert!((at(150.0).y - 10.0).abs() < 1e-12);
        }
    }

    #[test]
    fn tables_interpolate() {
        let rows = vec![(0.0, DVec2::ZERO), (100.0, DVec2::new(2.0, -4.0))];
        assert_eq!(FieldKind::Series(rows.clone()).at(DVec2::ZERO, 25.0), DVec2::new(0.5, -1.0));
        assert_eq!(FieldKind::Profile(rows.clone()).at(DVec2::new(7.0, 200.0), 0.0), DVec2::new(2.0, -4.0));
        let bad = VelocityField { parts: vec![(FieldKind::Series(Vec::new()), TimeFunction::Constant(1.0))] };
        assert!(bad.fault().is_some());
        let shear = FieldKind::Shear { centre: DVec2::ZERO, direction: DVec2::X, rate: 2e-3 };
        assert_eq!(shear.at(DVec2::new(5.0, 10.0), 0.0), DVec2::new(0.02, 0.0));
    }
}
