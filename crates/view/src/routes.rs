//! Addresses and their answers, below the secret token.
//!
//! | address | answer |
//! |---|---|
//! | (nothing), `page.js`, `page.css` | the page |
//! | `runs` | number of runs |
//! | `run/R/status?from=K` | frames so far, their times from frame K on, and whether the run is in progress |
//! | `run/R/bodies` | constant data: names, materials, faces |
//! | `run/R/frame/K?parts=…` | frame K: poses, and the requested parts of `motion`, `joints`, `thrust`, `cracks`, `cables`, `loads`, `flows`, `contacts`, `pressure`, `stress`, `use`, `damage`, `slip`, `spin`, `size`, `force`, `field:NAME` (a scalar that the analysis declared) is wanted |
//! | `run/R/block/B?frame=K` | numbers of block B |
//! | `run/R/joint/A-B?frame=K` | numbers of the joint between blocks A and B |
//! | `run/R/track?block=B&of=QUANTITY`, `…joint=A-B&of=QUANTITY` | a number over time |
//! | `run/R/columns` | columns of `history.csv` that can be plotted: index, head, label, unit, role |
//! | `run/R/track?column=K` | the column with index K over time |
//! | `run/R/stages` | in which stage each block first moved |
//! | `run/R/model.glb?color=QUANTITY&frame=K` | a model for other programs; without a frame, the whole animation |

use voussoir_results::ResultsError;
use voussoir_results::export::{GlbOptions, glb};
use voussoir_results::measures::BlockQuantity;

use crate::http::{Request, Response};
use crate::run::ViewedRun;
use crate::{bodies, details, frame, history, page};

/// Media type of packed arrays.
const PACKED: &str = "application/octet-stream";
/// Maximum number of frames of an animation; longer runs are sampled.
const MOST_GLB_FRAMES: usize = 600;

/// The answer to a request; `path` is the address after the token.
pub fn answer(path: &str, request: &Request, runs: &[ViewedRun]) -> Response {
    if let Some(file) = page::FILES.iter().find(|file| file.name == path) {
        return Response::bytes(file.kind, file.bytes.to_vec());
    }
    let parts: Vec<&str> = path.split('/').collect();
    let found = match parts[..] {
        ["runs"] => Ok(Response::json(&serde_json::json!({ "runs": runs.len() }))),
        ["run", run, ref rest @ ..] => match run.parse::<usize>().ok().and_then(|run| runs.get(run)) {
            Some(run) => of_run(run, rest, request),
            None => Err(Refusal::Unknown("no such run")),
        },
        _ => Err(Refusal::Unknown("no such address")),
    };
    found.unwrap_or_else(|refusal| match refusal {
        Refusal::Unknown(reason) => Response::refusal(404, reason),
        Refusal::Results(error @ ResultsError::NoSuchFrame { .. }) => Response::refusal(404, &error.to_string()),
        Refusal::Results(error) => Response::refusal(422, &error.to_string()),
    })
}

/// Reasons for a refusal.
pub enum Refusal {
    /// Unknown address, block, joint or number.
    Unknown(&'static str),
    /// The results cannot be read.
    Results(ResultsError),
}

impl From<ResultsError> for Refusal {
    fn from(error: ResultsError) -> Self {
        Self::Results(error)
    }
}

fn of_run(run: &ViewedRun, path: &[&str], request: &Request) -> Result<Response, Refusal> {
    let number = |text: &str| text.parse::<usize>().map_err(|_| Refusal::Unknown("not a number"));
    let pair = |text: &str| {
        let pair = text.split_once('-').and_then(|(a, b)| Some([a.parse::<u32>().ok()?, b.parse::<u32>().ok()?]));
        pair.ok_or(Refusal::Unknown("a joint is A-B, with two block numbers"))
    };
    let frame = || request.query("frame").map_or(Ok(0), number);
    match path {
        ["status"] => Ok(Response::json(&run.status(request.query("from").map_or(Ok(0), number)?))),
        ["bodies"] => Ok(Response::bytes(PACKED, run.with(|opened| Ok(bodies::pack(opened, run.scene())))?)),
        ["frame", index] => {
            let index = number(index)?;
            let parts = frame::Parts::read(request.query("parts").unwrap_or_default());
            Ok(Response::bytes(PACKED, run.with(|opened| frame::pack(opened, run.scene(), index, &parts))?))
        }
        ["block", body] => {
            let (body, frame) = (number(body)?, frame()?);
            let found = run.with(|opened| details::block(opened, body, frame))?;
            found.map(|value| Response::json(&value)).ok_or(Refusal::Unknown("no such block"))
        }
        ["joint", joint] => {
            let (joint, frame) = (pair(joint)?, frame()?);
            Ok(Response::json(&run.with(|opened| details::joint(opened, joint, frame))?))
        }
        ["track"] => {
            let of = request.query("of").unwrap_or("displacement");
            let found = match (request.query("block"), request.query("joint"), request.query("column")) {
                (Some(body), None, None) => {
                    let body = number(body)?;
                    run.with(|opened| details::block_track(opened, body, of))?
                }
                (None, Some(joint), None) => {
                    let joint = pair(joint)?;
                    run.with(|opened| details::joint_track(opened, joint, of))?
                }
                (None, None, Some(column)) => history::track(run.dir(), number(column)?)?,
                _ => None,
            };
            found.map(|value| Response::json(&value)).ok_or(Refusal::Unknown("no such number"))
        }
        ["columns"] => Ok(Response::json(&history::columns(run.dir())?)),
        ["stages"] => Ok(Response::json(&run.with(|opened| details::stages(opened, run.scene()))?)),
        ["model.glb"] => {
            let colour = request.query("color").unwrap_or("material");
            // colours that exist on the page only are replaced by materials
            let options = GlbOptions { colour: colour.parse::<BlockQuantity>().unwrap_or_default() };
            let only = request.query("frame").map(number).transpose()?;
            let bytes = run.with(|opened| {
                let count = opened.results.frames();
                let frames = match only {
                    Some(frame) => vec![frame],
                    None => (0..count).step_by(count.div_ceil(MOST_GLB_FRAMES).max(1)).collect(),
                };
                glb(&opened.results, &frames, &options)
            })?;
            Ok(Response::bytes("model/gltf-binary", bytes).named("run.glb"))
        }
        _ => Err(Refusal::Unknown("no such address")),
    }
}
