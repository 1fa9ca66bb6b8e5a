//! The lines of an arch: n + 1 joints from left to right, each an inner and an outer point, (x, height).
//!
//! Origin: middle of the line between the inner springing points. The right half mirrors the left one exactly.

use voussoir_geometry::glam::DVec2;

/// One joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JointLine {
    /// On the intrados.
    pub inner: DVec2,
    /// On the extrados.
    pub outer: DVec2,
}

impl JointLine {
    fn mirrored(self) -> Self {
        let flip = |p: DVec2| DVec2::new(-p.x, p.y);
        Self { inner: flip(self.inner), outer: flip(self.outer) }
    }

    /// The joint moved away from the arch at right angles, on the left side.
    pub fn behind(self, distance: f64) -> Self {
        let away = (self.outer - self.inner).normalize().perp() * distance;
        Self { inner: self.inner + away, outer: self.outer + away }
    }

    /// The same on the right side.
    pub fn beyond(self, distance: f64) -> Self {
        self.mirrored().behind(distance).mirrored()
    }
}

/// An arch of given form, ready to be divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArchForm {
    /// Part of a circle: inner radius and half of the angle [rad].
    Circular {
        /// Inner radius [m].
        radius: f64,
        /// Half of the embraced angle [rad].
        half_angle: f64,
    },
    /// Two arcs with their centres on the springing line.
    Pointed {
        /// Clear span [m].
        span: f64,
        /// Inner radius of both arcs, at least half of the span [m].
        radius: f64,
    },
    /// Straight, joints fanning out from a point below.
    Flat {
        /// Clear span [m].
        span: f64,
        /// Half of the angle between the end joints [rad].
        half_angle: f64,
    },
}

impl ArchForm {
    /// The joints of `n` voussoirs; `n` is even for pointed arches.
    pub fn joints(&self, n: usize, thickness: f64) -> Vec<JointLine> {
        let mut lines = Vec::with_capacity(n + 1);
        // the left half with the joint at the crown, if there is one
        lines.extend((0..=n / 2).map(|i| self.joint(i, n, thickness)));
        lines.extend((n / 2 + 1..=n).map(|i| self.joint(n - i, n, thickness).mirrored()));
        lines
    }

    /// Joint `i` ≤ n/2 of the left half.
    fn joint(&self, i: usize, n: usize, thickness: f64) -> JointLine {
        // from −1 at the springing to 0 at the crown
        let s = (2 * i) as f64 / n as f64 - 1.0;
        let crown = 2 * i == n;
        match *self {
            Self::Circular { radius, half_angle } => {
                let (sin, cos) = (s * half_angle).sin_cos();
                let (sin, drop) = (if crown { 0.0 } else { sin }, radius * half_angle.cos());
                let point = |r: f64| DVec2::new(r * sin, r * cos - drop);
                JointLine { inner: point(radius), outer: point(radius + thickness) }
            }
            Self::Pointed { span, radius } => {
                // left arc: centre at x = +e, angle ψ up from the springing line
                let e = radius - span / 2.0;
                let point = |r: f64| {
                    if crown {
                        return DVec2::new(0.0, ((r - e) * (r + e)).sqrt());
                    }
                    let (sin, cos) = ((s + 1.0) * (e / radius).acos()).sin_cos();
                    DVec2::new(e - r * cos, r * sin)
                };
                JointLine { inner: point(radius), outer: point(radius + thickness) }
            }
            Self::Flat { span, half_angle } => {
                let x = if crown { 0.0 } else { s * (span / 2.0) };
                // lines through (0, −c) with tan(half angle) = span / 2c
                let widening = 1.0 + thickness * half_angle.tan() / (span / 2.0);
                JointLine { inner: DVec2::new(x, 0.0), outer: DVec2::new(x * widening, thickness) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [ArchForm; 4] = [
        ArchForm::Circular { radius: 3.8, half_angle: std::f64::consts::FRAC_PI_2 },
        ArchForm::Circular { radius: 16.113, half_angle: 0.6039 },
        ArchForm::Pointed { span: 4.0, radius: 4.0 },
        ArchForm::Flat { span: 2.0, half_angle: 0.5 },
    ];

    #[test]
    fn both_halves_are_mirror_images_to_the_bit() {
        for form in FORMS {
            for n in [2, 8, 26, 27] {
                if matches!(form, ArchForm::Pointed { .. }) && n % 2 == 1 {
                    continue;
                }
                let lines = form.joints(n, 0.4);
                assert_eq!(lines.len(), n + 1);
                for (left, right) in lines.iter().zip(lines.iter().rev()) {
                    assert_eq!(left.inner.x, -right.inner.x);
                    assert_eq!(left.outer.y, right.outer.y);
                }
                // left to right, and the springing points at height zero
                assert!(lines.windows(2).all(|w| w[0].inner.x < w[1].inner.x));
                assert_eq!(lines[0].inner.y, 0.0);
            }
        }
    }

    #[test]
    fn joints_have_the_thickness_of_the_ring() {
        for line in FORMS[0].joints(27, 0.6).into_iter().chain(FORMS[1].joints(10, 0.6)) {
            assert!((line.inner.distance(line.outer) - 0.6).abs() < 1e-14);
        }
        // an equilateral pointed arch rises to √3/2 of its span
        let crown = FORMS[2].joints(8, 0.4)[4];
        assert!((crown.inner.y - 12f64.sqrt()).abs() < 1e-14 && crown.inner.x == 0.0);
    }
}
