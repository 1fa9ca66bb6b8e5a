//! The loop over stages, and everything that watches it.

#[path = "../../examples/arch.rs"]
mod example;
mod loops;
mod toy_analysis;

#[test]
fn the_example_of_the_book_runs() {
    example::main().unwrap();
}
