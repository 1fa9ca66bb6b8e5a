//! A dynamic analysis, step by step, with forces and motions of supports given between two steps.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use voussoir_mechanics::AnyState;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::any::StateRef;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_mechanics::steer::{Push, Steering, SupportDrive};
use voussoir_model::{Built, StageAnalysis};
use voussoir_run::drive::{begin, first_state};
use voussoir_run::{Result, RunError};

use crate::arrays::copy;
use crate::errors::{self, IntoPyErr};
use crate::job::{ask, seconds, work};
use crate::recording::bodies;
use crate::scene::NativeScene;

/// A state of a stepper: positions, velocities and memory, with the forces and motions given so far.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativeState {
    state: AnyState,
    steering: Steering,
    /// Text of the scene that it belongs to.
    scene: Arc<str>,
}

#[pymethods]
impl NativeState {
    /// Simulated time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.state.time()
    }

    /// Steps done.
    #[getter]
    fn steps(&self) -> u64 {
        self.state.steps()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.state == other.state && self.steering == other.steering
    }
}

/// What changes from step to step.
struct Inside {
    /// None after a failure.
    analysis: Option<Box<dyn Analysis>>,
    steering: Steering,
    report: StepReport,
}

/// A dynamic analysis, step by step.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativeStepper {
    scene: Arc<voussoir_run::SceneFile>,
    stage: usize,
    cast: Cast,
    inside: Mutex<Inside>,
}

/// Starts a stage from a state.
fn start(built: &Built, stage: usize, state: AnyState, steering: &Steering) -> Result<Box<dyn Analysis>> {
    let mut analysis = begin(&built.model, &built.stages[stage].analysis, state)?;
    analysis.set_clock(seconds);
    if *steering != Steering::default() {
        analysis.steer(steering)?;
    }
    Ok(analysis)
}

impl NativeStepper {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The analysis at work.
    fn with<R>(&self, act: impl FnOnce(&mut dyn Analysis) -> Result<R>) -> Result<R> {
        match &mut self.lock().analysis {
            Some(analysis) => act(&mut **analysis),
            None => Err(RunError::Internal("the stepper failed before".to_owned())),
        }
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        py.detach(|| self.with(|analysis| Ok(analysis.snapshot()))).map_err(|error| error.into_py_err(py))
    }

    /// Changes forces and motions.
    fn steer(&self, py: Python<'_>, change: impl FnOnce(&mut Steering, f64) + Send) -> PyResult<()> {
        let done = py.detach(|| -> Result<()> {
            let inside = &mut *self.lock();
            let Some(analysis) = &mut inside.analysis else {
                return Err(RunError::Internal("the stepper failed before".to_owned()));
            };
            let mut steering = inside.steering.clone();
            change(&mut steering, analysis.save().time());
            analysis.steer(&steering)?;
            inside.steering = steering;
            Ok(())
        });
        done.map_err(|error| error.into_py_err(py))
    }
}

#[pymethods]
impl NativeStepper {
    #[new]
    fn new(py: Python<'_>, scene: &NativeScene, stage: Option<usize>, threads: Option<usize>) -> PyResult<Self> {
        let file = scene.file();
        let built = &file.built;
        let takes_time = |stage: &voussoir_model::Stage| !matches!(stage.analysis, StageAnalysis::Static(_));
        let stage = match stage {
            Some(stage) if built.stages.get(stage).is_some_and(takes_time) => stage,
            Some(stage) => {
                return Err(PyValueError::new_err(format!("stage {stage} is not a stage that takes time")));
            }
            None => built.stages.iter().position(takes_time).ok_or_else(|| {
                let help = "add one: scene.dynamic(duration=1.0, step=1e-3)";
                errors::input(py, "the scene has no stage that takes time", Some(help))
            })?,
        };
        let analysis = ask(py, threads, || -> Result<_> {
            built.model.check()?;
            let mut state = first_state(built);
            state.change_cables(&built.model, &built.stages[stage].cables)?;
            let mut analysis = start(built, stage, state, &Steering::default())?;
            for change in built.stages[stage].changes.iter().filter(|change| change.after == 0) {
                analysis.change(change)?;
            }
            Ok(analysis)
        })?;
        let inside = Inside { analysis: Some(analysis), steering: Steering::default(), report: StepReport::empty() };
        Ok(Self { scene: file.clone(), stage, cast: built.model.cast(), inside: Mutex::new(inside) })
    }

    /// Does steps; returns the number of steps that missed their tolerance. A signal ends them after the present step.
    fn step(&self, py: Python<'_>, count: u64, threads: Option<usize>) -> PyResult<u64> {
        let changes = &self.scene.built.stages[self.stage].changes;
        let stop = Arc::new(AtomicBool::new(false));
        let (missed, signal) = work(py, threads, &stop, || -> Result<u64> {
            let inside = &mut *self.lock();
            let Some(analysis) = &mut inside.analysis else {
                return Err(RunError::Internal("the stepper failed before".to_owned()));
            };
            let mut missed = 0;
            for _ in 0..count {
                let done = analysis.save().position().steps;
                for change in changes.iter().filter(|change| change.after == done && done > 0) {
                    analysis.change(change)?;
                }
                inside.report = analysis.advance()?;
                missed += u64::from(!inside.report.converged);
                if stop.load(Ordering::SeqCst) {
                    break;
                }
            }
            Ok(missed)
        })?;
        signal.map_or(Ok(missed), Err)
    }

    /// Numbers of the last step.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = py.detach(|| self.lock().report.clone());
        let dict = PyDict::new(py);
        dict.set_item("step", report.step)?;
        dict.set_item("time", report.time)?;
        dict.set_item("converged", report.converged)?;
        dict.set_item("residual", report.residual)?;
        dict.set_item("contacts", report.contacts)?;
        dict.set_item("kinetic_energy", report.kinetic_energy)?;
        dict.set_item("displacement", report.displacement)?;
        dict.set_item("speed", report.speed)?;
        dict.set_item("penetration", report.penetration)?;
        dict.set_item("support_reaction", report.support_reaction)?;
        Ok(dict)
    }

    /// Simulated time [s].
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| self.with(|analysis| Ok(analysis.save().time()))).map_err(|error| error.into_py_err(py))
    }

    /// Holds a force [N] and a moment [N·m] on a body until it is changed.
    fn push(&self, py: Python<'_>, body: usize, force: [f64; 3], moment: [f64; 3]) -> PyResult<()> {
        self.steer(py, |steering, _| {
            steering.pushes.retain(|push| push.body != body);
            if force != [0.0; 3] || moment != [0.0; 3] {
                steering.pushes.push(Push { body, force, moment });
            }
        })
    }

    /// Moves a support with a velocity [m/s] from now on.
    fn drive(&self, py: Python<'_>, body: usize, velocity: [f64; 3]) -> PyResult<()> {
        self.steer(py, |steering, now| {
            let known = steering.supports.iter().position(|support| support.body == body);
            let index = known.unwrap_or_else(|| {
                steering.supports.push(SupportDrive { body, velocities: Vec::new() });
                steering.supports.len() - 1
            });
            let velocities = &mut steering.supports[index].velocities;
            velocities.retain(|(time, _)| *time < now);
            velocities.push((now, velocity));
        })
    }

    /// Positions, orientations, velocities and spins of all bodies.
    fn motion<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let snapshot = self.snapshot(py)?;
        let count = snapshot.bodies.len();
        let dict = PyDict::new(py);
        let position: Vec<f64> = snapshot.bodies.iter().flat_map(|body| body.position).collect();
        dict.set_item("positions", copy(py, &position, &[count, 3])?)?;
        let rotation: Vec<f64> = snapshot.bodies.iter().flat_map(|body| body.rotation).collect();
        dict.set_item("orientations", copy(py, &rotation, &[count, 4])?)?;
        let velocity: Vec<f64> = snapshot.bodies.iter().flat_map(|body| body.velocity).collect();
        dict.set_item("velocities", copy(py, &velocity, &[count, 3])?)?;
        let spin: Vec<f64> = snapshot.bodies.iter().flat_map(|body| body.spin).collect();
        dict.set_item("spins", copy(py, &spin, &[count, 3])?)?;
        Ok(dict)
    }

    /// Contacts of the last step.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let contacts = self.snapshot(py)?.contacts;
        let count = contacts.len();
        let dict = PyDict::new(py);
        let bodies: Vec<u32> = contacts.iter().flat_map(|contact| contact.bodies).collect();
        dict.set_item("bodies", copy(py, &bodies, &[count, 2])?)?;
        let position: Vec<f64> = contacts.iter().flat_map(|contact| contact.position).collect();
        dict.set_item("positions", copy(py, &position, &[count, 3])?)?;
        let normal: Vec<f64> = contacts.iter().flat_map(|contact| contact.normal).collect();
        dict.set_item("normals", copy(py, &normal, &[count, 3])?)?;
        let force: Vec<f64> = contacts.iter().flat_map(|contact| contact.force).collect();
        dict.set_item("forces", copy(py, &force, &[count, 3])?)?;
        let gap: Vec<f64> = contacts.iter().map(|contact| contact.gap).collect();
        dict.set_item("gaps", copy(py, &gap, &[count])?)?;
        let status: Vec<u8> = contacts.iter().map(|contact| contact.status).collect();
        dict.set_item("statuses", copy(py, &status, &[count])?)?;
        Ok(dict)
    }

    /// Bodies of the model.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        bodies(py, &self.cast)
    }

    /// A copy of the state.
    fn state(&self, py: Python<'_>) -> PyResult<NativeState> {
        let made = py.detach(|| -> Result<NativeState> {
            let inside = &mut *self.lock();
            let Some(analysis) = &mut inside.analysis else {
                return Err(RunError::Internal("the stepper failed before".to_owned()));
            };
            let state = match analysis.save() {
                StateRef::Two(state) => AnyState::Two(state.clone()),
                StateRef::Three(state) => AnyState::Three(state.clone()),
            };
            let scene = self.scene.scene.source.text.clone();
            Ok(NativeState { state, steering: inside.steering.clone(), scene })
        });
        made.map_err(|error| error.into_py_err(py))
    }

    /// Goes on from a state of the same scene.
    fn set_state(&self, py: Python<'_>, state: &NativeState) -> PyResult<()> {
        if state.scene != self.scene.scene.source.text {
            return Err(PyValueError::new_err("the state belongs to another scene"));
        }
        let done = py.detach(|| -> Result<()> {
            let analysis = start(&self.scene.built, self.stage, state.state.clone(), &state.steering)?;
            let inside = &mut *self.lock();
            inside.analysis = Some(analysis);
            inside.steering = state.steering.clone();
            Ok(())
        });
        done.map_err(|error| error.into_py_err(py))
    }
}
