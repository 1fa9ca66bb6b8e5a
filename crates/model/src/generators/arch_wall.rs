//! A semicircular arch in a wall of running bond: `voussoir[i]`, `course[j].brick[i]`, supports `springer[0..1]`.
//!
//! The extrados is the polygon of the voussoirs' outer corners, z = h(x). A brick is its rectangle without what lies
//! below h; cut into vertical strips at the corners of h and where h crosses its edges it falls into convex parts,
//! which form one rigid body. The ends of the wall outside the arch stand on the springers, which are that wide.

use std::f64::consts::FRAC_PI_2;

use voussoir_geometry::Pose;
use voussoir_geometry::glam::DVec2;

use super::Site;
use super::arch_form::ArchForm;
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::ArchWall;

/// A brick of which less than this fraction remains is merged with its neighbour.
const LEAST_BRICK: f64 = 0.3;

/// Upper bound of the number of bodies; the exact number is known after the bricks have been cut.
pub fn count(keys: &ArchWall) -> u64 {
    let in_course = (keys.length / keys.brick).ceil() + 2.0;
    let bricks = keys.courses as f64 * in_course;
    let bricks = if bricks < MOST_BODIES as f64 { bricks as u64 } else { MOST_BODIES };
    keys.voussoirs.saturating_add(2).saturating_add(bricks)
}

/// Makes an arch in a wall.
pub fn generate<S: Dimension>(keys: &ArchWall, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let n = site.check.count(&site.place.key("voussoirs"), "`voussoirs`", keys.voussoirs, 2, MOST_BODIES)?;
    let courses = site.check.count(&site.place.key("courses"), "`courses`", keys.courses, 1, MOST_BODIES)?;
    let (radius, thickness) = (site.length("radius", keys.radius)?, site.length("thickness", keys.thickness)?);
    let (length, height) = (site.length("length", keys.length)?, site.length("height", keys.height)?);
    let brick = site.length("brick", keys.brick)?;
    let width = site.across::<S>("width", keys.width)?;
    let outer = radius + thickness;
    if length < 2.0 * outer {
        return Err(site.error("length", format!("the arch is {} m wide, the wall {length} m long", 2.0 * outer)));
    }
    if height < outer {
        return Err(site.error("height", format!("the arch is {outer} m high, the wall {height} m")));
    }
    if length / brick * courses as f64 > MOST_BODIES as f64 {
        return Err(site.error("brick", format!("more than {MOST_BODIES} bricks")));
    }
    let lines = ArchForm::Circular { radius, half_angle: FRAC_PI_2 }.joints(n, thickness);
    let prism = |outline: &[DVec2]| S::prism(outline, width).map_err(|e| site.refuse(&e));
    let mut pieces = Vec::new();
    for (i, pair) in lines.windows(2).enumerate() {
        let shape = prism(&[pair[0].inner, pair[1].inner, pair[1].outer, pair[0].outer])?;
        let tags: &[&str] = if 2 * i + 1 == n { &["voussoirs", "keystone"] } else { &["voussoirs"] };
        pieces.push(Piece::at(format!("voussoir[{i}]"), tags, &Centred::new(&shape), S::zero()));
    }
    // springers: from the intrados to the end of the wall
    for (i, (from, to)) in [(-length / 2.0, -radius), (radius, length / 2.0)].into_iter().enumerate() {
        let corner = |x: f64, z: f64| DVec2::new(x, z);
        let outline = [corner(from, -thickness), corner(to, -thickness), corner(to, 0.0), corner(from, 0.0)];
        let shape = Centred::new(&prism(&outline)?);
        pieces.push(Piece::at(format!("springer[{i}]"), &["springers"], &shape, S::zero()).fixed());
    }
    let extrados: Vec<DVec2> = lines.iter().map(|line| line.outer).collect();
    let course = height / courses as f64;
    for j in 0..courses {
        let (low, high) = (j as f64 * course, (j + 1) as f64 * course);
        let bricks = bricks_of_course(j, length, brick, [low, high], &extrados);
        for (i, strips) in bricks.iter().enumerate() {
            let cut = strips.len() > 1 || strips.iter().any(|strip| strip.len() != 4);
            let shape = match &strips[..] {
                [one] => prism(one)?,
                many => {
                    let parts =
                        many.iter().map(|s| Ok((Pose::identity(), prism(s)?))).collect::<Result<_, SceneError>>()?;
                    S::compound(parts).map_err(|e| site.refuse(&e))?
                }
            };
            let tags: &[&str] = if cut { &["spandrel", "cut"] } else { &["spandrel"] };
            pieces.push(Piece::at(format!("course[{j}].brick[{i}]"), tags, &Centred::new(&shape), S::zero()));
        }
    }
    Ok(pieces)
}

/// The bricks of a course from left to right, each as its convex strips. Bricks never reach across the arch.
fn bricks_of_course(j: usize, length: f64, brick: f64, band: [f64; 2], extrados: &[DVec2]) -> Vec<Vec<Vec<DVec2>>> {
    // head joints: whole bricks from the middle, shifted by half a brick in odd courses
    let shift = if j % 2 == 1 { 0.5 } else { 0.0 };
    let half = length / 2.0;
    let reach = (half / brick).ceil() as i64 + 1;
    let mut heads: Vec<f64> = (-reach..=reach).map(|k| (k as f64 + shift) * brick).filter(|x| x.abs() < half).collect();
    let sliver = 0.25 * brick;
    heads.retain(|x| half - x.abs() > sliver);
    heads.insert(0, -half);
    heads.push(half);
    let mut bricks: Vec<(f64, Vec<Vec<DVec2>>)> = Vec::new();
    for pair in heads.windows(2) {
        let full = (pair[1] - pair[0]) * (band[1] - band[0]);
        // the arch may divide a brick
        for strips in connected(strips(pair[0], pair[1], band, extrados)) {
            let share = strips.iter().map(|s| area(s)).sum::<f64>() / full;
            bricks.push((share, strips));
        }
    }
    join_little(bricks, band[1] - band[0])
}

/// Merges bricks of which little remains with the neighbour that shares the higher head joint.
fn join_little(mut bricks: Vec<(f64, Vec<Vec<DVec2>>)>, course: f64) -> Vec<Vec<Vec<DVec2>>> {
    let mut i = 0;
    while i < bricks.len() {
        if bricks[i].0 >= LEAST_BRICK || bricks.len() == 1 {
            i += 1;
            continue;
        }
        let shared = |a: usize, b: usize| joint_height(&bricks[a].1, &bricks[b].1);
        let left = if i > 0 { shared(i - 1, i) } else { 0.0 };
        let right = if i + 1 < bricks.len() { shared(i, i + 1) } else { 0.0 };
        if left.max(right) <= 1e-9 * course {
            i += 1;
            continue;
        }
        let into = if left >= right { i - 1 } else { i };
        let (share, strips) = bricks.remove(into + 1);
        bricks[into].0 += share;
        bricks[into].1.extend(strips);
        i = into;
    }
    bricks.into_iter().map(|(_, strips)| strips).collect()
}

/// Height over which the last strip of `left` is in contact with the first of `right`.
fn joint_height(left: &[Vec<DVec2>], right: &[Vec<DVec2>]) -> f64 {
    let (Some(a), Some(b)) = (left.last(), right.first()) else { return 0.0 };
    let end = a.iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
    let start = b.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
    if (end - start).abs() > 1e-9 {
        return 0.0;
    }
    let range = |strip: &[DVec2], x: f64| {
        let at = strip.iter().filter(|p| (p.x - x).abs() < 1e-9).map(|p| p.y);
        at.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
    };
    let ((low_a, high_a), (low_b, high_b)) = (range(a, end), range(b, start));
    high_a.min(high_b) - low_a.max(low_b)
}

/// The part of [x0, x1] × band above the extrados, in convex strips from left to right.
fn strips(x0: f64, x1: f64, [low, high]: [f64; 2], extrados: &[DVec2]) -> Vec<Vec<DVec2>> {
    let mut cuts = vec![x0, x1];
    for pair in extrados.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        cuts.push(a.x);
        cuts.push(b.x);
        for z in [low, high] {
            let t = (z - a.y) / (b.y - a.y);
            if (0.0..=1.0).contains(&t) {
                cuts.push(a.x + t * (b.x - a.x));
            }
        }
    }
    cuts.retain(|x| (x0..=x1).contains(x));
    cuts.sort_by(f64::total_cmp);
    let near = 1e-9 * (x1 - x0);
    cuts.dedup_by(|b, a| *b - *a <= near);
    let mut strips = Vec::new();
    for pair in cuts.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        // height of the extrados at both ends, as the limit from inside the strip
        let middle = 0.5 * (a + b);
        let (ha, hb) = match side(extrados, middle) {
            Some((p, q)) => {
                let at = |x: f64| p.y + (q.y - p.y) * (x - p.x) / (q.x - p.x);
                (at(a).max(low), at(b).max(low))
            }
            None => (low, low),
        };
        let near = 1e-9 * (high - low);
        let mut outline = vec![DVec2::new(a, ha), DVec2::new(b, hb)];
        if high - hb > near {
            outline.push(DVec2::new(b, high));
        }
        if high - ha > near {
            outline.push(DVec2::new(a, high));
        }
        if outline.len() >= 3 && area(&outline) > 1e-6 * (b - a).max(1e-3) * (high - low) {
            strips.push(outline);
        }
    }
    merge(strips)
}

/// The side of the extrados above or below x.
fn side(extrados: &[DVec2], x: f64) -> Option<(DVec2, DVec2)> {
    extrados.windows(2).map(|pair| (pair[0], pair[1])).find(|(p, q)| p.x < x && x < q.x)
}

/// Joins neighbouring rectangles.
fn merge(strips: Vec<Vec<DVec2>>) -> Vec<Vec<DVec2>> {
    let flat = |s: &[DVec2]| s.len() == 4 && (s[0].y - s[1].y).abs() < 1e-12 && (s[2].y - s[3].y).abs() < 1e-12;
    let mut out: Vec<Vec<DVec2>> = Vec::new();
    for strip in strips {
        if let Some(last) = out.last_mut()
            && flat(last)
            && flat(&strip)
            && (last[0].y - strip[0].y).abs() < 1e-12
            && (last[1].x - strip[0].x).abs() < 1e-12
        {
            last[1] = strip[1];
            last[2] = strip[2];
            continue;
        }
        out.push(strip);
    }
    out
}

/// Groups of strips that share more than a point.
fn connected(strips: Vec<Vec<DVec2>>) -> Vec<Vec<Vec<DVec2>>> {
    let mut groups: Vec<Vec<Vec<DVec2>>> = Vec::new();
    for strip in strips {
        let joined = groups.last().is_some_and(|group| joint_height(group, std::slice::from_ref(&strip)) > 1e-9);
        match groups.last_mut() {
            Some(group) if joined => group.push(strip),
            _ => groups.push(vec![strip]),
        }
    }
    groups
}

fn area(outline: &[DVec2]) -> f64 {
    let origin = outline[0];
    (1..outline.len() - 1).map(|i| 0.5 * (outline[i] - origin).perp_dot(outline[i + 1] - origin)).sum()
}
