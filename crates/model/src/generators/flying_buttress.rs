//! Flying buttresses: the left half of an arch between a pier and a wall.
//!
//! The head joint at the wall is vertical, in the plane x = 0 of the wall. The springing joint ends at the inner face of the
//! pier; a skewback continues the pier behind it, and the pinnacle stands on the skewback. The coping fills the space between
//! the extrados and a straight line.

use voussoir_geometry::glam::DVec2;

use super::arch_form::{ArchForm, JointLine};
use super::section::{SectionStone, courses, is_convex, rectangle};
use super::{Site, arch};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::Piece;
use crate::error::SceneError;
use crate::scene::bridge::FlyingButtress;
use crate::scene::generated::{Arch, ArchKind};

/// Number of bodies.
pub fn count(keys: &FlyingButtress) -> u64 {
    let coping = if keys.coping.is_some() { keys.voussoirs } else { 0 };
    let courses = keys.courses.unwrap_or(1).saturating_add(keys.pinnacle_courses.unwrap_or(1));
    keys.voussoirs.saturating_add(coping).saturating_add(courses).saturating_add(3)
}

/// Makes a flying buttress.
pub fn generate<S: Dimension>(keys: &FlyingButtress, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let width = site.across::<S>("width", keys.width)?;
    let joints = joints(keys, site)?;
    let mut stones = Vec::new();
    for (i, pair) in joints.windows(2).enumerate() {
        let outline = vec![pair[0].inner, pair[1].inner, pair[1].outer, pair[0].outer];
        stones.push(SectionStone::free(format!("voussoir[{i}]"), "voussoirs", outline));
    }
    let mut top = joints[joints.len() - 1].outer.y;
    if let Some(heights) = &keys.coping {
        top += heights.0[1];
        coping(heights.0, site, &joints, &mut stones)?;
    }
    pier(keys, site, joints[0], &mut stones)?;
    // the wall reaches a thickness beyond the joint, up and down
    let thickness = keys.thickness;
    let low = joints[joints.len() - 1].inner.y - thickness;
    let wall = rectangle(DVec2::new(0.0, low), DVec2::new(thickness, top + thickness));
    stones.push(SectionStone::support("wall".into(), "wall", wall));
    stones.iter().map(|stone| stone.piece(site, width, 0.0)).collect()
}

/// The joints from the pier to the wall.
fn joints(keys: &FlyingButtress, site: &Site<'_>) -> Result<Vec<JointLine>, SceneError> {
    let (span, thickness) = (site.length("span", keys.span)?, site.length("thickness", keys.thickness)?);
    let n = site.check.count(&site.place.key("voussoirs"), "`voussoirs`", keys.voussoirs, 1, MOST_BODIES / 2)?;
    if keys.kind == ArchKind::Flat {
        return Err(site.error("kind", "a flying buttress is half of a curved arch"));
    }
    let whole = Arch {
        kind: keys.kind,
        span: Some(2.0 * span),
        radius: None,
        rise: keys.rise,
        embrace_deg: None,
        thickness,
        width: None,
        voussoirs: 2 * n as u64,
        curved: false,
    };
    let (form, _) = arch::form_and_count(&whole, site)?;
    if matches!(form, ArchForm::Circular { half_angle, .. } if half_angle > std::f64::consts::FRAC_PI_2 + 1e-9) {
        return Err(site.error("rise", "the rise is at most the span"));
    }
    let mut joints = form.joints(2 * n, thickness);
    joints.truncate(n + 1);
    Ok(joints)
}

/// Stones with vertical joints between the extrados and a straight line.
fn coping(
    heights: [f64; 2],
    site: &Site<'_>,
    joints: &[JointLine],
    stones: &mut Vec<SectionStone>,
) -> Result<(), SceneError> {
    let place = site.place.key("coping");
    for (i, height) in heights.into_iter().enumerate() {
        site.check.not_negative(&place.index(i), "`coping`", height)?;
    }
    let (first, last) = (joints[0].outer, joints[joints.len() - 1].outer);
    let ends = [first + DVec2::new(0.0, heights[0]), last + DVec2::new(0.0, heights[1])];
    let line = |x: f64| ends[0].y + (ends[1].y - ends[0].y) * ((x - ends[0].x) / (ends[1].x - ends[0].x));
    for (i, pair) in joints.windows(2).enumerate() {
        let (a, b) = (pair[0].outer, pair[1].outer);
        let above = [line(a.x) - a.y, line(b.x) - b.y];
        if above[0].min(above[1]) < -1e-9 {
            let message = format!("the straight coping would cut the extrados at x = {:.3} m by {:.3} m; raise its end at the pier", b.x, -above[0].min(above[1]));
            return Err(site.error("coping", message));
        }
        let mut outline = vec![a, b, DVec2::new(b.x, line(b.x)), DVec2::new(a.x, line(a.x))];
        outline.dedup_by(|q, p| q.distance(*p) < 1e-9);
        if outline.len() > 2 && outline[0].distance(outline[outline.len() - 1]) < 1e-9 {
            outline.pop();
        }
        if outline.len() > 2 {
            stones.push(SectionStone::free(format!("coping[{i}]"), "coping", outline));
        }
    }
    Ok(())
}

/// Pier, skewback and pinnacle on the ground.
fn pier(keys: &FlyingButtress, site: &Site<'_>, joint: JointLine, stones: &mut Vec<SectionStone>) -> Result<(), SceneError> {
    let (width, tall) = (site.length("pier_width", keys.pier_width)?, site.length("pier_height", keys.pier_height)?);
    let layers = site.check.count(&site.place.key("courses"), "`courses`", keys.courses.unwrap_or(1), 1, MOST_BODIES)?;
    let inner = joint.inner;
    let outer = inner.x - width;
    if joint.outer.x < outer + 1e-9 {
        let message = format!("the ring is wider than the pier: it needs more than {:.3} m", inner.x - joint.outer.x);
        return Err(site.error("pier_width", message));
    }
    let bottom = inner.y - tall;
    let ground = rectangle(DVec2::new(outer - 0.5 * width, bottom - 0.5 * width), DVec2::new(inner.x + 0.5 * width, bottom));
    stones.push(SectionStone::support("ground".into(), "ground", ground));
    let sides = [outer, inner.x];
    for (j, outline) in courses(layers, [bottom, inner.y], sides, sides).into_iter().enumerate() {
        stones.push(SectionStone::free(format!("pier.block[{j}]"), "pier", outline));
    }
    let top = joint.outer.y;
    if top - inner.y > 1e-9 {
        let outline = vec![DVec2::new(outer, inner.y), inner, joint.outer, DVec2::new(outer, top)];
        debug_assert!(is_convex(&outline), "the springing joint leans back over the pier");
        stones.push(SectionStone::free("pier.skewback".into(), "pier", outline));
    }
    if let Some(height) = keys.pinnacle {
        let height = site.length("pinnacle", height)?;
        let layers = keys.pinnacle_courses.unwrap_or(1);
        let layers = site.check.count(&site.place.key("pinnacle_courses"), "`pinnacle_courses`", layers, 1, MOST_BODIES)?;
        let sides = [outer, joint.outer.x];
        for (j, outline) in courses(layers, [top, top + height], sides, sides).into_iter().enumerate() {
            stones.push(SectionStone::free(format!("pier.pinnacle[{j}]"), "pier", outline));
        }
    }
    Ok(())
}
