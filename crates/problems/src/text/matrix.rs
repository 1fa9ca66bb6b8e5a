//! Matrices in text files: `storage rows cols`, then dense (0), sparse blocks (1) or a print-out of CSparse (2).

use super::tokens::Tokens;
use crate::error::ProblemError;
use crate::sparse::{Sparse, Triplet};

/// Reads a matrix of any storage.
pub(super) fn read(tokens: &mut Tokens<'_>, name: &str) -> Result<Sparse, ProblemError> {
    let storage = tokens.integer(&format!("the storage of {name}"))?;
    let rows = tokens.integer(&format!("the rows of {name}"))?;
    let cols = tokens.integer(&format!("the columns of {name}"))?;
    // vectors of these lengths follow each matrix
    tokens.room(rows, name)?;
    tokens.room(cols, name)?;
    match storage {
        0 => dense(tokens, name, rows, cols),
        1 => blocks(tokens, name, rows, cols),
        2 => printed(tokens, name, rows, cols),
        other => Err(tokens.error(format!("{name} has storage {other}; it must be 0, 1 or 2"))),
    }
}

/// Sizes once more, then all values column by column.
fn dense(tokens: &mut Tokens<'_>, name: &str, rows: usize, cols: usize) -> Result<Sparse, ProblemError> {
    let again = (tokens.integer(name)?, tokens.integer(name)?);
    if again != (rows, cols) {
        return Err(tokens.error(format!("{name} is {rows} × {cols} and later {} × {}", again.0, again.1)));
    }
    let count = rows.saturating_mul(cols);
    let values = tokens.floats(count, name)?;
    let triplet = |(at, &value): (usize, &f64)| ((at % rows) as u32, (at / rows) as u32, value);
    Ok(Sparse::from_triplets(rows, cols, values.iter().enumerate().map(triplet).collect()))
}

/// Blocks by rows: `blocks  block_rows block_cols  row_ends  col_ends  n1 n2  pointers  columns`, then each block's
/// number and values column by column.
fn blocks(tokens: &mut Tokens<'_>, name: &str, rows: usize, cols: usize) -> Result<Sparse, ProblemError> {
    let count = tokens.integer(&format!("the number of blocks of {name}"))?;
    if count == 0 {
        return Ok(Sparse::from_triplets(rows, cols, Vec::new()));
    }
    let (block_rows, block_cols) = (tokens.integer(name)?, tokens.integer(name)?);
    let row_ends = ends(tokens, name, "rows", block_rows, rows)?;
    let col_ends = ends(tokens, name, "columns", block_cols, cols)?;
    let (pointer_count, column_count) = (tokens.integer(name)?, tokens.integer(name)?);
    // rows without blocks at the end may be omitted
    if !(1..=block_rows + 1).contains(&pointer_count) || column_count != count {
        return Err(tokens.error(format!(
            "{name} has {pointer_count} row pointers and {column_count} block columns; for {block_rows} block rows and \
             {count} blocks there must be {} and {count}",
            block_rows + 1
        )));
    }
    let pointers = tokens.integers(pointer_count, &format!("the row pointers of {name}"))?;
    let columns = tokens.integers(column_count, &format!("the block columns of {name}"))?;
    if pointers[0] != 0 || !pointers.is_sorted() || pointers.last() != Some(&count) {
        return Err(tokens.error(format!("the row pointers of {name} must rise from 0 to {count}")));
    }
    if let Some(column) = columns.iter().find(|&&column| column >= block_cols) {
        return Err(tokens.error(format!("{name} has a block in block column {column} of {block_cols} (from 0)")));
    }
    let size = |ends: &[usize], at: usize| (if at == 0 { 0 } else { ends[at - 1] }, ends[at]);
    let mut triplets: Vec<Triplet> = Vec::new();
    for block_row in 0..pointer_count - 1 {
        let (row, row_end) = size(&row_ends, block_row);
        for k in pointers[block_row]..pointers[block_row + 1] {
            let (col, col_end) = size(&col_ends, columns[k]);
            let number = tokens.integer(&format!("the number of block {k} of {name}"))?;
            if number != k {
                return Err(tokens.error(format!("{name}: expected block {k}, found block {number}")));
            }
            for j in col..col_end {
                for i in row..row_end {
                    triplets.push((i as u32, j as u32, tokens.float(name)?));
                }
            }
        }
    }
    Ok(Sparse::from_triplets(rows, cols, triplets))
}

/// Where each block row or column ends.
fn ends(
    tokens: &mut Tokens<'_>,
    name: &str,
    what: &str,
    count: usize,
    last: usize,
) -> Result<Vec<usize>, ProblemError> {
    let ends = tokens.integers(count, &format!("the ends of block {what} of {name}"))?;
    if ends.is_sorted() && ends.last().copied().unwrap_or(0) == last {
        return Ok(ends);
    }
    Err(tokens.error(format!("the ends of block {what} of {name} must rise to {last}")))
}

/// The print-out of CSparse: a line with its version, a line about the matrix, then entries by columns, by rows, or one
/// by one.
fn printed(tokens: &mut Tokens<'_>, name: &str, rows: usize, cols: usize) -> Result<Sparse, ProblemError> {
    /// Words of the two lines before the size of the matrix.
    const BANNER: usize = 40;
    let origin = tokens.integer(&format!("the origin of {name}"))?;
    if !(1..=3).contains(&origin) {
        return Err(tokens.error(format!("{name} has origin {origin}; it must be 1 (triplets), 2 (CSC) or 3 (CSR)")));
    }
    let size = format!("{rows}-by-{cols},");
    let mut found = false;
    for _ in 0..BANNER {
        let word = tokens.word(&format!("the size of {name}"))?;
        found = word == size;
        if found || word.contains("-by-") {
            break;
        }
    }
    if !found {
        return Err(tokens.error(format!("{name}: expected \"{size}\"")));
    }
    keyword(tokens, name, "nzmax:")?;
    tokens.word(name)?;
    keyword(tokens, name, "nnz:")?;
    let claimed = tokens.word(name)?.trim_end_matches(',');
    let mut triplets: Vec<Triplet> = Vec::new();
    if origin == 1 {
        while tokens.peek(2) == Some(b":") {
            let (i, j) = (index(tokens, name, rows)?, index(tokens, name, cols)?);
            tokens.word(name)?;
            triplets.push((i, j, tokens.float(name)?));
        }
    } else {
        keyword(tokens, name, "1-norm:")?;
        tokens.word(name)?;
        let (lines, across, word) = if origin == 2 { (cols, rows, "col") } else { (rows, cols, "row") };
        for line in 0..lines {
            // "col j : locations a to b", then "i : value" for each entry
            keyword(tokens, name, word)?;
            if tokens.integer(name)? != line {
                return Err(tokens.error(format!("{name}: expected {word} {line}")));
            }
            for expected in [":", "locations"] {
                keyword(tokens, name, expected)?;
            }
            tokens.word(name)?;
            keyword(tokens, name, "to")?;
            tokens.word(name)?;
            while tokens.peek(1) == Some(b":") {
                let i = index(tokens, name, across)?;
                tokens.word(name)?;
                let value = tokens.float(name)?;
                triplets.push(if origin == 2 { (i, line as u32, value) } else { (line as u32, i, value) });
            }
        }
    }
    // large counts are printed with six digits only
    match claimed.parse::<usize>() {
        Ok(count) if count != triplets.len() => {
            Err(tokens.error(format!("{name} has {} entries; declared are {count}", triplets.len())))
        }
        _ => Ok(Sparse::from_triplets(rows, cols, triplets)),
    }
}

/// The next word must be this one.
fn keyword(tokens: &mut Tokens<'_>, name: &str, expected: &str) -> Result<(), ProblemError> {
    let word = tokens.word(name)?;
    if word == expected {
        return Ok(());
    }
    Err(tokens.error(format!("{name}: expected \"{expected}\"")))
}

/// The next word is an index below `end`.
fn index(tokens: &mut Tokens<'_>, name: &str, end: usize) -> Result<u32, ProblemError> {
    let index = tokens.integer(name)?;
    if index < end {
        return Ok(index as u32);
    }
    Err(tokens.error(format!("{name} has an entry at {index}; indices go from 0 to {end} exclusive")))
}
