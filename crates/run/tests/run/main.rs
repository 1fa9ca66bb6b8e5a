//! The loop over stages, and its observers.

mod cohesion;
#[path = "../../examples/arch.rs"]
mod example;
mod loops;
mod steering;
mod toy_analysis;

#[test]
fn the_example_of_the_book_runs() {
    example::main().unwrap();
}
