//! The engine of a study in this process: threads, parts of an array, time limits.
//!
//! A sample whose computation panics is a row with the reason. A sample that exceeds the time limit gets a row with the
//! status `timeout`; its run ends after the present step, and a static analysis, which cannot be interrupted, continues in
//! the background until the process ends. Every sample is computed on one thread of its own pool, so that samples beside
//! each other do not share threads, and a forked process has all the threads that it needs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use voussoir_run::folder::report_of;

use super::ask::look;
use super::journal::{self, ATTEMPTS, Journal, JournalContent};
use super::plan::{EnsembleStudy, SamplePlan};
use super::table::{SampleTable, StudyRow, StudyValue};
use crate::error::{EnsembleError, EnsembleResult as Result};

/// Stack of a thread that computes samples [bytes]; only what is used takes memory.
const STACK: usize = 16 << 20;

/// A part of a study: samples whose number leaves the remainder `number` − 1 on division by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number, from 1.
    pub number: usize,
    /// How many parts there are.
    pub count: usize,
}

impl Part {
    /// The whole study.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    /// A part, refused unless 1 ≤ `number` ≤ `count`.
    pub fn new(number: usize, count: usize) -> Result<Self> {
        if number == 0 || number > count {
            return Err(EnsembleError::input(format!("part {number}/{count}: parts are numbered from 1 to {count}")));
        }
        Ok(Self { number, count })
    }

    /// True if a sample belongs to this part.
    pub fn has(&self, index: usize) -> bool {
        index % self.count == self.number - 1
    }
}

/// Number of threads and part of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyEngine {
    /// Samples at the same time.
    pub threads: usize,
    /// Which samples.
    pub part: Part,
}

/// Called for every row with the number of rows done, the number of rows of this part and the row; `false` stops the study
/// after the samples that are being computed.
pub type StudyObserver<'a> = dyn FnMut(usize, usize, &StudyRow) -> bool + 'a;

/// Message of a worker.
enum News {
    Begin(String),
    End(StudyRow),
}

impl EnsembleStudy {
    /// Computes one sample; failures are rows too.
    pub fn compute(&self, index: usize) -> StudyRow {
        self.compute_until(index, &Arc::new(AtomicBool::new(false)), None)
    }

    fn compute_until(&self, index: usize, stop: &Arc<AtomicBool>, folder: Option<&Path>) -> StudyRow {
        let sample = &self.samples[index];
        match catch_unwind(AssertUnwindSafe(|| self.answer(sample, stop, folder))) {
            Ok(Ok(answer)) => {
                let cell = |path: &String| look(&answer.numbers, path).map_or(StudyValue::Empty, StudyValue::of_json);
                let numbers = self.columns().iter().map(cell).collect();
                let status = if answer.not_converged.is_some() { "not-converged" } else { "done" };
                self.row(sample, status, answer.not_converged.unwrap_or_default(), numbers)
            }
            Ok(Err(error)) => self.row(sample, "failed", error.to_string(), Vec::new()),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
                self.row(sample, "failed", format!("internal error: {text}"), Vec::new())
            }
        }
    }

    /// A row of a sample.
    pub fn row(&self, sample: &SamplePlan, status: &str, reason: String, mut numbers: Vec<StudyValue>) -> StudyRow {
        numbers.resize(self.columns().len(), StudyValue::Empty);
        let reason = reason.replace(['\n', '\r'], " ");
        StudyRow { index: sample.index, name: sample.name.clone(), status: status.to_owned(), reason, numbers }
    }

    /// Folder of the results of a sample, if they are kept in the folder of the study.
    pub fn folder_of(&self, dir: &Path, index: usize) -> Option<PathBuf> {
        let name = self.samples[index].name.get(..8)?;
        self.spec.folders.contains(&index).then(|| dir.join("samples").join(format!("{index:05}-{name}")))
    }

    /// Computes one sample within the time limit of the study; `dir` is the folder of the study.
    pub fn compute_in_time(self: &Arc<Self>, index: usize, dir: &Path) -> StudyRow {
        let stop = Arc::new(AtomicBool::new(false));
        let folder = self.folder_of(dir, index);
        let pool = match pool() {
            Ok(pool) => pool,
            Err(error) => return self.row(&self.samples[index], "failed", error.to_string(), Vec::new()),
        };
        let Some(limit) = self.spec.time_limit else {
            return pool.install(|| self.compute_until(index, &stop, folder.as_deref()));
        };
        let (send, receive) = mpsc::channel();
        let (study, flag) = (self.clone(), stop.clone());
        pool.spawn(move || drop(send.send(study.compute_until(index, &flag, folder.as_deref()))));
        match receive.recv_timeout(Duration::from_secs_f64(limit)) {
            Ok(row) => row,
            Err(_) => {
                stop.store(true, Ordering::SeqCst);
                self.row(&self.samples[index], "timeout", format!("not finished after {limit} s"), Vec::new())
            }
        }
    }

    /// Samples of a part that no journal of the folder has, or whose results are to be kept and are not there.
    pub fn pending(&self, dir: &Path, content: &JournalContent, part: Part) -> Vec<usize> {
        let missing = |sample: &SamplePlan| match content.ended.get(&sample.name) {
            None => true,
            Some((status, _, _)) if status == "done" || status == "not-converged" => {
                self.folder_of(dir, sample.index).is_some_and(|folder| report_of(&folder).is_none())
            }
            Some(_) => false,
        };
        let open = |sample: &&SamplePlan| part.has(sample.index) && missing(sample);
        self.samples.iter().filter(open).map(|sample| sample.index).collect()
    }

    /// Computes all samples of a part that are not in the folder yet; returns the number of rows that were added.
    pub fn run(&self, dir: &Path, engine: &StudyEngine, observer: &mut StudyObserver<'_>) -> Result<usize> {
        let (mut journal, content) = Journal::open(dir, self, engine.part)?;
        let mut pending = self.pending(dir, &content, engine.part);
        let total = (0..self.samples.len()).filter(|index| engine.part.has(*index)).count();
        let mut done = total - pending.len();
        let before = done;
        // samples that ended their process every time
        let lost =
            |index: &usize| content.begun.get(&self.samples[*index].name).is_some_and(|begun| *begun >= ATTEMPTS);
        for index in pending.iter().copied().filter(|index| lost(index)).collect::<Vec<_>>() {
            let reason = format!("the process ended {ATTEMPTS} times while it computed this sample");
            let row = self.row(&self.samples[index], "lost", reason, Vec::new());
            journal.add(&row)?;
            done += 1;
            observer(done, total, &row);
        }
        pending.retain(|index| !lost(index));
        let study = Arc::new(self.clone());
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        // room for one message of each worker: when the observer stops the study, a worker is at most one sample ahead of it
        let (send, receive) = mpsc::sync_channel::<News>(engine.threads.max(1));
        std::thread::scope(|scope| {
            for _ in 0..engine.threads.max(1) {
                let (send, study, pending, next, stopped) = (send.clone(), study.clone(), &pending, &next, &stopped);
                scope.spawn(move || {
                    while !stopped.load(Ordering::SeqCst) {
                        let Some(&index) = pending.get(next.fetch_add(1, Ordering::SeqCst)) else { break };
                        let begun = send.send(News::Begin(study.samples[index].name.clone()));
                        if begun.is_err() || send.send(News::End(study.compute_in_time(index, dir))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let mut written = Ok(());
            while let Ok(news) = receive.recv() {
                written = written.and_then(|()| match &news {
                    News::Begin(name) => journal.begin(name),
                    News::End(row) => journal.add(row),
                });
                if let (Ok(()), News::End(row)) = (&written, &news) {
                    done += 1;
                    if !observer(done, total, row) {
                        stopped.store(true, Ordering::SeqCst);
                    }
                }
                if written.is_err() {
                    stopped.store(true, Ordering::SeqCst);
                }
            }
            written
        })?;
        Ok(done - before)
    }

    /// The table of all rows in a folder, by the numbers of their samples.
    pub fn table(&self, dir: &Path) -> Result<SampleTable> {
        let content = journal::read(dir)?;
        let row = |sample: &SamplePlan| {
            let (status, reason, numbers) = content.ended.get(&sample.name)?;
            Some(self.row(sample, status, reason.clone(), numbers.clone()))
        };
        let rows: Vec<StudyRow> = self.samples.iter().filter_map(row).collect();
        Ok(SampleTable::new(self, rows))
    }
}

/// A pool of one thread.
fn pool() -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
    pool.map_err(|error| EnsembleError::input(format!("no thread could be started: {error}")))
}
