//! `voussoir sweep`: compute the samples of a study, in one process or as parts of an array.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use voussoir_ensemble::EnsembleError;
use voussoir_ensemble::study::{EnsembleStudy, Part, SampleTable, StudyEngine, page, slurm};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::interrupt;
use crate::terminal::Terminal;

/// Arguments of `voussoir sweep`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The folder has samples.csv, report.html and the journal of finished samples. A study that \
                        was interrupted or killed continues after the last finished sample. A failed sample is a row with its \
                        reason.\n\n\
                        Examples:\n  voussoir sweep study.toml -o out/study\n  \
                        voussoir sweep study.toml -o out/study --slurm 40 > sweep.sh\n  \
                        voussoir sweep study.toml -o out/study --part 3/40\n  \
                        voussoir sweep study.toml -o out/study --collect")]
pub struct SweepArguments {
    /// The study
    pub study: PathBuf,
    /// Folder of the study [default: out/NAME]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Compute one of N parts only, for arrays of jobs
    #[arg(long, value_name = "I/N", value_parser = part)]
    pub part: Option<Part>,
    /// Compute nothing: write table and report from the samples in the folder
    #[arg(long, conflicts_with = "part")]
    pub collect: bool,
    /// Print a Slurm script for an array of N jobs
    #[arg(long, value_name = "N", conflicts_with_all = ["part", "collect"], value_parser = clap::value_parser!(u32).range(1..))]
    pub slurm: Option<u32>,
    /// Check the study and list its first samples without computing
    #[arg(long, conflicts_with_all = ["part", "collect", "slurm"])]
    pub dry_run: bool,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

fn part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
    let (number, count) = numbers.ok_or("write the number of the part and the number of parts, for instance 3/40")?;
    Part::new(number, count).map_err(|error| error.to_string())
}

impl From<EnsembleError> for Failure {
    fn from(error: EnsembleError) -> Self {
        Self::bad_input(error.to_string())
    }
}

impl SweepArguments {
    /// Computes, collects, or prints a script.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let study = EnsembleStudy::load(&self.study)?;
        let stem = self.study.file_stem().unwrap_or_default();
        let dir = self.output.clone().unwrap_or_else(|| Path::new("out").join(stem));
        if let Some(parts) = self.slurm {
            terminal.answer(slurm::script("voussoir", &self.study, &dir, parts as usize).trim_end())?;
            return Ok(Exit::Computed);
        }
        if self.dry_run {
            return self.list(&study, terminal);
        }
        let mut stopped = false;
        if !self.collect {
            stopped = self.compute(&study, &dir, terminal)?;
        }
        let table = study.table(&dir)?;
        // parts that run at the same time do not write the table; `--collect` does
        if self.part.is_none() {
            self.write(&dir.join("samples.csv"), &table.to_csv())?;
            self.write(&dir.join("report.html"), &page::page(&study, &table))?;
        }
        self.report(&study, &table, &dir, terminal)?;
        Ok(if stopped { Exit::Interrupted } else { Exit::Computed })
    }

    /// Computes the samples that are not in the folder; true if it was stopped.
    fn compute(&self, study: &EnsembleStudy, dir: &Path, terminal: &Terminal) -> CommandResult<bool> {
        let flag = interrupt::flag();
        let engine = StudyEngine { threads: rayon::current_num_threads(), part: self.part.unwrap_or(Part::WHOLE) };
        let bar = terminal.bars().add(ProgressBar::new(study.samples.len() as u64));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} samples  {per_sec}  {eta} left") {
            bar.set_style(style);
        }
        let run = study.run(dir, &engine, &mut |done, total, _| {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            !flag.load(Ordering::SeqCst)
        });
        bar.finish_and_clear();
        run?;
        Ok(flag.load(Ordering::SeqCst))
    }

    fn write(&self, path: &Path, text: &str) -> CommandResult<()> {
        let fresh = path.with_extension("new");
        fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, path)).map_err(|error| Failure::write(path, &error))
    }

    /// Prints the samples that the study would compute.
    fn list(&self, study: &EnsembleStudy, terminal: &Terminal) -> CommandResult<Exit> {
        let mut text =
            format!("{} samples of {}\n  name      {}", study.samples.len(), study.spec.scene, study.keys.join("  "));
        for sample in study.samples.iter().take(10) {
            let values: Vec<String> = sample.values.iter().map(|x| format!("{x:.6}")).collect();
            let motion = sample.motion.map(|(i, scale)| format!("  {} × {scale:.4}", study.records[i].name));
            text += &format!("\n  {}  {}{}", &sample.name[..8], values.join("  "), motion.unwrap_or_default());
        }
        terminal.answer(&text)?;
        Ok(Exit::Computed)
    }

    fn report(&self, study: &EnsembleStudy, table: &SampleTable, dir: &Path, terminal: &Terminal) -> CommandResult<()> {
        let curves: Vec<_> = study.spec.fragility.iter().map(|spec| table.fragility(spec)).collect();
        let (rows, done) = (table.rows.len(), table.done());
        if self.json {
            let curve = |found: &voussoir_ensemble::EnsembleResult<_>| match found {
                Ok(found) => json!(found),
                Err(error) => json!({ "error": error.to_string() }),
            };
            let answer = json!({
                "folder": dir.display().to_string(), "samples": table.total, "computed": rows, "done": done,
                "fragility": curves.iter().map(curve).collect::<Vec<_>>(),
            });
            return terminal.answer(&answer.to_string());
        }
        let mut text = format!("{rows} of {} samples computed, {done} with a converged answer", table.total);
        for name in table.unanswered(&study.spec.keep) {
            text += &format!("\n  keep: no answer has \"{name}\"; its column is empty");
        }
        for (spec, found) in study.spec.fragility.iter().zip(&curves) {
            let damage = spec.damage.as_deref().unwrap_or("failure");
            match found {
                Ok(found) => {
                    let [a, b] = found.curve.standard_errors();
                    let (theta, beta) = (found.curve.theta, found.curve.beta);
                    text += &format!(
                        "\n  {damage} over {}: θ = {theta:.6} (se of ln θ {a:.4}), β = {beta:.6} (se {b:.4})",
                        spec.im
                    );
                    if let Some(rate) = &found.rate {
                        text += &format!(", mean annual rate {:.4e}", rate.rate);
                    }
                }
                Err(error) => text += &format!("\n  {damage} over {}: {error}", spec.im),
            }
        }
        if self.part.is_none() {
            text += &format!("\n{}\n{}", dir.join("samples.csv").display(), dir.join("report.html").display());
        }
        terminal.answer(&text)
    }
}
