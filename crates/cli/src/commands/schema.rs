//! `voussoir schema`: the JSON Schema of scenes, for editors.

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;

/// Arguments of `voussoir schema`.
#[derive(Debug, clap::Args)]
pub struct SchemaArguments {}

impl SchemaArguments {
    /// Prints the schema.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let schema = voussoir_model::schema();
        let text = serde_json::to_string_pretty(&schema)
            .map_err(|error| Failure { exit: Exit::Failed, ..Failure::bad_input(error.to_string()) })?;
        terminal.answer(&text)?;
        Ok(Exit::Computed)
    }
}
