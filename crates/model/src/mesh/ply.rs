//! PLY: the elements `vertex` (x, y, z) and `face` (vertex_indices), as text or binary in both byte orders.

use super::{Mesh, MeshError, quoted};

/// Reads a PLY file.
pub fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut cursor = Cursor { bytes, at: 0, line: 1, coding: Coding::Text };
    let elements = header(&mut cursor)?;
    let mut mesh = Mesh::default();
    for element in &elements {
        // elements without properties have no bytes
        if element.properties.is_empty() {
            continue;
        }
        for _ in 0..element.count {
            item(&mut cursor, element, &mut mesh)?;
        }
    }
    mesh.checked()
}

#[derive(Clone, Copy, PartialEq)]
enum Coding {
    Text,
    Little,
    Big,
}

#[derive(Clone, Copy)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }
}

struct Property {
    name: String,
    /// Type of the length, for lists.
    list: Option<Scalar>,
    scalar: Scalar,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

/// Reads from `ply` to `end_header`.
fn header(cursor: &mut Cursor<'_>) -> Result<Vec<Element>, MeshError> {
    if cursor.header_line()?.trim_end() != "ply" {
        return Err(cursor.error("the file does not start with \"ply\""));
    }
    let mut coding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let line = cursor.header_line()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["format", name, _] => {
                coding = match name {
                    "ascii" => Some(Coding::Text),
                    "binary_little_endian" => Some(Coding::Little),
                    "binary_big_endian" => Some(Coding::Big),
                    _ => return Err(cursor.error(&format!("unknown format {}", quoted(name)))),
                };
            }
            ["element", name, count] => {
                let count = count.parse().map_err(|_| cursor.error(&format!("{} is not a number", quoted(count))))?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", ref rest @ ..] => {
                let property = property(rest);
                match (property, elements.last_mut()) {
                    (Some(property), Some(element)) => element.properties.push(property),
                    _ => return Err(cursor.error(&format!("{} is not a property", quoted(&line)))),
                }
            }
            ["comment" | "obj_info", ..] | [] => {}
            ["end_header"] => break,
            _ => return Err(cursor.error(&format!("{} is not part of a PLY header", quoted(&line)))),
        }
    }
    cursor.line += 1;
    cursor.coding = coding.ok_or_else(|| cursor.error("the header has no format"))?;
    Ok(elements)
}

fn property(words: &[&str]) -> Option<Property> {
    match words {
        ["list", length, scalar, name] => {
            Some(Property { name: (*name).into(), list: Some(Scalar::parse(length)?), scalar: Scalar::parse(scalar)? })
        }
        [scalar, name] => Some(Property { name: (*name).into(), list: None, scalar: Scalar::parse(scalar)? }),
        _ => None,
    }
}

/// Reads one item of an element and stores the known properties.
fn item(cursor: &mut Cursor<'_>, element: &Element, mesh: &mut Mesh) -> Result<(), MeshError> {
    let mut vertex = [None; 3];
    let mut face = None;
    for property in &element.properties {
        let Some(length) = property.list else {
            let value = cursor.number(property.scalar)?;
            if let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == property.name) {
                vertex[axis] = Some(value);
            }
            continue;
        };
        let length = cursor.number(length)?;
        let keep = element.name == "face" && ["vertex_indices", "vertex_index"].contains(&property.name.as_str());
        if !(0.0..=1e9).contains(&length) {
            return Err(cursor.error(&format!("a list has the length {length}")));
        }
        let mut corners = Vec::new();
        for _ in 0..length as u64 {
            let value = cursor.number(property.scalar)?;
            if keep {
                if !(value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0) {
                    return Err(cursor.error(&format!("{value} is not the number of a vertex")));
                }
                corners.push(value as u32);
            }
        }
        if keep {
            face = Some(corners);
        }
    }
    let done = match (element.name.as_str(), vertex, face) {
        ("vertex", [Some(x), Some(y), Some(z)], _) => mesh.push_vertex([x, y, z]),
        ("vertex", ..) => Err("the vertices have no x, y and z".into()),
        ("face", _, Some(face)) => mesh.push_face(face),
        ("face", ..) => Err("the faces have no vertex_indices".into()),
        _ => Ok(()),
    };
    done.map_err(|message| cursor.error(&message))
}

/// A place in the file.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    coding: Coding,
}

impl Cursor<'_> {
    fn error(&self, message: &str) -> MeshError {
        let message = message.to_string();
        match self.coding {
            Coding::Text => MeshError::Line { line: self.line, message },
            Coding::Little | Coding::Big => MeshError::Byte { offset: self.at, message },
        }
    }

    fn header_line(&mut self) -> Result<String, MeshError> {
        let rest = &self.bytes[self.at..];
        // a line of more than a thousand bytes is not a header line
        let Some(end) = rest.iter().take(1000).position(|b| *b == b'\n') else {
            return Err(self.error("the header does not end with \"end_header\""));
        };
        if self.at > 0 {
            self.line += 1;
        }
        self.at += end + 1;
        Ok(String::from_utf8_lossy(&rest[..end]).trim_end().to_string())
    }

    fn number(&mut self, scalar: Scalar) -> Result<f64, MeshError> {
        if self.coding == Coding::Text {
            return self.word();
        }
        Ok(match scalar {
            Scalar::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Scalar::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Scalar::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Scalar::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Scalar::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Scalar::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Scalar::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    /// The next bytes in little-endian order.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], MeshError> {
        let end = self.at + N;
        let Some(mut bytes) = self.bytes.get(self.at..end).and_then(|b| <[u8; N]>::try_from(b).ok()) else {
            return Err(self.error("the file ends too early"));
        };
        self.at = end;
        if self.coding == Coding::Big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// The next word of a text file as a number.
    fn word(&mut self) -> Result<f64, MeshError> {
        while let Some(byte) = self.bytes.get(self.at).filter(|b| b.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("the file ends too early"));
        }
        self.at += end;
        let word = String::from_utf8_lossy(&rest[..end.min(400)]).to_string();
        word.parse().map_err(|_| self.error(&format!("{} is not a number", quoted(&word))))
    }
}
