//! An assessment as one page of HTML, without files beside it.

use std::fmt::Write;

use voussoir_results::picture::escape;
use voussoir_statics::study::Study;

use super::Assessment;
use super::cases::NO_FACTOR;
use super::evaluate::CaseAnswer;
use super::words::{actions, case_rows, geometric, governing, headline, joint, outcome, short_factor, verdict};
use crate::figures::quantity;
use crate::statics::drawing;

const STYLE: &str = "*{box-sizing:border-box}body{font:14px/1.45 sans-serif;max-width:64em;margin:1.5em auto;padding:0 1em;color:#222}\
h1{font-size:1.5em;margin:.2em 0}h2{font-size:1.15em;margin:1.2em 0 .4em}h3{font-size:1em;margin:1em 0 .3em}\
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:.3em .5em;vertical-align:top;\
text-align:left}th{color:#555;font-weight:600}.number{text-align:right;white-space:nowrap}\
.result{font-size:1.1em;padding:.6em .8em;border-left:.4em solid #2e7d32;background:#eef6ee}\
.result.bad{border-color:#b71c1c;background:#fbeeee}.result.open{border-color:#b58900;background:#fbf6e6}\
figure{margin:.6em 0;min-width:0;break-inside:avoid}figure svg{width:100%;height:auto;border:1px solid #e5e5e5}\
figcaption{color:#555}.pictures{display:grid;grid-template-columns:1fr 1fr;gap:.8em}li{margin:.2em 0}\
details{margin:.5em 0}.paper{display:none}.scroll{overflow-x:auto}.sign{margin-top:2em;color:#555}\
@page{size:A4;margin:14mm}@media print{body{font-size:10px;max-width:none;margin:0;padding:0}tr,section{break-inside:avoid}\
h2,h3{break-after:avoid}details:not([open]){display:none}.paper{display:block}}@media(max-width:700px){.pictures{grid-template-columns:1fr}}";

/// Tables of joints of the governing case with at most these rows are unfolded, on screen and on paper.
const MOST_UNFOLDED: usize = 60;

/// The assessment as one page.
pub fn page(assessment: &Assessment) -> String {
    let title = if assessment.title.is_empty() { "Assessment".to_owned() } else { escape(&assessment.title) };
    let class = match assessment.satisfied {
        Some(true) => "result",
        Some(false) => "result bad",
        None => "result open",
    };
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <p class=\"{class}\">{}</p>\n",
        escape(&headline(assessment))
    );
    for warning in &assessment.warnings {
        let _ = writeln!(html, "<p class=\"result open\">Check the scene: {}.</p>", prose(warning));
    }
    summary(&mut html, assessment);
    pictures(&mut html, assessment);
    for (i, case) in assessment.cases.iter().enumerate() {
        let outcome = outcome(case.satisfied);
        let _ = writeln!(html, "<section><h2>Case: {} – {outcome}</h2>\n<table>", escape(&case.name));
        for [name, value] in case_rows(case) {
            let _ = writeln!(html, "<tr><td style=\"width:34%\">{}</td><td>{}</td></tr>", prose(&name), prose(&value));
        }
        html += "</table></section>\n";
        joints(&mut html, case, i == assessment.governing && case.joints.len() <= MOST_UNFOLDED);
    }
    sensitivities(&mut html, assessment);
    basis(&mut html, assessment);
    html += "<h2>Assumptions and limits</h2>\n<ul>\n";
    for line in &assessment.assumptions {
        let _ = writeln!(html, "<li>{}</li>", prose(line).replace('`', ""));
    }
    let _ = write!(
        html,
        "</ul>\n<p class=\"sign\">Computed by Voussoir {} in {:.1} s. Checked by: ______________________ \
         Date: ______________</p>\n</body></html>\n",
        env!("CARGO_PKG_VERSION"),
        assessment.time_s
    );
    html
}

/// A text in which numbers and their units stay on one line.
fn prose(text: &str) -> String {
    const UNITS: [&str; 7] = ["%", "m", "g", "kN", "MN", "kPa", "MPa"];
    let mut out = String::new();
    for word in escape(text).split(' ') {
        let unit = UNITS.contains(&word.trim_end_matches([',', ':', ';', '.', ')']));
        if !out.is_empty() {
            out.push(if unit && out.ends_with(|c: char| c.is_ascii_digit()) { '\u{a0}' } else { ' ' });
        }
        out += word;
    }
    out
}

/// One row for each case.
fn summary(html: &mut String, assessment: &Assessment) {
    let _ = writeln!(
        html,
        "<p>Weight of the blocks {}. Required adequacy factor {}.</p>\n<div class=\"scroll\"><table><tr><th>load \
         case</th><th>result</th><th>verdict</th><th class=\"number\">adequacy<br>factor</th><th class=\"number\">with<br>\
         strength</th><th class=\"number\">geometric<br>safety</th><th class=\"number\">collapse<br>acceleration</th>\
         <th class=\"number\">friction<br>use</th><th class=\"number\">compression<br>use</th></tr>",
        quantity(assessment.weight_n, "N"),
        assessment.basis.required
    );
    for case in &assessment.cases {
        let none = || "–".to_owned();
        let strong = case.strength.as_ref().and_then(|strength| strength.adequacy.as_ref());
        let thickness = case.thickness.iter().map(|thickness| thickness.factor).reduce(f64::min);
        let geometric = thickness.or(case.joint_factor).map_or_else(none, geometric);
        let acceleration = case.worst_acceleration().map_or_else(none, |found| {
            format!("{} g<br>along {}", short_factor(&found.acceleration_g), found.direction)
        });
        let used = |index: Option<usize>, of: fn(&CaseAnswer, usize) -> Option<f64>| {
            index.and_then(|index| of(case, index)).map_or_else(none, |used| format!("{:.0} %", 1e2 * used))
        };
        let friction = used(case.governing.friction, |case, i| Some(case.joints[i].friction_use));
        let compression = used(case.governing.compression, |case, i| case.joints[i].compression_use);
        let _ = writeln!(
            html,
            "<tr><td>{}<br><small>{}</small></td><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}\
             </td><td class=\"number\">{geometric}</td><td class=\"number\">{acceleration}</td><td class=\"number\">\
             {friction}</td><td class=\"number\">{compression}</td></tr>",
            escape(&case.name),
            escape(&actions(case)),
            outcome(case.satisfied),
            escape(&verdict(case)),
            case.adequacy.as_ref().map_or_else(none, short_factor),
            strong.map_or_else(none, short_factor),
        );
    }
    *html += "</table></div>\n";
}

/// Equilibrium and collapse of the governing case.
fn pictures(html: &mut String, assessment: &Assessment) {
    let case = &assessment.cases[assessment.governing];
    let _ = writeln!(html, "<h2>Governing case: {}</h2>\n<div class=\"pictures\">", escape(&case.name));
    let mut figure = |study: &Study, id: &str, caption: &str| {
        // identifiers must differ in one page
        let svg = drawing::elevation(study, &assessment.title, caption)
            .replace("id=\"page\"", &format!("id=\"{id}\""))
            .replace("url(#page)", &format!("url(#{id})"));
        let _ = writeln!(html, "<figure>{svg}<figcaption>{}</figcaption></figure>", escape(caption));
    };
    let stands = case.design.report.answer.mechanism.is_none();
    let caption =
        if stands { "Thrust line under the actions of the case" } else { "Initial motion under these actions" };
    figure(&case.design, "design", caption);
    if let (Some(collapse), Some(leading)) = (&case.collapse, &case.leading) {
        let factor = case.adequacy.as_ref().map(short_factor).unwrap_or_default();
        figure(collapse, "collapse", &format!("Collapse at {factor} times the design value of {leading}"));
    }
    *html += "</div>\n";
    for (what, governing) in governing(case) {
        let _ = writeln!(html, "<p>Governing joint ({}): {}.</p>", escape(&what), prose(&joint(governing)));
    }
}

/// Every joint of a case, folded away or not.
fn joints(html: &mut String, case: &CaseAnswer, unfolded: bool) {
    if case.joints.is_empty() {
        return;
    }
    let _ = writeln!(
        html,
        "<details{}><summary>Utilisation of all {} joints</summary><div class=\"scroll\"><table><tr><th>joint</th>\
         <th class=\"number\">x [m]</th><th class=\"number\">y [m]</th><th class=\"number\">z [m]</th>\
         <th class=\"number\">normal force</th><th class=\"number\">friction</th><th class=\"number\">eccentricity</th>\
         <th class=\"number\">stress</th><th class=\"number\">compression</th></tr>",
        if unfolded { " open" } else { "" },
        case.joints.len()
    );
    for joint in &case.joints {
        let [x, y, z] = joint.at.map(|x| if x.abs() < 5e-4 { 0.0 } else { x });
        let stress = joint.stress_pa.map_or("–".to_owned(), |stress| quantity(stress, "Pa"));
        let used = joint.compression_use.map_or("–".to_owned(), |used| format!("{:.1} %", 1e2 * used));
        let _ = writeln!(
            html,
            "<tr><td>{} – {}</td><td class=\"number\">{x:.3}</td><td class=\"number\">{y:.3}</td><td class=\"number\">\
             {z:.3}</td><td class=\"number\">{}</td><td class=\"number\">{:.1} %</td><td class=\"number\">{:.1} %</td>\
             <td class=\"number\">{stress}</td><td class=\"number\">{used}</td></tr>",
            escape(&joint.between[0]),
            escape(&joint.between[1]),
            quantity(joint.normal_force_n, "N"),
            1e2 * joint.friction_use,
            1e2 * joint.eccentricity,
        );
    }
    *html += "</table></div></details>\n";
    if !unfolded {
        let _ = writeln!(
            html,
            "<p class=\"paper\">Utilisation of all {} joints: see the page on screen (unfold the table before printing) or \
             assessment.json.</p>",
            case.joints.len()
        );
    }
}

fn sensitivities(html: &mut String, assessment: &Assessment) {
    let Some(first) = assessment.sensitivities.first() else { return };
    let _ = writeln!(
        html,
        "<h2>Sensitivity of the governing case</h2>\n<table><tr><th>parameter</th><th class=\"number\">{0}, −10 %</th>\
         <th class=\"number\">as given</th><th class=\"number\">+10 %</th><th class=\"number\">change of the result<br>\
         over that of the parameter</th></tr>",
        first.result
    );
    let number = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.3}"));
    for row in &assessment.sensitivities {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td></tr>",
            escape(&row.parameter),
            number(row.less),
            number(row.given),
            number(row.more),
            number(row.elasticity)
        );
    }
    *html += "</table>\n";
}

fn basis(html: &mut String, assessment: &Assessment) {
    if assessment.basis.factors.iter().all(|factor| factor.source == NO_FACTOR) {
        *html += "<h2>Partial factors</h2>\n<p>All partial factors are 1.</p>\n";
        return;
    }
    *html +=
        "<h2>Partial factors</h2>\n<table><tr><th>factor</th><th class=\"number\">value</th><th>source</th></tr>\n";
    for factor in &assessment.basis.factors {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td>{}</td></tr>",
            escape(&factor.key),
            factor.value,
            escape(&if factor.to_check { format!("{} (to be checked)", factor.source) } else { factor.source.clone() })
        );
    }
    *html += "</table>\n";
    if let Some(words) = assessment.basis.to_check {
        let _ = writeln!(html, "<p><strong>{}</strong></p>", escape(words));
    }
}
