//! `voussoir completions`: print a shell completion script.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

impl CompletionsArguments {
    /// Prints the completions.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "voussoir", &mut script);
        terminal.answer(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Computed)
    }
}
