//! Spandrel masonry: courses between a profile and a road, in running bond, every stone convex.
//!
//! A course is cut at the corners of the profile and of the road that lie in it, and at the head joints of its bond.
//! Between two cuts the course is bounded by one side of the profile below and by one side of the road above: max(bed,
//! profile) is convex and min(bed, road) concave, so every stone is convex.

use voussoir_geometry::glam::DVec2;

use super::Site;
use super::section::{SectionStone, area, height, left_of, rectangle};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::Piece;
use crate::error::SceneError;
use crate::scene::bridge::BridgeSpandrel;

/// Stones smaller than this fraction of a whole stone are omitted.
const LEAST_STONE: f64 = 0.01;
/// Head joints are at least this share of a stone away from a cut.
const LEAST_PIECE: f64 = 0.25;

/// The stones of spandrel masonry; in 3D walls at both faces of a bridge of this width.
pub(super) fn pieces<S: Dimension>(
    keys: &BridgeSpandrel,
    site: &Site<'_>,
    profile: &[DVec2],
    road: &[DVec2],
    width: f64,
) -> Result<Vec<Piece<S>>, SceneError> {
    let place = site.place.key("spandrel");
    let site = Site { place: &place, ..*site };
    let (course, brick) = (site.length("course", keys.course)?, site.length("brick", keys.brick)?);
    let thickness = site.across::<S>("thickness", keys.thickness)?;
    if S::DIM == 3 && 2.0 * thickness > width {
        return Err(site.error("thickness", format!("two walls of {thickness} m are wider than the bridge, {width} m")));
    }
    let length = profile[profile.len() - 1].x - profile[0].x;
    let (stones, left_out) = stones(profile, road, [course, brick], |courses| {
        let bricks = courses * (length / brick + profile.len() as f64 + 4.0);
        if bricks > MOST_BODIES as f64 {
            return Err(site.error("course", format!("more than {MOST_BODIES} stones")));
        }
        Ok(())
    })?;
    if left_out > 0 {
        site.note(format!(
            "{left_out} pieces of less than {} % of a stone were omitted from the spandrel",
            100.0 * LEAST_STONE
        ));
    }
    if S::DIM == 2 {
        return stones.iter().map(|stone| named(stone, "spandrel").piece(&site, thickness, 0.0)).collect();
    }
    let mut pieces = Vec::with_capacity(2 * stones.len());
    for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
        let middle = sign * 0.5 * (width - thickness);
        for stone in &stones {
            pieces.push(named(stone, &format!("spandrel[{side}]")).piece(&site, thickness, middle)?);
        }
    }
    Ok(pieces)
}

/// A stone of course j with its outline.
type Stone = (usize, usize, Vec<DVec2>);

fn named((course, brick, outline): &Stone, wall: &str) -> SectionStone {
    SectionStone::free(format!("{wall}.course[{course}].brick[{brick}]"), "spandrel", outline.clone())
}

/// The stones, and the number of those that are too small.
fn stones(
    profile: &[DVec2],
    road: &[DVec2],
    [course, brick]: [f64; 2],
    allowed: impl Fn(f64) -> Result<(), SceneError>,
) -> Result<(Vec<Stone>, usize), SceneError> {
    let [from, to] = [profile[0].x, profile[profile.len() - 1].x];
    let base = profile.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let on_road = [from, to].map(|x| height(road, x)).into_iter();
    let inside = road.iter().filter(|p| p.x > from && p.x < to).map(|p| p.y);
    let top = on_road.chain(inside).fold(f64::NEG_INFINITY, f64::max);
    let courses = ((top - base) / course - 1e-9).ceil().max(0.0);
    allowed(courses)?;
    let mut stones = Vec::new();
    let mut left_out = 0;
    for j in 0..courses as usize {
        let band = [base + j as f64 * course, base + (j + 1) as f64 * course];
        let mut i = 0;
        for pair in cuts(profile, road, band, j, brick).windows(2) {
            let outline = stone(profile, road, band, [pair[0], pair[1]]);
            let share = area(&outline) / (course * brick);
            if share >= LEAST_STONE {
                stones.push((j, i, outline));
                i += 1;
            } else if share > 1e-9 {
                left_out += 1;
            }
        }
    }
    Ok((stones, left_out))
}

/// Abscissas at which a course is cut, from left to right.
fn cuts(profile: &[DVec2], road: &[DVec2], [low, high]: [f64; 2], j: usize, brick: f64) -> Vec<f64> {
    let [from, to] = [profile[0].x, profile[profile.len() - 1].x];
    let near = 1e-9 * brick;
    let mut cuts = vec![from, to];
    for pair in profile.windows(2).filter(|pair| pair[0].y.max(pair[1].y) > low + near) {
        cuts.extend([pair[0].x, pair[1].x]);
    }
    for pair in road.windows(2).filter(|pair| pair[0].y.min(pair[1].y) < high - near) {
        cuts.extend([pair[0].x, pair[1].x]);
    }
    cuts.extend([road[0], road[road.len() - 1]].iter().filter(|end| end.y < high - near).map(|end| end.x));
    cuts.retain(|x| (from..=to).contains(x));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|b, a| *b - *a <= near);
    // running bond from the middle
    let shift = if j % 2 == 1 { 0.5 } else { 0.0 };
    let reach = [(from / brick).floor() as i64 - 1, (to / brick).ceil() as i64 + 1];
    let heads = (reach[0]..=reach[1]).map(|k| (k as f64 + shift) * brick);
    let free = |x: &f64| (from..to).contains(x) && cuts.iter().all(|cut| (cut - x).abs() >= LEAST_PIECE * brick);
    let heads: Vec<f64> = heads.filter(free).collect();
    cuts.extend(heads);
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// The part of a rectangle between profile and road, between two cuts. A side that ends between the cuts lies outside
/// of the course.
fn stone(profile: &[DVec2], road: &[DVec2], [low, high]: [f64; 2], [a, b]: [f64; 2]) -> Vec<DVec2> {
    let near = 1e-6 * (b - a);
    let side = |line: &[DVec2]| {
        line.windows(2).map(|pair| [pair[0], pair[1]]).find(|[p, q]| p.x <= a + near && b - near <= q.x && p.x < q.x)
    };
    let mut outline = rectangle(DVec2::new(a, low), DVec2::new(b, high));
    if let Some([p, q]) = side(profile) {
        outline = left_of(&outline, p, q);
    }
    let ends = [road[0], road[road.len() - 1]];
    if let Some([p, q]) = side(road) {
        outline = left_of(&outline, q, p);
    } else if b <= ends[0].x + near || a >= ends[1].x - near {
        let level = if b <= ends[0].x + near { ends[0].y } else { ends[1].y };
        outline = left_of(&outline, DVec2::new(b, level), DVec2::new(a, level));
    }
    outline
}
