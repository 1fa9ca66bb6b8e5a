//! `voussoir new`: write a scene from a template.

use std::fmt::Write as _;
use std::path::PathBuf;

use voussoir_model::{render, templates};

use super::write_new;
use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;

/// Arguments of `voussoir new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: voussoir new arch radius=3.8 thickness=0.6 voussoirs=27 -o arch.toml")]
pub struct NewArguments {
    /// Name of the template [default: list all templates with their parameters]
    pub template: Option<String>,
    /// Parameters of the template
    #[arg(value_name = "KEY=VALUE")]
    pub parameters: Vec<String>,
    /// File to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

impl NewArguments {
    /// Writes the scene, or lists the templates.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let Some(template) = &self.template else {
            terminal.answer(&list())?;
            return Ok(Exit::Computed);
        };
        let mut parameters = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let (key, value) = parameter.split_once('=').ok_or_else(|| {
                Failure::bad_input(format!("\"{parameter}\" is not a parameter")).with_help("write key=value")
            })?;
            parameters.push((key.trim(), value));
        }
        let scene = render(template, &parameters)?;
        match &self.output {
            None => terminal.answer(&scene)?,
            Some(path) => {
                write_new(path, &scene, self.force)?;
                let path = path.display();
                terminal.note(&format!("wrote {path}; next: voussoir check {path}, voussoir run {path}"));
            }
        }
        Ok(Exit::Computed)
    }
}

/// All templates with their parameters and defaults.
fn list() -> String {
    let mut text = String::from("Templates and their parameters (voussoir new TEMPLATE key=value … -o FILE):\n");
    for template in templates() {
        let _ = writeln!(text, "\n{}: {}", template.name, template.summary);
        for parameter in template.parameters() {
            let given = format!("{}={}", parameter.key, parameter.default);
            let _ = writeln!(text, "  {given:<26} {}", parameter.doc);
        }
    }
    text
}
