//! Problems at random, and the text files that Siconos would write for them.

use std::fmt::Write;

use proptest::prelude::*;
use voussoir_problems::sparse::Sparse;

/// How a text file stores a matrix.
#[derive(Clone, Copy, Debug)]
pub enum Storage {
    Dense,
    Blocks,
    Triplets,
    Columns,
    Rows,
}

pub const STORAGES: [Storage; 5] =
    [Storage::Dense, Storage::Blocks, Storage::Triplets, Storage::Columns, Storage::Rows];

/// A matrix as text; blocks are of `row` × `col` entries, the last ones smaller.
pub fn matrix_text(matrix: &Sparse, storage: Storage, row: usize, col: usize) -> String {
    let (rows, cols) = (matrix.rows(), matrix.cols());
    let mut out = String::new();
    match storage {
        Storage::Dense => {
            let _ = writeln!(out, "0\n{rows}\n{cols}\n{rows}\t{cols}");
            for j in 0..cols {
                for i in 0..rows {
                    let _ = write!(out, "  {:.24e}", matrix.get(i, j));
                }
                out.push('\n');
            }
        }
        Storage::Blocks => blocks_text(&mut out, matrix, row, col),
        Storage::Triplets => {
            let entries = matrix.entries();
            let _ = writeln!(out, "2\n{rows}\n{cols}\n1\n{BANNER}");
            let _ = writeln!(out, "triplet: {rows}-by-{cols}, nzmax: {entries} nnz: {entries}");
            matrix.triplets().for_each(|(i, j, x)| {
                let _ = writeln!(out, "    {i} {j} : {x:e}");
            });
        }
        Storage::Columns => printed(&mut out, &matrix.transposed(), 2, "", "col", (rows, cols)),
        Storage::Rows => printed(&mut out, matrix, 3, "csr: ", "row", (rows, cols)),
    }
    out
}

const BANNER: &str = "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016";

fn printed(out: &mut String, lines: &Sparse, origin: u8, before: &str, word: &str, size: (usize, usize)) {
    let (entries, (rows, cols)) = (lines.entries(), size);
    let _ = writeln!(out, "2\n{rows}\n{cols}\n{origin}\n{BANNER}");
    let _ = writeln!(out, "{before}{rows}-by-{cols}, nzmax: {entries} nnz: {entries}, 1-norm: 3.25");
    let first = lines.parts().0;
    for line in 0..lines.rows() {
        let last = first[line + 1] as i64 - 1;
        let _ = writeln!(out, "    {word} {line} : locations {} to {last}", first[line]);
        for (at, x) in lines.row(line) {
            let _ = writeln!(out, "      {at} : {x:e}");
        }
    }
}

fn blocks_text(out: &mut String, matrix: &Sparse, row: usize, col: usize) {
    let ends = |size: usize, step: usize| -> Vec<usize> {
        (0..size.div_ceil(step)).map(|k| ((k + 1) * step).min(size)).collect()
    };
    let (row_ends, col_ends) = (ends(matrix.rows(), row), ends(matrix.cols(), col));
    let (mut pointers, mut columns) = (vec![0], Vec::new());
    for (k, &end) in row_ends.iter().enumerate() {
        let mut found: Vec<usize> =
            (k * row..end).flat_map(|i| matrix.row(i).map(|(j, _)| j / col).collect::<Vec<_>>()).collect();
        found.sort_unstable();
        found.dedup();
        columns.extend(found);
        pointers.push(columns.len());
    }
    let list = |values: &[usize]| values.iter().map(|v| format!("{v}\t")).collect::<String>();
    let _ = writeln!(out, "1\n{}\n{}\n{}", matrix.rows(), matrix.cols(), columns.len());
    if columns.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}\n{}\n{}\n{}", row_ends.len(), col_ends.len(), list(&row_ends), list(&col_ends));
    let _ = writeln!(out, "{}\n{}\n{}\n{}", pointers.len(), columns.len(), list(&pointers), list(&columns));
    for k in 0..row_ends.len() {
        for b in pointers[k]..pointers[k + 1] {
            let _ = writeln!(out, "{b}");
            for j in columns[b] * col..col_ends[columns[b]] {
                for i in k * row..row_ends[k] {
                    let _ = writeln!(out, "{:.24e}", matrix.get(i, j));
                }
            }
        }
    }
}

/// Numbers as text.
pub fn list_text(values: &[f64]) -> String {
    values.iter().map(|v| format!("  {v:.24e}")).collect::<String>() + "\n"
}

/// A sparse matrix at random.
pub fn sparse(rows: usize, cols: usize) -> impl Strategy<Value = Sparse> {
    let entry = (0..rows.max(1) as u32, 0..cols.max(1) as u32, -5.0..5.0f64);
    let most = if rows * cols == 0 { 0 } else { 3 * rows.max(cols) };
    prop::collection::vec(entry, 0..=most).prop_map(move |list| Sparse::from_triplets(rows, cols, list))
}

/// Parts of a local problem at random: dimension, W, q, μ.
pub fn local() -> impl Strategy<Value = (usize, Sparse, Vec<f64>, Vec<f64>)> {
    (2..=3usize, 0..6usize).prop_flat_map(|(dim, contacts)| {
        let n = dim * contacts;
        (Just(dim), sparse(n, n), prop::collection::vec(-1.0..1.0f64, n), prop::collection::vec(0.0..1.0f64, contacts))
    })
}
