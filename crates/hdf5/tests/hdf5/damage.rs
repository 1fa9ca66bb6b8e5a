//! For any content, reading ends with values or with a fault, in a short time.

use proptest::prelude::*;
use voussoir_hdf5::foreign::Foreign;
use voussoir_hdf5::whole::{Values, WholeFile};

fn sample() -> Vec<u8> {
    let mut file = WholeFile::default();
    file.dataset("a/b/floats", Values::Floats(&[1.0, 2.0, 3.0]));
    file.dataset("a/integers", Values::Integers(&[4, 5]));
    file.dataset("a/text", Values::Text("words"));
    file.attribute("a", "title", Values::Text("more words"));
    file.encode()
}

fn read_everything(bytes: &[u8]) {
    let Ok(file) = Foreign::open(bytes) else { return };
    let mut groups = vec![String::new()];
    for _ in 0..20 {
        let Some(group) = groups.pop() else { break };
        for name in file.names(&group).unwrap_or_default().iter().take(20) {
            let path = format!("{group}/{name}");
            let _ = (file.floats(&path), file.integers(&path), file.text(&path));
            let _ = (file.attribute_text(&path, "title"), file.attribute_floats(&path, "title"));
            groups.push(path);
        }
    }
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let whole = sample();
    for length in 0..whole.len() {
        assert!(Foreign::open(&whole[..length]).is_err(), "{length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]
    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = sample();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        read_everything(&bytes);
    }

    #[test]
    fn changed_addresses_never_panic(at in any::<prop::sample::Index>(), value in any::<u16>()) {
        // most numbers of the format stand at multiples of 8
        let mut bytes = sample();
        let at = at.index(bytes.len() / 8) * 8;
        bytes[at..at + 8].copy_from_slice(&u64::from(value).to_le_bytes());
        read_everything(&bytes);
    }
}
