//! The built-in cases: the files of `validation/`.

use std::path::Path;

use super::ValidateError;
use super::case::Case;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/validation/", $name)))),*]
    };
}

/// Names and texts, in the order in which they are printed.
pub const FILES: &[(&str, &str)] = files![
    "V1.1-block-sticks.toml",
    "V1.2-block-slides.toml",
    "V1.3-cube.toml",
    "V1.3.tipping-block.toml",
    "V1.4-cube-loads.toml",
    "V1.5-coupled-corners.toml",
    "V1.6-prism.toml",
    "V1.7-rest.toml",
    "V2.1-roca-walls.toml",
    "V2.1.pushed-walls.toml",
    "V2.1.cracked-walls.toml",
    "V2.2-settling-support.toml",
    "V2.2.springs-settling-support.toml",
    "V2.4-shaken-aqueduct.toml",
    "V2.5-dome-on-piers.toml",
    "V2.5.falling-dome.toml",
    "V2.5.glued-dome.toml",
    "V2.6-stair.toml",
    "V2.8-staged-wall.toml",
    "V3.1-loaded-arch.toml",
    "V3.1.pulled-arch.toml",
    "V3.2-arch-in-a-wall.toml",
    "V3.3-shaken-wall.toml",
    "V3.4-natural-arch.toml",
    "V3.5-shaken-wall-in-time.toml",
    "V3.6-false-dome.toml",
    "V4.1-bridgemill.toml",
    "V5.1-semicircular-arch.toml",
    "V5.2-oppenheim.toml",
    "V5.3-pointed-arches.toml",
    "V5.3.friction-lancet.toml",
    "V5.4-dome.toml",
    "V5.5-flat-arch.toml",
    "V5.6-buttress.toml",
    "V5.7-wedge.toml",
    "V5.8-tilting.toml",
    "V5.8.walls-lateral.toml",
    "V5.9-overhang.toml",
    "V5.9.static-overhang.toml",
    "V5.10-thrust-range.toml",
    "A1-agreement.toml",
    "E1-incline.toml",
    "E2-launched-block.toml",
    "E1.explicit-incline.toml",
    "E2.explicit-launched-block.toml",
    "E7.explicit-central-impact.toml",
    "E10.explicit-stacked-blocks.toml",
    "E3-sphere-launched.toml",
    "E4-sphere-incline.toml",
    "E5-bouncing-ball.toml",
    "E5.events-bouncing-ball.toml",
    "E6-newton-cradle.toml",
    "E6.events-newton-cradle.toml",
    "E7-central-impact.toml",
    "E8-painleve-rod.toml",
    "E9-spinning-ring.toml",
    "E10-stacked-blocks.toml",
    "E11-associated-law.toml",
    "E12-symmetry.toml",
    "E13-free-body.toml",
    "F1-steady-drift.toml",
    "F2-start-from-rest.toml",
    "F3-spin-down.toml",
    "F4-disc-against-a-wall.toml",
    "F5-rows-of-floes.toml",
    "F7-free-drift.toml",
    "F8-inertial-circle.toml",
    "F9-inertial-spiral.toml",
    "F10-spin-of-a-disc.toml",
    "F11-drag-on-a-turning-floe.toml",
    "F12-sliding-floe.toml",
    "F13-bouncing-floe.toml",
    "F14-time-of-contact.toml",
    "F15-oblique-impact.toml",
    "F16-three-floes.toml",
    "F17-cradle.toml",
    "F18-cannon.toml",
    "F19-counting-collisions.toml",
    "F21-row-against-a-wall.toml",
    "F22-arch-of-two-discs.toml",
    "J1-mac-czm.toml",
    "J2-bonded-column.toml",
    "J3-crushing.toml",
    "K1-hung-block.toml",
    "K2-ring.toml",
    "K3-prestressed-beam.toml",
    "L1-contact-patch.toml",
    "L2-cooks-membrane.toml",
    "L3-cantilever.toml",
    "L4-settling-column.toml",
    "L5-opened-joints.toml",
    "L6-collapse-with-elastic-blocks.toml",
    "L7-disc-on-block.toml",
    "L8-sphere-on-block.toml",
    "L9-bar-against-a-wall.toml",
    "L10-spinning-bar.toml",
    "L11-lintel.toml",
    "L12-heated-bar.toml",
    "L13-waves.toml",
    "L14-thrown-block.toml",
    "L15-examples-of-lmgc90.toml",
    "M1-displacement-control.toml",
    "M2-load-descent.toml",
    "M3-axle-train.toml",
    "V7.1-rocking-period.toml",
    "V7.2-rocking-impact.toml",
    "V7.3-rocking-peaks.toml",
    "V7.4-rocking-pulse.toml",
    "X5-static-column.toml",
    "X7-oedometer.toml",
    "X8-disc-incline.toml",
    "X12-bridgemill-ring.toml",
    "X12.arches-five-arches.toml",
    "X13-series-springs.toml",
    "X14-fill-area.toml",
    "X15-random-oedometer.toml",
    "X16-bridgemill-fill.toml",
];

/// All built-in cases.
pub fn all() -> Result<Vec<Case>, ValidateError> {
    FILES.iter().map(|(name, text)| Case::parse(text, name)).collect()
}

/// The cases selected by the arguments: ids (`E5`), groups (`V1` is V1.1, V1.2, …; `E` is E1, E2, …) or files. None
/// asks for all.
pub fn select(words: &[String]) -> Result<Vec<Case>, ValidateError> {
    let all = all()?;
    if words.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<Case> = Vec::new();
    for word in words {
        if word.ends_with(".toml") || word.contains(std::path::MAIN_SEPARATOR) {
            let text = std::fs::read_to_string(Path::new(word))
                .map_err(|e| ValidateError::File { file: word.clone(), reason: e.to_string() })?;
            chosen.push(Case::parse(&text, word)?);
            continue;
        }
        let group = format!("{}.", word.to_lowercase());
        let matches = |case: &&Case| {
            let id = case.id.to_lowercase();
            let letter = id.split(|c: char| c.is_ascii_digit()).next();
            id == word.to_lowercase() || id.starts_with(&group) || letter == Some(&word.to_lowercase())
        };
        let mut found = all.iter().filter(matches).peekable();
        if found.peek().is_none() {
            let known = all.iter().map(|case| case.id.clone()).collect();
            return Err(ValidateError::UnknownCase { word: word.clone(), known });
        }
        for case in found {
            if !chosen.iter().any(|other| other.id == case.id) {
                chosen.push(case.clone());
            }
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_built_in_and_fills_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".toml"))
            .collect();
        let mut known: Vec<String> = FILES.iter().map(|(name, _)| name.to_string()).collect();
        names.sort();
        known.sort();
        assert_eq!(names, known);
        for (case, (file, _)) in all().unwrap().iter().zip(FILES) {
            assert!(file.starts_with(&format!("{}-", case.id)), "{file} holds case {}", case.id);
            case.variants().unwrap();
        }
    }

    #[test]
    fn ids_groups_and_unknown_words() {
        let ids = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            select(&words).map(|cases| cases.into_iter().map(|case| case.id).collect::<Vec<_>>())
        };
        assert_eq!(ids(&["v1.2", "V1.1", "V1.2"]).unwrap(), ["V1.2", "V1.1"]);
        assert!(ids(&["V1"]).unwrap().contains(&"V1.1".to_string()));
        assert!(ids(&["e"]).unwrap().iter().all(|id| id.starts_with('E')) && ids(&["e"]).unwrap().len() > 10);
        assert!(ids(&["E77"]).unwrap_err().to_string().contains("E77"));
    }
}
