//! Object headers, versions 1 and 2: lists of messages, in one block or several.

use super::bytes::{Bytes, Cursor, Part, number};
use crate::message::kind;

/// Message with the continuation of a header.
const CONTINUATION: u16 = 0x0010;

/// Largest number of blocks of a header.
const MOST_BLOCKS: usize = 256;

/// One message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    pub kind: u16,
    pub body: &'a [u8],
    /// The body is in another object (shared message).
    shared: bool,
}

/// All messages of one object.
#[derive(Clone, Debug)]
pub(super) struct Header<'a> {
    messages: Vec<Message<'a>>,
}

impl<'a> Header<'a> {
    /// Reads the header at `address`.
    pub fn read(bytes: Bytes<'a>, address: u64) -> Part<Self> {
        let mut cursor = bytes.at(address)?;
        let mut messages = Vec::new();
        if cursor.rest.starts_with(b"OHDR") {
            cursor.take(4)?;
            if cursor.byte()? != 2 {
                return Err("an object header of an unknown version");
            }
            let flags = cursor.byte()?;
            // times, then limits of attribute storage
            cursor.take(if flags & 0x20 != 0 { 16 } else { 0 })?;
            cursor.take(if flags & 0x10 != 0 { 4 } else { 0 })?;
            let size = cursor.number(1 << (flags & 3))?;
            let first = take(&mut cursor, size)?;
            let ordered = flags & 0x04 != 0;
            follow(bytes, first, &mut messages, |block, out| version_2(bytes, block, ordered, out), true)?;
        } else {
            if cursor.byte()? != 1 {
                return Err("an object is missing");
            }
            cursor.take(7)?;
            let size = cursor.number(4)?;
            cursor.take(4)?;
            let first = take(&mut cursor, size)?;
            follow(bytes, first, &mut messages, |block, out| version_1(bytes, block, out), false)?;
        }
        Ok(Self { messages })
    }

    /// Bodies of all messages of a kind.
    pub fn all(&self, kind: u16) -> impl Iterator<Item = &'a [u8]> {
        self.messages.iter().filter(move |message| message.kind == kind && !message.shared).map(|message| message.body)
    }

    /// Body of the message of a kind, if there is one.
    pub fn find(&self, kind: u16) -> Part<Option<&'a [u8]>> {
        match self.messages.iter().find(|message| message.kind == kind) {
            Some(message) if message.shared => Err("a shared message, which is not supported"),
            found => Ok(found.map(|message| message.body)),
        }
    }

    /// True for datasets.
    pub fn is_dataset(&self) -> bool {
        self.messages.iter().any(|message| message.kind == kind::LAYOUT)
    }
}

fn take<'a>(cursor: &mut Cursor<'a>, size: u64) -> Part<&'a [u8]> {
    cursor.take(usize::try_from(size).map_err(|_| "cut off")?)
}

/// Reads the first block and those that continue it.
fn follow<'a>(
    bytes: Bytes<'a>,
    first: &'a [u8],
    messages: &mut Vec<Message<'a>>,
    parse: impl Fn(&'a [u8], &mut Vec<Message<'a>>) -> Part<()>,
    signed: bool,
) -> Part<()> {
    let (mut next, mut blocks) = (0, 1);
    parse(first, messages)?;
    while next < messages.len() {
        let message = messages[next];
        next += 1;
        if message.kind != CONTINUATION {
            continue;
        }
        blocks += 1;
        if blocks > MOST_BLOCKS {
            return Err("an object header that never ends");
        }
        let mut place = bytes.cursor(message.body);
        let (address, size) = (place.address()?, place.length()?);
        let mut block = bytes.slice(address, size)?;
        if signed {
            // a signature in front, a checksum behind
            block = block.strip_prefix(b"OCHK").ok_or("an object header with a missing continuation")?;
            block = block.get(..block.len().saturating_sub(4)).unwrap_or_default();
        }
        parse(block, messages)?;
    }
    Ok(())
}

fn version_1<'a>(bytes: Bytes<'a>, block: &'a [u8], out: &mut Vec<Message<'a>>) -> Part<()> {
    let mut cursor = bytes.cursor(block);
    while cursor.rest.len() >= 8 {
        let (kind, size) = (cursor.number(2)? as u16, cursor.number(2)? as usize);
        let flags = cursor.byte()?;
        cursor.take(3)?;
        out.push(Message { kind, body: cursor.take(size)?, shared: flags & 2 != 0 });
    }
    Ok(())
}

fn version_2<'a>(bytes: Bytes<'a>, block: &'a [u8], ordered: bool, out: &mut Vec<Message<'a>>) -> Part<()> {
    let mut cursor = bytes.cursor(block);
    let prefix = if ordered { 6 } else { 4 };
    // a rest shorter than a message is padding
    while cursor.rest.len() >= prefix {
        let head = cursor.take(prefix)?;
        let size = number(&head[1..3]) as usize;
        out.push(Message { kind: u16::from(head[0]), body: cursor.take(size)?, shared: head[3] & 2 != 0 });
    }
    Ok(())
}
