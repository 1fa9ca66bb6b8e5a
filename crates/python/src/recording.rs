//! Frames and history of a run in memory, as NumPy sees them.
//!
//! Arrays of bodies have the shape frames × bodies × components; a body that appears later is not a number before.
//! Contacts are ragged: those of frame i are the rows `offsets[i]` to `offsets[i + 1]` of the flat arrays.

use std::collections::HashMap;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use voussoir_mechanics::report::{Cell, Column, LEADING_COLUMNS, StepReport, TRAILING_COLUMNS};
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, ContactSnapshot, Snapshot};
use voussoir_results::HistoryTable;
use voussoir_results::picture::Caption;

use crate::arrays::{copy, view};
use crate::job::ask;
use crate::runs::draw;

/// Frames as flat arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    bodies: usize,
    times: Vec<f64>,
    steps: Vec<u64>,
    positions: Vec<f64>,
    orientations: Vec<f64>,
    velocities: Vec<f64>,
    spins: Vec<f64>,
    absent: Vec<bool>,
    offsets: Vec<u64>,
    contact_bodies: Vec<u32>,
    contact_positions: Vec<f64>,
    contact_normals: Vec<f64>,
    contact_forces: Vec<f64>,
    contact_gaps: Vec<f64>,
    contact_areas: Vec<f64>,
    contact_frictions: Vec<f64>,
    contact_statuses: Vec<u8>,
    contact_damages: Vec<f64>,
    contact_slips: Vec<f64>,
    cables: usize,
    cable_forces: Vec<f64>,
}

/// Names of the arrays of bodies, contacts and cables.
const NAMES: [&str; 19] = [
    "times",
    "steps",
    "positions",
    "orientations",
    "velocities",
    "spins",
    "absent",
    "offsets",
    "contact_bodies",
    "contact_positions",
    "contact_normals",
    "contact_forces",
    "contact_gaps",
    "contact_areas",
    "contact_frictions",
    "contact_statuses",
    "contact_damages",
    "contact_slips",
    "cable_forces",
];

/// Rows with another number of items: values of new items are `fill` in the rows before.
fn widen<T: Copy>(data: &mut Vec<T>, rows: usize, from: usize, to: usize, fill: T) {
    let mut wide = Vec::with_capacity(rows * to);
    for row in data.chunks(from.max(1)).take(rows) {
        wide.extend_from_slice(row);
        wide.resize(wide.len() + to - from, fill);
    }
    wide.resize(rows * to, fill);
    *data = wide;
}

impl Frames {
    /// No frames yet; room for `expected` of them.
    pub(crate) fn new(bodies: usize, expected: usize) -> Self {
        // more than this is not reserved before it is needed
        let rows = expected.saturating_mul(bodies).min(1 << 26);
        Self {
            bodies,
            offsets: vec![0],
            times: Vec::with_capacity(expected.min(1 << 20)),
            positions: Vec::with_capacity(3 * rows),
            orientations: Vec::with_capacity(4 * rows),
            velocities: Vec::with_capacity(3 * rows),
            spins: Vec::with_capacity(3 * rows),
            ..Self::default()
        }
    }

    /// Adds a frame.
    pub(crate) fn push(&mut self, snapshot: &Snapshot) {
        let (rows, before, now) = (self.times.len(), self.bodies, snapshot.bodies.len());
        if now > before {
            for (data, width) in
                [(&mut self.positions, 3), (&mut self.orientations, 4), (&mut self.velocities, 3), (&mut self.spins, 3)]
            {
                widen(data, rows, width * before, width * now, f64::NAN);
            }
            widen(&mut self.absent, rows, before, now, true);
            self.bodies = now;
        }
        self.times.push(snapshot.time);
        self.steps.push(snapshot.step);
        for body in &snapshot.bodies {
            self.positions.extend(body.position);
            self.orientations.extend(body.rotation);
            self.velocities.extend(body.velocity);
            self.spins.extend(body.spin);
            self.absent.push(body.absent);
        }
        for contact in &snapshot.contacts {
            self.contact_bodies.extend(contact.bodies);
            self.contact_positions.extend(contact.position);
            self.contact_normals.extend(contact.normal);
            self.contact_forces.extend(contact.force);
            self.contact_gaps.push(contact.gap);
            self.contact_areas.push(contact.area);
            self.contact_frictions.push(contact.friction);
            self.contact_statuses.push(contact.status);
            self.contact_damages.push(contact.damage);
            self.contact_slips.push(contact.slip);
        }
        self.offsets.push(self.contact_statuses.len() as u64);
        self.cables = snapshot.cables.len();
        self.cable_forces.extend(snapshot.cables.iter().map(|cable| cable.force));
    }

    /// A frame as pictures need it: rigid bodies and contacts.
    fn snapshot(&self, index: usize) -> Snapshot {
        fn at<const N: usize>(data: &[f64], row: usize) -> [f64; N] {
            std::array::from_fn(|i| data[N * row + i])
        }
        let body = |row: usize| BodySnapshot {
            position: at(&self.positions, row),
            rotation: at(&self.orientations, row),
            velocity: at(&self.velocities, row),
            spin: at(&self.spins, row),
            absent: self.absent[row],
        };
        let contact = |row: usize| ContactSnapshot {
            bodies: [self.contact_bodies[2 * row], self.contact_bodies[2 * row + 1]],
            position: at(&self.contact_positions, row),
            normal: at(&self.contact_normals, row),
            gap: self.contact_gaps[row],
            force: at(&self.contact_forces, row),
            area: self.contact_areas[row],
            friction: self.contact_frictions[row],
            status: self.contact_statuses[row],
            damage: self.contact_damages[row],
            slip: self.contact_slips[row],
        };
        Snapshot {
            time: self.times[index],
            step: self.steps[index],
            bodies: (index * self.bodies..(index + 1) * self.bodies).map(body).collect(),
            contacts: (self.offsets[index] as usize..self.offsets[index + 1] as usize).map(contact).collect(),
            ..Snapshot::default()
        }
    }

    /// A view of one of the arrays.
    fn array<'py>(&self, owner: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (frames, bodies, contacts) = (self.times.len(), self.bodies, self.contact_statuses.len());
        match name {
            "times" => view(owner, &self.times, &[frames]),
            "steps" => view(owner, &self.steps, &[frames]),
            "positions" => view(owner, &self.positions, &[frames, bodies, 3]),
            "orientations" => view(owner, &self.orientations, &[frames, bodies, 4]),
            "velocities" => view(owner, &self.velocities, &[frames, bodies, 3]),
            "spins" => view(owner, &self.spins, &[frames, bodies, 3]),
            "absent" => view(owner, &self.absent, &[frames, bodies]),
            "offsets" => view(owner, &self.offsets, &[frames + 1]),
            "contact_bodies" => view(owner, &self.contact_bodies, &[contacts, 2]),
            "contact_positions" => view(owner, &self.contact_positions, &[contacts, 3]),
            "contact_normals" => view(owner, &self.contact_normals, &[contacts, 3]),
            "contact_forces" => view(owner, &self.contact_forces, &[contacts, 3]),
            "contact_gaps" => view(owner, &self.contact_gaps, &[contacts]),
            "contact_areas" => view(owner, &self.contact_areas, &[contacts]),
            "contact_frictions" => view(owner, &self.contact_frictions, &[contacts]),
            "contact_statuses" => view(owner, &self.contact_statuses, &[contacts]),
            "contact_damages" => view(owner, &self.contact_damages, &[contacts]),
            "contact_slips" => view(owner, &self.contact_slips, &[contacts]),
            "cable_forces" => view(owner, &self.cable_forces, &[frames, self.cables]),
            _ => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    /// Address of the first number of an array of bodies.
    fn address(&self, name: &str) -> usize {
        match name {
            "positions" => self.positions.as_ptr() as usize,
            "orientations" => self.orientations.as_ptr() as usize,
            "velocities" => self.velocities.as_ptr() as usize,
            "spins" => self.spins.as_ptr() as usize,
            "contact_forces" => self.contact_forces.as_ptr() as usize,
            _ => self.times.as_ptr() as usize,
        }
    }
}

/// Rows of steps as columns of numbers; words are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    heads: Vec<[String; 3]>,
    columns: Vec<Vec<f64>>,
    index: HashMap<String, usize>,
    rows: usize,
}

impl History {
    fn put(&mut self, head: &str, label: &str, unit: &str, cell: Cell) {
        let Some(number) = cell.number() else { return };
        let index = *self.index.entry(head.to_owned()).or_insert_with(|| {
            self.heads.push([head, label, unit].map(str::to_owned));
            self.columns.push(Vec::new());
            self.columns.len() - 1
        });
        // steps of other analyses have no such column
        self.columns[index].resize(self.rows, f64::NAN);
        self.columns[index].push(number);
    }

    /// Adds a row; `own` are the columns of the analysis, `cables` and `probes` the names of cables and probes.
    pub(crate) fn push(&mut self, report: &StepReport, own: &[Column], cables: &[String], probes: &[String]) {
        for (column, of) in LEADING_COLUMNS {
            self.put(column.head, column.label, column.unit, of(report));
        }
        for (column, cell) in own.iter().zip(&report.own) {
            self.put(column.head, column.label, column.unit, *cell);
        }
        for (column, of) in TRAILING_COLUMNS {
            self.put(column.head, column.label, column.unit, of(report));
        }
        for (name, cable) in cables.iter().zip(&report.cables) {
            self.put(&format!("cable_{name}_n"), &format!("tension of cable {name}"), "N", Cell::Number(cable.tension));
        }
        for (name, value) in probes.iter().zip(&report.probes) {
            self.put(name, &format!("probe {name}"), "", Cell::Number(*value));
        }
        self.rows += 1;
    }

    /// All columns end with the last row.
    pub(crate) fn complete(&mut self) {
        let rows = self.rows;
        self.columns.iter_mut().for_each(|column| column.resize(rows, f64::NAN));
    }

    /// The history of a results folder.
    pub(crate) fn of(table: &HistoryTable) -> Self {
        let mut history = Self { rows: table.rows(), ..Self::default() };
        for head in table.heads() {
            let column = table.column(head);
            if !column.is_empty() && column.iter().all(|value| value.is_nan()) {
                continue;
            }
            let info = table.columns().iter().find(|info| info.head == *head);
            let (label, unit) = info.map_or(("", ""), |info| (info.label.as_str(), info.unit.as_str()));
            history.index.insert(head.clone(), history.columns.len());
            history.heads.push([head, label, unit].map(str::to_owned));
            history.columns.push(column.to_vec());
        }
        history
    }
}

/// Frames and history of a run.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct Recording {
    frames: Frames,
    history: History,
    cast: Cast,
}

impl Recording {
    pub(crate) fn new(frames: Frames, history: History, cast: Cast) -> Self {
        Self { frames, history, cast }
    }
}

#[pymethods]
impl Recording {
    /// Names of all arrays.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        NAMES.to_vec()
    }

    /// A read-only view of an array.
    fn array<'py>(this: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        this.get().frames.array(this.as_any(), name)
    }

    /// Address of the numbers of an array.
    fn address(&self, name: &str) -> usize {
        self.frames.address(name)
    }

    /// Head, label and unit of every column of the history.
    fn heads(&self) -> Vec<(String, String, String)> {
        self.history.heads.iter().map(|[head, label, unit]| (head.clone(), label.clone(), unit.clone())).collect()
    }

    /// A read-only view of a column of the history.
    fn column<'py>(this: &Bound<'py, Self>, head: &str) -> PyResult<Bound<'py, PyAny>> {
        let history = &this.get().history;
        let index = history.index.get(head).ok_or_else(|| PyKeyError::new_err(head.to_owned()))?;
        let column = &history.columns[*index];
        view(this.as_any(), column, &[column.len()])
    }

    /// Picture of a frame in a view that has the first frame too: SVG, or PNG with a scale.
    #[pyo3(signature = (index, title, scale = None))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        title: &str,
        scale: Option<f64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let caption = Caption { title: title.to_owned(), ..Caption::default() };
        let bytes = ask(py, Some(1), || {
            let [first, now] = [0, index].map(|index| self.frames.snapshot(index));
            draw(&self.cast, &first, &now, &caption, scale)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Names, materials, masses and volumes of the bodies, and which are supports.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        bodies(py, &self.cast)
    }

    /// Names of the cables.
    fn cables(&self) -> Vec<String> {
        self.cast.cables.iter().map(|cable| cable.name.clone()).collect()
    }

    /// 2 or 3.
    #[getter]
    fn dimension(&self) -> usize {
        self.cast.dimension
    }
}

/// Names, materials, masses and volumes of bodies, and which are supports.
pub(crate) fn bodies<'py>(py: Python<'py>, cast: &Cast) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let count = [cast.bodies.len()];
    dict.set_item("name", cast.bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>())?;
    let material = |index: usize| cast.materials.get(index).map_or("", String::as_str);
    dict.set_item("material", cast.bodies.iter().map(|body| material(body.material)).collect::<Vec<_>>())?;
    dict.set_item("support", copy(py, &cast.bodies.iter().map(|body| body.support).collect::<Vec<_>>(), &count)?)?;
    dict.set_item("mass", copy(py, &cast.bodies.iter().map(|body| body.mass).collect::<Vec<_>>(), &count)?)?;
    dict.set_item("volume", copy(py, &cast.bodies.iter().map(|body| body.volume).collect::<Vec<_>>(), &count)?)?;
    Ok(dict)
}
