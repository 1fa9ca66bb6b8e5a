//! The exports of the wasm module. JavaScript writes a scene into memory of the module and reads the answer there.
//!
//! ```js
//! const scene = new TextEncoder().encode(text);
//! const at = exports.voussoir_allocate(scene.length);
//! new Uint8Array(exports.memory.buffer, at, scene.length).set(scene);
//! const answer = exports.voussoir_stand(at, scene.length);   // address in the upper 32 bits, length in the lower
//! ```
//!
//! Memory is owned by whoever got it last: `voussoir_stand` takes the scene and gives the answer, which
//! `voussoir_release` takes back.

#![allow(unsafe_code, reason = "addresses cross the boundary between JavaScript and Rust")]

/// Memory for `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn voussoir_allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Takes memory back.
///
/// # Safety
/// The memory must come from this module, with this length, and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn voussoir_release(at: *mut u8, length: usize) {
    // SAFETY: the caller hands over a block that `voussoir_allocate` or `voussoir_stand` made
    drop(unsafe { owned(at, length) });
}

/// Decides whether the structure of a scene stands: UTF-8 text in, JSON out. Takes the memory of the scene.
///
/// # Safety
/// The memory must come from `voussoir_allocate`, with this length, and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn voussoir_stand(at: *mut u8, length: usize) -> u64 {
    // SAFETY: the caller hands over a block that `voussoir_allocate` made
    let scene = unsafe { owned(at, length) };
    let answer = crate::stand(&String::from_utf8_lossy(&scene)).into_bytes().into_boxed_slice();
    let length = answer.len() as u64;
    let at = Box::into_raw(answer).cast::<u8>() as usize as u64;
    at << 32 | length
}

/// The block of memory at an address.
///
/// # Safety
/// The block must come from a boxed slice of this length and must not be used elsewhere.
unsafe fn owned(at: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: required of the caller
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)) }
}
