//! A page as SVG.

use std::fmt::Write;

use super::Painting;
use super::balls::Shading;
use super::colour::{EDGE, Rgb, hex};
use super::depth::{DepthBuffer, SampledShape};
use super::order::{FacePiece, back_to_front};
use super::sheet::{Ink, Item, Point, Sheet, TextAnchor};

/// Samples per pixel for the removal of hidden faces.
const SAMPLES: f64 = 2.0;

/// The whole file.
pub fn write(painting: &Painting) -> String {
    let Sheet { drawing: [width, height], head, .. } = painting.sheet;
    let [page_width, page_height] = painting.sheet.size();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {:.0} {page_width:.0} {page_height:.0}\" \
         width=\"{page_width:.0}\" height=\"{page_height:.0}\" \
         font-family=\"'Open Sans', 'Segoe UI', Helvetica, Arial, sans-serif\">\n\
         <rect y=\"{:.0}\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <clipPath id=\"{}\"><rect width=\"{width:.0}\" height=\"{height:.0}\"/></clipPath>\n",
        -head, -head, painting.id
    );
    painting.sheet.below.iter().for_each(|item| write_item(&mut out, item, &painting.id));
    write_faces(&mut out, painting);
    painting.sheet.above.iter().for_each(|item| write_item(&mut out, item, &painting.id));
    out.push_str("</svg>\n");
    out
}

/// Visible faces, the far ones first.
fn write_faces(out: &mut String, painting: &Painting) {
    let shapes = painting.faces.iter().map(SampledShape::from);
    let seen = DepthBuffer::new(painting.sheet.drawing, SAMPLES, shapes).seen(painting.faces.len());
    let pieces = painting.faces.iter().enumerate().filter(|(index, _)| seen[*index]);
    let pieces: Vec<FacePiece> = pieces
        .map(|(face, painted)| FacePiece {
            face,
            points: painted.points.clone(),
            creases: painted.creases.clone(),
            ball: painted.ball.as_ref().map(|ball| (ball.centre, ball.radius)),
        })
        .collect();
    let gradients = gradients(painting, &pieces);
    if !gradients.is_empty() {
        out.push_str("<defs>\n");
        for (index, shading) in gradients.iter().enumerate() {
            let _ = writeln!(out, "{}", shading.gradient(&format!("{}-ball{index}", painting.id)));
        }
        out.push_str("</defs>\n");
    }
    let pieces = if painting.flat { pieces } else { back_to_front(pieces) };
    let _ = writeln!(
        out,
        "<g clip-path=\"url(#{})\" stroke=\"{}\" stroke-width=\"0.7\" stroke-opacity=\"{:.2}\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">",
        painting.id,
        hex(EDGE),
        painting.edges
    );
    for piece in &pieces {
        let face = &painting.faces[piece.face];
        let fill = hex(face.colour);
        if let Some(ball) = &face.ball {
            let shaded = ball.shading.and_then(|own| gradients.iter().position(|known| *known == own));
            let fill = shaded.map_or(fill, |index| format!("url(#{}-ball{index})", painting.id));
            let [x, y] = [ball.centre[0], ball.centre[1]].map(short);
            let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\"/>", short(ball.radius));
            continue;
        }
        let outline: Vec<Point> = piece.points.iter().map(|p| [p[0], p[1]]).collect();
        if piece.creases.iter().all(|&crease| crease) {
            let _ = writeln!(out, "<path d=\"{}\" fill=\"{fill}\"/>", path(&outline, true));
            continue;
        }
        // a thin line of its own colour closes the seam to its neighbours
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\".4\" stroke-opacity=\"1\"/>",
            path(&outline, true)
        );
        let count = outline.len();
        let drawn = (0..count).filter(|&i| piece.creases[i]);
        let edges: String = drawn.map(|i| path(&[outline[i], outline[(i + 1) % count]], false)).collect();
        if !edges.is_empty() {
            let _ = writeln!(out, "<path d=\"{edges}\"/>");
        }
    }
    out.push_str("</g>\n");
}

/// The different lights on the visible spheres.
fn gradients(painting: &Painting, pieces: &[FacePiece]) -> Vec<Shading> {
    let mut found: Vec<Shading> = Vec::new();
    for piece in pieces {
        let shading = painting.faces[piece.face].ball.as_ref().and_then(|ball| ball.shading);
        found.extend(shading.filter(|shading| !found.contains(shading)));
    }
    found
}

fn write_item(out: &mut String, item: &Item, clip: &str) {
    match item {
        Item::Path { outlines, closed, ink, inside } => {
            let data: String = outlines.iter().map(|outline| path(outline, *closed)).collect();
            let _ = writeln!(out, "<path d=\"{data}\"{}{}/>", style(ink), clipped(*inside, clip));
        }
        Item::Dots { centres, radius, ink, inside } => {
            let _ = writeln!(out, "<g{}{}>", style(ink), clipped(*inside, clip));
            for [x, y] in centres {
                let _ = writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{radius:.1}\"/>", short(*x), short(*y));
            }
            out.push_str("</g>\n");
        }
        Item::Text { at: [x, y], size, anchor, text, colour } => {
            let anchor = match anchor {
                TextAnchor::Start => "start",
                TextAnchor::Middle => "middle",
                TextAnchor::End => "end",
            };
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
                short(*x),
                short(*y),
                hex(*colour),
                escape(text)
            );
        }
    }
}

fn style(ink: &Ink) -> String {
    let mut style = format!(" fill=\"{}\"", ink.fill.map_or("none".to_owned(), hex_of));
    if let Some((colour, width)) = ink.stroke {
        let _ = write!(
            style,
            " stroke=\"{}\" stroke-width=\"{width:.2}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
            hex(colour)
        );
    }
    if ink.transparency > 0.0 {
        let _ = write!(style, " opacity=\"{:.2}\"", 1.0 - ink.transparency);
    }
    style
}

fn hex_of(colour: Rgb) -> String {
    hex(colour)
}

fn clipped(inside: bool, clip: &str) -> String {
    if inside { format!(" clip-path=\"url(#{clip})\"") } else { String::new() }
}

fn path(outline: &[Point], closed: bool) -> String {
    let mut data = String::with_capacity(12 * outline.len());
    for (i, [x, y]) in outline.iter().enumerate() {
        let _ = write!(data, "{}{} {}", if i == 0 { 'M' } else { 'L' }, short(*x), short(*y));
    }
    if closed {
        data.push('Z');
    }
    data
}

/// A coordinate to a tenth of a pixel.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Escaped text.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
