//! An assessment as lines of text, each with the meaning of its number.

use std::fmt::Write;

use voussoir_statics::joints::PlaneJoint;
use voussoir_statics::limit::LimitVerdict;
use voussoir_statics::stand::VerdictWord;

use super::Assessment;
use super::evaluate::{Adequacy, CaseAnswer};
use crate::figures::quantity;

/// Geometric factors of joints above this are not distinguished.
const LARGEST_FACTOR: f64 = 4000.0;

/// Assumptions and limits in plain words.
pub const ASSUMPTIONS: [&str; 8] = [
    "Rigid blocks, joints without tension, Coulomb friction. Adequacy factors hold for joints that open as they slide \
     (associated friction); for joints that slide without opening the factor can be smaller.",
    "The adequacy factor multiplies the design value of the leading action while all other actions of the case stay; a \
     train is at its worst position, other trains are where they are at time 0.",
    "Factors without a strength assume unlimited compressive strength. Factors with strength use the smallest design \
     strength of all materials in every joint, with a rectangular stress block (in 3D a lower bound by cells), and the train \
     at the position that is worst without it.",
    "Joint forces are one of the possible states of equilibrium; the stress in a joint has no unique value. If strengths \
     are given, it is the state whose largest stress is smallest: with less strength no state of equilibrium exists.",
    "The stress of a joint is uniform on the largest part of the joint whose centroid is the centre of pressure.",
    "The geometric safety factor is the thickness over the least thickness that stands under the actions of the case, with \
     the train at the position that governs the given thickness.",
    "Collapse accelerations are constant (equivalent static), with the weights and masses of blocks, fill and trains of \
     the case, without partial factors.",
    "Fill is weight and mass; it presses sideways only with the key `lateral`: with a constant coefficient, or between active \
     and mobilised passive pressure by the movement. Axle loads are spread only if the train has a dispersion.",
];

/// The result of a case in a word.
pub(super) fn outcome(satisfied: Option<bool>) -> &'static str {
    match satisfied {
        Some(true) => "satisfied",
        Some(false) => "NOT SATISFIED",
        None => "NOT DECIDED",
    }
}

pub(super) fn verdict(answer: &CaseAnswer) -> String {
    match answer.verdict {
        VerdictWord::Stands => "stands".to_owned(),
        VerdictWord::Wedged => "WEDGED: only by self-stress that the loads do not produce".to_owned(),
        VerdictWord::Collapses => "COLLAPSES".to_owned(),
        VerdictWord::NotDecided => format!("NOT DECIDED: {}", answer.missing),
    }
}

/// A factor with its bounds.
pub(super) fn factor(found: &Adequacy, unit: &str) -> String {
    match (found.verdict, found.factor, found.upper) {
        (LimitVerdict::Limit, Some(low), Some(high)) if found.proved => {
            format!("{low:.3}{unit} (proved, between {low:.6} and {high:.6})")
        }
        (LimitVerdict::Unbounded, ..) => "unbounded: no factor causes collapse".to_owned(),
        (LimitVerdict::Undecided, Some(low), Some(high)) => {
            format!("NOT DECIDED: between {low:.4} and {high:.4}{unit}")
        }
        (LimitVerdict::Undecided, ..) => "NOT DECIDED".to_owned(),
        _ => "the other actions alone cause collapse".to_owned(),
    }
}

/// A factor without its bounds, for tables.
pub(super) fn short_factor(found: &Adequacy) -> String {
    match (found.verdict, found.factor) {
        (LimitVerdict::Limit, Some(low)) => format!("{low:.3}"),
        (LimitVerdict::Unbounded, _) => "unbounded".to_owned(),
        (LimitVerdict::Undecided, Some(low)) => format!("≥ {low:.3}, not decided"),
        (LimitVerdict::Undecided, None) => "not decided".to_owned(),
        _ => "not carried".to_owned(),
    }
}

/// A geometric factor; factors of joints are bisected up to 4096.
pub(super) fn geometric(factor: f64) -> String {
    if factor < LARGEST_FACTOR { format!("{factor:.3}") } else { format!("above {LARGEST_FACTOR}") }
}

/// A joint: where it is, and how much of it is used.
pub(super) fn joint(joint: &PlaneJoint) -> String {
    let [x, y, z] = joint.at.map(|x| if x.abs() < 5e-3 { 0.0 } else { x });
    let stress = match (joint.stress_pa, joint.strength_pa) {
        (Some(stress), Some(strength)) => {
            format!(", stress {} of {}", quantity(stress, "Pa"), quantity(strength, "Pa"))
        }
        (Some(stress), None) => format!(", stress {} (no strength is given)", quantity(stress, "Pa")),
        (None, _) if joint.area == 0.0 && joint.normal_force_n > 0.0 => ", the blocks touch along an edge".to_owned(),
        (None, _) => String::new(),
    };
    format!(
        "{} – {} at ({x:.2}, {y:.2}, {z:.2}) m: friction {:.0} %, eccentricity {:.0} % of the edge{stress}",
        joint.between[0],
        joint.between[1],
        1e2 * joint.friction_use,
        1e2 * joint.eccentricity
    )
}

/// Joints that govern, each once, with what they govern.
pub(super) fn governing(answer: &CaseAnswer) -> Vec<(String, &PlaneJoint)> {
    let mut found: Vec<(usize, Vec<&str>)> = Vec::new();
    let governing = &answer.governing;
    let all = [
        ("compression", governing.compression),
        ("friction", governing.friction),
        ("eccentricity", governing.eccentricity),
    ];
    for (what, index) in all {
        let Some(index) = index else { continue };
        match found.iter_mut().find(|(other, _)| *other == index) {
            Some((_, words)) => words.push(what),
            None => found.push((index, vec![what])),
        }
    }
    found.into_iter().map(|(index, words)| (words.join(", "), &answer.joints[index])).collect()
}

/// Actions of a case with their factors.
pub(super) fn actions(answer: &CaseAnswer) -> String {
    let mut text = format!("{} × weight", answer.weight_factor);
    for (name, factor) in &answer.actions {
        let _ = write!(text, " + {factor} × {name}");
    }
    if let Some(size) = answer.acceleration_g {
        let _ = write!(text, " + {size} g ground acceleration");
    }
    text
}

/// Rows "what, value" of one case.
pub(super) fn case_rows(answer: &CaseAnswer) -> Vec<[String; 2]> {
    let mut rows =
        vec![["actions".to_owned(), actions(answer)], ["verdict under these actions".to_owned(), verdict(answer)]];
    let mut push = |name: String, value: String| rows.push([name, value]);
    if let (Some(found), Some(leading)) = (&answer.adequacy, &answer.leading) {
        let mut text = factor(found, "");
        if let Some([x, y, _]) = found.at {
            let _ = write!(text, ", worst with the first axle at x = {x:.2} m, y = {y:.2} m");
        }
        push(format!("adequacy factor of {leading}"), text);
    }
    if let Some(strength) = &answer.strength {
        let design = quantity(strength.design_pa, "Pa");
        if let Some(found) = &strength.adequacy {
            push(format!("adequacy factor with a strength of {design}"), factor(found, ""));
        }
        let text = match strength.least_pa {
            Some([low, high]) => {
                let used = 1e2 * high / strength.design_pa;
                format!("{} … {}: {used:.1} % of {design}", quantity(low, "Pa"), quantity(high, "Pa"))
            }
            None if strength.computed => "no strength suffices".to_owned(),
            None => "not computed: too many joints".to_owned(),
        };
        push("least strength that suffices".to_owned(), text);
    }
    for thickness in &answer.thickness {
        let text =
            format!("{:.3}: {} m over the least {:.4} m", thickness.factor, thickness.given_m, thickness.least_m);
        push(format!("geometric safety factor, {}", thickness.key), text);
    }
    for (name, found, words) in [
        ("geometric factor of the joints", answer.joint_factor, ["every joint may shrink to", "of its size"]),
        (
            "friction factor of the joints",
            answer.friction_factor,
            ["all friction coefficients may fall to", "of their values"],
        ),
    ] {
        if let Some(factor) = found {
            let left =
                if factor < LARGEST_FACTOR { format!("{:.1} %", 1e2 / factor) } else { "less than 0.025 %".to_owned() };
            push(name.to_owned(), format!("{}: {} {left} {}", geometric(factor), words[0], words[1]));
        }
    }
    for found in &answer.accelerations {
        let mut text = factor(&found.acceleration_g, " g");
        if !found.acceleration_g.not_accelerated.is_empty() {
            let _ = write!(text, "; without inertia: {}", found.acceleration_g.not_accelerated.join(", "));
        }
        push(format!("collapse acceleration, inertia along {}", found.direction), text);
    }
    if let Some(thrust) = &answer.thrust {
        let end = |value: Option<f64>| value.map_or("no limit".to_owned(), |value| quantity(value, "N"));
        let range = &thrust.range;
        push("range of thrust".to_owned(), format!("{} … {} at {}", end(range.min_n), end(range.max_n), range.at));
    }
    for (what, governing) in governing(answer) {
        push(format!("governing joint: {what}"), joint(governing));
    }
    rows
}

/// The first line: the result and the governing case.
pub fn headline(assessment: &Assessment) -> String {
    let case = &assessment.cases[assessment.governing];
    let words = match assessment.satisfied {
        Some(true) => "All load cases are satisfied",
        Some(false) => "NOT ALL LOAD CASES ARE SATISFIED",
        None => "NOT DECIDED",
    };
    let required = assessment.basis.required;
    let why = match (case.least_adequacy(), &case.leading) {
        (Some(least), Some(leading)) => {
            let strong = case.adequacy.as_ref().and_then(|found| found.factor).is_none_or(|factor| least < factor);
            let with = if strong { " with the strength of the materials" } else { "" };
            format!("adequacy factor of {leading}{with} {least:.3}, required {required}")
        }
        _ => format!("verdict: {}", verdict(case)),
    };
    format!("{words}; governing case \"{}\": {why}", case.name)
}

/// The assessment as text.
pub fn text(assessment: &Assessment) -> String {
    let mut text = format!("{}\n  {}\n", assessment.title, headline(assessment));
    for warning in &assessment.warnings {
        let _ = writeln!(text, "  check the scene: {warning}");
    }
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<44} {value}");
    };
    row("weight of the blocks", &quantity(assessment.weight_n, "N"));
    if let Some(code) = &assessment.basis.code {
        row("factors", code);
    }
    for factor in assessment.basis.factors.iter().filter(|factor| factor.value != 1.0) {
        let check = if factor.to_check { " (to be checked)" } else { "" };
        row(&format!("factor, {}", factor.key), &format!("{}: {}{check}", factor.value, factor.source));
    }
    for case in &assessment.cases {
        row(&format!("case \"{}\"", case.name), outcome(case.satisfied));
        for [name, value] in case_rows(case) {
            row(&format!("  {name}"), &value);
        }
    }
    for found in &assessment.sensitivities {
        let number = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.3}"));
        let value = format!(
            "{} with −10 %, {} as given, {} with +10 %",
            number(found.less),
            number(found.given),
            number(found.more)
        );
        row(&format!("{}, {}", found.result, found.parameter), &value);
    }
    for line in assessment.basis.to_check.iter().chain(&assessment.assumptions) {
        let _ = writeln!(text, "  note: {line}");
    }
    text
}
