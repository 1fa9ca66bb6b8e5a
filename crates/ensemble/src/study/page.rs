//! The report page of a study: counts, statistics, fragility curves with bands and stripes, rank correlations. One HTML
//! file.

use std::fmt::Write;

use super::plan::EnsembleStudy;
use super::table::{SampleTable, StudyFragility};

/// Size of a drawing [px].
const SIZE: [f64; 2] = [760.0, 420.0];
/// Left, right, top and bottom of the axes [px].
const AXES: [f64; 4] = [70.0, 730.0, 20.0, 360.0];

/// The page of a table.
pub fn page(study: &EnsembleStudy, table: &SampleTable) -> String {
    let title = if study.spec.title.is_empty() { &study.spec.scene } else { &study.spec.title };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>\
         body{{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}}\
         table{{border-collapse:collapse;margin:1rem 0}}td,th{{padding:.25rem .7rem;border-bottom:1px solid #ddd;\
         text-align:right}}td:first-child,th:first-child{{text-align:left}}svg{{max-width:100%}}</style></head><body>\n\
         <h1>{0}</h1>\n<p>Scene {1}, question “{2}”, {3} of {4} samples, {5} with a converged answer.</p>\n",
        escape(title),
        escape(&study.spec.scene),
        format!("{:?}", study.spec.ask).to_lowercase(),
        table.rows.len(),
        table.total,
        table.done()
    );
    html += &failures(table);
    for spec in &study.spec.fragility {
        let damage = spec.damage.as_deref().unwrap_or("failure");
        let _ = writeln!(html, "<h2>Fragility: {} over {}</h2>", escape(damage), escape(&spec.im));
        match table.fragility(spec) {
            Ok(found) => html += &fragility(&found),
            Err(error) => {
                let _ = writeln!(html, "<p>{}</p>", escape(&error.to_string()));
            }
        }
    }
    html += &probabilities(study, table);
    html += &statistics(table);
    html += &correlations(table);
    html + "</body></html>\n"
}

fn failures(table: &SampleTable) -> String {
    let bad: Vec<_> = table.rows.iter().filter(|row| row.status != "done").collect();
    if bad.is_empty() {
        return String::new();
    }
    let mut html = format!("<h2>Samples without a converged answer ({})</h2>\n<table>", bad.len());
    html += "<tr><th>sample</th><th>status</th><th>reason</th></tr>\n";
    for row in bad.iter().take(20) {
        let _ =
            writeln!(html, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", row.index, row.status, escape(&row.reason));
    }
    html + "</table>\n"
}

fn probabilities(study: &EnsembleStudy, table: &SampleTable) -> String {
    let mut columns: Vec<(String, f64)> =
        study.spec.damage.keys().map(|name| (format!("damage.{name}"), 1.0)).collect();
    columns.push(("stands".to_owned(), 0.0));
    let mut rows = String::new();
    for (column, failed) in columns {
        let Ok(found) = table.reliability(&column, failed, 0.9) else { continue };
        let name = if failed == 0.0 { "does not stand".to_owned() } else { column };
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td>{} of {}</td><td>{}</td><td>{} … {}</td><td>{}</td><td>{} … {}</td></tr>",
            escape(&name),
            found.failures,
            found.samples,
            short(found.probability),
            short(found.interval[0]),
            short(found.interval[1]),
            short(found.index),
            short(found.index_interval[0]),
            short(found.index_interval[1])
        );
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<h2>Probability of failure</h2>\n<table><tr><th>event</th><th>samples</th><th>probability</th>\
         <th>90 % interval</th><th>reliability index</th><th>90 % interval</th></tr>\n{rows}</table>\n"
    )
}

fn statistics(table: &SampleTable) -> String {
    let mut html = String::from(
        "<h2>Numbers</h2>\n<table><tr><th>number</th><th>values</th><th>mean</th><th>deviation</th><th>5 %</th>\
         <th>median</th><th>95 %</th></tr>\n",
    );
    for name in table.inputs.iter().chain(&table.columns) {
        let column = table.column(name).unwrap_or_default();
        let mut values: Vec<f64> = column.iter().filter_map(|cell| cell.number()).collect();
        if values.is_empty() {
            continue;
        }
        values.sort_by(f64::total_cmp);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
        let at = |share: f64| values[((n - 1.0) * share).round() as usize];
        let cells = [mean, deviation, at(0.05), at(0.5), at(0.95)].map(|x| format!("<td>{}</td>", short(x))).concat();
        let _ = writeln!(html, "<tr><td>{}</td><td>{}</td>{cells}</tr>", escape(name), values.len());
    }
    html + "</table>\n"
}

fn correlations(table: &SampleTable) -> String {
    let mut found = table.correlations();
    if found.is_empty() {
        return String::new();
    }
    found.sort_by(|a, b| b.2.coefficient.abs().total_cmp(&a.2.coefficient.abs()));
    let mut html = String::from(
        "<h2>Rank correlations</h2>\n<table><tr><th>variable</th><th>number</th><th>coefficient</th>\
         <th>90 % interval</th></tr>\n",
    );
    for (input, column, correlation) in found.iter().take(30) {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{:.3}</td><td>{:.3} … {:.3}</td></tr>",
            escape(input),
            escape(column),
            correlation.coefficient,
            correlation.interval[0],
            correlation.interval[1]
        );
    }
    html + "</table>\n"
}

fn fragility(found: &StudyFragility) -> String {
    let curve = &found.curve;
    let [of_theta, of_beta] = curve.standard_errors();
    let mut html = drawing(found);
    let _ = writeln!(
        html,
        "<p>Median θ = {} (standard error of ln θ {}), deviation β = {} (standard error {}). The band has a confidence of \
         {:.0} %; bars are Wilson intervals of stripes.{}</p>",
        short(curve.theta),
        short(of_theta),
        short(curve.beta),
        short(of_beta),
        100.0 * found.level,
        if found.left_out > 0 {
            format!(" {} samples without a converged answer are omitted.", found.left_out)
        } else {
            String::new()
        }
    );
    if let Some(rate) = &found.rate {
        let _ = writeln!(
            html,
            "<p>Mean annual rate {} per year; {:.1} % of it from intensities outside the hazard curve.</p>",
            short(rate.rate),
            100.0 * rate.extrapolated
        );
    }
    html
}

/// The curve with its band, stripes or intensities of failure.
pub fn drawing(found: &StudyFragility) -> String {
    let curve = &found.curve;
    let seen = found.stripes.iter().map(|stripe| stripe.intensity).chain(found.capacities.iter().copied());
    let most = seen.fold(curve.quantile(0.95), f64::max) * 1.05;
    let [left, right, top, bottom] = AXES;
    let place = |x: f64, p: f64| (left + (right - left) * x / most, bottom - (bottom - top) * p);
    let [width, height] = SIZE;
    let mut svg =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-size=\"13\">\n");
    for i in 0..=5 {
        let p = f64::from(i) / 5.0;
        let (x, y) = place(most * p, p);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{p:.1}</text>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            left - 8.0,
            y + 4.0,
            bottom + 20.0,
            short(most * p)
        );
    }
    let grid: Vec<f64> = (1..=120).map(|i| most * f64::from(i) / 120.0).collect();
    let line = |value: &dyn Fn(f64) -> f64| {
        let point = |x: &f64| {
            let (x, y) = place(*x, value(*x));
            format!("{x:.1},{y:.1}")
        };
        grid.iter().map(point).collect::<Vec<_>>()
    };
    let mut band = line(&|x| curve.band(x, found.level)[0]);
    band.extend(line(&|x| curve.band(x, found.level)[1]).into_iter().rev());
    let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"#9ecae1\" fill-opacity=\"0.5\"/>", band.join(" "));
    let middle = line(&|x| curve.probability(x)).join(" ");
    let _ = writeln!(svg, "<polyline points=\"{middle}\" fill=\"none\" stroke=\"#08519c\" stroke-width=\"2.5\"/>");
    // hundreds of single samples would hide the curve
    for stripe in found.stripes.iter().filter(|_| found.stripes.len() <= 60) {
        let share = stripe.failures as f64 / stripe.runs.max(1) as f64;
        let [low, high] = stripe.wilson(found.level);
        let ((x, y), (_, a), (_, b)) =
            (place(stripe.intensity, share), place(stripe.intensity, low), place(stripe.intensity, high));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{a:.1}\" x2=\"{x:.1}\" y2=\"{b:.1}\" stroke=\"#c0392b\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#c0392b\"/>"
        );
    }
    let mut capacities = found.capacities.clone();
    capacities.sort_by(f64::total_cmp);
    for (i, capacity) in capacities.iter().enumerate() {
        let (x, y) = place(*capacity, (i as f64 + 0.5) / capacities.len() as f64);
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"#c0392b\" fill-opacity=\"0.6\"/>");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">probability</text>",
        0.5 * (left + right),
        bottom + 45.0,
        escape(&found.im),
        0.5 * (top + bottom)
    );
    svg + "</svg>\n"
}

/// Four digits.
fn short(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "–"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if (-4..6).contains(&exponent) {
        format!("{value:.*}", (3 - exponent).max(0) as usize)
    } else {
        format!("{value:.3e}")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
