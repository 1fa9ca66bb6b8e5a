//! Arches: `voussoir[i]` from left to right between the supports `springer[0]` and `springer[1]`.
//!
//! Voussoirs have straight sides between the ends of their joints; the ends lie on the circles. Neighbours share
//! their corners exactly. With `curved` their mass is that of pieces of the ring. Springers continue the ring by its
//! thickness.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use voussoir_geometry::Solid;

use super::Site;
use super::arch_form::{ArchForm, JointLine};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::{Arch, ArchKind};

/// Default angle between the end joints of a flat arch [degrees].
const FLAT_EMBRACE_DEG: f64 = 60.0;

/// Number of bodies.
pub fn count(keys: &Arch) -> u64 {
    keys.voussoirs.saturating_add(2)
}

/// Creates an arch.
pub fn generate<S: Dimension>(keys: &Arch, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let thickness = site.length("thickness", keys.thickness)?;
    let width = match (S::DIM, keys.width) {
        (2, None) => 1.0,
        (2, Some(_)) => return Err(site.error("width", "in 2D the width is the scene's `depth`")),
        (_, Some(width)) => site.length("width", width)?,
        (_, None) => return Err(site.error("width", "an arch in 3D needs `width` [m]")),
    };
    let (form, n) = form_and_count(keys, site)?;
    if keys.curved && !matches!(form, ArchForm::Circular { .. }) {
        return Err(
            site.error("curved", "only semicircular and segmental arches can have the weight of curved voussoirs")
        );
    }
    let lines = form.joints(n, thickness);
    let block = |left: &JointLine, right: &JointLine| {
        let outline = [left.inner, right.inner, right.outer, left.outer];
        S::prism(&outline, width).map(|shape| Centred::new(&shape)).map_err(|e| site.refuse(&e))
    };
    let mut pieces = Vec::with_capacity(n + 2);
    for (i, pair) in lines.windows(2).enumerate() {
        let tags: &[&str] = if 2 * i + 1 == n { &["voussoirs", "keystone"] } else { &["voussoirs"] };
        let mut shape = block(&pair[0], &pair[1])?;
        if let (true, ArchForm::Circular { radius, half_angle }) = (keys.curved, form) {
            let ring = Ring { radius, thickness, half_angle, width };
            shape = ring.piece(&shape, i, n);
        }
        pieces.push(Piece::at(format!("voussoir[{i}]"), tags, &shape, S::zero()));
    }
    let springers = [block(&lines[0].behind(thickness), &lines[0])?, block(&lines[n], &lines[n].beyond(thickness))?];
    for (i, shape) in springers.iter().enumerate() {
        pieces.push(Piece::at(format!("springer[{i}]"), &["springers"], shape, S::zero()).fixed());
    }
    Ok(pieces)
}

/// The shape of an arch and the number of its voussoirs.
pub(super) fn form_and_count(keys: &Arch, site: &Site<'_>) -> Result<(ArchForm, usize), SceneError> {
    let n = site.check.count(&site.place.key("voussoirs"), "`voussoirs`", keys.voussoirs, 1, MOST_BODIES)?;
    let form = form(keys, site)?;
    match form {
        ArchForm::Circular { half_angle, .. } if 2.0 * half_angle / n as f64 > FRAC_PI_2 + 1e-12 => {
            return Err(site
                .error("voussoirs", "each voussoir has an angle of more than 90 degrees; more voussoirs are needed"));
        }
        ArchForm::Pointed { .. } if n % 2 == 1 => {
            return Err(site.error("voussoirs", format!("a pointed arch needs an even number, not {n}")));
        }
        _ => {}
    }
    Ok((form, n))
}

/// A ring of which voussoirs are pieces.
pub(super) struct Ring {
    pub radius: f64,
    pub thickness: f64,
    pub half_angle: f64,
    pub width: f64,
}

impl Ring {
    /// Piece `i` of `n` from the left: the straight-sided shape with the weight of the curved one.
    ///
    /// ∫dA = β(R² − r²)/2, ∫ρ dA = ⅔(R³ − r³) sin(β/2), ∫ρ² cos²φ dA = (R⁴ − r⁴)(β ± sin β)/8.
    pub fn piece<S: Dimension>(&self, straight: &Centred<S>, i: usize, n: usize) -> Centred<S> {
        let (r, outer) = (self.radius, self.radius + self.thickness);
        let beta = 2.0 * self.half_angle / n as f64;
        let area = 0.5 * beta * (outer * outer - r * r);
        let out = 2.0 / 3.0 * (outer.powi(3) - r.powi(3)) * (0.5 * beta).sin() / area;
        let fourth = (outer.powi(4) - r.powi(4)) / 8.0;
        let (along, aside) = (fourth * (beta + beta.sin()) - area * out * out, fourth * (beta - beta.sin()));
        // middle of the piece, from the vertical
        let angle = ((2 * i + 1) as f64 / n as f64 - 1.0) * self.half_angle;
        let (sin, cos) = angle.sin_cos();
        let moments =
            [along * sin * sin + aside * cos * cos, (along - aside) * sin * cos, along * cos * cos + aside * sin * sin];
        let centroid = S::at(out * sin, 0.0, out * cos - self.radius * self.half_angle.cos());
        let shape = Arc::new(straight.shape.translated(straight.centroid - centroid));
        let volume = Some(if S::DIM == 2 { area } else { area * self.width });
        Centred { shape, centroid, volume, inertia: S::prism_inertia(area, moments, self.width) }
    }
}

/// The shape from the given keys.
fn form(keys: &Arch, site: &Site<'_>) -> Result<ArchForm, SceneError> {
    let length = |key: &str, value: Option<f64>| value.map(|v| site.length(key, v)).transpose();
    let (span, radius, rise) = (length("span", keys.span)?, length("radius", keys.radius)?, length("rise", keys.rise)?);
    let embrace = |min: f64, max: f64| match keys.embrace_deg {
        Some(degrees) => {
            let place = site.place.key("embrace_deg");
            Ok(Some(site.check.between(&place, "`embrace_deg`", degrees, min, max)?.to_radians()))
        }
        None => Ok::<_, SceneError>(None),
    };
    let unused = |key: &str, kind: &str| Err(site.error(key, format!("`{key}` has no meaning for a {kind} arch")));
    match keys.kind {
        ArchKind::Semicircular => {
            let angle = embrace(1.0, 270.0)?.unwrap_or(PI);
            match (span, radius, rise) {
                (_, _, Some(_)) => {
                    Err(site.error("rise", "a semicircular arch has no `rise`; use kind = \"segmental\""))
                }
                (None, Some(radius), None) => Ok(ArchForm::Circular { radius, half_angle: angle / 2.0 }),
                (Some(span), None, None) => circular(site, Some(span), None, None, Some(angle)),
                (Some(_), Some(_), None) => Err(site.error("span", "`span` and `radius` are redundant; keep one")),
                (None, None, None) => Err(site.error("generator", "an arch needs `span` or `radius`")),
            }
        }
        ArchKind::Segmental => circular(site, span, radius, rise, embrace(1.0, 270.0)?),
        ArchKind::Pointed => {
            if keys.embrace_deg.is_some() {
                return unused("embrace_deg", "pointed");
            }
            let Some(span) = span else {
                return Err(site.error("generator", "a pointed arch needs `span`"));
            };
            let radius = match (radius, rise) {
                (None, None) => span,
                (Some(radius), None) => radius,
                // (R − a)² + f² = R² with a = span/2
                (None, Some(f)) => (span * span / 4.0 + f * f) / span,
                (Some(_), Some(_)) => return Err(site.error("rise", "give `radius` or `rise`, not both")),
            };
            if radius < span / 2.0 * (1.0 - 1e-12) {
                let key = if keys.rise.is_some() { "rise" } else { "radius" };
                return Err(site.error(key, "a pointed arch is at least as high as a half circle over its span"));
            }
            Ok(ArchForm::Pointed { span, radius: radius.max(span / 2.0) })
        }
        ArchKind::Parabolic | ArchKind::ThreeCentred => curved_form(keys, site, [span, radius, rise]),
        ArchKind::Flat => {
            if radius.is_some() || rise.is_some() {
                return unused(if radius.is_some() { "radius" } else { "rise" }, "flat");
            }
            let Some(span) = span else {
                return Err(site.error("generator", "a flat arch needs `span`"));
            };
            let angle = embrace(0.0, 150.0)?.unwrap_or(FLAT_EMBRACE_DEG.to_radians());
            Ok(ArchForm::Flat { span, half_angle: angle / 2.0 })
        }
    }
}

/// A parabola, or an arch of three arcs.
fn curved_form(
    keys: &Arch,
    site: &Site<'_>,
    [span, radius, rise]: [Option<f64>; 3],
) -> Result<ArchForm, SceneError> {
    let (Some(span), Some(rise)) = (span, rise) else {
        return Err(site.error("generator", "a parabolic or three-centred arch needs `span` and `rise`"));
    };
    if keys.embrace_deg.is_some() {
        return Err(site.error("embrace_deg", "`embrace_deg` has no meaning for an arch of this kind"));
    }
    if keys.kind == ArchKind::Parabolic {
        return match radius {
            None => Ok(ArchForm::Parabolic { span, rise }),
            Some(_) => Err(site.error("radius", "`radius` has no meaning for a parabolic arch")),
        };
    }
    // side arcs of 60°: b − r = (2 − √3)(a − r)
    let (half, slope) = (span / 2.0, 2.0 - 3f64.sqrt());
    let side = radius.unwrap_or((rise - slope * half) / (1.0 - slope));
    if !(side > 0.0 && side < rise && side < half && rise < half) {
        let message = format!(
            "side arcs of radius {side:.3} m do not fit: the radius must be less than the rise {rise} m, and the rise less \
             than half of the span"
        );
        return Err(site.error(if radius.is_some() { "radius" } else { "rise" }, message));
    }
    Ok(ArchForm::ThreeCentred { span, rise, side })
}

/// A circular arc from two of its four parameters.
fn circular(
    site: &Site<'_>,
    span: Option<f64>,
    radius: Option<f64>,
    rise: Option<f64>,
    angle: Option<f64>,
) -> Result<ArchForm, SceneError> {
    let half = angle.map(|angle| angle / 2.0);
    let (radius, half_angle) = match (span.map(|s| s / 2.0), radius, rise, half) {
        (Some(a), None, None, Some(half)) => (a / half.sin(), half),
        (Some(a), None, Some(f), None) => ((a * a + f * f) / (2.0 * f), 2.0 * (f / a).atan()),
        (Some(a), Some(r), None, None) if a <= r => (r, (a / r).asin()),
        (Some(_), Some(r), None, None) => {
            return Err(site.error("span", format!("the span is more than twice the radius {r} m")));
        }
        (None, Some(r), None, Some(half)) => (r, half),
        (None, Some(r), Some(f), None) if f < 2.0 * r => (r, (1.0 - f / r).acos()),
        (None, Some(_), Some(_), None) => return Err(site.error("rise", "the rise is more than twice the radius")),
        (None, None, Some(f), Some(half)) => (f / (1.0 - half.cos()), half),
        _ => {
            let message = "a segmental arch needs exactly two of `span`, `radius`, `rise`, `embrace_deg`";
            return Err(site.error("generator", message));
        }
    };
    if half_angle > 135f64.to_radians() + 1e-9 {
        return Err(site.error("rise", "the angle of embrace is more than 270 degrees"));
    }
    site.check.length(&site.place.key("generator"), "the inner radius", radius)?;
    Ok(ArchForm::Circular { radius, half_angle })
}
