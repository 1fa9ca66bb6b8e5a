//! A scene that was built, and the static questions.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use voussoir_mechanics::dynamic;
use voussoir_mechanics::model::DynamicSettings;
use voussoir_model::build::check::SceneCheck;
use voussoir_model::build::select::Register;
use voussoir_model::place::Place;
use voussoir_model::scene::actions::{Select, Selection};
use voussoir_model::{AnyModel, SceneError};
use voussoir_results::picture::Caption;
use voussoir_run::description::Description;
use voussoir_run::drive::total_steps;
use voussoir_run::folder::FolderOptions;
use voussoir_run::statics::files::json;
use voussoir_run::statics::questions::{self, LimitRequest, Pushed, StandRequest, Tie};
use voussoir_run::statics::search::Search;
use voussoir_run::statics::{assess, curve, envelope};
use voussoir_run::{Result, RunError, SceneFile, run_scene};
use voussoir_statics::conic::Engine;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::find::Find;
use voussoir_statics::limit::LimitSettings;
use voussoir_statics::pushover::PushoverSettings;
use voussoir_statics::stand::StandSettings;
use voussoir_statics::{AnyQuestion, Direction};

use crate::errors::IntoPyErr;
use crate::job::{ask, seconds};
use crate::recording::{Recording, bodies};
use crate::runs::{self, Calls, Ended};
use crate::study::StaticAnswer;

/// A load by its name, or a direction of an acceleration or a tilt: kind and text.
type Asked = (String, String);

/// Key, end, interval, precision and direction of a search.
type AskedSearch = (String, String, (f64, f64), f64, Option<String>);

/// A scene that was read and built.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativeScene {
    file: Arc<SceneFile>,
    base: PathBuf,
}

fn direction(text: &str) -> PyResult<Direction> {
    Direction::from_str(text).map_err(PyValueError::new_err)
}

fn question(asked: &Asked) -> PyResult<AnyQuestion> {
    Ok(match asked.0.as_str() {
        "load" => AnyQuestion::Named(asked.1.clone()),
        "acceleration" => AnyQuestion::Acceleration(direction(&asked.1)?),
        "tilt" => AnyQuestion::Tilt(direction(&asked.1)?),
        other => return Err(PyValueError::new_err(format!("no such load: {other}"))),
    })
}

fn search(asked: AskedSearch) -> PyResult<Search> {
    let (key, find, (low, high), precision, along) = asked;
    let find = match find.as_str() {
        "smallest" => Find::Smallest,
        "largest" => Find::Largest,
        _ => return Err(PyValueError::new_err("find must be \"smallest\" or \"largest\"")),
    };
    let direction = along.as_deref().map(direction).transpose()?;
    Ok(Search { key, find, between: [low, high], precision, direction })
}

fn engine(name: &str) -> PyResult<Engine> {
    match name {
        "own" => Ok(Engine::Own),
        "clarabel" => Ok(Engine::Clarabel),
        _ => Err(PyValueError::new_err("engine must be \"own\" or \"clarabel\"")),
    }
}

impl NativeScene {
    pub(crate) fn file(&self) -> &Arc<SceneFile> {
        &self.file
    }

    fn title(&self) -> &str {
        &self.file.built.title
    }

    /// Answer as JSON, with points in survey coordinates.
    fn json(&self, value: &impl serde::Serialize) -> Result<String> {
        json(value, self.file.built.model.origin())
    }

    fn text(&self) -> String {
        self.file.scene.source.text.to_string()
    }
}

#[pymethods]
impl NativeScene {
    #[new]
    #[pyo3(signature = (text, name, base, threads = None))]
    fn new(py: Python<'_>, text: &str, name: &str, base: PathBuf, threads: Option<usize>) -> PyResult<Self> {
        let file = ask(py, threads, || SceneFile::read(text, name, &base))?;
        Ok(Self { file: Arc::new(file), base })
    }

    /// 2 or 3.
    #[getter]
    fn dimension(&self) -> usize {
        self.file.built.model.dimension()
    }

    /// What was repaired, and what looks odd.
    fn warnings(&self) -> Vec<String> {
        self.file.built.warnings.clone()
    }

    /// Steps of all stages, as far as they are known before a run.
    fn steps(&self) -> u64 {
        total_steps(&self.file.built.stages)
    }

    /// Bodies of the model.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        bodies(py, &self.file.built.model.cast())
    }

    /// Names of the loads.
    fn loads(&self) -> Vec<String> {
        self.file.built.model.load_names().into_iter().map(str::to_owned).collect()
    }

    /// Names of the bodies that a selection finds.
    fn select(&self, py: Python<'_>, text: &str) -> PyResult<Vec<String>> {
        let (scene, model) = (&self.file.scene, &self.file.built.model);
        let check = SceneCheck { source: &scene.source, origin: model.origin() };
        let selection = Selection::One(Select::Named(text.to_owned()));
        let found = match model {
            AnyModel::Two(model) => Register::new(scene, &model.bodies).find(&check, &Place::ROOT, &selection),
            AnyModel::Three(model) => Register::new(scene, &model.bodies).find(&check, &Place::ROOT, &selection),
        };
        let found = found.map_err(|error: SceneError| error.into_py_err(py))?;
        let names = model.body_names();
        Ok(found.into_iter().map(|body| names[body].to_owned()).collect())
    }

    /// Description as JSON and as text.
    #[pyo3(signature = (threads = None))]
    fn check(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<(String, String)> {
        ask(py, threads, || {
            let built = &self.file.built;
            let description = Description::new(built, &built.model.inspect(None));
            let json = serde_json::to_string(&description).map_err(|error| RunError::Internal(error.to_string()))?;
            Ok::<_, RunError>((json, description.text()))
        })
    }

    /// Picture of the scene before a run: SVG, or PNG with a scale.
    #[pyo3(signature = (scale = None))]
    fn picture<'py>(&self, py: Python<'py>, scale: Option<f64>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = ask(py, Some(1), || {
            let built = &self.file.built;
            let cast = built.model.cast();
            let state = built.model.initial_state(&[]);
            let snapshot = dynamic::begin(&built.model, &DynamicSettings::default(), state)?.snapshot();
            let loads = run_scene::loads(&built.model, &snapshot);
            let caption = Caption { title: built.title.clone(), note: String::new(), loads, ..Caption::default() };
            runs::draw(&cast, &snapshot, &snapshot, &caption, scale)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Verdict, margins, thrust.
    #[pyo3(signature = (load, time, thrust, support, along, chains, lines, engine_name, asked_search, threads))]
    #[allow(clippy::too_many_arguments, reason = "the Python layer has names and defaults for them")]
    fn stand(
        &self,
        py: Python<'_>,
        load: Option<Asked>,
        time: f64,
        thrust: Option<bool>,
        support: Option<String>,
        along: Option<String>,
        chains: Vec<String>,
        lines: bool,
        engine_name: &str,
        asked_search: Option<AskedSearch>,
        threads: Option<usize>,
    ) -> PyResult<StaticAnswer> {
        let request = StandRequest {
            settings: StandSettings { engine: engine(engine_name)?, time, ..StandSettings::default() },
            question: load.as_ref().map(question).transpose()?,
            thrust,
            support,
            direction: along.as_deref().map(direction).transpose()?,
            chains,
            lines,
            search: asked_search.map(search).transpose()?,
        };
        ask(py, threads, || {
            let (study, text) = questions::stand(&self.file, &self.base, &request, seconds)?;
            let json = json(&study.report, study.structure.origin())?;
            Ok::<_, RunError>(StaticAnswer::of_study(json, text, self.title(), self.base.clone(), study))
        })
    }

    /// Largest multiplier of a load.
    #[pyo3(signature = (load, associated, strength, time, engine_name, cables, asked_search, at_least, threads))]
    #[allow(clippy::too_many_arguments, reason = "the Python layer has names and defaults for them")]
    fn limit(
        &self,
        py: Python<'_>,
        load: Asked,
        associated: bool,
        strength: (f64, f64, Option<f64>),
        time: f64,
        engine_name: &str,
        cables: Vec<(String, String, f64)>,
        asked_search: Option<AskedSearch>,
        at_least: f64,
        threads: Option<usize>,
    ) -> PyResult<StaticAnswer> {
        let (cohesion, tension, compression) = strength;
        let capacity = Capacity { cohesion, tension, compression };
        let engine = engine(engine_name)?;
        let request = LimitRequest {
            question: question(&load)?,
            settings: LimitSettings { associated, capacity, engine, time, ..LimitSettings::default() },
            ties: cables.into_iter().map(|(a, b, strength)| Tie { bodies: [a, b], strength }).collect(),
            search: asked_search.map(search).transpose()?.map(|search| (search, at_least)),
            state: None,
        };
        ask(py, threads, || {
            if let Some((search, _)) = &request.search {
                search.check()?;
            }
            let (report, structure) = questions::limit(&self.file, &self.base, &request, seconds)?;
            let answer = StaticAnswer::of_structure(self.json(&report)?, self.text(), self.title(), structure);
            Ok::<_, RunError>(answer.with_mechanism(report.answer.mechanism))
        })
    }

    /// Largest multiplier of a train at all positions.
    fn envelope(
        &self,
        py: Python<'_>,
        train: &str,
        step: f64,
        associated: bool,
        threads: Option<usize>,
    ) -> PyResult<StaticAnswer> {
        let settings = LimitSettings { associated, engine: Engine::Clarabel, ..LimitSettings::default() };
        ask(py, threads, || {
            let (report, _) = questions::envelope(&self.file, train, step, &settings, seconds)?;
            let drawing = envelope::drawing(&report.envelope, self.title());
            Ok::<_, RunError>(StaticAnswer::of_drawing(self.json(&report)?, self.text(), self.title(), drawing))
        })
    }

    /// Load–displacement curve: of a load, or of the settlement of a support.
    #[pyo3(signature = (load, settlement, along, step, steps, associated, engine_name, limit_only, threads))]
    #[allow(clippy::too_many_arguments, reason = "the Python layer has names and defaults for them")]
    fn pushover(
        &self,
        py: Python<'_>,
        load: Option<Asked>,
        settlement: Option<String>,
        along: Option<String>,
        step: Option<f64>,
        steps: usize,
        associated: bool,
        engine_name: &str,
        limit_only: bool,
        threads: Option<usize>,
    ) -> PyResult<StaticAnswer> {
        let along = along.as_deref().map(direction).transpose()?;
        let engine = engine(engine_name)?;
        let settings = PushoverSettings { step, steps, associated, engine, ..PushoverSettings::default() };
        if let (Some(name), true) = (&settlement, limit_only) {
            return ask(py, threads, || {
                let report = questions::settlement_limit(&self.file, name, along.as_ref(), &settings, seconds)?;
                let json = self.json(&report)?;
                Ok::<_, RunError>(StaticAnswer::of_drawing(json, self.text(), self.title(), String::new()))
            });
        }
        let (pushed, axis) = match (settlement, load) {
            (Some(name), _) => (Pushed::Settlement(name, along), "reaction [N]"),
            (None, Some(load)) => (Pushed::Load(question(&load)?), "multiplier"),
            (None, None) => return Err(PyValueError::new_err("give a load or a settlement")),
        };
        ask(py, threads, || {
            let (report, _) = questions::pushover(&self.file, &pushed, &settings, seconds)?;
            let drawing = curve::drawing(&report.curve, self.title(), &report.load, ["displacement [m]", axis]);
            Ok::<_, RunError>(StaticAnswer::of_drawing(self.json(&report)?, self.text(), self.title(), drawing))
        })
    }

    /// Verdict, factors and governing joints of all actions: JSON and page.
    fn assess(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<(String, String)> {
        ask(py, threads, || {
            let assessment = assess::assess(&self.file, &self.base, seconds, |_, _, _| {})?;
            Ok::<_, RunError>((self.json(&assessment)?, assess::page::page(&assessment)))
        })
    }

    /// Runs all stages into a folder.
    #[pyo3(signature = (dir, overwrite, dump_problems, threads, step, progress))]
    #[allow(clippy::too_many_arguments, reason = "the Python layer has names and defaults for them")]
    fn run(
        &self,
        py: Python<'_>,
        dir: PathBuf,
        overwrite: bool,
        dump_problems: Option<u64>,
        threads: Option<usize>,
        step: Option<Py<PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Ended> {
        let options = FolderOptions { overwrite, dump_problems };
        runs::into_folder(py, &self.file, dir, options, threads, Calls { step, progress })
    }

    /// Runs all stages into memory.
    fn run_in_memory(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        step: Option<Py<PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Recording, Ended)> {
        runs::into_memory(py, &self.file, threads, Calls { step, progress })
    }
}
