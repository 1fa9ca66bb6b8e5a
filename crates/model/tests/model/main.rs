//! Scenes, generators and readers: what is built, and what is rejected with which message.

mod accelerogram;
mod bridges;
mod cables;
mod construction;
mod datbox;
mod drawings;
mod environment;
mod errors;
mod errors_of_values;
mod fill_of_discs;
mod floes;
mod generated;
mod generators;
mod gmsh;
mod ground_motion;
mod joints;
mod masonry;
mod meshes;
mod random_input;
mod round;
mod sanity;
mod scenes;
mod templates;
mod trains;
mod weights;
