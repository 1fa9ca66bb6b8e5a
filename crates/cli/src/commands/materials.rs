//! `voussoir materials`: the material library with sources and scatter.

use std::fmt::Write;

use serde::Serialize;
use voussoir_model::library::{ENTRIES, LibraryMaterial, Measured};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;

/// Arguments of `voussoir materials`.
#[derive(Debug, clap::Args)]
pub struct MaterialsArguments {
    /// Part of the name of the materials to list [default: all]
    #[arg(value_name = "WORD")]
    pub word: Option<String>,
    /// Print the list as JSON on stdout
    #[arg(long)]
    pub json: bool,
}

/// A material as JSON: pairs of mean and scatter (half of the width); null if the source has no value.
#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    description: &'static str,
    compressive_strength_pa: Option<[f64; 2]>,
    tensile_strength_pa: Option<[f64; 2]>,
    young_modulus_pa: Option<[f64; 2]>,
    poisson_ratio: Option<f64>,
    source: &'static str,
}

impl MaterialsArguments {
    /// Prints the list.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let word = self.word.as_deref().unwrap_or_default().to_lowercase();
        let found: Vec<&LibraryMaterial> = ENTRIES.iter().filter(|entry| entry.name.contains(&word)).collect();
        if found.is_empty() {
            let message = format!("there is no material with \"{word}\" in its name");
            return Err(Failure::bad_input(message).with_help("`voussoir materials` lists all of them"));
        }
        if self.json {
            let pair = |value: Option<Measured>| value.map(|value| [value.mean, value.scatter]);
            let listed: Vec<Listed> = found
                .iter()
                .map(|entry| Listed {
                    name: entry.name,
                    description: entry.words,
                    compressive_strength_pa: pair(entry.compressive_strength),
                    tensile_strength_pa: pair(entry.tensile_strength),
                    young_modulus_pa: pair(entry.young_modulus),
                    poisson_ratio: entry.poisson_ratio,
                    source: entry.source,
                })
                .collect();
            terminal.answer_json(&listed)?;
        } else {
            terminal.answer(table(&found).trim_end())?;
        }
        Ok(Exit::Computed)
    }
}

/// The list as text: values in MPa and GPa, grouped by source.
fn table(entries: &[&LibraryMaterial]) -> String {
    let mut text = String::from("In a scene: [materials.NAME] like = \"…\", and its density.\n");
    let value = |value: Option<Measured>, unit: f64| match value {
        None => "–".to_owned(),
        Some(Measured { mean, scatter: 0.0 }) => format!("{}", rounded(mean / unit)),
        Some(Measured { mean, scatter }) => format!("{} ± {}", rounded(mean / unit), rounded(scatter / unit)),
    };
    let mut source = "";
    for entry in entries {
        if entry.source != source {
            source = entry.source;
            let _ = writeln!(text, "\n{source}");
            let heads = ["name", "compression, MPa", "tension, MPa", "modulus, GPa", "Poisson"];
            let _ = writeln!(text, "  {:<28}{:>18}{:>18}{:>18}{:>9}", heads[0], heads[1], heads[2], heads[3], heads[4]);
        }
        let ratio = entry.poisson_ratio.map_or("–".to_owned(), |ratio| ratio.to_string());
        let _ = writeln!(
            text,
            "  {:<28}{:>18}{:>18}{:>18}{:>9}",
            entry.name,
            value(entry.compressive_strength, 1e6),
            value(entry.tensile_strength, 1e6),
            value(entry.young_modulus, 1e9),
            ratio
        );
    }
    text
}

/// Rounds to four digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
