//! Partial factors of codes, each with its clause. Values are the recommended ones of the code; a national annex may
//! replace them, and so may the scene. They were not compared with the text of the codes, so every report asks to check
//! them ([`TO_CHECK`]).

/// The note of a report about the factors of a preset.
pub const TO_CHECK: &str = "Factors of a preset were not compared with the text of the code: check each value against its \
                            clause and the national annex before use, or give it in [assessment.factors] with its source.";

/// A partial factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PresetFactor {
    /// Key of the factor in the scene: permanent, favourable, variable, strength or friction.
    pub key: &'static str,
    /// The factor.
    pub value: f64,
    /// Clause of the code.
    pub clause: &'static str,
}

/// Factors of a code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Name in scenes.
    pub name: &'static str,
    /// The code.
    pub title: &'static str,
    /// Its factors. Empty: the code is known, but none of its factors is stored, so the scene must give them.
    pub factors: &'static [PresetFactor],
}

const fn factor(key: &'static str, value: f64, clause: &'static str) -> PresetFactor {
    PresetFactor { key, value, clause }
}

const BRIDGES: &str = "EN 1990:2002+A1:2005, Table A2.4(B), expression (6.10)";
const BUILDINGS: &str = "EN 1990:2002, Table A1.2(B), expression (6.10)";
const MASONRY: &str = "EN 1996-1-1:2005, 2.4.3(1)P, recommended value for units of category II, class 5 (the largest)";
const SEISMIC: &str = "EN 1990:2002, 6.4.3.4, expression (6.12b)";
const KNOWLEDGE: &str = "EN 1998-3:2005, 3.3.1(4), Table 3.1: mean strengths are divided by the confidence factor";

/// All presets.
pub const PRESETS: [Preset; 10] = [
    Preset {
        name: "en-1990-road",
        title: "EN 1990 and EN 1996-1-1, road bridges",
        factors: &[
            factor("permanent", 1.35, BRIDGES),
            factor("favourable", 1.0, BRIDGES),
            factor("variable", 1.35, BRIDGES),
            factor("strength", 3.0, MASONRY),
        ],
    },
    Preset {
        name: "en-1990-rail",
        title: "EN 1990 and EN 1996-1-1, railway bridges",
        factors: &[
            factor("permanent", 1.35, BRIDGES),
            factor("favourable", 1.0, BRIDGES),
            factor("variable", 1.45, BRIDGES),
            factor("strength", 3.0, MASONRY),
        ],
    },
    Preset {
        name: "en-1990-building",
        title: "EN 1990 and EN 1996-1-1, buildings",
        factors: &[
            factor("permanent", 1.35, BUILDINGS),
            factor("favourable", 1.0, BUILDINGS),
            factor("variable", 1.5, BUILDINGS),
            factor("strength", 3.0, MASONRY),
        ],
    },
    Preset {
        name: "en-1996-1-1",
        title: "EN 1996-1-1, strength of masonry only",
        factors: &[factor("strength", 3.0, MASONRY)],
    },
    Preset { name: "en-1991-2", title: "EN 1991-2 (its traffic loads are trains of the scene)", factors: &[] },
    Preset { name: "en-1998-3-kl1", title: "EN 1998-3, limited knowledge", factors: &seismic(1.35) },
    Preset { name: "en-1998-3-kl2", title: "EN 1998-3, normal knowledge", factors: &seismic(1.2) },
    Preset { name: "en-1998-3-kl3", title: "EN 1998-3, full knowledge", factors: &seismic(1.0) },
    Preset { name: "uic-778-3", title: "UIC 778-3 (IRS 70778-3)", factors: &[] },
    Preset { name: "cs-454", title: "CS 454", factors: &[] },
];

const fn seismic(confidence: f64) -> [PresetFactor; 4] {
    [
        factor("permanent", 1.0, SEISMIC),
        factor("favourable", 1.0, SEISMIC),
        factor("variable", 1.0, SEISMIC),
        factor("strength", confidence, KNOWLEDGE),
    ]
}

/// A preset by name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_factor_has_a_clause_and_is_not_favourable() {
        for factor in PRESETS.iter().flat_map(|preset| preset.factors) {
            assert!(factor.clause.starts_with("EN 19") && factor.value >= 1.0, "{factor:?}");
        }
        assert_eq!(find("en-1990-road").map(|preset| preset.factors.len()), Some(4));
    }
}
