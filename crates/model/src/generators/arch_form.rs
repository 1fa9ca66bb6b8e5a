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

    /// The joint moved away from the arch perpendicular to itself, on the left side.
    pub fn behind(self, distance: f64) -> Self {
        let away = (self.outer - self.inner).normalize().perp() * distance;
        Self { inner: self.inner + away, outer: self.outer + away }
    }

    /// The same on the right side.
    pub fn beyond(self, distance: f64) -> Self {
        self.mirrored().behind(distance).mirrored()
    }
}

/// The shape of an arch.
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
    /// Part of a parabola, joints at right angles to it.
    Parabolic {
        /// Clear span [m].
        span: f64,
        /// Height of the intrados at the crown [m].
        rise: f64,
    },
    /// Two side arcs that spring vertically, and a flatter crown arc tangent to both.
    ThreeCentred {
        /// Clear span [m].
        span: f64,
        /// Height of the intrados at the crown [m].
        rise: f64,
        /// Inner radius of the side arcs, less than rise and half of the span [m].
        side: f64,
    },
    /// Straight, with joints through a point below.
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
            Self::Parabolic { span, rise } => normal_joint(parabola(span / 2.0, rise, s), thickness),
            Self::ThreeCentred { span, rise, side } => {
                normal_joint(three_centred(span / 2.0, rise, side, s), thickness)
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

/// A joint at right angles to the intrados, from a point of it and its normal there.
fn normal_joint([inner, normal]: [DVec2; 2], thickness: f64) -> JointLine {
    JointLine { inner, outer: inner + normal * thickness }
}

/// Point and normal of the parabola y = f (1 − x²/a²) at the share −s of the half length from the crown.
fn parabola(a: f64, f: f64, s: f64) -> [DVec2; 2] {
    let p = 2.0 * f / (a * a);
    // length from the crown to x
    let length = |x: f64| 0.5 * (x * (p * x).hypot(1.0) + (p * x).asinh() / p);
    let wanted = -s * length(a);
    let (mut low, mut high) = (0.0, a);
    // bisection; 100 halvings exceed the bits of a number
    for _ in 0..if s > -1.0 { 100 } else { 0 } {
        let middle = 0.5 * (low + high);
        if length(middle) < wanted { low = middle } else { high = middle }
    }
    let x = if s >= 0.0 { 0.0 } else { -high };
    [DVec2::new(x, f * (1.0 - (x / a) * (x / a))), DVec2::new(p * x, 1.0).normalize()]
}

/// Radius of the crown arc of a three-centred arch of half span a, rise b and side radius r: tangent to the side arcs,
/// (a − r)² + (R − b)² = (R − r)².
pub fn crown_radius(a: f64, b: f64, r: f64) -> f64 {
    (a * a + b * b - 2.0 * a * r) / (2.0 * (b - r))
}

/// Point and normal of a three-centred arch at the share −s of the half length from the crown.
fn three_centred(a: f64, b: f64, r: f64, s: f64) -> [DVec2; 2] {
    if s >= 0.0 {
        return [DVec2::new(0.0, b), DVec2::Y];
    }
    if s <= -1.0 {
        return [DVec2::new(-a, 0.0), -DVec2::X];
    }
    let crown = crown_radius(a, b, r);
    // angle of the side arc
    let turn = (crown - b).atan2(a - r);
    let (side, top) = (r * turn, crown * (std::f64::consts::FRAC_PI_2 - turn));
    let way = (1.0 + s) * (side + top);
    let (centre, radius, angle) = if way < side {
        (DVec2::new(r - a, 0.0), r, way / r)
    } else {
        (DVec2::new(0.0, b - crown), crown, turn + (way - side) / crown)
    };
    let normal = DVec2::new(-angle.cos(), angle.sin());
    [centre + normal * radius, normal]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [ArchForm; 6] = [
        ArchForm::Circular { radius: 3.8, half_angle: std::f64::consts::FRAC_PI_2 },
        ArchForm::Circular { radius: 16.113, half_angle: 0.6039 },
        ArchForm::Pointed { span: 4.0, radius: 4.0 },
        ArchForm::Flat { span: 2.0, half_angle: 0.5 },
        ArchForm::Parabolic { span: 18.3, rise: 2.85 },
        ArchForm::ThreeCentred { span: 10.0, rise: 3.5, side: 2.5 },
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
    fn parabolas_and_three_centred_arches_have_equal_voussoirs() {
        for form in &FORMS[4..] {
            let lines = form.joints(200, 0.4);
            let chords: Vec<f64> = lines.windows(2).map(|w| w[0].inner.distance(w[1].inner)).collect();
            let mean = chords.iter().sum::<f64>() / 200.0;
            assert!(chords.iter().all(|chord| (chord / mean - 1.0).abs() < 2e-3), "{form:?}");
            // joints at right angles to the intrados
            for k in 1..200 {
                let along = (lines[k + 1].inner - lines[k - 1].inner).normalize();
                let across = (lines[k].outer - lines[k].inner).normalize();
                assert!(along.dot(across).abs() < 2e-2, "{form:?} {k}");
            }
        }
        for line in FORMS[4].joints(62, 0.711) {
            assert!((line.inner.y - 2.85 * (1.0 - (line.inner.x / 9.15).powi(2))).abs() < 1e-12);
        }
        // tangent arcs: R = (a² + b² − 2ar)/(2(b − r))
        assert!((crown_radius(5.0, 3.5, 2.5) - 6.125).abs() < 1e-12);
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
