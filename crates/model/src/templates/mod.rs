//! Commented scenes to start from: what `voussoir new` writes.

mod masonry;
mod round;
mod text;

use crate::suggest;

/// A scene with some numbers left open.
#[derive(Debug)]
pub struct Template {
    /// Name on the command line.
    pub name: &'static str,
    /// One line that says what it is.
    pub summary: &'static str,
    /// Its own parameters; [`COMMON`] ones come on top.
    own: &'static [TemplateParameter],
    /// The dimensions in which it exists.
    pub dimensions: &'static [u8],
    write: fn(&Values) -> String,
}

impl Template {
    /// All parameters, the template's own first.
    pub fn parameters(&self) -> impl Iterator<Item = &'static TemplateParameter> {
        self.own.iter().chain(COMMON)
    }
}

/// A number left open.
#[derive(Debug)]
pub struct TemplateParameter {
    /// Key on the command line.
    pub key: &'static str,
    /// What holds when nothing is given.
    pub default: &'static str,
    /// What it means, with its unit.
    pub doc: &'static str,
    kind: Kind,
}

/// What a parameter may be.
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

    /// The numbers in a text, if they are right.
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

/// Parameters of every template.
pub const COMMON: &[TemplateParameter] = &[
    TemplateParameter { key: "friction", default: "0.6", doc: "coefficient of friction", kind: Kind::NotNegative },
    TemplateParameter { key: "density", default: "2000", doc: "density [kg/m³]", kind: Kind::Positive },
    TemplateParameter { key: "dim", default: "3", doc: "dimensions: 2 or 3", kind: Kind::Dimension },
    TemplateParameter { key: "duration", default: "1", doc: "simulated time [s]", kind: Kind::Positive },
    TemplateParameter { key: "step", default: "1e-3", doc: "time step [s]", kind: Kind::Positive },
];

/// All templates.
pub fn templates() -> &'static [Template] {
    &[
        Template {
            name: "stack",
            summary: "cubes on top of each other",
            own: &[
                TemplateParameter { key: "count", default: "10", doc: "number of cubes", kind: Kind::Count },
                TemplateParameter { key: "size", default: "1", doc: "edge of a cube [m]", kind: Kind::Positive },
            ],
            dimensions: &[2, 3],
            write: text::stack,
        },
        Template {
            name: "column",
            summary: "a column of drums",
            own: &[
                TemplateParameter { key: "drums", default: "6", doc: "number of drums", kind: Kind::Count },
                TemplateParameter {
                    key: "drum_height",
                    default: "1",
                    doc: "height of a drum [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "radius",
                    default: "0.6",
                    doc: "radius at the foot [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "top_radius",
                    default: "0.5",
                    doc: "radius at the top [m]",
                    kind: Kind::Positive,
                },
            ],
            dimensions: &[2, 3],
            write: text::column,
        },
        Template {
            name: "wall",
            summary: "a running-bond wall of whole and half bricks",
            own: &[
                TemplateParameter { key: "courses", default: "20", doc: "number of courses", kind: Kind::Count },
                TemplateParameter {
                    key: "bricks",
                    default: "10",
                    doc: "whole bricks in an even course",
                    kind: Kind::Count,
                },
                TemplateParameter {
                    key: "brick",
                    default: "[0.5, 0.25, 0.25]",
                    doc: "length, width and height of a brick [m]",
                    kind: Kind::ThreePositive,
                },
            ],
            dimensions: &[2, 3],
            write: text::wall,
        },
        Template {
            name: "masonry-wall",
            summary: "a wall in any bond with a door under a flat arch",
            own: &[
                TemplateParameter {
                    key: "bond",
                    default: "english",
                    doc: "stretcher, english, flemish or american",
                    kind: Kind::Bond,
                },
                TemplateParameter { key: "length", default: "5", doc: "length of the wall [m]", kind: Kind::Positive },
                TemplateParameter { key: "courses", default: "14", doc: "number of courses", kind: Kind::Count },
                TemplateParameter {
                    key: "brick",
                    default: "[0.5, 0.25, 0.25]",
                    doc: "length, width and height of a brick [m]",
                    kind: Kind::ThreePositive,
                },
                TemplateParameter { key: "door", default: "1.2", doc: "width of the door [m]", kind: Kind::Positive },
                TemplateParameter { key: "stones", default: "7", doc: "stones of the flat arch", kind: Kind::Count },
            ],
            dimensions: &[2, 3],
            write: masonry::wall,
        },
        Template {
            name: "arch-wall",
            summary: "a wall with an arch whose voussoirs are stepped to the courses",
            own: &[
                TemplateParameter {
                    key: "length",
                    default: "16.2",
                    doc: "length of the wall [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter { key: "courses", default: "10", doc: "number of courses", kind: Kind::Count },
                TemplateParameter {
                    key: "brick",
                    default: "[1.0, 0.8, 0.5]",
                    doc: "length, width and height of a brick [m]",
                    kind: Kind::ThreePositive,
                },
                TemplateParameter {
                    key: "radius",
                    default: "3.8",
                    doc: "inner radius of the arch [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "thickness",
                    default: "0.6",
                    doc: "thickness of the ring [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter { key: "voussoirs", default: "28", doc: "number of voussoirs", kind: Kind::Count },
            ],
            dimensions: &[2, 3],
            write: masonry::arch_wall,
        },
        Template {
            name: "arch",
            summary: "a circular arch between two springers",
            own: &[
                TemplateParameter { key: "radius", default: "3.8", doc: "inner radius [m]", kind: Kind::Positive },
                TemplateParameter {
                    key: "thickness",
                    default: "0.6",
                    doc: "thickness of the ring [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter { key: "width", default: "0.8", doc: "width [m]", kind: Kind::Positive },
                TemplateParameter { key: "voussoirs", default: "27", doc: "number of voussoirs", kind: Kind::Count },
                TemplateParameter {
                    key: "embrace_deg",
                    default: "180",
                    doc: "embraced angle [degrees]",
                    kind: Kind::Positive,
                },
            ],
            dimensions: &[2, 3],
            write: text::arch,
        },
        Template {
            name: "stair",
            summary: "a stair of treads around an axis",
            own: &[
                TemplateParameter { key: "treads", default: "12", doc: "number of treads", kind: Kind::Count },
                TemplateParameter {
                    key: "inner_radius",
                    default: "0.5",
                    doc: "inner radius [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "outer_radius",
                    default: "1.8",
                    doc: "outer radius [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "rise",
                    default: "0.1",
                    doc: "height from tread to tread [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "turn_deg",
                    default: "17",
                    doc: "angle of a tread [degrees]",
                    kind: Kind::Positive,
                },
                TemplateParameter {
                    key: "thickness",
                    default: "0.15",
                    doc: "thickness of a tread [m]",
                    kind: Kind::Positive,
                },
            ],
            dimensions: &[3],
            write: round::stair,
        },
        Template {
            name: "masonry-cylinder",
            summary: "a full cylinder of rings of blocks over a hole, in which a false dome forms",
            own: &[
                TemplateParameter { key: "radius", default: "3", doc: "outer radius [m]", kind: Kind::Positive },
                TemplateParameter { key: "courses", default: "6", doc: "number of courses", kind: Kind::Count },
                TemplateParameter {
                    key: "course_height",
                    default: "0.4",
                    doc: "height of a course [m]",
                    kind: Kind::Positive,
                },
                TemplateParameter { key: "rings", default: "4", doc: "rings of blocks in a course", kind: Kind::Count },
                TemplateParameter { key: "slices", default: "12", doc: "blocks of a ring", kind: Kind::Count },
                TemplateParameter {
                    key: "hole",
                    default: "2.8",
                    doc: "diameter of the hole [m]",
                    kind: Kind::Positive,
                },
            ],
            dimensions: &[3],
            write: round::cylinder,
        },
        Template {
            name: "pier-dome",
            summary: "a dome with an oculus on piers, with courses of springers",
            own: &[
                TemplateParameter { key: "radius", default: "3.8", doc: "mean radius [m]", kind: Kind::Positive },
                TemplateParameter { key: "thickness", default: "0.4", doc: "thickness [m]", kind: Kind::Positive },
                TemplateParameter { key: "rings", default: "9", doc: "rings, springers included", kind: Kind::Count },
                TemplateParameter { key: "slices", default: "25", doc: "blocks of a whole ring", kind: Kind::Count },
                TemplateParameter {
                    key: "oculus_deg",
                    default: "8",
                    doc: "oculus, from the axis [degrees]",
                    kind: Kind::Positive,
                },
                TemplateParameter { key: "piers", default: "5", doc: "number of piers", kind: Kind::Count },
                TemplateParameter {
                    key: "pier",
                    default: "[0.7, 0.4, 2.0]",
                    doc: "width, depth and height of a pier [m]",
                    kind: Kind::ThreePositive,
                },
            ],
            dimensions: &[3],
            write: round::pier_dome,
        },
        Template {
            name: "pile",
            summary: "random stones that fall into a container",
            own: &[
                TemplateParameter { key: "count", default: "60", doc: "number of stones", kind: Kind::Count },
                TemplateParameter { key: "seed", default: "1", doc: "seed of the random numbers", kind: Kind::Seed },
                TemplateParameter {
                    key: "size",
                    default: "0.2",
                    doc: "largest diameter of a stone [m]",
                    kind: Kind::Positive,
                },
            ],
            dimensions: &[2, 3],
            write: text::pile,
        },
    ]
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
    if !template.dimensions.iter().any(|dim| f64::from(*dim) == values.number("dim")) {
        let value = values.number("dim").to_string();
        return Err(TemplateError::Value { key: "dim", value, expected: "3: it has no form in 2D" });
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
    /// A value is not what the parameter needs.
    #[error("{key}={value}: expected {expected}")]
    Value {
        /// The parameter.
        key: &'static str,
        /// As given.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
}
