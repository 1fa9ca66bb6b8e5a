//! Ten small structures under loads near collapse; sizes were chosen for short runs. One stands, two rock and slide without
//! a block moving by half its size, seven fall.

/// A structure that falls.
pub struct Fallen {
    pub name: &'static str,
    /// Scene without materials, joints and stages.
    body: &'static str,
    /// Time step [s].
    pub step: f64,
    /// Time that is computed [s].
    pub duration: f64,
}

impl Fallen {
    /// The whole scene.
    pub fn text(&self) -> String {
        let (keys, tables): (Vec<&str>, Vec<&str>) =
            self.body.split_inclusive('\n').partition(|line| line.starts_with("dim ") || line.starts_with("gravity "));
        format!(
            "{}materials.stone.density = 2200.0\n{}[[joints]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.6\n\
             [[stages]]\nanalysis = \"dynamic\"\nduration = {}\nstep = {}\n",
            keys.concat(),
            tables.concat(),
            self.duration,
            self.step
        )
    }
}

pub const SCENES: [Fallen; 10] = [
    Fallen {
        name: "plane wall 6x4, gravity tilted by 30 deg",
        body: "dim = 2\ngravity = [4.905, -8.496]\n[[bodies]]\nname = \"s\"\ngenerator = \"wall\"\nmaterial = \"stone\"\n\
               courses = 6\nbricks = 4\nbrick = [0.5, 0.25]\nground = \"plane\"\n",
        step: 2e-3,
        duration: 0.8,
    },
    Fallen {
        name: "plane wall 8x3, accelerated 0.7 g",
        body: "dim = 2\n[[bodies]]\nname = \"s\"\ngenerator = \"wall\"\nmaterial = \"stone\"\ncourses = 8\nbricks = 3\n\
               brick = [0.4, 0.2]\nground = \"block\"\n[[supports]]\nselect = \"s.ground\"\n\
               motion = { quantity = \"acceleration\", direction = [1.0, 0.0], constant = 6.87 }\n",
        step: 2e-3,
        duration: 0.8,
    },
    Fallen {
        name: "wall 5x3, accelerated 0.8 g",
        body: "dim = 3\n[[bodies]]\nname = \"s\"\ngenerator = \"wall\"\nmaterial = \"stone\"\ncourses = 5\nbricks = 3\n\
               brick = [0.5, 0.25, 0.25]\nground = \"block\"\n[[supports]]\nselect = \"s.ground\"\n\
               motion = { quantity = \"acceleration\", direction = [0.6, 0.8, 0.0], constant = 7.85 }\n",
        step: 2e-3,
        duration: 0.8,
    },
    Fallen {
        name: "wall 6x3, shaken 1 g at 3 Hz",
        body: "dim = 3\n[[bodies]]\nname = \"s\"\ngenerator = \"wall\"\nmaterial = \"stone\"\ncourses = 6\nbricks = 3\n\
               brick = [0.5, 0.3, 0.25]\nground = \"block\"\n[[supports]]\nselect = \"s.ground\"\n\
               motion = { quantity = \"acceleration\", direction = [0.8, 0.6, 0.0], \
               sine = { amplitude = 9.81, frequency = 3.0 } }\n",
        step: 2e-3,
        duration: 1.0,
    },
    Fallen {
        name: "plane arch of 15, growing load",
        body: "dim = 2\n[[bodies]]\nname = \"s\"\ngenerator = \"arch\"\nmaterial = \"stone\"\nradius = 2.0\n\
               thickness = 0.35\nvoussoirs = 15\n[[bodies]]\nname = \"earth\"\nshape = \"ground\"\nmaterial = \"stone\"\n\
               position = [0.0, -0.5]\n[[loads]]\nname = \"l\"\nselect = \"s.voussoir[4]\"\nforce = [0.0, -2e5]\n\
               function = { ramp = { end = 2.0 } }\n",
        step: 2e-3,
        duration: 1.2,
    },
    Fallen {
        name: "arch of 13, supports spread",
        body: "dim = 3\n[[bodies]]\nname = \"s\"\ngenerator = \"arch\"\nmaterial = \"stone\"\nradius = 2.0\n\
               thickness = 0.35\nwidth = 0.6\nvoussoirs = 13\n[[bodies]]\nname = \"earth\"\nshape = \"ground\"\n\
               material = \"stone\"\nposition = [0.0, 0.0, -0.5]\n[[supports]]\nselect = \"s.springer[1]\"\n\
               motion = { quantity = \"velocity\", direction = [1.0, 0.0, 0.0], ramp = { end = 0.1, to = 0.6 } }\n",
        step: 2e-3,
        duration: 1.4,
    },
    Fallen {
        name: "two columns of 5 drums, shaken 0.7 g at 1.5 Hz",
        body: "dim = 3\n[[bodies]]\nname = \"c0\"\ngenerator = \"column\"\nmaterial = \"stone\"\ndrums = 5\n\
               drum_height = 0.6\nradius = 0.35\ntop_radius = 0.3\nsides = 8\nground = \"none\"\n\
               position = [0.0, 0.0, 0.0]\n[[bodies]]\nname = \"c1\"\ngenerator = \"column\"\nmaterial = \"stone\"\n\
               drums = 5\ndrum_height = 0.6\nradius = 0.35\ntop_radius = 0.3\nsides = 8\nground = \"none\"\n\
               position = [1.4, 0.0, 0.0]\n[[bodies]]\nname = \"earth\"\nshape = \"box\"\nsize = [40.0, 40.0, 1.0]\n\
               material = \"stone\"\nposition = [0.0, 0.0, -0.5]\n[[supports]]\nselect = \"earth\"\n\
               motion = { quantity = \"acceleration\", direction = [1.0, 0.2, 0.0], \
               sine = { amplitude = 6.87, frequency = 1.5 } }\n",
        step: 2e-3,
        duration: 2.0,
    },
    Fallen {
        name: "plane pile of 30 boxes comes to rest",
        body: "dim = 2\n[[bodies]]\nname = \"s\"\ngenerator = \"pile\"\nmaterial = \"stone\"\ncount = 30\nseed = 5\n\
               stone = \"box\"\ncontainer = 1.5\n",
        step: 3e-3,
        duration: 3.0,
    },
    Fallen {
        name: "plane stack of 8 on a slope of 34 deg",
        body: "dim = 2\ngravity = [5.486, -8.133]\n[[bodies]]\nname = \"s\"\ngenerator = \"stack\"\nmaterial = \"stone\"\n\
               count = 8\nsize = [0.5, 0.2]\nground = \"plane\"\n",
        step: 2e-3,
        duration: 0.8,
    },
    Fallen {
        name: "wall 5x3 hit by a stone at 6 m/s",
        body: "dim = 3\n[[bodies]]\nname = \"s\"\ngenerator = \"wall\"\nmaterial = \"stone\"\ncourses = 5\nbricks = 3\n\
               brick = [0.5, 0.25, 0.25]\nground = \"plane\"\n[[bodies]]\nname = \"ball\"\nshape = \"box\"\nsize = 0.4\n\
               material = \"stone\"\nposition = [0.3, -1.0, 0.9]\nrotation = { angle_deg = 20.0, axis = [1, 1, 0] }\n\
               velocity = [0.5, 6.0, 0.0]\n",
        step: 2e-3,
        duration: 1.0,
    },
];
