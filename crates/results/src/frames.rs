//! The growing file `results.vtkhdf` as a whole: create, add frames, go back to an earlier state.

use std::io;

use serde::{Deserialize, Serialize};
use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::encode::{Encoder, Precision};
use crate::fixed::FixedPart;
use crate::layout::{self, Channels};
use voussoir_hdf5::storage::Storage;
use voussoir_hdf5::writer::Writer;

/// Name in the results folder.
pub const FRAMES_FILE: &str = "results.vtkhdf";

/// What a checkpoint keeps about the file: enough to cut it back and go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FramesState {
    writer: Writer,
    channels: Channels,
    precision: Precision,
    origin: Vec<[f64; 3]>,
    pairs: Vec<[i32; 2]>,
    frames: u64,
}

/// The file, open for adding frames.
#[derive(Debug)]
pub struct FrameWriter<S> {
    storage: S,
    writer: Writer,
    channels: Channels,
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
        let (writer, channels) = layout::create(&mut storage, cast, title, fixed)?;
        let encoder = Encoder::new(cast, precision, Vec::new());
        Ok(Self { storage, writer, channels, precision, encoder, frames: 0 })
    }

    /// Cuts a file back to a state it had before.
    pub fn restore(mut storage: S, cast: &Cast, state: FramesState) -> io::Result<Self> {
        let FramesState { mut writer, channels, precision, origin, pairs, frames } = state;
        writer.restore(&mut storage, frames)?;
        let encoder = Encoder::new(cast, precision, origin).after(pairs);
        Ok(Self { storage, writer, channels, precision, encoder, frames })
    }

    /// Adds a frame. After an error the file shows the frames before; no more can be added.
    pub fn frame(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        self.encoder.write(&mut self.writer, &mut self.storage, &self.channels, snapshot, self.frames)?;
        self.frames += 1;
        Ok(())
    }

    /// Where the bytes are.
    #[cfg(test)]
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// Frames in the file.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Brings everything to the disk and says what a restore needs.
    pub fn state(&mut self) -> io::Result<FramesState> {
        self.storage.sync()?;
        Ok(FramesState {
            writer: self.writer.clone(),
            channels: self.channels.clone(),
            precision: self.precision,
            origin: self.encoder.origin().to_vec(),
            pairs: self.encoder.pairs().to_vec(),
            frames: self.frames,
        })
    }
}
