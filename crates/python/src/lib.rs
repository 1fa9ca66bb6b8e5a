//! The native part of the Python package `voussoir`: scenes, questions, runs and arrays, without types and texts for
//! users, which are in `python/voussoir`.
//!
//! | module | content |
//! |---|---|
//! | [`job`] | computing without the lock of the interpreter, on a pool of threads; Ctrl-C; panics |
//! | [`errors`] | errors as exceptions |
//! | [`convert`] | values of Python as values of a scene, and back |
//! | [`document`] | the text of a scene, edited by key |
//! | [`scene`] | a scene that was built, and the static questions |
//! | [`study`] | answers of static questions, with pictures and arrays |
//! | [`runs`] | runs into folders and into memory |
//! | [`recording`], [`arrays`] | frames and history as arrays that NumPy sees without a copy |
//! | [`player`] | the results page in a notebook |
//! | [`stepper`] | a dynamic analysis, step by step |
//! | [`ensemble`], [`statistics`] | studies of many samples; curves, rates, measures |
//! | [`models`] | models of other programs, COMPAS |
//! | [`tools`] | schema, templates, contact problems, validation, reports, the command |

use pyo3::prelude::*;

mod arrays;
mod convert;
mod document;
mod ensemble;
mod errors;
mod job;
mod models;
mod player;
mod recording;
mod runs;
mod scene;
mod statistics;
mod stepper;
mod study;
mod tools;

/// The private module `voussoir._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::document::Document;
    #[pymodule_export]
    use super::ensemble::{NativeJournal, NativeStudy, NativeTable};
    #[pymodule_export]
    use super::models::{export_compas, import_model};
    #[pymodule_export]
    use super::player::NativePage;
    #[pymodule_export]
    use super::recording::Recording;
    #[pymodule_export]
    use super::runs::{Folder, resume};
    #[pymodule_export]
    use super::scene::NativeScene;
    #[pymodule_export]
    use super::statistics::{design_point, fit_cloud, fit_ida, fit_stripes, intensities, quantiles, rate, wilson};
    #[pymodule_export]
    use super::stepper::{NativeState, NativeStepper};
    #[pymodule_export]
    use super::study::{StaticAnswer, drawing_png};
    #[pymodule_export]
    use super::tools::{
        command, generators, panic_for_tests, render, report, schema, solve, templates, validate, version,
    };
}
