//! Units of length of drawings.

use std::fmt;
use std::str::FromStr;

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// Metre.
    Metre,
    /// Decimetre.
    Decimetre,
    /// Centimetre.
    Centimetre,
    /// Millimetre.
    Millimetre,
    /// Kilometre.
    Kilometre,
    /// Inch.
    Inch,
    /// Foot.
    Foot,
    /// Yard.
    Yard,
}

impl LengthUnit {
    /// All units with their names.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Metre, "m"),
        (Self::Decimetre, "dm"),
        (Self::Centimetre, "cm"),
        (Self::Millimetre, "mm"),
        (Self::Kilometre, "km"),
        (Self::Inch, "in"),
        (Self::Foot, "ft"),
        (Self::Yard, "yd"),
    ];

    /// Metres in one of them.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Decimetre => 0.1,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Kilometre => 1000.0,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
            Self::Yard => 0.9144,
        }
    }

    /// The unit of `$INSUNITS` in a DXF file; `None` for units that are not used for buildings.
    pub fn of_dxf(code: i64) -> Option<Self> {
        Some(match code {
            1 => Self::Inch,
            2 => Self::Foot,
            4 => Self::Millimetre,
            5 => Self::Centimetre,
            6 => Self::Metre,
            7 => Self::Kilometre,
            10 => Self::Yard,
            14 => Self::Decimetre,
            _ => return None,
        })
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL.iter().find(|(unit, _)| unit == self).map_or("m", |(_, word)| word))
    }
}

impl FromStr for LengthUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().find(|(_, word)| *word == text).map(|(unit, _)| *unit).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|(_, word)| *word).collect();
            format!("unknown unit `{text}`; valid units: {}", known.join(", "))
        })
    }
}
