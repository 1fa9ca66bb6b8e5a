//! The plots of the report, chosen by the roles of the columns of a history.

use voussoir_mechanics::report::ColumnRole;

use super::plot::{Plot, Series};
use crate::Summary;
use crate::history_table::HistoryTable;

/// Largest number of marks of steps that missed their tolerance.
const MOST_MARKS: usize = 200;

/// A plot with its title.
pub struct Chart {
    pub title: String,
    pub svg: String,
}

/// The plots of a run.
struct Charts<'a> {
    history: &'a HistoryTable,
    time: &'a [f64],
    done: Vec<Chart>,
}

impl<'a> Charts<'a> {
    fn add(&mut self, title: &str, plot: &Plot<'_>) {
        if let Some(svg) = plot.svg() {
            self.done.push(Chart { title: title.to_owned(), svg });
        }
    }

    /// A line over time for every pair of label and head; columns that stay zero are omitted, except for the first.
    fn lines(&self, pairs: &[(&'a str, &'a str)]) -> Vec<Series<'a>> {
        let (history, time) = (self.history, self.time);
        let moves = |head: &str| history.column(head).iter().any(|x| *x != 0.0);
        let wanted = pairs.iter().enumerate().filter(|(i, (_, head))| *i == 0 || moves(head));
        wanted.map(|(_, &(label, head))| Series { name: label, x: time, y: history.column(head) }).collect()
    }

    /// Labels and heads of all columns with one of these roles, some heads omitted.
    fn with_roles(&self, roles: &[ColumnRole], without: &str) -> Vec<(&'a str, &'a str)> {
        let infos = self.history.columns().iter();
        let wanted = infos.filter(|info| roles.contains(&info.role) && info.head != without);
        wanted.map(|info| (info.label.as_str(), info.head.as_str())).collect()
    }
}

fn over_time<'p>(title: &'p str, name: &'p str, unit: &'p str, series: Vec<Series<'p>>) -> Plot<'p> {
    Plot { title, x: ("time", "s"), y: (name, unit), series, logarithmic: false, level: None, marks: Vec::new() }
}

/// All plots of a history; `load` is the sum of all loads over time [N], where it is known.
pub fn charts(history: &HistoryTable, summary: &Summary, load: &[f64]) -> Vec<Chart> {
    let time = history.column("time_s");
    let mut charts = Charts { history, time, done: Vec::new() };
    let displacement = charts.with_roles(&[ColumnRole::Displacement], "");
    let series = charts.lines(&displacement);
    charts.add("Displacement", &over_time("Largest displacement of a block over time", "displacement", "m", series));
    if !load.is_empty()
        && let Some((label, head)) = displacement.first()
    {
        let series = vec![Series { name: "load", x: history.column(head), y: load }];
        let plot = Plot { x: (label, "m"), ..over_time("Load over displacement", "sum of loads", "N", series) };
        charts.add("Load and displacement", &plot);
    }
    // the work of gravity is in the potential energy already
    let energies = charts.with_roles(&[ColumnRole::Energy, ColumnRole::Work, ColumnRole::Taken], "work_gravity_j");
    let series = charts.lines(&energies);
    charts.add("Energies", &over_time("Energies over time", "energy", "J", series));
    let series = charts.lines(&charts.with_roles(&[ColumnRole::Contacts], "contacts"));
    charts.add("Contacts by status", &over_time("Number of contacts by status over time", "contacts", "", series));
    residual(&mut charts, summary);
    reactions(&mut charts, summary);
    measures(&mut charts);
    let series = charts.lines(&charts.with_roles(&[ColumnRole::Cable], ""));
    charts.add("Cables", &over_time("Tension of every cable over time", "tension", "N", series));
    for (label, head) in charts.with_roles(&[ColumnRole::Probe], "") {
        let series = vec![Series { name: head, x: time, y: history.column(head) }];
        charts.add(&capitalised(label), &over_time("A probe over time", head, "", series));
    }
    charts.done
}

/// The residual of every step with the tolerance; steps that missed it are marked.
fn residual(charts: &mut Charts<'_>, summary: &Summary) {
    let (history, time) = (charts.history, charts.time);
    // zero has no logarithm; such steps had no contact problem
    let residual: Vec<f64> = history.column("residual").iter().map(|r| if *r == 0.0 { f64::NAN } else { *r }).collect();
    let missed = history.column("converged").iter().enumerate().filter(|(_, met)| **met == 0.0);
    let marks = missed.map(|(row, _)| [time[row], residual[row]]).take(MOST_MARKS).collect();
    let series = vec![Series { name: "residual", x: time, y: &residual }];
    let plot = Plot {
        logarithmic: true,
        level: Some((summary.tolerance, "tolerance")),
        marks,
        ..over_time("Residual of every step over time", "residual", "", series)
    };
    charts.add("Residual", &plot);
}

/// The support reaction, upward component first, with the weight.
fn reactions(charts: &mut Charts<'_>, summary: &Summary) {
    let up = if summary.dimension == 2 { "reaction_y_n" } else { "reaction_z_n" };
    let mut reactions = vec![("upwards", up), ("along x", "reaction_x_n")];
    if summary.dimension == 3 {
        reactions.push(("along y", "reaction_y_n"));
    }
    let series = charts.lines(&reactions);
    let plot = Plot {
        level: Some((summary.weight_n, "weight")),
        ..over_time("Support reaction over time", "force", "N", series)
    };
    charts.add("Support reaction", &plot);
}

/// One plot for each other measure that is not zero throughout. The speed is omitted, because the kinetic energy is
/// plotted.
fn measures(charts: &mut Charts<'_>) {
    let history = charts.history;
    let wanted = history.columns().iter().filter(|info| info.role == ColumnRole::Measure && info.head != "speed_m_s");
    for info in wanted.filter(|info| history.column(&info.head).iter().any(|x| *x != 0.0)) {
        let series = charts.lines(&[(info.label.as_str(), info.head.as_str())]);
        let title = capitalised(&info.label);
        charts.add(&title, &over_time(&format!("{title} over time"), &info.label, &info.unit, series));
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
