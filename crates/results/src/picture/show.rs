//! Items that a picture shows besides bodies, by name.

use std::str::FromStr;

/// Items drawn besides the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// The force of every contact.
    pub contacts: bool,
    /// The resultant of every interface.
    pub resultants: bool,
    /// Centres of pressure.
    pub centres: bool,
    /// Thrust lines.
    pub thrust: bool,
    /// Lines between centroids of bodies that exchange forces.
    pub network: bool,
    /// Open joints.
    pub cracks: bool,
    /// Velocities.
    pub mechanism: bool,
    /// Loads.
    pub loads: bool,
    /// Cables.
    pub cables: bool,
    /// Wind and current.
    pub flows: bool,
    /// Edges of the meshes of elastic blocks.
    pub mesh: bool,
}

impl Show {
    /// Bodies alone.
    pub const NOTHING: Self = Self {
        contacts: false,
        resultants: false,
        centres: false,
        thrust: false,
        network: false,
        cracks: false,
        mechanism: false,
        loads: false,
        cables: false,
        flows: false,
        mesh: false,
    };

    /// Names of all items.
    pub const NAMES: [&'static str; 11] = [
        "contacts",
        "resultants",
        "centres",
        "thrust",
        "network",
        "cracks",
        "mechanism",
        "loads",
        "cables",
        "flows",
        "mesh",
    ];

    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "contacts" => &mut self.contacts,
            "resultants" => &mut self.resultants,
            "centres" => &mut self.centres,
            "thrust" => &mut self.thrust,
            "network" => &mut self.network,
            "cracks" => &mut self.cracks,
            "mechanism" => &mut self.mechanism,
            "loads" => &mut self.loads,
            "cables" => &mut self.cables,
            "flows" => &mut self.flows,
            "mesh" => &mut self.mesh,
            _ => return None,
        })
    }
}

impl Default for Show {
    fn default() -> Self {
        Self { resultants: true, loads: true, cables: true, flows: true, ..Self::NOTHING }
    }
}

impl FromStr for Show {
    type Err = String;

    /// Names with commas; `none` for nothing, `all` for everything but single contacts, the network and meshes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut show = Self::NOTHING;
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none") {
            match (name, show.switch(name)) {
                ("all", _) => {
                    let Self { contacts, network, mesh, .. } = show;
                    show = Self { contacts, network, mesh, ..Self::EVERYTHING };
                }
                (_, Some(switch)) => *switch = true,
                (_, None) => {
                    let known = Self::NAMES.join(", ");
                    return Err(format!("unknown item `{name}`; valid items: {known}, all, none"));
                }
            }
        }
        Ok(show)
    }
}

impl Show {
    const EVERYTHING: Self = Self {
        contacts: true,
        resultants: true,
        centres: true,
        thrust: true,
        network: true,
        cracks: true,
        mechanism: true,
        loads: true,
        cables: true,
        flows: true,
        mesh: true,
    };
}
