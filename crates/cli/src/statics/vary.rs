//! Arguments of a search for the limiting value of a parameter.

use voussoir_run::statics::search::Search;
use voussoir_statics::Direction;
use voussoir_statics::find::Find;

use crate::failure::{CommandResult, Failure};

/// Which limiting value is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum AskedEnd {
    /// The minimum value that stands
    Smallest,
    /// The maximum value that stands
    Largest,
}

/// The parameter that is varied.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct Vary {
    /// Find the limiting value of this parameter: a key such as arch.thickness, friction, joints[0].friction; or tilt_deg,
    /// acceleration (in g)
    #[arg(long, value_name = "KEY", requires_all = ["find", "between"])]
    pub vary: Option<String>,
    /// Which limiting value
    #[arg(long, value_name = "END", value_enum, requires = "vary")]
    pub find: Option<AskedEnd>,
    /// Range of the search
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, requires = "vary", allow_negative_numbers = true)]
    pub between: Vec<f64>,
    /// Precision of the limiting value, relative to the larger end of the range
    #[arg(long, value_name = "P", default_value_t = 1e-5, requires = "vary", allow_negative_numbers = true)]
    pub precision: f64,
}

impl Vary {
    /// The search, if one is requested; `direction` applies to a tilt or an acceleration.
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
