//! Published and closed-form numbers of fragility, intensity, rates and reliability.

mod fragility;
mod intensity;
mod risk;
