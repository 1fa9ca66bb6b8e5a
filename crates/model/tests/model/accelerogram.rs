//! Readers of recorded ground motions, and the correction of the base line.

use proptest::prelude::*;

use voussoir_model::accelerogram::{GroundMotionRecord, RecordError};
use voussoir_model::scene::actions::Baseline;

fn at2(header: &str, values: &str) -> Result<GroundMotionRecord, RecordError> {
    GroundMotionRecord::at2(&format!("PEER NGA\nPLACE\nACCELERATION TIME SERIES IN UNITS OF {header}\n{values}"))
}

#[test]
fn at2_headers_of_both_kinds_are_read() {
    let new = at2("G", "NPTS=   5, DT=   .0050 SEC\n  .1E-01 -.2E-01 0.0\n 0.3 0.1\n").unwrap();
    assert_eq!((new.step, new.samples), (0.005, vec![0.01, -0.02, 0.0, 0.3, 0.1]));
    let old = at2("G", "5 0.005 NPTS, DT\n 0 0 1 0 0\n").unwrap();
    assert_eq!((old.step, old.samples.len()), (0.005, 5));
}

#[test]
fn gaps_and_wrong_units_are_named() {
    let reason = |record: Result<GroundMotionRecord, RecordError>| record.unwrap_err().to_string();
    assert!(reason(at2("CM/S2", "NPTS= 2, DT= 0.1 SEC\n0 0")).contains("is g"));
    assert!(reason(at2("G", "NPTS= 4, DT= 0.1 SEC\n0 0 1")).contains("the file has 3 values: the record has a gap"));
    assert!(reason(at2("G", "NPTS= 2, DT= 0.1 SEC\n0 ****")).starts_with("line 5: \"****\""));
    assert!(reason(at2("G", "nothing")).contains("NPTS"));
    assert!(
        reason(GroundMotionRecord::csv("t,a\n0.0,1\n0.1,2\n0.3,1\n", 2)).starts_with("line 4: the time step is 0.2")
    );
    assert!(reason(GroundMotionRecord::csv("0.0,1\n0.1,\n", 2)).contains("column 2 is empty"));
    assert!(reason(GroundMotionRecord::csv("0.0,1\n0.1,2\n0.05,2\n", 2)).contains("not after"));
    assert!(reason(GroundMotionRecord::csv("0.0,1\n0.1,2\n", 3)).contains("no column 3"));
    // 300 cm/s² read as m/s²
    let record = GroundMotionRecord { step: 0.01, samples: vec![0.0, 300.0, 0.0] };
    assert!(reason(record.check_unit()).contains("check `unit`"));
}

proptest! {
    #[test]
    fn corrected_records_end_at_rest(samples in prop::collection::vec(-3.0f64..3.0, 2..200), step in 0.001f64..0.02) {
        let record = GroundMotionRecord { step, samples };
        let [v, _] = record.clone().corrected(Baseline::Velocity).end();
        prop_assert!(v.abs() < 1e-12 * (1.0 + record.duration()));
        let [v, x] = record.clone().corrected(Baseline::Rest).end();
        let scale = 1.0 + record.duration() * record.duration();
        prop_assert!(v.abs() < 1e-11 * scale && x.abs() < 1e-11 * scale, "{v} {x}");
    }
}
