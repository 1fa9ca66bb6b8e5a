//! `voussoir stand`: does it stand, by what margin, or how does it fall.

use std::path::{Path, PathBuf};

use voussoir_geometry::Space;
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::model::Model;
use voussoir_model::build::check::Check;
use voussoir_model::build::dimension::Dimension;
use voussoir_model::build::select::Register;
use voussoir_model::place::Place;
use voussoir_model::scene::actions::{Select, Selection};
use voussoir_statics::Structure;
use voussoir_statics::loads::Question;
use voussoir_statics::stand::decide;
use voussoir_statics::structure::CLOSED;

use crate::exit::Exit;
use crate::failure::{Failure, Result};
use crate::scene_file::SceneFile;
use crate::statics::ask::{self, AskedEngine, AskedLoad, Direction};
use crate::statics::files::{json, write_study};
use crate::statics::study::{Study, Wishes, study, with_engine};
use crate::statics::vary::{BESIDE, Vary, with_value};
use crate::statics::with_model;
use crate::statics::words::{self, Lines};
use crate::terminal::Terminal;

/// Arguments of `voussoir stand`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The verdict is proved: by admissible forces in equilibrium, or by a mechanism on which the loads \
                        do work. Where neither is found to tolerance, the answer is that it is not decided (exit code 3)."
)]
pub struct Stand {
    /// The scene
    pub scene: PathBuf,
    /// Folder for joints.csv, thrust.csv, stand.json, thrust.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace results that are in the folder
    #[arg(long)]
    pub force: bool,
    /// The margin also counts how far this load can grow
    #[command(flatten)]
    pub load: AskedLoad,
    /// Time at which loads are taken [s]
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub time: f64,
    /// Compute the range of thrust, also of large structures
    #[arg(long, conflicts_with = "no_thrust")]
    pub thrust: bool,
    /// Do not compute the range of thrust
    #[arg(long)]
    pub no_thrust: bool,
    /// Support whose thrust is meant [default: the one with the largest horizontal reaction]
    #[arg(long, value_name = "NAME")]
    pub support: Option<String>,
    /// Direction of the thrust [default: horizontal, as the support pushes]; of tilt_deg and acceleration [default: x]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub direction: Option<Direction>,
    /// Thrust lines along these bodies only: a selection such as arch.voussoir; may be repeated
    #[arg(long, value_name = "SELECTION")]
    pub chain: Vec<String>,
    /// Which solver of conic programs
    #[arg(long, value_enum, default_value_t)]
    pub engine: AskedEngine,
    /// A search
    #[command(flatten)]
    pub vary: Vary,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl Stand {
    /// Decides.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let file = SceneFile::load(&self.scene)?;
        with_model!(&file.built.finished(), model => self.look(&file, model, terminal))
    }

    fn look<S: AnyDimension>(&self, file: &SceneFile, model: &Model<S>, terminal: &Terminal) -> Result<Exit> {
        // a search ends with the structure that it found
        let (found, structure, text) = match &self.vary.vary {
            None => (None, Structure::new(model.clone(), CLOSED)?, file.scene.source.text.to_string()),
            Some(key) => {
                let search = Search::new(self, file, model, key)?;
                let (found, structure, text) = search.run(self)?;
                (Some(found), structure, text)
            }
        };
        let wishes = self.wishes(file, &structure)?;
        let mut study = study(structure, &wishes)?;
        study.report.found = found;
        let mut written = Vec::new();
        if let Some(dir) = &self.output {
            written = write_study(dir, &study, &file.built.title, &text, self.force)?;
        }
        self.say(&study, &file.built.title, &written, terminal)?;
        Ok(if study.report.answer.stands.is_none() { Exit::NotConverged } else { Exit::Computed })
    }

    fn wishes<S: AnyDimension>(&self, file: &SceneFile, structure: &Structure<S>) -> Result<Wishes<S>> {
        let direction = self.direction.as_ref().map(Direction::vector::<S>).transpose()?;
        let support = match &self.support {
            Some(name) => Some((ask::body(&structure.model, name)?, direction)),
            None => match direction {
                Some(direction) if self.vary.vary.is_none() => {
                    structure.supports().first().map(|&support| (support, Some(direction)))
                }
                _ => None,
            },
        };
        let chains = self
            .chain
            .iter()
            .map(|text| Ok((text.clone(), chosen(file, &structure.model, text)?)))
            .collect::<Result<Vec<_>>>()?;
        Ok(Wishes {
            settings: with_engine(self.engine.into(), self.time),
            question: self.load.question::<S>()?,
            thrust: if self.thrust { Some(true) } else { self.no_thrust.then_some(false) },
            support,
            lines: self.output.is_some(),
            chains,
        })
    }

    fn say<S: Space>(&self, study: &Study<S>, title: &str, files: &[PathBuf], terminal: &Terminal) -> Result<()> {
        if terminal.is_json() {
            return terminal.answer(&json(&study.report)?);
        }
        let mut lines = Lines::new(title);
        words::stand(&mut lines, &study.report);
        for file in files {
            lines.add("written", file.display().to_string());
        }
        terminal.answer(&lines.text())
    }
}

/// Bodies that a selection finds.
fn chosen<S: AnyDimension>(file: &SceneFile, model: &Model<S>, text: &str) -> Result<Vec<usize>> {
    let check = Check { source: &file.scene.source };
    let selection = Selection::One(Select::Named(text.to_owned()));
    let found = Register::new(&file.scene, &model.bodies).find(&check, &Place::ROOT, &selection);
    found.map_err(|error| {
        let failure = Failure::bad_input(format!("--chain {text}: {}", error.message));
        Failure { help: error.help, ..failure }
    })
}

/// Dimensions of scenes.
pub trait AnyDimension: Dimension {
    /// The model of this dimension.
    fn of(model: voussoir_model::AnyModel) -> Option<Model<Self>>;
}

impl AnyDimension for voussoir_geometry::D2 {
    fn of(model: voussoir_model::AnyModel) -> Option<Model<Self>> {
        match model {
            voussoir_model::AnyModel::Two(model) => Some(model),
            voussoir_model::AnyModel::Three(_) => None,
        }
    }
}

impl AnyDimension for voussoir_geometry::D3 {
    fn of(model: voussoir_model::AnyModel) -> Option<Model<Self>> {
        match model {
            voussoir_model::AnyModel::Three(model) => Some(model),
            voussoir_model::AnyModel::Two(_) => None,
        }
    }
}

/// A structure that depends on a number.
pub struct Search<'a, S: AnyDimension> {
    file: &'a SceneFile,
    base: &'a Path,
    model: &'a Model<S>,
    key: &'a str,
    /// What is tilted or accelerated, for numbers that are no keys of the scene.
    beside: Option<Question<S>>,
}

impl<'a, S: AnyDimension> Search<'a, S> {
    fn new(stand: &'a Stand, file: &'a SceneFile, model: &'a Model<S>, key: &'a str) -> Result<Self> {
        let base = stand.scene.parent().unwrap_or(Path::new(""));
        Self::of(file, base, model, key, stand.direction.as_ref())
    }

    /// A search over a key of a scene whose meshes are in `base`.
    pub fn of(
        file: &'a SceneFile,
        base: &'a Path,
        model: &'a Model<S>,
        key: &'a str,
        direction: Option<&Direction>,
    ) -> Result<Self> {
        let direction = direction.cloned().unwrap_or(Direction::Axis(0, 1.0));
        let beside = match BESIDE.iter().position(|name| *name == key) {
            Some(0) => Some(Question::Tilt(direction.vector::<S>()?)),
            Some(_) => Some(Question::Acceleration(direction.vector::<S>()?)),
            None => None,
        };
        Ok(Self { file, base, model, key, beside })
    }

    /// The model for a value, and the text of its scene.
    pub fn model(&self, value: f64) -> Result<(Model<S>, String)> {
        if let Some(question) = &self.beside {
            let factor = if self.key == BESIDE[0] { value.to_radians().tan() } else { value };
            return Ok((question.applied(self.model, factor)?, self.file.scene.source.text.to_string()));
        }
        let text = with_value(&self.file.scene.source.text, self.key, value)?;
        let name = format!("{} with {} = {value}", self.file.scene.source.file, self.key);
        let built = SceneFile::read(&text, &name, self.base)?.built;
        let model = S::of(built.finished())
            .ok_or_else(|| Failure::bad_input(format!("{}: the dimension cannot be varied", self.key)))?;
        Ok((model, text))
    }

    fn run(&self, stand: &Stand) -> Result<(voussoir_statics::find::Found, Structure<S>, String)> {
        let settings = with_engine(stand.engine.into(), stand.time);
        let mut last: Vec<ContactRecord<S>> = Vec::new();
        let found = stand.vary.search(|value| {
            let mut structure = Structure::new(self.model(value)?.0, CLOSED)?;
            // the forces of the structure before are the first guess
            structure.take_forces(&last);
            let dead = structure.dead_load(stand.time, None);
            let verdict = decide(&mut structure, &dead, &settings).stands();
            if verdict == Some(true) {
                last = structure.contacts;
            }
            Ok(verdict)
        })?;
        // without any that stands, the one that comes nearest
        let value = found.value.unwrap_or(if found.find == voussoir_statics::find::Find::Smallest {
            found.upper
        } else {
            found.lower
        });
        let (model, text) = self.model(value)?;
        let mut structure = Structure::new(model, CLOSED)?;
        structure.take_forces(&last);
        Ok((found, structure, text))
    }
}
