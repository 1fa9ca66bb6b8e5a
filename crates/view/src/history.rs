//! Columns of `history.csv` for plots on the page: the columns are described by `columns.json`, so that no analysis is
//! known here.

use std::path::Path;

use serde_json::{Value, json};
use voussoir_mechanics::report::ColumnRole;
use voussoir_results::{ColumnInfo, HistoryTable, ResultsError};

/// Largest number of intervals of a plot; each keeps its smallest and its largest value, so that no peak is lost.
const MOST_INTERVALS: usize = 300;

/// Columns that can be plotted over time: index in `columns.json`, head, label, unit and role. Addresses have the
/// index: the head of a probe may have any character.
pub fn columns(dir: &Path) -> Result<Value, ResultsError> {
    let table = HistoryTable::read(dir)?;
    let plotted = |role: ColumnRole| !matches!(role, ColumnRole::Step | ColumnRole::Time | ColumnRole::Timing);
    let numeric = |head: &str| table.column(head).iter().any(|value| value.is_finite());
    let wanted = table.columns().iter().enumerate().filter(|(_, info)| plotted(info.role) && numeric(&info.head));
    let describe = |(index, info): (usize, &ColumnInfo)| json!({ "index": index, "head": info.head, "label": info.label, "unit": info.unit, "role": info.role });
    Ok(wanted.map(describe).collect())
}

/// One column over time; `None` if there is no such column.
pub fn track(dir: &Path, index: usize) -> Result<Option<Value>, ResultsError> {
    let table = HistoryTable::read(dir)?;
    let Some(info) = table.columns().get(index) else { return Ok(None) };
    let Some(time) = table.columns().iter().find(|info| info.role == ColumnRole::Time) else { return Ok(None) };
    let (times, values) = (table.column(&time.head), table.column(&info.head));
    // a run in progress: columns of computing time are in another table, which may have no row yet
    if values.len() != times.len() {
        return Ok(None);
    }
    let rows = thinned(values, MOST_INTERVALS);
    let finite = |row: &usize| Some(values[*row]).filter(|value| value.is_finite());
    Ok(Some(json!({
        "label": info.label,
        "unit": info.unit,
        "times": rows.iter().map(|&row| times[row]).collect::<Vec<_>>(),
        "values": rows.iter().map(finite).collect::<Vec<_>>(),
    })))
}

/// Rows of a plot: all of them, or those with the smallest and the largest value of each interval.
fn thinned(values: &[f64], intervals: usize) -> Vec<usize> {
    if values.len() <= 2 * intervals {
        return (0..values.len()).collect();
    }
    let mut rows = vec![0];
    for interval in 0..intervals {
        let (from, to) = (interval * values.len() / intervals, (interval + 1) * values.len() / intervals);
        let smallest = (from..to).min_by(|&a, &b| values[a].total_cmp(&values[b]));
        let largest = (from..to).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        let mut pair: Vec<usize> = smallest.into_iter().chain(largest).collect();
        pair.sort_unstable();
        rows.extend(pair);
    }
    rows.push(values.len() - 1);
    rows.dedup();
    rows
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn peaks_and_both_ends_survive_thinning() {
        let mut values: Vec<f64> = (0..10_000).map(|i| f64::from(i % 7)).collect();
        values[1234] = 1e9;
        values[8765] = -1e9;
        let rows = thinned(&values, 50);
        assert!(rows.len() <= 102);
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        assert!([0, 1234, 8765, 9_999].iter().all(|row| rows.contains(row)));
        assert_eq!(thinned(&values[..20], 10), (0..20).collect::<Vec<_>>());
    }
}
