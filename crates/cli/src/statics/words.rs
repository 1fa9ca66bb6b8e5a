//! Answers of static analyses as text.

use std::fmt::Write;

use voussoir_statics::find::{Find, Found};
use voussoir_statics::limit::{LimitAnswer, LimitVerdict};
use voussoir_statics::mechanism::Mechanism;
use voussoir_statics::stand::VerdictWord;
use voussoir_statics::study::{StandReport, ThrustReport};

use crate::figures::quantity;

/// Number of joints and blocks of a mechanism that are named; the others are counted.
const MOST_NAMED: usize = 6;

/// Margins are bisected to 1/4096: above, only this bound is known.
const LARGEST_MARGIN: f64 = 1.0 - 1.0 / 4000.0;

/// Forces below this fraction of the weight are rounding errors.
const NEGLIGIBLE_FORCE: f64 = 1e-9;

/// Lines of "name value".
#[derive(Default)]
pub struct Lines {
    text: String,
}

impl Lines {
    /// Starts with a title.
    pub fn new(title: &str) -> Self {
        Self { text: format!("{}\n", if title.is_empty() { "Scene" } else { title }) }
    }

    /// One more line.
    pub fn add(&mut self, name: &str, value: impl AsRef<str>) {
        let _ = writeln!(self.text, "  {name:<18} {}", value.as_ref());
    }

    /// All lines.
    pub fn text(self) -> String {
        self.text
    }
}

/// The answer of `voussoir stand`.
pub fn stand(lines: &mut Lines, report: &StandReport) {
    let answer = &report.answer;
    if let Some(found) = &report.found {
        search(lines, found);
    }
    lines.add(
        "verdict",
        match answer.verdict {
            VerdictWord::Stands => {
                format!("STANDS: admissible forces in equilibrium, relative imbalance {:.0e}", answer.imbalance)
            }
            VerdictWord::Wedged => {
                "WEDGED: forces in equilibrium exist only as self-stress between fixed parts, which the \
                 loads do not produce; without it the structure moves"
                    .to_owned()
            }
            VerdictWord::Collapses => "COLLAPSES: a mechanism driven by the loads exists".to_owned(),
            VerdictWord::NotDecided => format!("NOT DECIDED: {}", answer.missing),
        },
    );
    if let (Some(geometric), Some(friction)) = (answer.geometric_margin, answer.friction_margin) {
        let of = match answer.margin_of {
            "best" => "best over all admissible states",
            _ => "lower bound, from the forces found",
        };
        let factor = |margin: f64, what: &str| match margin {
            _ if margin >= 1.0 => format!("unbounded: {what} to nothing ({of})"),
            _ if margin >= LARGEST_MARGIN => format!("above 4000: {what} to less than 0.025 % ({of})"),
            _ => format!("{:.3}: {what} to {:.1} % ({of})", 1.0 / (1.0 - margin), 1e2 * (1.0 - margin)),
        };
        lines.add("geometric safety", factor(geometric, "every joint may shrink about its centre"));
        lines.add("friction safety", factor(friction, "all friction coefficients may fall"));
    }
    if let Some(factor) = &report.load_factor {
        lines.add("load factor", format!("{} of \"{}\"", multiplier(factor), factor.load));
        not_accelerated(lines, factor);
    }
    lines.add("weight", quantity(answer.weight_n, "N"));
    if answer.stands == Some(true) {
        lines.add("support reaction", quantity(answer.support_reaction_n, "N"));
    }
    for cable in &answer.cables {
        let kind = if cable.tie { "statically indeterminate: one admissible tension" } else { "prestress" };
        let strength = cable.strength_n.map_or(String::new(), |s| format!(", strength {}", quantity(s, "N")));
        if !cable.tie || answer.stands == Some(true) {
            lines.add(
                &format!("cable {}", cable.name),
                format!("{} ({kind}){strength}", quantity(cable.tension_n, "N")),
            );
        }
    }
    let main = report.thrust.iter().filter(|_| report.thrusts.is_empty());
    let shown = report.thrusts.iter().chain(main);
    shown.clone().take(MOST_NAMED).for_each(|thrust| lines.add("thrust", self::thrust(thrust, answer.weight_n)));
    if let Some(more) = shown.count().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        lines.add("", format!("… and {more} more places (--json has all of them)"));
    }
    if !report.floating.is_empty() {
        let names: Vec<&str> = report.floating.iter().map(String::as_str).collect();
        let (count, names) = (names.len(), some(&names));
        lines.add("without support", format!("{count}: {names}; no chain of contacts leads to a support"));
    }
    if let Some(mechanism) = &answer.mechanism {
        self::mechanism(lines, mechanism);
    }
    lines.add("size", format!("{} blocks, {} contacts", report.blocks, report.contacts));
    lines.add("certificate", format!("residual {:.1e}, {} Newton steps", answer.residual, answer.iterations));
    lines.add("time", format!("{:.3} s", report.time_s));
}

/// The range of thrust at a support of a structure with this weight [N].
fn thrust(thrust: &ThrustReport, weight: f64) -> String {
    let range = &thrust.range;
    // rounding errors are shown as zero
    let force = |value: f64| quantity(if value.abs() < NEGLIGIBLE_FORCE * weight { 0.0 } else { value }, "N");
    let found = force(thrust.found_n);
    let text = match (range.min_n, range.max_n) {
        (Some(min), Some(max)) => format!("{} … {}", force(min), force(max)),
        (Some(min), None) if range.unbounded => format!("at least {}, unbounded", force(min)),
        _ => format!("{found} in the forces found; range not computed (use --thrust)"),
    };
    format!("{text} at {} along {}", range.at, direction(range.direction))
}

/// Result of a search.
pub fn search(lines: &mut Lines, found: &Found) {
    let end = if found.find == Find::Smallest { "smallest" } else { "largest" };
    let text = match found.value {
        Some(value) if found.outcome == "found" => {
            format!("{value:.7} is the {end} value that stands (between {:.7} and {:.7})", found.lower, found.upper)
        }
        Some(value) => format!("all values stand, up to the end of the range {value}"),
        None if found.find == Find::Smallest => format!("no value stands; the largest, {:.7}, collapses", found.upper),
        None => format!("no value stands; the smallest, {:.7}, collapses", found.lower),
    };
    let unsure = match found.undecided {
        0 => String::new(),
        n => format!(", {n} of them not decided and counted as collapsing"),
    };
    let analyses =
        if found.evaluations == 1 { "1 analysis".to_owned() } else { format!("{} analyses", found.evaluations) };
    lines.add("value", format!("{text}; {analyses}{unsure}"));
}

/// Constant loads that press down without inertia.
pub fn not_accelerated(lines: &mut Lines, answer: &LimitAnswer) {
    if !answer.not_accelerated.is_empty() {
        let names = answer.not_accelerated.join(", ");
        lines.add("not accelerated", format!("{names}: no inertia; write mass = true for a load that is a weight"));
    }
}

/// The collapse multiplier as text.
pub fn multiplier(answer: &LimitAnswer) -> String {
    match (answer.verdict, answer.multiplier) {
        (LimitVerdict::Limit, Some(value)) => format!("{value:.7}"),
        (LimitVerdict::Limit, None) => "?".to_owned(),
        (LimitVerdict::Unbounded, _) => "unbounded: no factor on this load causes collapse".to_owned(),
        (LimitVerdict::Falls, Some(value)) => format!("{value:.7}: the fixed loads alone cause collapse"),
        (LimitVerdict::Falls, None) => "none: the fixed loads cause collapse with any multiple of this load".to_owned(),
        (LimitVerdict::Undecided, Some(value)) => match answer.upper {
            Some(upper) if answer.associated => format!("NOT DECIDED: between {value:.5} and {upper:.5}"),
            _ => match answer.last_passes {
                Some([low, high]) => format!("NOT DECIDED to tolerance; {low:.4} … {high:.4} in the last passes"),
                None => format!("NOT DECIDED to tolerance; about {value:.4}"),
            },
        },
        (LimitVerdict::Undecided, None) => "NOT DECIDED to tolerance".to_owned(),
    }
}

/// The collapse mechanism.
pub fn mechanism(lines: &mut Lines, mechanism: &Mechanism) {
    let names: Vec<&str> = mechanism.bodies.iter().map(|body| body.name.as_str()).collect();
    lines.add("moves", format!("{}: {}", mechanism.moving, some(&names)));
    let pair = |between: &[String; 2]| between.join(" – ");
    let groups: [(&str, Vec<String>); 4] = [
        (
            "hinges",
            mechanism.hinges.iter().map(|hinge| format!("{} at {}", pair(&hinge.between), point(hinge.at))).collect(),
        ),
        ("slides", mechanism.sliding.iter().map(|slip| pair(&slip.between)).collect()),
        ("opens", mechanism.opening.iter().map(|slip| pair(&slip.between)).collect()),
        ("crushed", mechanism.crushing.iter().map(|slip| pair(&slip.between)).collect()),
    ];
    for (name, joints) in groups.iter().filter(|(_, joints)| !joints.is_empty()) {
        let joints: Vec<&str> = joints.iter().map(String::as_str).collect();
        lines.add(name, format!("{}: {}", joints.len(), some(&joints)));
    }
}

fn some(words: &[&str]) -> String {
    let more = words.len().saturating_sub(MOST_NAMED);
    let tail = if more > 0 { format!(", … and {more} more") } else { String::new() };
    words[..words.len() - more].join(", ") + &tail
}

/// A direction: the name of an axis, or components.
pub fn direction(direction: [f64; 3]) -> String {
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        if direction[axis].abs() > 1.0 - 1e-9 {
            return format!("{}{name}", if direction[axis] < 0.0 { "-" } else { "" });
        }
    }
    point(direction)
}

/// States the origin of positions, for scenes in survey coordinates.
pub fn origin(lines: &mut Lines, origin: [f64; 3]) {
    if origin != [0.0; 3] {
        lines.add("origin", format!("positions below are measured from {} m of the survey", point(origin)));
    }
}

fn point(at: [f64; 3]) -> String {
    let numbers = at.map(|x| format!("{:.3}", if x.abs() < 5e-4 { 0.0 } else { x }));
    format!("({})", numbers.join(", "))
}
