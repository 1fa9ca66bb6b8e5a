//! `voussoir sweep`: killed at random, divided into parts, always one table.

use std::time::Duration;

use crate::common::Workshop;

const STUDY: &str = "scene = \"arch.toml\"\nask = \"stand\"\nsamples = 40\nseed = 3\n[vary]\n\
                     friction = { distribution = \"uniform\", low = 0.1, high = 0.9 }\n";

fn shop() -> Workshop {
    let shop = Workshop::new();
    let text = shop.run(&["new", "arch", "voussoirs=11"]).expect(0).stdout();
    shop.write("arch.toml", &text);
    shop.write("study.toml", STUDY);
    shop
}

#[test]
fn killed_at_random_a_study_ends_with_the_same_table() {
    let shop = shop();
    shop.run(&["sweep", "study.toml", "-o", "whole"]).expect(0);
    let whole = std::fs::read_to_string(shop.path("whole/samples.csv")).unwrap();
    assert_eq!(whole.lines().count(), 41);
    let mut state = 12345u64;
    for _ in 0..10 {
        let mut child = shop.start(&["sweep", "study.toml", "-o", "killed", "--threads", "2"]);
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        std::thread::sleep(Duration::from_millis(30 + (state >> 33) % 250));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    shop.run(&["sweep", "study.toml", "-o", "killed"]).expect(0);
    assert_eq!(std::fs::read_to_string(shop.path("killed/samples.csv")).unwrap(), whole);
}

#[test]
fn parts_of_an_array_are_collected_into_the_same_table() {
    let shop = shop();
    shop.run(&["sweep", "study.toml", "-o", "whole"]).expect(0);
    for part in ["1/3", "2/3", "3/3"] {
        shop.run(&["sweep", "study.toml", "-o", "parts", "--part", part, "--threads", "1"]).expect(0);
    }
    let answer = shop.run(&["sweep", "study.toml", "-o", "parts", "--collect", "--json"]).expect(0).json();
    assert_eq!((&answer["samples"], &answer["done"]), (&40.into(), &40.into()));
    let [a, b] = ["whole", "parts"].map(|dir| std::fs::read(shop.path(dir).join("samples.csv")).unwrap());
    assert!(a == b);
    let script = shop.run(&["sweep", "study.toml", "-o", "parts", "--slurm", "3"]).expect(0).stdout();
    assert!(script.starts_with("#!/bin/sh\n") && script.contains("--array=1-3"), "{script}");
    let said = shop.run(&["sweep", "study.toml", "-o", "x", "--part", "4/3"]).expect(2).stderr();
    assert!(said.contains("from 1 to 3"), "{said}");
    let list = shop.run(&["sweep", "study.toml", "--dry-run"]).expect(0).stdout();
    assert!(list.starts_with("40 samples of arch.toml"), "{list}");
}
