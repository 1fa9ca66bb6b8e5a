//! The page, as created by the build script.

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Name in the address; empty for the page itself.
    pub name: &'static str,
    /// Media type.
    pub kind: &'static str,
    /// Content of the file.
    pub bytes: &'static [u8],
}

/// All files.
pub const FILES: [PageFile; 3] = [
    PageFile {
        name: "",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!(concat!(env!("OUT_DIR"), "/index.html")),
    },
    PageFile {
        name: "page.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!(concat!(env!("OUT_DIR"), "/page.js")),
    },
    PageFile {
        name: "page.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!(concat!(env!("OUT_DIR"), "/page.css")),
    },
];

/// The reason why the program was built without the page; `None` if it has the page.
pub fn missing() -> Option<&'static str> {
    let reason = include_str!(concat!(env!("OUT_DIR"), "/missing.txt"));
    (!reason.is_empty()).then_some(reason)
}
