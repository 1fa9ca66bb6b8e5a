//! Drawings of curves as PNG: the few elements of SVG that this program writes for curves over axes.
//!
//! `rect`, `line`, `polyline`, `polygon`, `path` (M, L, H, V, Z), `circle` and `text`, with fill, stroke, dashes, opacity of
//! the fill, and texts that are moved or turned. Anything else is an error, so that nothing is left out of a picture silently.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

use super::{PictureError, glyphs};

/// Pixels of a drawing at most.
const MOST_PIXELS: f32 = 64e6;

/// An element with its attributes and the text inside.
struct Element<'a> {
    name: &'a str,
    attributes: &'a str,
    text: &'a str,
}

fn refused(what: &str) -> PictureError {
    PictureError::Encoding(format!("a drawing has {what}"))
}

/// The elements of a drawing in their order.
fn elements(svg: &str) -> impl Iterator<Item = Element<'_>> {
    svg.split('<').filter(|part| !part.starts_with(['/', '?', '!'])).filter_map(|part| {
        let (tag, text) = part.split_once('>')?;
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        Some(Element { name, attributes, text })
    })
}

impl<'a> Element<'a> {
    fn attribute(&self, key: &str) -> Option<&'a str> {
        self.attributes.match_indices(key).find_map(|(at, _)| {
            let alone = at == 0 || self.attributes[..at].ends_with(char::is_whitespace);
            let rest = self.attributes[at + key.len()..].strip_prefix("=\"")?;
            if alone { rest.split('"').next() } else { None }
        })
    }

    fn number(&self, key: &str) -> Option<f32> {
        self.attribute(key)?.parse().ok()
    }

    /// A coordinate; without one 0.
    fn at(&self, key: &str) -> f32 {
        self.number(key).unwrap_or(0.0)
    }

    fn colour(&self, key: &str) -> Result<Option<[u8; 3]>, PictureError> {
        match self.attribute(key) {
            None | Some("none") => Ok(None),
            Some(word) => {
                let number = word.strip_prefix('#').filter(|digits| digits.len() == 6);
                let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let [_, r, g, b] = number.ok_or_else(|| refused(&format!("the colour {word}")))?.to_be_bytes();
                Ok(Some([r, g, b]))
            }
        }
    }

    /// The outline of a shape; none for elements that are no shapes.
    fn outline(&self) -> Result<Option<Path>, PictureError> {
        let mut path = PathBuilder::new();
        match self.name {
            "rect" => {
                let rect = Rect::from_xywh(self.at("x"), self.at("y"), self.at("width"), self.at("height"));
                rect.into_iter().for_each(|rect| path.push_rect(rect));
            }
            "line" => {
                path.move_to(self.at("x1"), self.at("y1"));
                path.line_to(self.at("x2"), self.at("y2"));
            }
            "circle" => path.push_circle(self.at("cx"), self.at("cy"), self.at("r")),
            "polyline" | "polygon" => {
                let numbers = numbers(self.attribute("points").unwrap_or_default());
                for (i, point) in numbers.chunks_exact(2).enumerate() {
                    if i == 0 { path.move_to(point[0], point[1]) } else { path.line_to(point[0], point[1]) }
                }
                if self.name == "polygon" {
                    path.close();
                }
            }
            "path" => follow(self.attribute("d").unwrap_or_default(), &mut path)?,
            _ => return Ok(None),
        }
        Ok(path.finish())
    }

    /// Where a text begins, turned as it is.
    fn place(&self) -> Result<Transform, PictureError> {
        let mut place = Transform::identity();
        for call in self.attribute("transform").unwrap_or_default().split_terminator(')') {
            let (kind, values) =
                call.trim().split_once('(').ok_or_else(|| refused("a transformation it cannot have"))?;
            place = match (kind, &numbers(values)[..]) {
                ("translate", [x, y]) => place.pre_translate(*x, *y),
                ("rotate", [angle]) => place.pre_rotate(*angle),
                ("rotate", [angle, x, y]) => place.pre_translate(*x, *y).pre_rotate(*angle).pre_translate(-x, -y),
                _ => return Err(refused(&format!("the transformation {kind}"))),
            };
        }
        Ok(place.pre_translate(self.at("x"), self.at("y")))
    }
}

/// Numbers between spaces and commas.
fn numbers(text: &str) -> Vec<f32> {
    text.split([' ', ',', '\n']).filter_map(|word| word.parse().ok()).collect()
}

/// Follows the commands of a path.
fn follow(commands: &str, path: &mut PathBuilder) -> Result<(), PictureError> {
    let mut at = [0.0; 2];
    for part in commands.split_inclusive(char::is_alphabetic).collect::<Vec<_>>().windows(2) {
        let letter = part[0].chars().next_back().unwrap_or_default();
        let values = numbers(part[1].trim_end_matches(char::is_alphabetic));
        at = match (letter, &values[..]) {
            ('M' | 'L', [x, y]) => [*x, *y],
            ('H', [x]) => [*x, at[1]],
            ('V', [y]) => [at[0], *y],
            ('Z', []) => at,
            _ => return Err(refused(&format!("a path with {letter} and {} numbers", values.len()))),
        };
        match letter {
            'M' => path.move_to(at[0], at[1]),
            'Z' => path.close(),
            _ => path.line_to(at[0], at[1]),
        }
    }
    if commands.ends_with('Z') {
        path.close();
    }
    Ok(())
}

/// Text without the signs that stand for others.
fn unescaped(text: &str) -> String {
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn paint([r, g, b]: [u8; 3], opacity: f32) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (255.0 * opacity.clamp(0.0, 1.0)).round() as u8);
    paint.anti_alias = true;
    paint
}

/// A drawing of curves as PNG, with `scale` pixels to its unit.
pub fn drawing_as_png(svg: &str, scale: f64) -> Result<Vec<u8>, PictureError> {
    let scale = scale as f32;
    let whole = Transform::from_scale(scale, scale);
    let mut page: Option<(Pixmap, f32)> = None;
    for element in elements(svg) {
        if element.name == "svg" {
            let view = numbers(element.attribute("viewBox").unwrap_or_default());
            let &[_, _, width, height] = &view[..] else { return Err(refused("no size")) };
            let [width, height] = [width, height].map(|length| (length * scale).round());
            let size = (width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS).then_some(());
            let pixels = size.and_then(|()| Pixmap::new(width as u32, height as u32));
            let too_large = PictureError::TooLarge { width: width as u64, height: height as u64 };
            let mut pixels = pixels.ok_or(too_large)?;
            pixels.fill(Color::WHITE);
            page = Some((pixels, element.number("font-size").unwrap_or(16.0)));
            continue;
        }
        let (pixels, letters) = page.as_mut().ok_or_else(|| refused("no size"))?;
        if element.name == "text" {
            write(&element, *letters, pixels, whole)?;
        } else if let Some(outline) = element.outline()? {
            stroke_and_fill(&element, &outline, pixels, whole)?;
        } else if !["rect", "line", "circle", "polyline", "polygon", "path"].contains(&element.name) {
            return Err(refused(&format!("the element {}", element.name)));
        }
    }
    let (pixels, _) = page.ok_or_else(|| refused("no size"))?;
    pixels.encode_png().map_err(|error| PictureError::Encoding(error.to_string()))
}

fn stroke_and_fill(
    element: &Element<'_>,
    outline: &Path,
    pixels: &mut Pixmap,
    whole: Transform,
) -> Result<(), PictureError> {
    if let Some(colour) = element.colour("fill")? {
        let paint = paint(colour, element.number("fill-opacity").unwrap_or(1.0));
        pixels.fill_path(outline, &paint, FillRule::Winding, whole, None);
    }
    if let Some(colour) = element.colour("stroke")? {
        let dashes = element.attribute("stroke-dasharray").and_then(|dashes| StrokeDash::new(numbers(dashes), 0.0));
        let stroke = Stroke {
            width: element.number("stroke-width").unwrap_or(1.0),
            line_cap: if element.attribute("stroke-linecap") == Some("round") { LineCap::Round } else { LineCap::Butt },
            line_join: LineJoin::Round,
            dash: dashes,
            ..Stroke::default()
        };
        pixels.stroke_path(outline, &paint(colour, 1.0), &stroke, whole, None);
    }
    Ok(())
}

fn write(element: &Element<'_>, letters: f32, pixels: &mut Pixmap, whole: Transform) -> Result<(), PictureError> {
    let text = unescaped(element.text);
    let size = element.number("font-size").unwrap_or(letters);
    let back = match element.attribute("text-anchor") {
        None | Some("start") => 0.0,
        Some("middle") => 0.5,
        _ => 1.0,
    };
    let place = element.place()?.pre_translate(-back * glyphs::width(&text, f64::from(size)) as f32, 0.0);
    if let Some(outline) = glyphs::outline(&text, size) {
        let paint = paint(element.colour("fill")?.unwrap_or_default(), 1.0);
        pixels.fill_path(&outline, &paint, FillRule::Winding, whole.pre_concat(place), None);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(svg: &str, scale: f64, [x, y]: [u32; 2]) -> [u8; 3] {
        let page = Pixmap::decode_png(&drawing_as_png(svg, scale).unwrap()).unwrap();
        let found = page.pixel(x, y).unwrap();
        [found.red(), found.green(), found.blue()]
    }

    #[test]
    fn shapes_are_where_their_numbers_say() {
        let svg = "<svg viewBox=\"0 0 40 20\"><rect x=\"2\" y=\"2\" width=\"10\" height=\"10\" fill=\"#ff0000\"/>\
                   <path d=\"M20 2 V12 H30\" fill=\"none\" stroke=\"#0000ff\" stroke-width=\"2\"/>\
                   <polygon points=\"32,2 38,2 38,8 32,8\" fill=\"#000000\" fill-opacity=\"0.5\"/></svg>";
        assert_eq!(pixel(svg, 1.0, [5, 5]), [255, 0, 0]);
        assert_eq!(pixel(svg, 3.0, [15, 15]), [255, 0, 0]);
        assert_eq!(pixel(svg, 1.0, [15, 15]), [255; 3]);
        // down, then to the right
        assert_eq!(
            [pixel(svg, 1.0, [20, 7]), pixel(svg, 1.0, [26, 12]), pixel(svg, 1.0, [26, 6])],
            [[0, 0, 255], [0, 0, 255], [255; 3]]
        );
        let half = pixel(svg, 1.0, [35, 5]);
        assert!(half.iter().all(|part| (125..=130).contains(part)), "{half:?}");
    }

    #[test]
    fn words_are_written_where_they_are_turned_to() {
        let dark = |svg: &str, columns: std::ops::Range<u32>| {
            let page = Pixmap::decode_png(&drawing_as_png(svg, 1.0).unwrap()).unwrap();
            columns.flat_map(|x| (0..100).map(move |y| (x, y))).any(|(x, y)| page.pixel(x, y).unwrap().red() < 128)
        };
        let straight = "<svg viewBox=\"0 0 100 100\"><text x=\"60\" y=\"50\" font-size=\"12\">a &lt; b</text></svg>";
        assert!(dark(straight, 60..100) && !dark(straight, 0..60));
        let ended = straight.replace("font-size", "text-anchor=\"end\" font-size");
        assert!(dark(&ended, 0..60) && !dark(&ended, 61..100));
        // upwards along the line x = 60: all letters are left of it
        let turned = straight.replace("font-size", "transform=\"rotate(-90 60 50)\" font-size");
        assert!(dark(&turned, 45..61) && !dark(&turned, 65..100) && !dark(&turned, 0..45));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for svg in [
            "<svg viewBox=\"0 0 9 9\"><image/></svg>",
            "<svg viewBox=\"0 0 9 9\"><path d=\"M0 0 C1 1 2 2 3 3\" fill=\"#000000\"/></svg>",
            "<svg viewBox=\"0 0 9 9\"><rect width=\"1\" height=\"1\" fill=\"red\"/></svg>",
            "<svg viewBox=\"0 0 99999999 9\"></svg>",
            "<rect/>",
        ] {
            assert!(drawing_as_png(svg, 1.0).is_err(), "{svg}");
        }
    }
}
