//! A script for arrays of jobs on Slurm: one part of the study per job, then one job that collects.

use std::path::Path;

/// The script, ready for `sbatch`. Every task computes one part and can be repeated: finished samples are kept.
pub fn script(command: &str, study: &Path, dir: &Path, parts: usize) -> String {
    let quote = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    let (study, dir) = (quote(study), quote(dir));
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=voussoir-sweep\n\
         #SBATCH --array=1-{parts}\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --requeue\n\
         # submit:  sbatch sweep.sh\n\
         # then:    {command} sweep {study} -o {dir} --collect\n\
         exec {command} --threads 1 sweep {study} -o {dir} --part \"${{SLURM_ARRAY_TASK_ID:-1}}/{parts}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_spaces_and_quotes_stay_one_word() {
        let text = script("voussoir", Path::new("my study's.toml"), Path::new("out dir"), 40);
        assert!(text.contains("#SBATCH --array=1-40\n"));
        assert!(text.contains("sweep 'my study'\\''s.toml' -o 'out dir' --part \"${SLURM_ARRAY_TASK_ID:-1}/40\"\n"));
    }
}
