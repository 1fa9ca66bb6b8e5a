//! The scenes of the folder `examples`: the comments at their top, in a form that programs read.
//!
//! ```text
//! # What the scene shows, in some sentences.
//! # Command: limit --load push
//! # Expect: multiplier = 0.5 within 0.1 %, kN: formula or publication
//! # Picture: --show loads,mechanism
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `Command` | command of `voussoir` and its options, without the scene; default `run` |
//! | `Expect` | [`Expectation`]: one number of the answer, its tolerance, its unit and source |
//! | `Picture` | options of `voussoir export` for the results of the command, or a drawing that the command leaves |
//! | `Picture of run` | the same for the results of `voussoir run` |
//!
//! A line that begins with none of these words continues the line before.

use std::path::{Path, PathBuf};

/// A scene with the comments at its top.
#[derive(Clone, Debug)]
pub struct Example {
    /// Name of the file, without its ending.
    pub name: String,
    /// Title of the scene.
    pub title: String,
    /// The whole file.
    pub text: String,
    /// What the scene shows.
    pub words: String,
    /// Command of `voussoir`, and its options.
    pub command: Vec<String>,
    /// The number to expect.
    pub expect: Expectation,
    /// Options of `voussoir export`, or the file name of a drawing.
    pub picture: Vec<String>,
    /// True if the picture shows the results of `voussoir run`, whatever the command.
    pub picture_of_run: bool,
}

/// `QUANTITY = VALUE within TOLERANCE, UNIT: SOURCE`; a tolerance in % is relative to the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The number.
    pub quantity: Quantity,
    /// The quantity as written.
    pub quantity_text: String,
    /// The value.
    pub value: f64,
    /// The value as written.
    pub value_text: String,
    /// Largest absolute deviation.
    pub tolerance: f64,
    /// The tolerance as written, with % if relative.
    pub tolerance_text: String,
    /// Unit, formula or publication.
    pub source: String,
}

/// A number of the answer of a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// A place in the JSON answer: `thrust.min_n`, `points[0].load`.
    Json(String),
    /// `COLUMN at T s`: a column of history.csv at the time nearest to T.
    At(String, f64),
    /// `largest COLUMN`.
    Largest(String),
    /// `time_s when COLUMN > LEVEL`: the first time at which a column of history.csv is above a level.
    WhenAbove(String, f64),
    /// `time_s when COLUMN < LEVEL`.
    WhenBelow(String, f64),
}

/// Words at the beginning of a comment.
const KEYS: [&str; 4] = ["Command:", "Expect:", "Picture:", "Picture of run:"];

impl Example {
    /// All examples of a folder, by name.
    ///
    /// # Errors
    /// A message with the name of the file if one cannot be read.
    pub fn all(folder: &Path) -> Result<Vec<Self>, String> {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::parse(&name, text).map_err(|reason| format!("{}: {reason}", path.display()))
    }

    fn parse(name: &str, text: String) -> Result<Self, String> {
        let mut words = String::new();
        let mut lines: [Option<String>; KEYS.len()] = Default::default();
        let mut last = None;
        for line in text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim) {
            if let Some(key) = KEYS.iter().position(|key| line.starts_with(key)) {
                lines[key] = Some(line[KEYS[key].len()..].trim().to_owned());
                last = Some(key);
                continue;
            }
            let paragraph = match last {
                Some(key) => lines[key].get_or_insert_default(),
                None => &mut words,
            };
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        }
        let [command, expect, picture, of_run] = lines;
        let expect = expect.ok_or("no line `# Expect:`")?;
        let title = text.lines().find_map(|line| line.strip_prefix("title = ")).ok_or("no title")?;
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Ok(Self {
            name: name.to_owned(),
            title: title.trim().trim_matches('"').to_owned(),
            words,
            command: split(command.as_deref().unwrap_or("run")),
            expect: Expectation::parse(&expect).ok_or_else(|| format!("Expect: {expect}: not understood"))?,
            picture_of_run: of_run.is_some(),
            picture: split(&of_run.or(picture).ok_or("no line `# Picture:`")?),
            text,
        })
    }

    /// The scene without the comments at its top.
    #[must_use]
    pub fn scene(&self) -> String {
        let lines: Vec<&str> = self.text.lines().skip_while(|line| line.starts_with('#')).collect();
        lines.join("\n").trim().to_owned()
    }
}

impl Expectation {
    fn parse(text: &str) -> Option<Self> {
        let (left, right) = text.split_once(" within ")?;
        let (quantity_text, value_text) = left.rsplit_once(" = ")?;
        let (tolerance_text, source) = right.split_at(right.find([',', ':'])?);
        let value: f64 = value_text.parse().ok()?;
        let tolerance = match tolerance_text.strip_suffix(" %") {
            Some(percent) => percent.parse::<f64>().ok()? / 100.0 * value.abs(),
            None => tolerance_text.parse().ok()?,
        };
        Some(Self {
            quantity: Quantity::parse(quantity_text)?,
            quantity_text: quantity_text.to_owned(),
            value,
            value_text: value_text.to_owned(),
            tolerance,
            tolerance_text: tolerance_text.to_owned(),
            source: source[1..].trim().to_owned(),
        })
    }

    /// The expectation as a sentence of the gallery.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { quantity_text, value_text, tolerance_text, source, .. } = self;
        format!("Expect `{quantity_text}` = **{value_text}** within {tolerance_text} ({source}).")
    }
}

impl Quantity {
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Some(match words[..] {
            [path] => Self::Json(path.to_owned()),
            [column, "at", time, "s"] => Self::At(column.to_owned(), time.parse().ok()?),
            ["largest", column] => Self::Largest(column.to_owned()),
            ["time_s", "when", column, ">", level] => Self::WhenAbove(column.to_owned(), level.parse().ok()?),
            ["time_s", "when", column, "<", level] => Self::WhenBelow(column.to_owned(), level.parse().ok()?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_at_the_head_are_read() {
        let text = "# A block\n# slides.\n# Command: limit --load push\n# Expect: multiplier = 0.5 within 1 %, kN: mu W\n\
                    # over 1 kN\n# Picture of run: --time 2\ntitle = \"Block\"\n\n[[joints]]\n# not at the head\n";
        let example = Example::parse("block", text.to_owned()).unwrap();
        assert_eq!(example.words, "A block slides.");
        assert_eq!(example.title, "Block");
        assert_eq!(example.command, ["limit", "--load", "push"]);
        assert_eq!(example.picture, ["--time", "2"]);
        assert!(example.picture_of_run);
        assert_eq!(example.expect.quantity, Quantity::Json("multiplier".to_owned()));
        assert_eq!((example.expect.value, example.expect.tolerance), (0.5, 0.005));
        assert_eq!(example.expect.sentence(), "Expect `multiplier` = **0.5** within 1 % (kN: mu W over 1 kN).");
        assert!(example.scene().starts_with("title") && example.scene().ends_with("# not at the head"));
    }

    #[test]
    fn quantities_of_the_history_are_read() {
        let quantity = |text: &str| Expectation::parse(&format!("{text} = 1 within 0.1: why")).map(|e| e.quantity);
        assert_eq!(quantity("a_m at 0.5 s"), Some(Quantity::At("a_m".to_owned(), 0.5)));
        assert_eq!(quantity("largest a_m"), Some(Quantity::Largest("a_m".to_owned())));
        assert_eq!(quantity("time_s when a_m > -1"), Some(Quantity::WhenAbove("a_m".to_owned(), -1.0)));
        assert_eq!(quantity("time_s when a_m < 2"), Some(Quantity::WhenBelow("a_m".to_owned(), 2.0)));
        assert_eq!(quantity("some words"), None);
        assert_eq!(Expectation::parse("a = b within 1 %: why"), None);
    }
}
