//! The dynamic analysis against closed forms, invariants and contracts, in both dimensions.

mod bonds;
mod born;
mod cables;
mod collapse;
mod common;
mod construction;
mod contracts;
mod explicit;
mod free_motion;
mod gradients;
mod impacts;
mod joints;
mod masonry;
mod rest;
mod sliding;
mod supports;
