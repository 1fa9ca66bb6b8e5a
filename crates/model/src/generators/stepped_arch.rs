//! A circular arch whose back is stepped to the courses of a wall, (x, height) from the middle of its springing line.
//!
//! Joint i is a piece of the radial line at angle θᵢ from the vertical, from the intrados to the point Pᵢ = (xᵢ, ℓᵢ c)
//! on a bed joint of the wall, c the height of a course. A voussoir between joints of the levels ℓᵢ < ℓᵢ₊₁ has five
//! sides: both joints, the chord of the intrados, a vertical back from Pᵢ up and a horizontal one to Pᵢ₊₁. All are
//! convex, and the bricks beside them end at vertical lines. Where no bed joint crosses the line near the back of the
//! ring, the joint turns to the point where one does.

use voussoir_geometry::glam::DVec2;

/// Smallest length of a joint, relative to the thickness.
const LEAST_JOINT: f64 = 0.7;
/// Largest additional length of a joint, in courses.
const LONGEST_JOINT: f64 = 1.2;
/// Largest rotation of a joint, relative to the angle of a voussoir.
const LARGEST_TURN: f64 = 0.5;

/// The stones, and the ends of the wall beside them.
pub struct SteppedArch {
    /// Outlines from left to right, counter-clockwise.
    pub stones: Vec<Vec<DVec2>>,
    /// For each course from the springing up: half of the width that the arch takes, at its lower and upper bed joint.
    pub half_widths: Vec<[f64; 2]>,
}

/// One joint of the right half.
struct Joint {
    inner: DVec2,
    outer: DVec2,
    level: usize,
}

/// Form of the arch: inner radius, half of the embraced angle, thickness and height of a course.
#[derive(Clone, Copy, Debug)]
pub(super) struct SteppedArchForm {
    pub radius: f64,
    pub half_angle: f64,
    pub thickness: f64,
    pub course: f64,
}

impl SteppedArchForm {
    /// Height of the springing above the centre.
    fn drop(&self) -> f64 {
        if self.is_half_circle() { 0.0 } else { self.radius * self.half_angle.cos() }
    }

    fn is_half_circle(&self) -> bool {
        (self.half_angle - std::f64::consts::FRAC_PI_2).abs() < 1e-12
    }

    /// The arch of `n` voussoirs, or the reason why it is impossible.
    pub fn arch(&self, n: usize) -> Result<SteppedArch, String> {
        let joints = self.joints(n)?;
        let mut right = Vec::with_capacity(n / 2);
        for pair in joints.windows(2) {
            let (low, high) = (&pair[0], &pair[1]);
            let mut outline = vec![low.inner, low.outer];
            if high.level > low.level && low.outer.x > high.outer.x {
                outline.push(DVec2::new(low.outer.x, high.outer.y));
            }
            outline.extend([high.outer, high.inner]);
            right.push(outline);
        }
        let mirrored = |outline: &Vec<DVec2>| outline.iter().rev().map(|p| DVec2::new(-p.x, p.y)).collect::<Vec<_>>();
        let mut stones: Vec<Vec<DVec2>> = right.iter().map(mirrored).collect();
        if let (1, Some(last)) = (n % 2, joints.last()) {
            let flip = |p: DVec2| DVec2::new(-p.x, p.y);
            stones.push(vec![last.inner, last.outer, flip(last.outer), flip(last.inner)]);
        }
        stones.extend(right.into_iter().rev());
        Ok(SteppedArch { stones, half_widths: self.half_widths(&joints) })
    }

    /// Joints of the right half from the springing to the crown.
    fn joints(&self, n: usize) -> Result<Vec<Joint>, String> {
        let Self { radius, half_angle, thickness, course } = *self;
        let (drop, outer) = (self.drop(), radius + thickness);
        let spacing = 2.0 * half_angle / n as f64;
        let mut joints: Vec<Joint> = Vec::with_capacity(n / 2 + 1);
        let mut last_angle = f64::INFINITY;
        for i in 0..=n / 2 {
            let mut angle = half_angle * (1.0 - (2 * i) as f64 / n as f64);
            let crown = 2 * i == n;
            let inner = |angle: f64| {
                if crown {
                    return DVec2::new(0.0, radius - drop);
                }
                let height = if i == 0 { 0.0 } else { radius * angle.cos() - drop };
                DVec2::new(radius * angle.sin(), height)
            };
            if i == 0 && self.is_half_circle() {
                joints.push(Joint { inner: DVec2::new(radius, 0.0), outer: DVec2::new(outer, 0.0), level: 0 });
                last_angle = angle;
                continue;
            }
            let below = joints.last().map_or(1, |joint| joint.level).max(1);
            let nearest = ((outer * angle.cos() - drop) / course).round().max(0.0) as usize;
            let reach = |level: usize, angle: f64| (level as f64 * course + drop) / angle.cos() - radius;
            let range = LEAST_JOINT * thickness..=LEAST_JOINT * thickness + LONGEST_JOINT * course;
            let levels = [nearest, nearest + 1].map(|level| level.max(below));
            let level = match levels.iter().find(|&&level| range.contains(&reach(level, angle))) {
                Some(&level) => level,
                None => {
                    // turn the joint to where the bed joint meets the back of the ring
                    let cosine = (levels[0] as f64 * course + drop) / outer;
                    let turned = cosine.clamp(-1.0, 1.0).acos();
                    if i == 0 || crown || (turned - angle).abs() > LARGEST_TURN * spacing || turned >= last_angle {
                        return Err(format!(
                            "joint {i} of the arch does not end at a bed joint of the wall: its outer end is {:.3} m \
                             above the \
                             springing, courses are {course} m high",
                            outer * angle.cos() - drop
                        ));
                    }
                    angle = turned;
                    levels[0]
                }
            };
            let height = level as f64 * course;
            let x = if crown { 0.0 } else { (height + drop) * angle.tan() };
            joints.push(Joint { inner: inner(angle), outer: DVec2::new(x, height), level });
            last_angle = angle;
        }
        // the horizontal springing of a half circle reaches as far as the joint above
        if let [first, second, ..] = &mut joints[..]
            && first.level == 0
        {
            first.outer.x = first.outer.x.max(second.outer.x);
        }
        if let Some(i) = joints.windows(2).position(|pair| pair[0].outer.x < pair[1].outer.x - 1e-12) {
            return Err(format!("the back of voussoir {i} would overhang the wall: its courses are too high"));
        }
        Ok(joints)
    }

    fn half_widths(&self, joints: &[Joint]) -> Vec<[f64; 2]> {
        let top = joints.last().map_or(0, |joint| joint.level);
        let first = &joints[0];
        let slope = |course: usize| {
            let part = course as f64 / first.level as f64;
            first.inner.x + (first.outer.x - first.inner.x) * part
        };
        (0..top)
            .map(|course| {
                if course < first.level {
                    return [slope(course), slope(course + 1)];
                }
                let joint = joints.iter().rev().find(|joint| joint.level <= course).unwrap_or(first);
                [joint.outer.x; 2]
            })
            .collect()
    }
}
