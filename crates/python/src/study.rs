//! Answers of static questions: JSON, pictures, and forces as arrays.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use voussoir_results::picture::{Artist, Caption, drawing_as_png};
use voussoir_run::statics::drawing::elevation;
use voussoir_run::statics::files::{KeptScene, write_study};
use voussoir_run::{RunError, SceneFile};
use voussoir_statics::AnyStructure;
use voussoir_statics::study::{StandReport, Study};

use crate::arrays::copy;
use crate::errors::IntoPyErr;
use crate::job::ask;

/// The answer of a static question.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct StaticAnswer {
    /// The answer as JSON.
    #[pyo3(get)]
    json: String,
    /// Thrust lines as JSON.
    #[pyo3(get)]
    lines: String,
    /// Text of the scene that was studied.
    #[pyo3(get)]
    scene: String,
    title: String,
    /// Folder that names of files in the scene are relative to; none for answers that are no verdict.
    base: Option<PathBuf>,
    study: Option<Study>,
    drawing: Option<String>,
}

impl StaticAnswer {
    /// The answer of `stand`.
    pub(crate) fn of_study(json: String, scene: String, title: &str, base: PathBuf, study: Study) -> Self {
        let lines = serde_json::to_string(&study.lines).unwrap_or_else(|_| "[]".to_owned());
        Self { json, lines, scene, title: title.to_owned(), base: Some(base), study: Some(study), drawing: None }
    }

    /// The answer of an analysis whose structure keeps the forces.
    pub(crate) fn of_structure(json: String, scene: String, title: &str, structure: AnyStructure) -> Self {
        let study = Study { structure, report: StandReport::of_mechanism(None), lines: Vec::new(), time: 0.0 };
        let lines = "[]".to_owned();
        Self { json, lines, scene, title: title.to_owned(), base: None, study: Some(study), drawing: None }
    }

    /// An answer whose mechanism is drawn.
    pub(crate) fn with_mechanism(mut self, mechanism: Option<voussoir_statics::mechanism::Mechanism>) -> Self {
        if let Some(study) = &mut self.study {
            study.report = StandReport::of_mechanism(mechanism);
        }
        self
    }

    /// An answer with a drawing of its own.
    pub(crate) fn of_drawing(json: String, scene: String, title: &str, drawing: String) -> Self {
        let lines = "[]".to_owned();
        Self { json, lines, scene, title: title.to_owned(), base: None, study: None, drawing: Some(drawing) }
    }
}

/// A drawing of a curve as PNG.
#[pyfunction]
pub(crate) fn drawing_png<'py>(py: Python<'py>, svg: &str, scale: f64) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| drawing_as_png(svg, scale)).map_err(|error| error.to_string().into_py_err(py))?;
    Ok(PyBytes::new(py, &bytes))
}

#[pymethods]
impl StaticAnswer {
    /// Writes the files of `voussoir stand -o` into a folder.
    fn save(&self, py: Python<'_>, dir: PathBuf, overwrite: bool) -> PyResult<()> {
        ask(py, Some(1), || {
            let (Some(base), Some(study)) = (&self.base, &self.study) else {
                return Err(RunError::input("only the answer of stand has a results folder"));
            };
            let file = SceneFile::read(&self.scene, &self.title, base)?;
            let scene = KeptScene::in_folder(&file, &dir, overwrite)?;
            write_study(&dir, study, &self.title, &scene, overwrite).map(|_| ())
        })
    }

    /// Elevation with thrust lines, hinges and slips, or the curve, as SVG.
    fn svg(&self, py: Python<'_>) -> String {
        py.detach(|| match (&self.drawing, &self.study) {
            (Some(drawing), _) => drawing.clone(),
            (None, Some(study)) => elevation(study, &self.title, ""),
            (None, None) => String::new(),
        })
    }

    /// Blocks and contact forces as PNG, or the curve; none for an answer without a picture.
    fn png<'py>(&self, py: Python<'py>, scale: f64) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(study) = &self.study else {
            return match self.drawing.as_deref() {
                None | Some("") => Ok(None),
                Some(drawing) => drawing_png(py, drawing, scale).map(Some),
            };
        };
        let bytes = py.detach(|| {
            let cast = study.structure.cast();
            let snapshot = study.structure.snapshot(study.report.answer.mechanism.as_ref(), 0.0);
            let caption = Caption { title: self.title.clone(), ..Caption::default() };
            Artist::new(&cast, &[&snapshot]).png(&snapshot, &caption, scale)
        });
        let bytes = bytes.map_err(|error| error.to_string().into_py_err(py))?;
        Ok(Some(PyBytes::new(py, &bytes)))
    }

    /// Points, forces, normals, areas and bodies of the contacts; names of the bodies.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let Some(study) = &self.study else { return Ok(dict) };
        let contacts = study.structure.snapshot(None, 0.0).contacts;
        let count = contacts.len();
        let vectors = |of: fn(&voussoir_mechanics::snapshot::ContactSnapshot) -> [f64; 3]| {
            copy(py, &contacts.iter().flat_map(of).collect::<Vec<f64>>(), &[count, 3])
        };
        dict.set_item("positions", vectors(|contact| contact.position)?)?;
        dict.set_item("normals", vectors(|contact| contact.normal)?)?;
        dict.set_item("forces", vectors(|contact| contact.force)?)?;
        dict.set_item("areas", copy(py, &contacts.iter().map(|c| c.area).collect::<Vec<f64>>(), &[count])?)?;
        dict.set_item("frictions", copy(py, &contacts.iter().map(|c| c.friction).collect::<Vec<f64>>(), &[count])?)?;
        let bodies: Vec<u32> = contacts.iter().flat_map(|contact| contact.bodies).collect();
        dict.set_item("bodies", copy(py, &bodies, &[count, 2])?)?;
        dict.set_item("names", study.structure.body_names())?;
        Ok(dict)
    }
}
