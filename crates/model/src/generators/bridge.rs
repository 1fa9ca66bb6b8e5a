//! Bridges of any number of spans: rings, piers, abutments, backing, spandrel masonry.
//!
//! The section is made from left to right. Ring k has the springing joints (inner and outer point) from which the
//! abutments and the saddles of the piers continue, so that all joints are closed. The line of outer points over
//! abutments, rings and saddles is the *profile*: backing raises it to its level, spandrel masonry fills the space
//! between it and the road.

use voussoir_geometry::glam::DVec2;

use super::arch_form::{ArchForm, JointLine};
use super::section::{SectionStone, area, courses, height, is_convex, left_of, rectangle};
use super::{Site, arch, spandrel};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::Piece;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::bridge::{Bridge, BridgePier, BridgeSpan};
use crate::scene::generated::{Arch, ArchKind};

/// Width of the support below a pier, relative to its foot.
const FOUNDATION: f64 = 1.5;

/// Number of bodies without the spandrel masonry, whose stones are counted when they are cut.
pub fn count(keys: &Bridge) -> u64 {
    let voussoirs = keys.spans.iter().fold(0u64, |sum, span| sum.saturating_add(span.voussoirs.saturating_mul(2)));
    let piers = keys.piers.iter().fold(0u64, |sum, pier| sum.saturating_add(pier.courses.unwrap_or(1)));
    let piers = piers.saturating_mul(if keys.piers.len() == 1 { keys.spans.len() as u64 } else { 1 });
    let abutments = keys.abutments.as_ref().and_then(|abutments| abutments.courses).unwrap_or(1);
    voussoirs.saturating_add(piers).saturating_add(abutments.saturating_mul(2)).saturating_add(4 * keys.spans.len() as u64 + 4)
}

/// Makes a bridge.
pub fn generate<S: Dimension>(keys: &Bridge, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let width = site.across::<S>("width", keys.width)?;
    let rings = rings(keys, site)?;
    let road = road(keys, site)?;
    let mut stones = Vec::new();
    for (k, ring) in rings.iter().enumerate() {
        for (i, pair) in ring.windows(2).enumerate() {
            let outline = vec![pair[0].inner, pair[1].inner, pair[1].outer, pair[0].outer];
            stones.push(SectionStone::free(format!("span[{k}].voussoir[{i}]"), "voussoirs", outline));
        }
    }
    for (k, pair) in rings.windows(2).enumerate() {
        let base = keys.spans[k].springing.min(keys.spans[k + 1].springing);
        pier(pier_keys(keys, k), site, k, [last(&pair[0]), pair[1][0]], base, &mut stones)?;
    }
    let (first, end) = (rings[0][0], last(&rings[rings.len() - 1]));
    let ends = abutments(keys, site, [first, end], &road, &mut stones)?;
    let mut profile: Vec<DVec2> = vec![ends[0]];
    profile.extend(rings.iter().flatten().map(|joint| joint.outer));
    profile.push(ends[1]);
    profile.dedup_by(|b, a| (*b - *a).abs().max_element() <= 1e-12);
    if let Some(i) = profile.windows(2).position(|pair| pair[1].x < pair[0].x) {
        let message = format!("the extrados overhangs at x = {:.3} m: rings of more than 180 degrees, or a pier that is too narrow", profile[i].x);
        return Err(site.error("spans", message));
    }
    if let Some(level) = keys.backing {
        let level = site.check.finite(&site.place.key("backing"), "`backing`", level)?;
        profile = backing(site, level, &profile, &mut stones)?;
    }
    if let Some(road) = &road {
        clear(site, road, &profile)?;
    }
    let mut pieces = stones.iter().map(|stone| stone.piece(site, width, 0.0)).collect::<Result<Vec<_>, _>>()?;
    if let Some(spandrel) = &keys.spandrel {
        let Some(road) = &road else {
            return Err(site.error("spandrel", "spandrel masonry reaches up to the `road`, which is missing"));
        };
        pieces.extend(spandrel::pieces::<S>(spandrel, site, &profile, road, width)?);
    }
    Ok(pieces)
}

/// The last joint of a ring.
fn last(ring: &[JointLine]) -> JointLine {
    ring[ring.len() - 1]
}

/// The keys of pier k.
fn pier_keys(keys: &Bridge, k: usize) -> &BridgePier {
    if keys.piers.len() == 1 { &keys.piers[0] } else { &keys.piers[k] }
}

/// The joints of all rings, in the axes of the bridge.
fn rings(keys: &Bridge, site: &Site<'_>) -> Result<Vec<Vec<JointLine>>, SceneError> {
    let count = keys.spans.len();
    if count == 0 {
        return Err(site.error("spans", "a bridge needs at least one span"));
    }
    if keys.piers.len() > 1 && keys.piers.len() + 1 != count || keys.piers.is_empty() && count > 1 {
        let message = format!("{count} spans need {} piers; `piers` has {} tables", count - 1, keys.piers.len());
        return Err(site.error("piers", message));
    }
    let list = site.place.key("spans");
    let mut rings = Vec::with_capacity(count);
    let mut x = 0.0;
    for (k, span) in keys.spans.iter().enumerate() {
        let ring = ring(span, site, &list.index(k))?;
        let half = -ring[0].inner.x;
        let to = DVec2::new(x + half, span.springing);
        rings.push(ring.into_iter().map(|joint| JointLine { inner: joint.inner + to, outer: joint.outer + to }).collect::<Vec<_>>());
        x += 2.0 * half + if k + 1 < count { pier_keys(keys, k).width } else { 0.0 };
    }
    let shift = DVec2::new(0.5 * x, 0.0);
    let moved = |joint: &JointLine| JointLine { inner: joint.inner - shift, outer: joint.outer - shift };
    Ok(rings.iter().map(|ring: &Vec<JointLine>| ring.iter().map(moved).collect()).collect())
}

/// The joints of one ring, origin between its inner springing points.
fn ring(keys: &BridgeSpan, site: &Site<'_>, place: &Place<'_>) -> Result<Vec<JointLine>, SceneError> {
    let site = Site { place, ..*site };
    site.check.finite(&place.key("springing"), "`springing`", keys.springing)?;
    let thickness = site.length("thickness", keys.thickness)?;
    let arch = Arch {
        kind: keys.kind,
        span: keys.span,
        radius: keys.radius,
        rise: keys.rise,
        embrace_deg: keys.embrace_deg,
        thickness,
        width: None,
        voussoirs: keys.voussoirs,
        curved: false,
    };
    let (form, n) = arch::form_and_count(&arch, &site)?;
    if matches!(form, ArchForm::Circular { half_angle, .. } if half_angle > std::f64::consts::FRAC_PI_2 + 1e-9) {
        let key = if keys.kind == ArchKind::Segmental { "kind" } else { "embrace_deg" };
        return Err(site.error(key, "the rings of a bridge have an angle of embrace of at most 180 degrees"));
    }
    let mut joints = form.joints(n, thickness);
    // the springing joints of a half circle are level
    for end in [0, n] {
        let joint = &mut joints[end];
        if (joint.outer.y - joint.inner.y).abs() < 1e-12 * thickness {
            joint.outer.y = joint.inner.y;
        }
    }
    Ok(joints)
}

/// The road from left to right.
fn road(keys: &Bridge, site: &Site<'_>) -> Result<Option<Vec<DVec2>>, SceneError> {
    let points: Vec<DVec2> = keys.road.iter().map(|point| DVec2::from_array(point.0)).collect();
    if points.is_empty() {
        return Ok(None);
    }
    if points.iter().any(|point| !point.is_finite()) || points.windows(2).any(|pair| pair[1].x <= pair[0].x) {
        return Err(site.error("road", "the points of the road run from left to right, each [x, level] in metres"));
    }
    Ok(Some(points))
}

/// The road lies above the profile.
fn clear(site: &Site<'_>, road: &[DVec2], profile: &[DVec2]) -> Result<(), SceneError> {
    let at_road = road.iter().filter(|p| (profile[0].x..=profile[profile.len() - 1].x).contains(&p.x));
    let below = at_road.map(|p| (p.x, p.y - height(profile, p.x)));
    let lowest = profile.iter().map(|p| (p.x, height(road, p.x) - p.y)).chain(below).min_by(|a, b| a.1.total_cmp(&b.1));
    match lowest {
        Some((x, cover)) if cover < -1e-9 => {
            Err(site.error("road", format!("the road lies {:.3} m below the masonry at x = {x:.3} m", -cover)))
        }
        _ => Ok(()),
    }
}

/// A pier with its saddle between the springing joints of two rings.
fn pier(
    keys: &BridgePier,
    site: &Site<'_>,
    k: usize,
    [left, right]: [JointLine; 2],
    base: f64,
    stones: &mut Vec<SectionStone>,
) -> Result<(), SceneError> {
    let list = site.place.key("piers");
    let place = list.index(k);
    let site = Site { place: &place, ..*site };
    let (width, tall) = (site.length("width", keys.width)?, site.length("height", keys.height)?);
    let foot = keys.foot.map(|foot| site.length("foot", foot)).transpose()?.unwrap_or(width);
    let layers = site.check.count(&place.key("courses"), "`courses`", keys.courses.unwrap_or(1), 1, MOST_BODIES)?;
    let least = (left.outer.x - left.inner.x) + (right.inner.x - right.outer.x);
    if left.outer.x > right.outer.x + 1e-12 * width {
        return Err(site.error("width", format!("the rings overlap above the pier: it must be at least {least:.3} m wide")));
    }
    let middle = 0.5 * (left.inner.x + right.inner.x);
    let bottom = base - tall;
    let (half, half_foot) = (0.5 * width, 0.5 * foot);
    let ground = rectangle(
        DVec2::new(middle - FOUNDATION * half_foot, bottom - 0.5 * foot),
        DVec2::new(middle + FOUNDATION * half_foot, bottom),
    );
    stones.push(SectionStone::support(format!("pier[{k}].ground"), "ground", ground));
    let body = courses(layers, [bottom, base], [middle - half_foot, middle + half_foot], [middle - half, middle + half]);
    stones.extend(body.into_iter().enumerate().map(|(j, outline)| {
        SectionStone::free(format!("pier[{k}].block[{j}]"), "piers", outline)
    }));
    let whole = saddle(left, right, base);
    if area(&whole) <= 1e-9 * width * width {
        return Ok(());
    }
    if is_convex(&whole) {
        stones.push(SectionStone::free(format!("pier[{k}].saddle"), "piers", whole));
        return Ok(());
    }
    // joints of different slopes: one stone up to the lower outer point, another one above
    let level = left.outer.y.min(right.outer.y);
    let line = [DVec2::new(left.inner.x, level), DVec2::new(right.inner.x, level)];
    let parts = [left_of(&whole, line[1], line[0]), left_of(&whole, line[0], line[1])];
    for (name, part) in ["saddle", "cap"].into_iter().zip(parts) {
        if !is_convex(&part) || area(&part) <= 0.0 {
            let message = "the stones between the two rings would not be convex; choose springings closer to each other";
            return Err(site.error("width", message));
        }
        stones.push(SectionStone::free(format!("pier[{k}].{name}"), "piers", part));
    }
    Ok(())
}

/// Outline of the stone between two springing joints above the level `base`, counter-clockwise.
fn saddle(left: JointLine, right: JointLine, base: f64) -> Vec<DVec2> {
    let mut corners = Vec::with_capacity(6);
    // a level joint on the base is no side of the stone
    let level = |joint: JointLine| joint.inner.y == base && joint.outer.y <= base;
    if !level(left) {
        corners.push(DVec2::new(left.inner.x, base));
    }
    if !level(right) {
        corners.push(DVec2::new(right.inner.x, base));
        corners.push(right.inner);
    }
    corners.extend([right.outer, left.outer]);
    if !level(left) {
        corners.push(left.inner);
    }
    corners.dedup_by(|b, a| b.distance(*a) < 1e-12);
    while corners.len() > 1 && corners[0].distance(corners[corners.len() - 1]) < 1e-12 {
        corners.pop();
    }
    corners
}

/// Abutments, or springers; returns the ends of the profile.
fn abutments(
    keys: &Bridge,
    site: &Site<'_>,
    joints: [JointLine; 2],
    road: &Option<Vec<DVec2>>,
    stones: &mut Vec<SectionStone>,
) -> Result<[DVec2; 2], SceneError> {
    let thickness = [keys.spans[0].thickness, keys.spans[keys.spans.len() - 1].thickness];
    let Some(abutments) = &keys.abutments else {
        for (i, outline) in [
            [joints[0].behind(thickness[0]), joints[0]],
            [joints[1], joints[1].beyond(thickness[1])],
        ]
        .iter()
        .map(|[left, right]| vec![left.inner, right.inner, right.outer, left.outer])
        .enumerate()
        {
            stones.push(SectionStone::support(format!("springer[{i}]"), "springers", outline));
        }
        return Ok(joints.map(|joint| joint.outer));
    };
    let place = site.place.key("abutments");
    let site = Site { place: &place, ..*site };
    let length = site.length("length", abutments.length)?;
    let mut ends = [DVec2::ZERO; 2];
    for (i, joint) in joints.into_iter().enumerate() {
        let tall = abutments.height.map_or(Ok(thickness[i]), |height| site.length("height", height))?;
        let outward = if i == 0 { -1.0 } else { 1.0 };
        let end = DVec2::new(joint.outer.x + outward * length, joint.outer.y);
        ends[i] = end;
        let (base, bottom) = (joint.inner.y, joint.inner.y - tall);
        let ordered = |mut outline: Vec<DVec2>| {
            outline.dedup_by(|b, a| b.distance(*a) < 1e-12);
            if i == 0 {
                outline.reverse();
            }
            outline
        };
        let sides = if i == 0 { [end.x, joint.inner.x] } else { [joint.inner.x, end.x] };
        match abutments.courses {
            None => {
                let corners = vec![DVec2::new(joint.inner.x, bottom), DVec2::new(end.x, bottom), end, joint.outer, joint.inner];
                let corners = if end.y > base { corners } else { vec![corners[0], corners[1], end, joint.inner] };
                stones.push(SectionStone::support(format!("abutment[{i}]"), "abutments", ordered(corners)));
            }
            Some(layers) => {
                let layers = site.check.count(&place.key("courses"), "`courses`", layers, 1, MOST_BODIES)?;
                let ground = rectangle(DVec2::new(sides[0], bottom - 0.5 * length), DVec2::new(sides[1], bottom));
                stones.push(SectionStone::support(format!("abutment[{i}].ground"), "ground", ground));
                for (j, outline) in courses(layers, [bottom, base], sides, sides).into_iter().enumerate() {
                    stones.push(SectionStone::free(format!("abutment[{i}].block[{j}]"), "abutments", outline));
                }
                if end.y > base {
                    let outline = ordered(vec![joint.inner, DVec2::new(end.x, base), end, joint.outer]);
                    stones.push(SectionStone::free(format!("abutment[{i}].skewback"), "abutments", outline));
                }
            }
        }
        if let Some(wall) = abutments.wall {
            let wall = site.length("wall", wall)?;
            let Some(road) = road else {
                return Err(site.error("wall", "the wall rises to the `road`, which is missing"));
            };
            let beyond = end.x + outward * wall;
            let outline = rectangle(
                DVec2::new(end.x.min(beyond), bottom),
                DVec2::new(end.x.max(beyond), height(road, end.x)),
            );
            stones.push(SectionStone::support(format!("abutment[{i}].wall"), "walls", outline));
        }
    }
    Ok(ends)
}

/// Blocks between the profile and a level; returns the profile on top of them.
fn backing(
    site: &Site<'_>,
    level: f64,
    profile: &[DVec2],
    stones: &mut Vec<SectionStone>,
) -> Result<Vec<DVec2>, SceneError> {
    let mut raised = vec![profile[0]];
    let mut made = 0;
    for pair in profile.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if a.y.max(b.y) >= level - 1e-9 || b.x - a.x < 1e-9 {
            raised.push(b);
            continue;
        }
        let outline = vec![a, b, DVec2::new(b.x, level), DVec2::new(a.x, level)];
        stones.push(SectionStone::free(format!("backing[{made}]"), "backing", outline));
        made += 1;
        raised.extend([DVec2::new(a.x, level), DVec2::new(b.x, level), b]);
    }
    if made == 0 {
        let lowest = profile.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let message = format!("no part of the extrados lies below the level {level} m; the lowest point is at {lowest:.3} m");
        return Err(site.error("backing", message));
    }
    Ok(simplified(raised))
}

/// Omits points at which a line goes down and up again at the same x.
fn simplified(line: Vec<DVec2>) -> Vec<DVec2> {
    let mut out: Vec<DVec2> = Vec::with_capacity(line.len());
    for p in line {
        while let [.., a, b] = out[..]
            && a.x == b.x
            && b.x == p.x
        {
            let between = (a.y.min(p.y)..=a.y.max(p.y)).contains(&b.y) || b.y < a.y.min(p.y);
            if !between {
                break;
            }
            out.pop();
        }
        if out.last() != Some(&p) {
            out.push(p);
        }
    }
    // the first point of a raised line is below its second one
    while let [a, b, ..] = out[..]
        && a.x == b.x
        && b.y > a.y
    {
        out.remove(0);
    }
    while let [.., a, b] = out[..]
        && a.x == b.x
        && a.y > b.y
    {
        out.pop();
    }
    out
}
