//! The plots of the report.

use super::plot::{Plot, Series};
use super::table::HistoryTable;
use crate::Summary;
use crate::history::{HISTORY_COLUMNS, cable_of};

/// Steps that missed their tolerance and are marked, at the most.
const MOST_MARKS: usize = 200;

/// A plot with its title.
pub struct Chart {
    pub title: String,
    pub svg: String,
}

/// All plots that a history gives; `load` is the sum of all loads over time [N], where it is known.
pub fn charts(history: &HistoryTable, summary: &Summary, load: &[f64]) -> Vec<Chart> {
    let time = history.column("time_s");
    let column = |name: &'static str| history.column(name);
    let mut charts = Vec::new();
    let mut add = |title: &str, plot: Plot| {
        if let Some(svg) = plot.svg() {
            charts.push(Chart { title: title.to_owned(), svg });
        }
    };
    let lines = |pairs: &[(&'static str, &'static str)]| -> Vec<Series<'_>> {
        let moves = |name: &str| history.column(name).iter().any(|x| *x != 0.0);
        let wanted = pairs.iter().enumerate().filter(|(i, (_, name))| *i == 0 || moves(name));
        wanted.map(|(_, &(label, name))| Series { name: label, x: time, y: history.column(name) }).collect()
    };
    let over_time = |title: &'static str, name: &'static str, unit: &'static str, series| Plot {
        title,
        x: ("time", "s"),
        y: (name, unit),
        series,
        logarithmic: false,
        level: None,
        marks: Vec::new(),
    };

    let series = lines(&[("largest displacement", "displacement_m")]);
    add("Displacement", over_time("Largest displacement of a block over time", "displacement", "m", series));
    if !load.is_empty() {
        let series = vec![Series { name: "load", x: column("displacement_m"), y: load }];
        let plot = Plot {
            x: ("largest displacement", "m"),
            ..over_time("Load over displacement", "sum of loads", "N", series)
        };
        add("Load and displacement", plot);
    }
    let energies = [
        ("kinetic", "kinetic_j"),
        ("potential", "potential_j"),
        ("work of loads", "work_loads_j"),
        ("work of supports", "work_supports_j"),
        ("friction, dissipated", "dissipated_friction_j"),
        ("impacts, dissipated", "dissipated_impact_j"),
        ("cohesion, dissipated", "dissipated_cohesion_j"),
        ("springs and cables, stored", "stored_elastic_j"),
    ];
    add("Energies", over_time("Energies over time", "energy", "J", lines(&energies)));
    let statuses = [("stick", "stick"), ("slide", "slide"), ("open", "open")];
    add("Contacts by status", over_time("Number of contacts by status over time", "contacts", "", lines(&statuses)));

    // zero has no logarithm; such steps needed no solving
    let residual: Vec<f64> = column("residual").iter().map(|r| if *r == 0.0 { f64::NAN } else { *r }).collect();
    let missed = column("converged").iter().enumerate().filter(|(_, met)| **met == 0.0);
    let marks = missed.map(|(row, _)| [time[row], residual[row]]).take(MOST_MARKS).collect();
    let series = vec![Series { name: "residual", x: time, y: &residual }];
    let plot = Plot {
        logarithmic: true,
        level: Some((summary.tolerance, "tolerance")),
        marks,
        ..over_time("Residual of every step over time", "residual", "", series)
    };
    add("Residual", plot);

    let up = if summary.dimension == 2 { "reaction_y_n" } else { "reaction_z_n" };
    let mut reactions = vec![("upwards", up), ("along x", "reaction_x_n")];
    if summary.dimension == 3 {
        reactions.push(("along y", "reaction_y_n"));
    }
    let plot = Plot {
        level: Some((summary.weight_n, "weight")),
        ..over_time("Force of all supports on the structure over time", "force", "N", lines(&reactions))
    };
    add("Support reaction", plot);
    let series = lines(&[("largest penetration", "penetration_m")]);
    add("Penetration", over_time("Largest penetration over time", "penetration", "m", series));

    let cables = history.heads().iter().filter_map(|head| Some((cable_of(head)?, history.column(head))));
    let series: Vec<Series<'_>> = cables.map(|(name, y)| Series { name, x: time, y }).collect();
    if !series.is_empty() {
        add("Cables", over_time("Tension of every cable over time", "tension", "N", series));
    }

    // whatever else a history holds are probes
    let known = |head: &str| HISTORY_COLUMNS.iter().any(|(name, _)| *name == head) || cable_of(head).is_some();
    for head in history.heads().iter().filter(|head| !known(head)) {
        let series = vec![Series { name: head, x: time, y: history.column(head) }];
        add(&format!("Probe {head}"), Plot { y: (head, ""), ..over_time("A probe over time", "", "", series) });
    }
    charts
}
