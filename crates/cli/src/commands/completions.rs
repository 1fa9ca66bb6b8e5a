//! `voussoir completions`: what a shell needs to complete our arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::failure::Result;
use crate::terminal::Terminal;

/// Arguments of `voussoir completions`.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// Which shell
    #[arg(value_enum)]
    pub shell: Shell,
}

impl Completions {
    /// Prints the completions.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "voussoir", &mut script);
        terminal.answer(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Computed)
    }
}
