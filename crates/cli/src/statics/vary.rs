//! Arguments of a search for the limiting value of a parameter.

use voussoir_run::statics::search::Search;
use voussoir_statics::Direction;
use voussoir_statics::find::Find;

use crate::failure::{CommandResult, Failure};

/// Which end is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum AskedEnd {
    /// Large values stand
    Smallest,
    /// Small values stand
    Largest,
}

/// What is varied.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct Vary {
    /// Look for the end of the values of this key that stand: arch.thickness, friction, joints[0].friction, …, or
    /// tilt_deg, acceleration (in g)
    #[arg(long, value_name = "KEY", requires_all = ["find", "between"])]
    pub vary: Option<String>,
    /// Which end
    #[arg(long, value_name = "END", value_enum, requires = "vary")]
    pub find: Option<AskedEnd>,
    /// Values between which it is looked for
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, requires = "vary", allow_negative_numbers = true)]
    pub between: Vec<f64>,
    /// How close, relative to the larger of the two
    #[arg(long, value_name = "P", default_value_t = 1e-5, requires = "vary", allow_negative_numbers = true)]
    pub precision: f64,
}

impl Vary {
    /// The search that is asked for, if there is one; `direction` is that of a tilt or an acceleration.
    pub fn search(&self, direction: Option<&Direction>) -> CommandResult<Option<Search>> {
        let Some(key) = &self.vary else { return Ok(None) };
        let find = match self.find {
            Some(AskedEnd::Largest) => Find::Largest,
            _ => Find::Smallest,
        };
        let [low, high] = self.between[..] else { return Err(Failure::bad_input("--between takes two numbers")) };
        let direction = direction.cloned();
        let search = Search { key: key.clone(), find, between: [low, high], precision: self.precision, direction };
        search.check()?;
        Ok(Some(search))
    }
}
