//! Templates of scenes with comments, for `voussoir new`.

mod bridge;
mod ice;
mod list;
mod masonry;
mod round;
mod samples;
mod text;

use crate::suggest;

/// A scene with parameters.
#[derive(Debug)]
pub struct Template {
    /// Name on the command line.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Parameters of this template, in addition to [`COMMON`] or in place of some of them.
    own: &'static [TemplateParameter],
    /// Possible dimensions.
    pub dimensions: &'static [u8],
    write: fn(&Values) -> String,
}

impl Template {
    /// All parameters; the common ones are last.
    pub fn parameters(&self) -> impl Iterator<Item = &'static TemplateParameter> {
        let own = |key: &str| self.own.iter().any(|parameter| parameter.key == key);
        // tests on samples are plane, and their stages have no duration
        let sample = own("porosity");
        let omitted = move |key: &str| own(key) || (sample && ["dim", "duration", "step"].contains(&key));
        self.own.iter().chain(COMMON.iter().filter(move |parameter| !omitted(parameter.key)))
    }
}

/// A parameter of a template.
#[derive(Clone, Copy, Debug)]
pub struct TemplateParameter {
    /// Key on the command line.
    pub key: &'static str,
    /// Default value.
    pub default: &'static str,
    /// Meaning and unit.
    pub doc: &'static str,
    kind: Kind,
}

/// Permitted values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A whole number, at least 1.
    Count,
    /// A whole number, 0 or more.
    Seed,
    /// 2 or 3.
    Dimension,
    /// A number above zero.
    Positive,
    /// A number, zero or more.
    NotNegative,
    /// Three numbers above zero.
    ThreePositive,
    /// One of the bonds of brickwork; read as its number.
    Bond,
}

impl Kind {
    fn expected(self) -> &'static str {
        match self {
            Self::Count => "a whole number, 1 or more",
            Self::Seed => "a whole number, 0 or more",
            Self::Dimension => "2 or 3",
            Self::Positive => "a number above zero",
            Self::NotNegative => "a number, zero or more",
            Self::ThreePositive => "three numbers above zero, for instance [0.5, 0.25, 0.25]",
            Self::Bond => "stretcher, english, flemish or american",
        }
    }

    /// Reads the numbers of a text; `None` if they are not permitted.
    fn read(self, text: &str) -> Option<Vec<f64>> {
        let finite = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let whole = |min: u64, max: u64| {
            let number = text.trim().parse::<u64>().ok()?;
            (min..=max).contains(&number).then_some(vec![number as f64])
        };
        match self {
            Self::Count => whole(1, crate::build::check::MOST_BODIES),
            Self::Seed => whole(0, 1 << 53),
            Self::Dimension => whole(2, 3),
            Self::Positive => finite(text).filter(|x| *x > 0.0).map(|x| vec![x]),
            Self::NotNegative => finite(text).filter(|x| *x >= 0.0).map(|x| vec![x]),
            Self::ThreePositive => {
                let inside = text.trim().trim_start_matches('[').trim_end_matches(']');
                let numbers: Vec<f64> =
                    inside.split(',').map(|word| finite(word).filter(|x| *x > 0.0)).collect::<Option<_>>()?;
                (numbers.len() == 3).then_some(numbers)
            }
            Self::Bond => masonry::BONDS.iter().position(|bond| *bond == text.trim()).map(|i| vec![i as f64]),
        }
    }
}

/// A parameter with its default, its meaning and its permitted values.
const fn parameter(key: &'static str, default: &'static str, doc: &'static str, kind: Kind) -> TemplateParameter {
    TemplateParameter { key, default, doc, kind }
}

/// Parameters of every template.
pub const COMMON: &[TemplateParameter] = &[
    parameter("friction", "0.6", "coefficient of friction", Kind::NotNegative),
    parameter("density", "2000", "density [kg/m³]", Kind::Positive),
    parameter("dim", "3", "dimensions: 2 or 3", Kind::Dimension),
    parameter("duration", "1", "simulated time [s]", Kind::Positive),
    parameter("step", "1e-3", "time step [s]", Kind::Positive),
];

/// All templates.
pub fn templates() -> &'static [Template] {
    list::TEMPLATES
}

/// Writes a scene from a template; parameters that are not given have their defaults.
///
/// ```
/// let scene = voussoir_model::render("wall", &[("courses", "4"), ("brick", "[0.2,0.1,0.1]")])?;
/// assert!(scene.contains("brick = [0.2, 0.1, 0.1]"));
/// # Ok::<(), voussoir_model::TemplateError>(())
/// ```
pub fn render(name: &str, given: &[(&str, &str)]) -> Result<String, TemplateError> {
    let Some(template) = templates().iter().find(|template| template.name == name) else {
        let names: Vec<&str> = templates().iter().map(|template| template.name).collect();
        return Err(TemplateError::Template { name: name.into(), help: suggest::help("templates", name, &names) });
    };
    let keys: Vec<&str> = template.parameters().map(|parameter| parameter.key).collect();
    for (i, (key, _)) in given.iter().enumerate() {
        if !keys.contains(key) {
            let help = suggest::help("parameters", key, &keys);
            return Err(TemplateError::Key { template: template.name, key: (*key).into(), help });
        }
        if given[..i].iter().any(|(other, _)| other == key) {
            return Err(TemplateError::Twice { key: (*key).into() });
        }
    }
    let mut values = Vec::new();
    for parameter in template.parameters() {
        let text = given.iter().find(|(key, _)| *key == parameter.key).map_or(parameter.default, |(_, value)| value);
        let numbers = parameter.kind.read(text).ok_or_else(|| TemplateError::Value {
            key: parameter.key,
            value: text.into(),
            expected: parameter.kind.expected(),
        })?;
        values.push((parameter.key, numbers));
    }
    let values = Values(values);
    if keys.contains(&"dim") && !template.dimensions.iter().any(|dim| f64::from(*dim) == values.number("dim")) {
        let value = values.number("dim").to_string();
        let expected = match template.dimensions {
            [2] => "2: this template has no 3D form",
            _ => "3: this template has no 2D form",
        };
        return Err(TemplateError::Value { key: "dim", value, expected });
    }
    Ok((template.write)(&values))
}

/// The numbers of a template by key.
struct Values(Vec<(&'static str, Vec<f64>)>);

impl Values {
    fn numbers(&self, key: &str) -> &[f64] {
        self.0.iter().find(|(k, _)| *k == key).map_or(&[], |(_, numbers)| numbers)
    }

    fn number(&self, key: &str) -> f64 {
        self.numbers(key).first().copied().unwrap_or(f64::NAN)
    }

    fn three(&self, key: &str) -> [f64; 3] {
        self.numbers(key).try_into().unwrap_or([f64::NAN; 3])
    }

    fn is_2d(&self) -> bool {
        self.number("dim") == 2.0
    }
}

/// A template that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// No template has this name.
    #[error("there is no template \"{name}\" ({help})")]
    Template {
        /// As given.
        name: String,
        /// The nearest, and all of them.
        help: String,
    },
    /// The template has no such parameter.
    #[error("template \"{template}\" has no parameter `{key}` ({help})")]
    Key {
        /// Name of the template.
        template: &'static str,
        /// As given.
        key: String,
        /// The nearest, and all of them.
        help: String,
    },
    /// A parameter is given twice.
    #[error("parameter `{key}` is given twice")]
    Twice {
        /// The parameter.
        key: String,
    },
    /// A value is not permitted.
    #[error("{key}={value}: expected {expected}")]
    Value {
        /// The parameter.
        key: &'static str,
        /// As given.
        value: String,
        /// Advice: what would be right.
        expected: &'static str,
    },
}
