//! Tables of the report: final state of blocks and joints, support reactions.

use std::collections::BTreeMap;
use std::fmt::Write;

use voussoir_mechanics::elastic::shown::{LARGE_DEFLECTION, LARGE_STRAIN};
use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::measures::{BlockQuantity, InterfaceResultant, load_descent};
use crate::picture::escape;
use crate::picture::numbers::{digits, quantity};
use crate::vector::{Vec3, add, length, scale};
use crate::{CableSummary, Summary};

/// Maximum number of rows of a table.
const MOST_ROWS: usize = 8;

/// Maximum number of cuts of the load descent; load_descent.csv of `voussoir export --to csv` has all of them.
const MOST_CUTS: usize = 60;

/// A table with a head; the first column holds names.
pub fn table(caption: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("<div class=\"scroll\"><table><caption>{}</caption><thead><tr>", escape(caption));
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(head));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        let cells = row.iter().enumerate().map(|(i, cell)| match i {
            0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
            _ => format!("<td>{}</td>", escape(cell)),
        });
        let _ = writeln!(out, "<tr>{}</tr>", cells.collect::<String>());
    }
    out + "</tbody></table></div>\n"
}

/// Names of both bodies of an interface.
pub fn joint_name(cast: &Cast, interface: &InterfaceResultant) -> String {
    let name = |body: u32| cast.bodies.get(body as usize).map_or("?", |body| body.name.as_str());
    format!("{} – {}", name(interface.bodies[0]), name(interface.bodies[1]))
}

/// Interfaces with the largest forces.
pub fn joints(cast: &Cast, interfaces: &[InterfaceResultant]) -> String {
    let mut carrying: Vec<&InterfaceResultant> = interfaces.iter().filter(|i| i.carries()).collect();
    carrying.sort_by(|a, b| b.size().total_cmp(&a.size()));
    let row = |i: &&InterfaceResultant| {
        vec![
            joint_name(cast, i),
            quantity(i.normal_force, "N"),
            quantity(i.tangential_force, "N"),
            digits(i.friction_use()),
            if i.opening > 0.0 { quantity(i.opening, "m") } else { "closed".to_owned() },
        ]
    };
    let rows: Vec<Vec<String>> = carrying.iter().take(MOST_ROWS).map(row).collect();
    let caption = format!("Joints with the largest forces at the end ({} of {})", rows.len(), carrying.len());
    table(&caption, &["joint", "normal force", "tangential force", "friction utilisation ‖T‖/μN", "opening"], &rows)
}

/// Forces through horizontal cuts, from top to bottom.
pub fn descent(cast: &Cast, last: &Snapshot) -> String {
    let cuts = load_descent(cast, last);
    if cuts.len() > MOST_CUTS || cuts.len() < 2 {
        return String::new();
    }
    let row = |cut: &crate::measures::Cut| {
        vec![format!("{} m", digits(cut.height)), quantity(cut.load, "N"), quantity(cut.mass, "kg")]
    };
    let rows: Vec<Vec<String>> = cuts.iter().map(row).collect();
    table(
        "Load descent: vertical force through horizontal cuts at the end",
        &["height of the cut", "load", "mass above"],
        &rows,
    )
}

/// Bodies with the largest displacements.
pub fn blocks(cast: &Cast, first: &Snapshot, last: &Snapshot) -> String {
    let column = |quantity: BlockQuantity| quantity.values(cast, first, last).unwrap_or_default();
    let (moved, speed, pressure) =
        (column(BlockQuantity::Displacement), column(BlockQuantity::Speed), column(BlockQuantity::Pressure));
    let mut order: Vec<usize> = (0..cast.bodies.len()).filter(|&i| moved[i].is_finite()).collect();
    order.sort_by(|&a, &b| moved[b].total_cmp(&moved[a]));
    let text = |value: f64, unit: &str| if value.is_nan() { "–".to_owned() } else { quantity(value, unit) };
    let row = |&i: &usize| {
        vec![cast.bodies[i].name.clone(), text(moved[i], "m"), text(speed[i], "m/s"), text(pressure[i], "Pa")]
    };
    let rows: Vec<Vec<String>> = order.iter().take(MOST_ROWS).map(row).collect();
    let caption = format!("Blocks with the largest displacements at the end ({} of {})", rows.len(), order.len());
    table(&caption, &["block", "displacement", "speed", "mean pressure"], &rows)
}

/// Number of rows of the table of elastic blocks.
const MOST_STONES: usize = 10;

/// Elastic blocks with the largest utilisation of their strengths, or the largest tension where no strength is known; empty without
/// elastic blocks.
pub fn stones(cast: &Cast, last: &Snapshot) -> String {
    let field = |name: &str| -> Vec<f64> {
        let at = cast.features.body_fields.iter().position(|info| info.name == name);
        let values = at.and_then(|at| last.body_fields.get(at));
        values.cloned().unwrap_or_else(|| vec![f64::NAN; cast.bodies.len()])
    };
    let [used, tension, compression, mises] =
        ["utilisation", "largest_tension", "largest_compression", "von_mises"].map(field);
    let mut order: Vec<usize> = (0..cast.bodies.len()).filter(|&body| tension[body].is_finite()).collect();
    // blocks of unknown strength after the others
    let key = |body: usize| (if used[body].is_nan() { -1.0 } else { used[body] }, tension[body]);
    order.sort_by(|&a, &b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
    let row = |&body: &usize| {
        let percent = match used[body] {
            used if used.is_nan() => "strength unknown".to_owned(),
            used if used > 1.0 => format!("{:.0} %: cracks or crushes", 100.0 * used),
            used => format!("{:.0} %", 100.0 * used),
        };
        let text = |value: f64| quantity(value, "Pa");
        vec![cast.bodies[body].name.clone(), percent, text(tension[body]), text(compression[body]), text(mises[body])]
    };
    let rows: Vec<Vec<String>> = order.iter().take(MOST_STONES).map(row).collect();
    let caption =
        format!("Elastic blocks that use most of their strengths at the end ({} of {})", rows.len(), order.len());
    let heads = ["block", "utilisation", "largest tension", "largest compression", "largest von Mises stress"];
    table(&caption, &heads, &rows)
}

/// A sentence if strains or deflections of elastic blocks are beyond linear elasticity; `None` otherwise.
pub fn beyond_linear(cast: &Cast, last: &Snapshot) -> Option<String> {
    let field = |name: &str| {
        let at = cast.features.body_fields.iter().position(|info| info.name == name)?;
        last.body_fields.get(at)
    };
    let worst = |values: &[f64]| {
        let there = (0..values.len().min(cast.bodies.len())).filter(|&body| values[body].is_finite());
        there.max_by(|&a, &b| values[a].total_cmp(&values[b]))
    };
    let strains = field("largest_strain")?;
    let strained = worst(strains).filter(|&body| strains[body] > LARGE_STRAIN);
    if let Some(body) = strained {
        return Some(format!(
            "Strains above {} %: {} is strained by {} %. Elastic blocks are computed with small strains: their stresses are not \
             valid.",
            digits(100.0 * LARGE_STRAIN),
            cast.bodies[body].name,
            digits((1e4 * strains[body]).round() / 100.0)
        ));
    }
    let deflections = field("deflection")?;
    let relative: Vec<f64> =
        deflections.iter().zip(&cast.bodies).map(|(deflection, body)| deflection / (2.0 * body.reach())).collect();
    let body = worst(&relative).filter(|&body| relative[body] > LARGE_DEFLECTION)?;
    Some(format!(
        "The frame of an elastic block no longer follows: {} is bent by {} % of its size, so that its parts rotate against the \
         frame. Divide the block into shorter ones.",
        cast.bodies[body].name,
        digits((1e3 * relative[body]).round() / 10.0)
    ))
}

/// Tensions of all cables; empty without cables.
pub fn cables(summary: &Summary) -> String {
    let row = |cable: &CableSummary| {
        let state = match (cable.broken, cable.strength_exceeded) {
            (true, _) => "broken".to_owned(),
            (_, true) => "strength exceeded".to_owned(),
            _ => {
                cable.strength_n.map_or("–".to_owned(), |s| format!("{:.0} % used", 100.0 * cable.max_tension_n / s))
            }
        };
        vec![
            cable.name.clone(),
            quantity(cable.tension_n, "N"),
            format!("{} at t = {} s", quantity(cable.max_tension_n, "N"), digits(cable.max_tension_time_s)),
            cable.strength_n.map_or("–".to_owned(), |strength| quantity(strength, "N")),
            state,
        ]
    };
    let rows: Vec<Vec<String>> = summary.cables.iter().take(MOST_ROWS).map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let caption = format!("Cables ({} of {})", rows.len(), summary.cables.len());
    table(&caption, &["cable", "tension at the end", "largest tension", "strength", "state"], &rows)
}

/// Support reactions.
pub fn supports(cast: &Cast, interfaces: &[InterfaceResultant]) -> String {
    let mut forces: BTreeMap<u32, Vec3> = BTreeMap::new();
    let is_support = |body: u32| cast.bodies.get(body as usize).is_some_and(|body| body.support);
    for interface in interfaces {
        let [candidate, antagonist] = interface.bodies;
        for (support, sign) in [(candidate, 1.0), (antagonist, -1.0)] {
            if is_support(support) {
                let sum = forces.entry(support).or_default();
                *sum = add(*sum, scale(interface.force, sign));
            }
        }
    }
    let axes = &["x", "y", "z"][..cast.dimension.clamp(2, 3)];
    let mut rows: Vec<(f64, Vec<String>)> = forces
        .into_iter()
        .map(|(support, force)| {
            let mut row = vec![cast.bodies[support as usize].name.clone()];
            row.extend((0..axes.len()).map(|k| quantity(force[k], "N")));
            row.push(quantity(length(force), "N"));
            (length(force), row)
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let count = rows.len();
    let rows: Vec<Vec<String>> = rows.into_iter().take(MOST_ROWS).map(|(_, row)| row).collect();
    let heads: Vec<String> = axes.iter().map(|axis| format!("force along {axis}")).collect();
    let mut all = vec!["support"];
    all.extend(heads.iter().map(String::as_str));
    all.push("magnitude");
    table(
        &format!("Support reactions at the end: forces of the structure on its supports ({} of {count})", rows.len()),
        &all,
        &rows,
    )
}
