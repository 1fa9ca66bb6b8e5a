//! Reading FCLIB files.

use voussoir_hdf5::foreign::Foreign;
use voussoir_hdf5::read::ReadFault;

use super::COMPLIANT;
use crate::error::{ProblemError, check_dimension, check_finite, check_length};
use crate::global::GlobalProblem;
use crate::local::assemble;
use crate::sparse::{Sparse, Triplet};
use crate::{About, ProblemFile, ProblemForm};

/// Reads the problem of a file.
pub fn read(bytes: &[u8]) -> Result<ProblemFile, ProblemError> {
    let file = Foreign::open(bytes)?;
    let names = file.names("/")?;
    let has = |name: &str| names.iter().any(|found| found == name);
    let (group, form) = if has("fclib_local") {
        ("fclib_local", local(&file)?)
    } else if has("fclib_global") {
        ("fclib_global", global(&file)?)
    } else if names.iter().any(|name| name.contains("rolling")) {
        return Err(ProblemError::Unsupported {
            what: format!("{}: problems with rolling friction are not supported", names.join(", ")),
        });
    } else {
        return Err(ProblemError::Inconsistent {
            what: "has no group fclib_local or fclib_global: not an FCLIB problem".to_owned(),
        });
    };
    let mut problem = ProblemFile::new(form).with_both_triangles();
    problem.about = about(&file, group);
    problem.guess = guess(&file, problem.form.dim() * problem.form.contacts());
    Ok(problem)
}

fn local(file: &Foreign<'_>) -> Result<ProblemForm, ProblemError> {
    refuse_bilateral(file, "fclib_local", &["V", "R"])?;
    let dim = dimension(file, "fclib_local")?;
    let q = file.floats("fclib_local/vectors/q")?;
    let friction = file.floats("fclib_local/vectors/mu")?;
    let w = matrix(file, "fclib_local/W", q.len(), q.len())?;
    Ok(ProblemForm::Local(assemble(dim, &w, q, friction)?))
}

fn global(file: &Foreign<'_>) -> Result<ProblemForm, ProblemError> {
    refuse_bilateral(file, "fclib_global", &["G"])?;
    let dim = dimension(file, "fclib_global")?;
    let vector = |name: &str| file.floats(&format!("fclib_global/vectors/{name}"));
    let (force, bias, friction) = (vector("f")?, vector("w")?, vector("mu")?);
    let compliant = file.attribute_floats("fclib_global", COMPLIANT)?;
    let compliant = compliant.and_then(|list| list.first().copied()).unwrap_or(0.0);
    let problem = GlobalProblem {
        dim,
        mass: matrix(file, "fclib_global/M", force.len(), force.len())?,
        h: matrix(file, "fclib_global/H", force.len(), bias.len())?,
        // attributes with several values are ignored
        compliant: if compliant >= 0.0 && compliant <= force.len() as f64 { compliant as usize } else { 0 },
        force,
        bias,
        friction,
    };
    problem.check()?;
    Ok(ProblemForm::Global(problem))
}

/// Problems with equations besides the contacts are another kind.
fn refuse_bilateral(file: &Foreign<'_>, group: &str, parts: &[&str]) -> Result<(), ProblemError> {
    for part in parts {
        if file.contains(&format!("{group}/{part}"))? {
            return Err(ProblemError::Unsupported {
                what: format!("{group}/{part}: problems with a bilateral part are not supported"),
            });
        }
    }
    Ok(())
}

fn dimension(file: &Foreign<'_>, group: &str) -> Result<usize, ProblemError> {
    check_dimension(number(file, &format!("{group}/spacedim"))?)
}

/// The first value of a list of integers.
fn number(file: &Foreign<'_>, path: &str) -> Result<i64, ProblemError> {
    let list = file.integers(path)?;
    list.first().copied().ok_or_else(|| ProblemError::Inconsistent { what: format!("{path} is empty") })
}

/// A matrix, whose size follows from the vectors of the problem.
fn matrix(file: &Foreign<'_>, path: &str, rows: usize, cols: usize) -> Result<Sparse, ProblemError> {
    let wrong = |what: String| ProblemError::Inconsistent { what: format!("{path}: {what}") };
    let member = |name: &str| format!("{path}/{name}");
    let size = (number(file, &member("m"))?, number(file, &member("n"))?);
    if size != (rows as i64, cols as i64) {
        let expected = format!("by the lengths of the vectors it must be {rows} × {cols}");
        return Err(wrong(format!("is {} × {}; {expected}", size.0, size.1)));
    }
    let nz = number(file, &member("nz"))?;
    let (p, i) = (file.integers(&member("p"))?, file.integers(&member("i"))?);
    let x = file.floats(&member("x"))?;
    check_finite(
        if path.ends_with('W') {
            "W"
        } else if path.ends_with('M') {
            "M"
        } else {
            "H"
        },
        &x,
    )?;
    let triplets = match nz {
        -1 => compressed(path, &p, &i, &x, cols, rows)?.into_iter().map(|(column, row, x)| (row, column, x)).collect(),
        -2 => compressed(path, &p, &i, &x, rows, cols)?,
        0.. => {
            let count = nz as usize;
            if p.len() < count || i.len() < count || x.len() < count {
                let lengths = format!("{}, {} and {}", p.len(), i.len(), x.len());
                return Err(wrong(format!("has nz = {nz}, but p, i and x have {lengths} values")));
            }
            let (p, i) = (&p[..count], &i[..count]);
            let inside = |list: &[i64], end: usize| list.iter().all(|&at| at >= 0 && at < end as i64);
            // CSparse has rows in i; the documentation in the header of fclib states the opposite
            let (row, column) = if inside(i, rows) && inside(p, cols) { (i, p) } else { (p, i) };
            if !inside(row, rows) || !inside(column, cols) {
                return Err(wrong(format!("has entries outside of {rows} × {cols}")));
            }
            row.iter().zip(column).zip(&x).map(|((&row, &column), &x)| (row as u32, column as u32, x)).collect()
        }
        other => return Err(wrong(format!("has nz = {other}; it must be -1, -2 or a number of triplets"))),
    };
    Ok(Sparse::from_triplets(rows, cols, triplets))
}

/// Entries (line, across, value) of compressed rows or columns.
fn compressed(
    path: &str,
    p: &[i64],
    i: &[i64],
    x: &[f64],
    lines: usize,
    across: usize,
) -> Result<Vec<Triplet>, ProblemError> {
    check_length(&format!("{path}/p"), p.len(), lines + 1, &format!("for {lines} rows or columns"))?;
    let count = p[lines];
    let wrong = |what: String| ProblemError::Inconsistent { what: format!("{path}: {what}") };
    if p[0] != 0 || !p.is_sorted() || count > i.len().min(x.len()) as i64 {
        let most = i.len().min(x.len());
        return Err(wrong(format!("p must rise from 0 to at most {most}, the number of values in i and x")));
    }
    let mut triplets = Vec::with_capacity(count as usize);
    for line in 0..lines {
        for k in p[line] as usize..p[line + 1] as usize {
            if i[k] < 0 || i[k] >= across as i64 {
                return Err(wrong(format!("i[{k}] is {}; indices go from 0 to {across} exclusive", i[k])));
            }
            triplets.push((line as u32, i[k] as u32, x[k]));
        }
    }
    Ok(triplets)
}

/// Description of the problem; unreadable parts are omitted.
fn about(file: &Foreign<'_>, group: &str) -> About {
    let info = format!("{group}/info");
    let text = |name: &str| file.text(&format!("{info}/{name}")).unwrap_or_default();
    let attribute = |name: &str| -> Option<f64> {
        let read: Result<_, ReadFault> = file.attribute_floats(&info, name);
        read.ok().flatten().and_then(|list| list.first().copied()).filter(|x| x.is_finite())
    };
    About {
        title: text("title"),
        description: text("description"),
        step: attribute("step").filter(|&step| step >= 0.0).map(|step| step as u64),
        time: attribute("time"),
    }
}

/// Impulses of the first guess, if they fit the problem.
fn guess(file: &Foreign<'_>, length: usize) -> Option<Vec<f64>> {
    let r = file.floats("guesses/1/r").ok()?;
    (r.len() == length && r.iter().all(|x| x.is_finite())).then_some(r)
}
