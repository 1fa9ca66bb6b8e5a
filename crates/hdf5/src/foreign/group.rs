//! Names in groups: symbol tables (a B-tree, leaves of entries, a heap of names) and link messages.

use super::bytes::{Bytes, NOWHERE, Part};
use super::header::Header;
use crate::message::kind;

/// The message of groups with a symbol table.
const SYMBOL_TABLE: u16 = 0x0011;

/// A name and the address of the object's header.
pub(super) type Link<'a> = (&'a [u8], u64);

/// Hard links of a group, in the order of the file.
pub(super) fn links<'a>(bytes: Bytes<'a>, header: &Header<'a>) -> Part<Vec<Link<'a>>> {
    let mut links = Vec::new();
    if let Some(message) = header.find(SYMBOL_TABLE)? {
        let mut cursor = bytes.cursor(message);
        let (tree, heap) = (cursor.address()?, cursor.address()?);
        let mut table = Table { bytes, heap: local_heap(bytes, heap)?, nodes_left: bytes.all.len() / 8 };
        table.walk(tree, None, &mut links)?;
    }
    for message in header.all(kind::LINK) {
        links.extend(link_message(bytes, message)?);
    }
    if let Some(message) = header.find(kind::LINK_INFO)? {
        let mut cursor = bytes.cursor(message);
        cursor.byte()?;
        let flags = cursor.byte()?;
        cursor.take(if flags & 1 != 0 { 8 } else { 0 })?;
        if cursor.address()? != NOWHERE {
            return Err("a group with dense links, which is not supported; h5repack --low=0 --high=0 makes a file \
                        without");
        }
    }
    Ok(links)
}

/// Data of a local heap: names that end with a zero.
fn local_heap(bytes: Bytes<'_>, address: u64) -> Part<&[u8]> {
    let mut cursor = bytes.at(address)?;
    cursor.expect(b"HEAP\0", "the heap of names is missing")?;
    cursor.take(3)?;
    let size = cursor.length()?;
    cursor.length()?;
    bytes.slice(cursor.address()?, size)
}

struct Table<'a> {
    bytes: Bytes<'a>,
    heap: &'a [u8],
    /// Remaining number of nodes that may be visited: a damaged tree may contain cycles.
    nodes_left: usize,
}

impl<'a> Table<'a> {
    fn walk(&mut self, address: u64, above: Option<u8>, links: &mut Vec<Link<'a>>) -> Part<()> {
        const DAMAGED: &str = "a damaged symbol table";
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(DAMAGED)?;
        let (mut cursor, level, used) = self.bytes.tree_node(address, b"TREE\0", above, DAMAGED)?;
        for _ in 0..used {
            cursor.length()?;
            let child = cursor.address()?;
            if level == 0 { self.leaf(child, links)? } else { self.walk(child, Some(level), links)? }
        }
        Ok(())
    }

    fn leaf(&mut self, address: u64, links: &mut Vec<Link<'a>>) -> Part<()> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or("a damaged symbol table")?;
        let mut cursor = self.bytes.at(address)?;
        cursor.expect(b"SNOD\x01\0", "a damaged symbol table")?;
        for _ in 0..cursor.number(2)? {
            // place of the name, header, kind of what is cached, and what is cached
            let (name, header, cached) = (cursor.address()?, cursor.address()?, cursor.number(4)?);
            cursor.take(20)?;
            let name = usize::try_from(name).ok().and_then(|at| self.heap.get(at..)).ok_or("a name is missing")?;
            let end = name.iter().position(|&byte| byte == 0).ok_or("a name does not end")?;
            // 2 is a soft link
            if cached != 2 {
                links.push((&name[..end], header));
            }
        }
        Ok(())
    }
}

/// Name and target of a link message; `None` for soft and external links.
fn link_message<'a>(bytes: Bytes<'a>, message: &'a [u8]) -> Part<Option<Link<'a>>> {
    let mut cursor = bytes.cursor(message);
    if cursor.byte()? != 1 {
        return Err("a link of an unknown version");
    }
    let flags = cursor.byte()?;
    let link_type = if flags & 0x08 != 0 { cursor.byte()? } else { 0 };
    cursor.take(if flags & 0x04 != 0 { 8 } else { 0 })?;
    cursor.take(if flags & 0x10 != 0 { 1 } else { 0 })?;
    let size = cursor.number(1 << (flags & 3))?;
    let name = cursor.take(usize::try_from(size).map_err(|_| "cut off")?)?;
    if link_type == 0 { Ok(Some((name, cursor.address()?))) } else { Ok(None) }
}
