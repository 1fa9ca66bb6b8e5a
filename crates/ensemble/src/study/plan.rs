//! The samples of a study: values of keys, ground motion, name, seed. Everything that can be refused is refused here.

use std::fs;
use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::statics::vary::{BESIDE, with_value};

use super::motions::{StudyRecord, with_motion};
use super::spec::{AskKind, GivenSamples, StudySpec, VarySpec};
use crate::design::{grid, sample};
use crate::distribution::Distribution;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::random::{RandomNumbers, hash};

/// Most samples of a study.
const MOST: usize = 10_000_000;

/// A study, read and checked.
#[derive(Clone, Debug)]
pub struct EnsembleStudy {
    /// The study as written.
    pub spec: StudySpec,
    /// Text of the scene.
    pub(super) scene: String,
    /// Folder of the scene.
    pub(super) base: PathBuf,
    /// Keys of the scene that vary, in the order of the columns.
    pub keys: Vec<String>,
    /// Ground motions.
    pub records: Vec<StudyRecord>,
    /// Names of the probes of the scene.
    pub probes: Vec<String>,
    /// All samples.
    pub samples: Vec<SamplePlan>,
}

/// One sample before it is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplePlan {
    /// Number, from 0.
    pub index: usize,
    /// Hash of scene, values, ground motion, question and version.
    pub name: String,
    /// Seed of the sample.
    pub seed: u64,
    /// Values in the order of the keys.
    pub values: Vec<f64>,
    /// Ground motion: place in the list of records, and scale.
    pub motion: Option<(usize, f64)>,
}

impl EnsembleStudy {
    /// Reads a study; file names are relative to `base`.
    pub fn from_toml_text(text: &str, base: &Path) -> Result<Self> {
        let spec = StudySpec::parse(text)?;
        let path = base.join(&spec.scene);
        let scene = fs::read_to_string(&path).map_err(EnsembleError::file(&path))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::new(spec, scene, folder, base)
    }

    /// Reads a study file.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(EnsembleError::file(path))?;
        Self::from_toml_text(&text, path.parent().unwrap_or(Path::new("")))
    }

    /// A study of a scene given as text; its meshes are in `folder`, tables and records of the study in `base`.
    pub fn new(spec: StudySpec, scene: String, folder: PathBuf, base: &Path) -> Result<Self> {
        let mut records = Vec::new();
        if let Some(motions) = &spec.motions {
            for file in &motions.records {
                records.push(StudyRecord::read(base, file, motions)?);
            }
        }
        let (keys, rows) = values(&spec, base)?;
        let motions = motions(&spec, &records)?;
        let total = rows.len().saturating_mul(motions.len());
        if total == 0 || total > MOST {
            return Err(EnsembleError::input(format!("the study has {total} samples; at most {MOST}, at least one")));
        }
        let plain = SceneFile::read(&scene, &spec.scene, &folder).map_err(|error| describe(&spec.scene, &error))?;
        let probes = plain.built.probes.iter().map(|probe| probe.head.clone()).collect();
        let mut study = Self { spec, scene, base: folder, keys, records, probes, samples: Vec::with_capacity(total) };
        let own = study.fingerprint();
        for row in &rows {
            for motion in &motions {
                let plan = study.plan(&own, row.clone(), *motion);
                study.samples.push(plan);
            }
        }
        study.check(&plain)?;
        Ok(study)
    }

    /// Hash of the scene, the question and the version of the program: a folder belongs to one of them.
    pub fn fingerprint(&self) -> String {
        // neither the title nor what is drawn or kept of the answers changes a row's meaning
        let asked = serde_json::json!([
            self.spec.ask,
            self.spec.limit,
            self.spec.find,
            self.spec.ida,
            self.spec.keep,
            self.spec.damage,
            self.spec.motions,
            self.keys
        ]);
        let mut parts = vec![self.scene.clone(), asked.to_string(), env!("CARGO_PKG_VERSION").to_owned()];
        parts.extend(self.records.iter().map(|record| record.text.clone()));
        format!("{:032x}", hash(&parts.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    fn plan(&self, own: &str, mut values: Vec<f64>, motion: Option<(usize, f64)>) -> SamplePlan {
        // digits of a number are all of its bits
        let numbers: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
        let record = motion.map(|(i, scale)| format!("{} {scale:?}", self.records[i].name)).unwrap_or_default();
        let mut parts = vec![own, record.as_str()];
        parts.extend(numbers.iter().map(String::as_str));
        let hash = hash(&parts);
        // the last characters of a name change few of its bits
        let seed = RandomNumbers::new(hash as u64 ^ (hash >> 64) as u64).bits();
        for (value, key) in values.iter_mut().zip(&self.keys) {
            if self.spec.vary.get(key) == Some(&VarySpec::Seed) {
                *value = (seed >> 32) as f64;
            }
        }
        SamplePlan { index: self.samples.len(), name: format!("{hash:032x}"), seed, values, motion }
    }

    /// The text of the scene of a sample.
    pub fn scene_of(&self, sample: &SamplePlan) -> Result<String> {
        self.scene_at(sample, sample.motion)
    }

    /// The text of the scene of a sample with a ground motion.
    pub(super) fn scene_at(&self, sample: &SamplePlan, motion: Option<(usize, f64)>) -> Result<String> {
        let mut text = self.scene.clone();
        for (key, value) in self.keys.iter().zip(&sample.values).filter(|(key, _)| !BESIDE.contains(&key.as_str())) {
            text = with_value(&text, key, *value).map_err(|error| EnsembleError::input(error.to_string()))?;
        }
        match (motion, &self.spec.motions) {
            (Some((record, scale)), Some(spec)) => with_motion(&text, spec, &self.records[record], scale),
            _ => Ok(text),
        }
    }

    /// Refuses unknown keys, scenes that cannot be built and questions that cannot be asked, before the first sample.
    fn check(&self, plain: &SceneFile) -> Result<()> {
        let name = &self.spec.scene;
        if let Some(key) = self.keys.iter().find(|key| BESIDE.contains(&key.as_str())) {
            return Err(EnsembleError::input(format!(
                "vary.{key}: tilt and acceleration are not keys of the scene; use ask = \"limit\" or \"find\""
            )));
        }
        for (i, key) in self.keys.iter().enumerate() {
            with_value(&self.scene, key, self.samples[0].values[i])
                .map_err(|error| EnsembleError::input(format!("vary: {error}; {}", advice(&error))))?;
        }
        // a key that the schema does not know is written by `with_value` and refused when the scene is read
        let first = self.scene_of(&self.samples[0])?;
        SceneFile::read(&first, name, &self.base).map_err(|error| describe("first sample", &error))?;
        if let Some(index) = self.spec.folders.iter().find(|index| **index >= self.samples.len()) {
            return Err(EnsembleError::input(format!(
                "folders: there is no sample {index}; the study has the samples 0 to {}",
                self.samples.len() - 1
            )));
        }
        if matches!(self.spec.ask, AskKind::Run | AskKind::Ida) && plain.built.stages.is_empty() {
            return Err(EnsembleError::input("ask = \"run\": the scene has no [[stages]]"));
        }
        self.check_question(plain)
    }
}

/// An error of a scene with its place and help.
fn describe(what: &str, error: &voussoir_run::RunError) -> EnsembleError {
    match error {
        voussoir_run::RunError::Scene(error) => {
            let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
            EnsembleError::input(format!("{what}, line {}: {}{help}", error.line, error.message))
        }
        other => EnsembleError::input(format!("{what}: {other}")),
    }
}

fn advice(error: &voussoir_run::RunError) -> String {
    match error {
        voussoir_run::RunError::Input { help: Some(help), .. } => help.clone(),
        _ => String::new(),
    }
}

/// Keys and rows of values: those of a table, or samples of distributions times the grid of lists.
fn values(spec: &StudySpec, base: &Path) -> Result<(Vec<String>, Vec<Vec<f64>>)> {
    let mut random: Vec<(String, Distribution)> = Vec::new();
    let (mut listed, mut lists) = (Vec::new(), Vec::new());
    for (key, vary) in &spec.vary {
        match vary {
            VarySpec::Random(distribution) => random.push((key.clone(), distribution.clone())),
            VarySpec::List(list) => {
                listed.push(key.clone());
                lists.push(list.clone());
            }
            VarySpec::Seed => {
                listed.push(key.clone());
                lists.push(vec![0.0]);
            }
        }
    }
    let (mut keys, drawn) = match &spec.table {
        Some(given) if random.is_empty() => match given {
            GivenSamples::File(file) => table(&base.join(file))?,
            GivenSamples::Rows { keys, rows } => (keys.clone(), checked(keys, rows)?),
        },
        Some(_) => return Err(EnsembleError::input("a study has either a table or distributions")),
        None => {
            let n = spec.samples.unwrap_or(1);
            if random.is_empty() && n > 1 && !spec.vary.values().any(|vary| *vary == VarySpec::Seed) {
                return Err(EnsembleError::input(format!(
                    "samples = {n}: no distribution varies, all would be the same"
                )));
            }
            let rows = sample(spec.design, n, &random, &spec.correlations, spec.seed)?;
            (random.into_iter().map(|(key, _)| key).collect(), rows)
        }
    };
    if let Some(key) = keys.iter().find(|key| listed.contains(key)) {
        return Err(EnsembleError::input(format!("\"{key}\" varies twice")));
    }
    let grid = grid(&lists);
    let join = |row: &Vec<f64>| grid.iter().map(|more| [row.as_slice(), more].concat()).collect::<Vec<_>>();
    let mut rows: Vec<Vec<f64>> = drawn.iter().flat_map(join).collect();
    keys.extend(listed);
    // samples that differ in nothing but their seed need different names
    if spec.vary.values().any(|vary| *vary == VarySpec::Seed) {
        for (i, row) in rows.iter_mut().enumerate() {
            for (value, key) in row.iter_mut().zip(&keys) {
                if spec.vary.get(key) == Some(&VarySpec::Seed) {
                    *value = i as f64;
                }
            }
        }
    }
    Ok((keys, rows))
}

/// Rows that have one finite number per key.
fn checked(keys: &[String], rows: &[Vec<f64>]) -> Result<Vec<Vec<f64>>> {
    match rows.iter().position(|row| row.len() != keys.len() || row.iter().any(|x| !x.is_finite())) {
        Some(row) => Err(EnsembleError::input(format!("table, row {}: not one finite number per key", row + 1))),
        None => Ok(rows.to_vec()),
    }
}

/// A table of samples: a head with keys, then numbers.
fn table(path: &Path) -> Result<(Vec<String>, Vec<Vec<f64>>)> {
    let text = fs::read_to_string(path).map_err(EnsembleError::file(path))?;
    let wrong = |line: usize, reason: &str| EnsembleError::input(format!("{}, line {line}: {reason}", path.display()));
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let cells = |line: &str| line.split(',').map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>();
    let keys = lines.next().map(|(_, head)| cells(head)).ok_or_else(|| wrong(1, "the table is empty"))?;
    let row = |(i, line): (usize, &str)| {
        let numbers: Option<Vec<f64>> =
            cells(line).iter().map(|cell| cell.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        numbers
            .filter(|row| row.len() == keys.len())
            .ok_or_else(|| wrong(i + 1, "not one number per column of the head"))
    };
    let rows = lines.map(row).collect::<Result<Vec<_>>>()?;
    Ok((keys, rows))
}

/// Ground motions of every row of values.
fn motions(spec: &StudySpec, records: &[StudyRecord]) -> Result<Vec<Option<(usize, f64)>>> {
    let Some(motions) = &spec.motions else { return Ok(vec![None]) };
    let mut found = Vec::new();
    for (i, record) in records.iter().enumerate() {
        if spec.ask == AskKind::Ida {
            found.push(Some((i, 1.0)));
            continue;
        }
        let im = motions.im.as_deref().unwrap_or("pga");
        for level in &motions.levels {
            let scale = record.scale_for(im, *level).filter(|scale| *scale > 0.0 && scale.is_finite());
            let scale = scale.ok_or_else(|| {
                EnsembleError::input(format!("motions.im = \"{im}\" cannot have the level {level}; sa needs `period`"))
            })?;
            found.push(Some((i, scale)));
        }
        let scales = if motions.scales.is_empty() && motions.levels.is_empty() { &[1.0][..] } else { &motions.scales };
        found.extend(scales.iter().map(|scale| Some((i, *scale))));
    }
    Ok(found)
}
