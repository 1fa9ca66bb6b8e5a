//! A wall in bond with openings: `course[j].brick[i]`, `opening[k].voussoir[i]`, `opening[k].lintel[i]`.
//!
//! Each opening takes a piece out of every course that it meets; the remaining pieces of a course are cut by its bond.
//! The ends of a piece are vertical, or slope along the skewback of a lintel or a segmental arch, so that every brick
//! is convex.

use voussoir_geometry::Vector;
use voussoir_geometry::glam::DVec2;

use super::arch_form::ArchForm;
use super::bond::{BondPattern, BrickUnit, Lie};
use super::stepped_arch::SteppedArchForm;
use super::{Site, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::masonry::{BrickBond, Lintel, MasonryWall, Opening, OpeningArch};

/// Default number of courses of stretchers in American bond.
const STRETCHER_COURSES: u64 = 5;

/// Upper bound of the number of bodies; the exact number is known after the courses have been cut.
pub fn count(keys: &MasonryWall) -> u64 {
    let brick = keys.brick.first().copied().unwrap_or(1.0);
    let in_course = (keys.length / brick * 4.0).ceil() + 4.0;
    let bricks = keys.courses as f64 * in_course;
    let bricks = if bricks < MOST_BODIES as f64 { bricks as u64 } else { MOST_BODIES };
    let stones = |opening: &Opening| {
        opening.lintel.as_ref().map_or(0, |l| l.stones).max(opening.arch.as_ref().map_or(0, |a| a.voussoirs))
    };
    keys.openings.iter().fold(bricks.saturating_add(1), |sum, opening| sum.saturating_add(stones(opening)))
}

/// The piece that an opening removes from one course: left and right end, each below and above.
type Void = [[f64; 2]; 2];

/// Stones over an opening.
struct Head {
    name: &'static str,
    tag: &'static str,
    /// Outlines from left to right, world axes.
    stones: Vec<Vec<DVec2>>,
}

/// Sizes common to all parts.
struct Sizes {
    length: f64,
    brick: f64,
    course: f64,
    courses: usize,
    /// Size across the wall.
    thickness: f64,
}

/// Makes a wall.
pub fn generate<S: Dimension>(keys: &MasonryWall, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let (sizes, pattern) = read::<S>(keys, site)?;
    let mut voids: Vec<Vec<(usize, Void)>> = vec![Vec::new(); sizes.courses];
    let mut heads = Vec::with_capacity(keys.openings.len());
    for (k, opening) in keys.openings.iter().enumerate() {
        heads.push(open(opening, k, &sizes, site, &mut voids)?);
    }
    let mut pieces = Vec::new();
    let footprint = [sizes.length + 2.0 * sizes.brick, 3.0 * sizes.thickness, sizes.course];
    pieces.extend(ground::<S>(keys.ground, site, footprint)?);
    for (j, taken) in voids.iter_mut().enumerate() {
        let mut i = 0;
        for [left, right] in stretches(taken, j, &sizes, site)? {
            for unit in pattern.cut(j, left, right) {
                lay(&unit, j, &mut i, &sizes, &pattern, site, &mut pieces)?;
            }
        }
    }
    for (k, head) in heads.into_iter().enumerate() {
        let Some(head) = head else { continue };
        let n = head.stones.len();
        for (i, outline) in head.stones.iter().enumerate() {
            let shape = S::prism(outline, sizes.thickness)
                .map_err(|_| without_volume(site, &format!("stone {i} over opening {k}")))?;
            let tags: &[&str] = if 2 * i + 1 == n { &[head.tag, "keystone"] } else { &[head.tag] };
            let name = format!("opening[{k}].{}[{i}]", head.name);
            pieces.push(Piece::at(name, tags, &Centred::new(&shape), S::zero()));
        }
    }
    Ok(pieces)
}

/// Error: the courses have no space for a stone.
fn without_volume(site: &Site<'_>, stone: &str) -> SceneError {
    let message = format!(
        "body \"{}\": {stone} would have no volume; change the course height, the thickness of the arch or the number \
         of \
         voussoirs",
        site.name
    );
    site.error("openings", message)
}

/// Reads the sizes and the bond.
fn read<S: Dimension>(keys: &MasonryWall, site: &Site<'_>) -> Result<(Sizes, BondPattern), SceneError> {
    let length = site.length("length", keys.length)?;
    let courses = site.check.count(&site.place.key("courses"), "`courses`", keys.courses, 1, MOST_BODIES)?;
    if keys.brick.len() != S::DIM {
        let right = if S::DIM == 3 { "[length, width, height]" } else { "[length, height]; the width is `depth`" };
        let message = format!("a brick in {}D is {right}, here are {} numbers", S::DIM, keys.brick.len());
        return Err(site.error("brick", message));
    }
    for (i, &size) in keys.brick.iter().enumerate() {
        site.check.length(&site.place.key("brick").index(i), "`brick`", size)?;
    }
    let size = S::Vector::from_slice(&keys.brick);
    let (brick, course) = (size.get(0), size.get(S::UP));
    if length < brick {
        return Err(site.error("length", format!("the wall is {length} m long, shorter than a brick of {brick} m")));
    }
    if length / brick * 8.0 * courses as f64 > MOST_BODIES as f64 {
        return Err(site.error("brick", format!("more than {MOST_BODIES} bricks")));
    }
    let width = if S::DIM == 3 { size.get(1) } else { brick / 2.0 };
    let headers = keys.bond != BrickBond::Stretcher;
    if headers && (brick - 2.0 * width).abs() > 1e-9 * brick {
        let message = format!(
            "{} bond needs bricks twice as long as wide, for two stretchers beside each other are as thick as a header \
             is long; these are {brick} m and {width} m",
            keys.bond.name()
        );
        return Err(site.error("brick", message));
    }
    let overlap = match keys.overlap {
        Some(_) if headers => {
            let message = format!(
                "`overlap` is for stretcher bond; the head joints of {} bond are a quarter of a brick apart, {} m",
                keys.bond.name(),
                brick / 4.0
            );
            return Err(site.error("overlap", message));
        }
        Some(overlap) => {
            site.check.finite(&site.place.key("overlap"), "`overlap`", overlap)?;
            if overlap <= 0.0 || overlap > brick / 2.0 * (1.0 + 1e-12) {
                let message = format!(
                    "`overlap` is {overlap} m; in a bond it is above zero and at most half a brick, {} m",
                    brick / 2.0
                );
                return Err(site.error("overlap", message));
            }
            overlap
        }
        None => brick / 2.0,
    };
    if keys.stretcher_courses.is_some() && keys.bond != BrickBond::American {
        return Err(site.error("stretcher_courses", "`stretcher_courses` is for american bond"));
    }
    let between = keys.stretcher_courses.unwrap_or(STRETCHER_COURSES);
    let place = site.place.key("stretcher_courses");
    let stretcher_courses = site.check.count(&place, "`stretcher_courses`", between, 1, MOST_BODIES)?;
    // across: 1 in 2D, where the depth of the scene is used
    let thickness = match (S::DIM, headers) {
        (2, _) => 1.0,
        (_, true) => brick,
        (_, false) => width,
    };
    let pattern = BondPattern { bond: keys.bond, brick, overlap, stretcher_courses, wall: length };
    Ok((Sizes { length, brick, course, courses, thickness }, pattern))
}

/// Removes an opening from the courses and creates the stones above it.
fn open(
    opening: &Opening,
    k: usize,
    sizes: &Sizes,
    site: &Site<'_>,
    voids: &mut [Vec<(usize, Void)>],
) -> Result<Option<Head>, SceneError> {
    let place = site.place.key("openings");
    let place = place.index(k);
    let wrong = |key: &str, message: String| {
        site.check.error(&place.key(key), format!("body \"{}\", opening {k}: {message}", site.name))
    };
    let width = site.check.length(&place.key("width"), "`width`", opening.width)?;
    let at = site.check.finite(&place.key("at"), "`at`", opening.at.unwrap_or(0.0))?;
    let most = sizes.courses as u64;
    let sill = site.check.count(&place.key("sill"), "`sill`", opening.sill.unwrap_or(0), 0, most)?;
    let least = u64::from(opening.arch.is_none());
    let side = site.check.count(&place.key("courses"), "`courses`", opening.courses, least, most)?;
    let (head, half_widths) = match (&opening.lintel, &opening.arch) {
        (Some(_), Some(_)) => return Err(wrong("arch", "it has both `lintel` and `arch`; keep one".into())),
        (Some(lintel), None) => flat(lintel, width, sizes, site, &place.key("lintel"))?,
        (None, Some(arch)) => round(arch, width, sizes, site, &place.key("arch")).map_err(|reason| match reason {
            Ok(error) => error,
            Err(reason) => wrong("arch", reason),
        })?,
        (None, None) if sill + side == sizes.courses => (Head { name: "", tag: "", stones: Vec::new() }, Vec::new()),
        (None, None) => {
            return Err(wrong("courses", "below the top of the wall it needs a `lintel` or an `arch`".into()));
        }
    };
    let top = sill + side + half_widths.len();
    if top > sizes.courses {
        let message =
            format!("with its lintel or arch it reaches course {top}, but the wall has {} courses", sizes.courses);
        return Err(wrong("courses", message));
    }
    for (course, void) in voids.iter_mut().enumerate().take(top).skip(sill) {
        let [below, above] = match course.checked_sub(sill + side) {
            Some(up) => half_widths[up],
            None => [width / 2.0; 2],
        };
        void.push((k, [[at - below, at - above], [at + below, at + above]]));
    }
    let springing = (sill + side) as f64 * sizes.course;
    let move_to = |p: &DVec2| DVec2::new(at + p.x, springing + p.y);
    let stones: Vec<Vec<DVec2>> = head.stones.iter().map(|s| s.iter().map(move_to).collect()).collect();
    Ok((!stones.is_empty()).then_some(Head { stones, ..head }))
}

/// Half of the width that the head of an opening removes from each course, at its lower and upper bed joint.
type HalfWidths = Vec<[f64; 2]>;

/// A lintel or flat arch.
fn flat(
    lintel: &Lintel,
    width: f64,
    sizes: &Sizes,
    site: &Site<'_>,
    place: &crate::place::Place<'_>,
) -> Result<(Head, HalfWidths), SceneError> {
    let stones = site.check.count(&place.key("stones"), "`stones`", lintel.stones, 1, MOST_BODIES)?;
    let courses =
        site.check.count(&place.key("courses"), "`courses`", lintel.courses.unwrap_or(1), 1, sizes.courses as u64)?;
    let bearing = site.check.not_negative(&place.key("bearing"), "`bearing`", lintel.bearing.unwrap_or(0.0))?;
    let embrace = lintel.embrace_deg.unwrap_or(0.0);
    let embrace = site.check.between(&place.key("embrace_deg"), "`embrace_deg`", embrace, 0.0, 150.0)?;
    if bearing > 0.0 && embrace > 0.0 {
        let message = "a flat arch bears on its skewbacks; remove `bearing` or `arch`";
        return Err(site.check.error(&place.key("bearing"), message));
    }
    let height = courses as f64 * sizes.course;
    let form = ArchForm::Flat { span: width + 2.0 * bearing, half_angle: embrace.to_radians() / 2.0 };
    let lines = form.joints(stones, height);
    let end = &lines[stones];
    let at = |course: usize| end.inner.x + (end.outer.x - end.inner.x) * (course as f64 / courses as f64);
    let half_widths = (0..courses).map(|course| [at(course), at(course + 1)]).collect();
    let outlines = lines.windows(2).map(|pair| vec![pair[0].inner, pair[1].inner, pair[1].outer, pair[0].outer]);
    Ok((Head { name: "lintel", tag: "lintels", stones: outlines.collect() }, half_widths))
}

/// An arch; the inner error states the reason the joints do not fit.
fn round(
    arch: &OpeningArch,
    width: f64,
    sizes: &Sizes,
    site: &Site<'_>,
    place: &crate::place::Place<'_>,
) -> Result<(Head, HalfWidths), Result<SceneError, String>> {
    let n = site.check.count(&place.key("voussoirs"), "`voussoirs`", arch.voussoirs, 3, MOST_BODIES).map_err(Ok)?;
    let thickness = site.check.length(&place.key("thickness"), "`thickness`", arch.thickness).map_err(Ok)?;
    let (radius, half_angle) = match arch.rise {
        None => (width / 2.0, std::f64::consts::FRAC_PI_2),
        Some(rise) => {
            let rise = site.check.length(&place.key("rise"), "`rise`", rise).map_err(Ok)?;
            let half = width / 2.0;
            if rise > half * (1.0 + 1e-12) {
                let message =
                    format!("`rise` is {rise} m; at most {half} m (a half circle) is possible over this width");
                return Err(Ok(site.check.error(&place.key("rise"), message)));
            }
            ((half * half + rise * rise) / (2.0 * rise), 2.0 * (rise / half).atan())
        }
    };
    let made = SteppedArchForm { radius, half_angle, thickness, course: sizes.course }.arch(n).map_err(Err)?;
    Ok((Head { name: "voussoir", tag: "voussoirs", stones: made.stones }, made.half_widths))
}

/// Remaining pieces of a course, from left to right.
fn stretches(
    taken: &mut [(usize, Void)],
    course: usize,
    sizes: &Sizes,
    site: &Site<'_>,
) -> Result<Vec<Void>, SceneError> {
    taken.sort_by(|a, b| a.1[0][0].total_cmp(&b.1[0][0]));
    let (mut start, mut left) = ([-sizes.length / 2.0; 2], None);
    let mut all = Vec::with_capacity(taken.len() + 1);
    let end = ([sizes.length / 2.0; 2], [0.0; 2], None);
    let stops = taken.iter().map(|(k, [from, to])| (*from, *to, Some(*k))).chain([end]);
    for (from, to, k) in stops {
        let least = (from[0] - start[0]).min(from[1] - start[1]);
        if least < sizes.brick / 4.0 {
            let name = |k: Option<usize>| k.map_or("the end of the wall".to_owned(), |k| format!("opening {k}"));
            let blamed = k.or(left).unwrap_or(0);
            let message = format!(
                "body \"{}\": in course {course} only {least:.3} m of wall remain between {} and {}; at least a \
                 quarter of a brick ({} m) is needed",
                site.name,
                name(left),
                name(k),
                sizes.brick / 4.0
            );
            return Err(site.check.error(&site.place.key("openings").index(blamed), message));
        }
        all.push([start, from]);
        (start, left) = (to, k);
    }
    Ok(all)
}

/// Creates the brick or the bricks of a unit.
fn lay<S: Dimension>(
    unit: &BrickUnit,
    course: usize,
    i: &mut usize,
    sizes: &Sizes,
    pattern: &BondPattern,
    site: &Site<'_>,
    pieces: &mut Vec<Piece<S>>,
) -> Result<(), SceneError> {
    let double = S::DIM == 3 && pattern.bond != BrickBond::Stretcher && unit.lie == Lie::Stretcher;
    let whole = if unit.lie == Lie::Header { sizes.brick / 2.0 } else { sizes.brick };
    let straight = unit.left[0] == unit.left[1] && unit.right[0] == unit.right[1];
    let cut = !straight || (unit.length() - whole).abs() > 1e-9 * sizes.brick;
    let lie = if unit.lie == Lie::Header { "header" } else { "stretcher" };
    let tags: &[&str] = if cut { &[lie, "cut"] } else { &[lie] };
    let across: &[f64] = if double { &[-0.25, 0.25] } else { &[0.0] };
    let width = sizes.thickness / across.len() as f64;
    let (low, high) = (course as f64 * sizes.course, (course + 1) as f64 * sizes.course);
    for part in across {
        let y = part * sizes.thickness;
        let (shape, position) = if straight {
            let (from, to) = (unit.left[0], unit.right[0]);
            let centre = S::at(0.5 * (from + to), y, (2 * course + 1) as f64 * (sizes.course / 2.0));
            (S::cuboid(S::at(to - from, width, sizes.course)), centre)
        } else {
            let outline = [(unit.left[0], low), (unit.right[0], low), (unit.right[1], high), (unit.left[1], high)];
            (S::prism(&outline.map(DVec2::from), width), S::at(0.0, y, 0.0))
        };
        let shape = shape.map_err(|_| without_volume(site, &format!("brick {i} of course {course}")))?;
        let shape = Centred::new(&shape);
        pieces.push(Piece::at(format!("course[{course}].brick[{i}]"), tags, &shape, position));
        *i += 1;
    }
    Ok(())
}
