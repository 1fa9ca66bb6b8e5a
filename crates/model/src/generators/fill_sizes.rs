//! Radii of the discs of a random packing: a mean diameter with a spread, or a grading curve.
//!
//! A grading curve F(d) is the share of the mass in discs finer than d. A disc that holds a mass element drawn from F
//! has the diameter F⁻¹(u), u uniform; the number of discs per mass is ∝ 1/d², so a draw is kept with the probability
//! (d_min/d)².

use std::f64::consts::PI;

use super::Site;
use super::random::Random;
use crate::build::check::MOST_BODIES;
use crate::error::SceneError;
use crate::scene::fill::FillSpec;

/// Radii of discs with an area of `solid` together, the largest first, because large discs are harder to place [m].
pub(super) fn radii(keys: &FillSpec, site: &Site<'_>, solid: f64, random: &mut Random) -> Result<Vec<f64>, SceneError> {
    let mut radii =
        if keys.grading.is_empty() { uniform(keys, site, solid, random)? } else { graded(keys, site, solid, random)? };
    radii.sort_by(|a, b| b.total_cmp(a));
    let squares: f64 = radii.iter().map(|r| PI * r * r).sum();
    radii.iter_mut().for_each(|radius| *radius *= (solid / squares).sqrt());
    Ok(radii)
}

/// Radii of a uniform spread, relative to the mean.
fn uniform(keys: &FillSpec, site: &Site<'_>, solid: f64, random: &mut Random) -> Result<Vec<f64>, SceneError> {
    let spread = site.check.between(&site.place.key("spread"), "`spread`", keys.spread.unwrap_or(0.2), 0.0, 0.9)?;
    let count = match (keys.count, keys.diameter) {
        (Some(count), None) => site.check.count(&site.place.key("count"), "`count`", count, 1, MOST_BODIES)?,
        (None, Some(diameter)) => {
            let mean = site.length("diameter", diameter)?;
            // mean square of a uniform spread
            let square = 0.25 * PI * mean * mean * (1.0 + spread * spread / 3.0);
            let place = site.place.key("diameter");
            site.check.count(&place, "the number of discs", (solid / square) as u64, 1, MOST_BODIES)?
        }
        _ => return Err(site.error("generator", "a random packing needs one of `count`, `diameter` and `grading`")),
    };
    Ok((0..count).map(|_| random.between(1.0 - spread, 1.0 + spread)).collect())
}

/// Radii of a grading curve, until their area is reached [m].
fn graded(keys: &FillSpec, site: &Site<'_>, solid: f64, random: &mut Random) -> Result<Vec<f64>, SceneError> {
    if keys.count.is_some() || keys.diameter.is_some() || keys.spread.is_some() {
        return Err(site.error("grading", "a grading curve takes the place of `count`, `diameter` and `spread`"));
    }
    let curve: Vec<[f64; 2]> = keys.grading.iter().map(|point| point.0).collect();
    for (i, [diameter, _]) in curve.iter().enumerate() {
        site.check.length(&site.place.key("grading").index(i), "the diameter", *diameter)?;
    }
    let rising = curve.windows(2).all(|pair| pair[1][0] >= pair[0][0] && pair[1][1] >= pair[0][1]);
    let [first, last] = [curve[0], curve[curve.len() - 1]];
    if curve.len() < 2 || !rising || first[1] != 0.0 || last[1] != 1.0 {
        return Err(site.error("grading", "the points [diameter, share] must rise, with shares from 0 to 1"));
    }
    let least = 0.25 * PI * first[0] * first[0];
    if solid / least > MOST_BODIES as f64 {
        return Err(site.error("grading", "the fill would have too many discs"));
    }
    let finer = |share: f64| {
        let pair = curve.windows(2).find(|pair| share <= pair[1][1] && pair[1][1] > pair[0][1]);
        pair.map_or(last[0], |pair| {
            pair[0][0] + (pair[1][0] - pair[0][0]) * ((share - pair[0][1]) / (pair[1][1] - pair[0][1]))
        })
    };
    let mut radii = Vec::new();
    let mut sum = 0.0;
    while sum < solid {
        let diameter = finer(random.between(0.0, 1.0));
        if random.between(0.0, 1.0) <= (first[0] / diameter).powi(2) {
            radii.push(0.5 * diameter);
            sum += 0.25 * PI * diameter * diameter;
        }
    }
    Ok(radii)
}
