//! The growing file `results.vtkhdf` as a whole: create, add frames, go back to an earlier state.

use std::io;

use serde::{Deserialize, Serialize};
use voussoir_mechanics::snapshot::{Cast, CastBody, Snapshot};

use crate::channels::Channels;
use crate::encode::{Encoder, Precision};
use crate::fixed::FixedPart;
use crate::layout;
use crate::lists::{Lists, Totals};
use voussoir_hdf5::storage::Storage;
use voussoir_hdf5::writer::Writer;

/// Name in the results folder.
pub const FRAMES_FILE: &str = "results.vtkhdf";

/// Position in the file for a checkpoint: the file is truncated to it before a run resumes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FramesState {
    writer: Writer,
    channels: Channels,
    lists: Lists,
    precision: Precision,
    origin: Vec<[f64; 3]>,
    pairs: Vec<[i32; 2]>,
    totals: Totals,
    written: Option<(Totals, u64)>,
    frames: u64,
}

impl FramesState {
    /// Bodies of the run, those that appeared among them.
    pub fn bodies(&self) -> usize {
        self.totals.bodies
    }
}

/// The file, open for adding frames.
#[derive(Debug)]
pub struct FrameWriter<S> {
    storage: S,
    writer: Writer,
    channels: Channels,
    lists: Lists,
    precision: Precision,
    encoder: Encoder,
    frames: u64,
}

impl<S: Storage> FrameWriter<S> {
    /// Starts a file in an empty storage; `fixed` parts are the same in every frame.
    pub fn create(
        mut storage: S,
        cast: &Cast,
        title: &str,
        precision: Precision,
        fixed: &[FixedPart],
    ) -> io::Result<Self> {
        let (writer, channels, lists) = layout::create(&mut storage, cast, title, fixed)?;
        let encoder = Encoder::new(cast, precision, Vec::new());
        Ok(Self { storage, writer, channels, lists, precision, encoder, frames: 0 })
    }

    /// Truncates a file to an earlier state; `cast` holds the bodies that had appeared by then.
    pub fn restore(mut storage: S, cast: &Cast, state: FramesState) -> io::Result<Self> {
        let FramesState { mut writer, channels, lists, precision, origin, pairs, totals, written, frames } = state;
        let encoder = Encoder::new(cast, precision, origin).after(pairs, written);
        if encoder.totals() != totals {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the shapes of the bodies differ from the recorded ones",
            ));
        }
        writer.restore(&mut storage, frames)?;
        Ok(Self { storage, writer, channels, lists, precision, encoder, frames })
    }

    /// Adds a frame. After an error the file shows the frames before; no more can be added.
    pub fn frame(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let Self { storage, writer, channels, lists, encoder, .. } = self;
        encoder.write(writer, storage, channels, lists, snapshot, self.frames)?;
        self.frames += 1;
        Ok(())
    }

    /// Adds bodies that appear: frames from the next one on have them.
    pub fn appear(&mut self, bodies: &[CastBody]) -> io::Result<()> {
        let Self { storage, writer, channels, lists, encoder, .. } = self;
        encoder.appear(writer, storage, channels, lists, bodies)
    }

    /// Bytes of the longest name of a body.
    pub fn name_bytes(&self) -> usize {
        self.lists.name_bytes
    }

    /// The storage of the bytes.
    #[cfg(test)]
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// Frames in the file.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Writes all data to the disk; returns the position for a checkpoint.
    pub fn state(&mut self) -> io::Result<FramesState> {
        self.writer.confirm(&mut self.storage)?;
        self.storage.sync()?;
        Ok(FramesState {
            writer: self.writer.clone(),
            channels: self.channels.clone(),
            lists: self.lists.clone(),
            precision: self.precision,
            origin: self.encoder.origin().to_vec(),
            pairs: self.encoder.pairs().to_vec(),
            totals: self.encoder.totals(),
            written: self.encoder.written(),
            frames: self.frames,
        })
    }
}
