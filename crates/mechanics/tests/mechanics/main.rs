//! The dynamic analysis against closed forms, invariants and contracts, in both dimensions.

mod automatic;
mod bonds;
mod born;
mod cables;
mod collapse;
mod common;
mod construction;
mod contracts;
mod elastic;
mod elastic_held;
mod elastic_states;
mod events;
mod explicit;
mod free_motion;
mod gradients;
mod impacts;
mod joints;
mod layer;
mod masonry;
mod repeats;
mod rest;
mod sea;
mod sliding;
mod supports;
