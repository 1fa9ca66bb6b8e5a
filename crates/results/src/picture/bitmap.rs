//! A page as PNG: the structure from a depth buffer with several samples per pixel, everything else painted above it.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, Transform,
};

use super::colour::{EDGE, Rgb, mix};
use super::depth::{DepthBuffer, NOTHING, SampledShape};
use super::sheet::{Ink, Item, Point, TextAnchor};
use super::{Painting, PictureError, glyphs};

/// Samples per pixel, in both directions.
const SAMPLES: usize = 3;
/// Maximum number of pixels of a picture.
const MOST_PIXELS: f64 = 64e6;

/// The whole file; there are `scale` pixels to a unit of the page.
pub fn write(painting: &Painting, scale: f64) -> Result<Vec<u8>, PictureError> {
    let [width, height] = painting.sheet.size().map(|length| (length * scale).round().max(1.0));
    let too_large = || PictureError::TooLarge { width: width as u64, height: height as u64 };
    if width * height > MOST_PIXELS || !scale.is_finite() {
        return Err(too_large());
    }
    let mut canvas = Canvas::new(painting, [width as u32, height as u32], scale).ok_or_else(too_large)?;
    painting.sheet.below.iter().for_each(|item| canvas.item(item));
    canvas.faces(painting, scale);
    painting.sheet.above.iter().for_each(|item| canvas.item(item));
    canvas.pixels.encode_png().map_err(|error| PictureError::Encoding(error.to_string()))
}

struct Canvas {
    pixels: Pixmap,
    /// Page to pixels.
    place: Transform,
    /// The drawing without its margins.
    inside: Mask,
    /// First row of the drawing.
    top: usize,
}

impl Canvas {
    fn new(painting: &Painting, [width, height]: [u32; 2], scale: f64) -> Option<Self> {
        let mut pixels = Pixmap::new(width, height)?;
        pixels.fill(Color::WHITE);
        let head = painting.sheet.head;
        let place = Transform::from_translate(0.0, head as f32).post_scale(scale as f32, scale as f32);
        let mut inside = Mask::new(width, height)?;
        let [drawing_width, drawing_height] = painting.sheet.drawing;
        let area = Rect::from_xywh(0.0, 0.0, drawing_width as f32, drawing_height as f32)?;
        inside.fill_path(&PathBuilder::from_rect(area), FillRule::Winding, true, place);
        Some(Self { pixels, place, inside, top: (head * scale).round() as usize })
    }

    /// The structure: colours of the nearest faces, and lines where their groups change.
    fn faces(&mut self, painting: &Painting, scale: f64) {
        let drawing = painting.sheet.drawing;
        let finer = scale * SAMPLES as f64;
        let samples = DepthBuffer::new(drawing, finer, painting.faces.iter().map(SampledShape::from));
        let group = |x: usize, y: usize| match samples.nearest[y * samples.size[0] + x] {
            NOTHING => (NOTHING, [255; 3]),
            face => {
                let face = &painting.faces[face as usize];
                let [x, y] = [x, y].map(|sample| (sample as f64 + 0.5) / finer);
                (face.group, face.ball.as_ref().and_then(|ball| ball.colour(x, y)).unwrap_or(face.colour))
            }
        };
        let [columns, rows] = samples.size;
        let width = self.pixels.width() as usize;
        let height = self.pixels.height() as usize;
        for y in 0..(rows / SAMPLES).min(height - self.top.min(height)) {
            for x in 0..(columns / SAMPLES).min(width) {
                // covered fraction of the pixel, and its mean colour
                let (mut sum, mut covered) = ([0u32; 3], 0u32);
                for k in 0..SAMPLES * SAMPLES {
                    let (i, j) = (x * SAMPLES + k % SAMPLES, y * SAMPLES + k / SAMPLES);
                    let (own, mut colour) = group(i, j);
                    let neighbours = [
                        group(i.saturating_sub(1), j).0,
                        group((i + 1).min(columns - 1), j).0,
                        group(i, j.saturating_sub(1)).0,
                        group(i, (j + 1).min(rows - 1)).0,
                    ];
                    let edge = neighbours.iter().any(|&other| other != own);
                    if own == NOTHING && !edge {
                        continue;
                    }
                    if edge {
                        colour = mix(colour, EDGE, painting.edges);
                    }
                    covered += 1;
                    sum.iter_mut().zip(colour).for_each(|(sum, c)| *sum += u32::from(c));
                }
                if covered > 0 {
                    self.blend(x, y + self.top, sum, covered);
                }
            }
        }
    }

    /// Mixes `covered` samples with the sum `sum` into a pixel.
    fn blend(&mut self, x: usize, y: usize, sum: [u32; 3], covered: u32) {
        let index = y * self.pixels.width() as usize + x;
        let all = (SAMPLES * SAMPLES) as u32;
        let pixel = &mut self.pixels.pixels_mut()[index];
        let old = [pixel.red(), pixel.green(), pixel.blue()];
        let [r, g, b] = std::array::from_fn(|k| ((sum[k] + (all - covered) * u32::from(old[k])) / all) as u8);
        if let Some(new) = PremultipliedColorU8::from_rgba(r, g, b, 255) {
            *pixel = new;
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Path { outlines, closed, ink, inside } => {
                let mut path = PathBuilder::new();
                for outline in outlines {
                    for (i, [x, y]) in outline.iter().enumerate() {
                        if i == 0 { path.move_to(*x as f32, *y as f32) } else { path.line_to(*x as f32, *y as f32) }
                    }
                    if *closed {
                        path.close();
                    }
                }
                self.paint(path, ink, *inside);
            }
            Item::Dots { centres, radius, ink, inside } => {
                let mut path = PathBuilder::new();
                centres.iter().for_each(|[x, y]| path.push_circle(*x as f32, *y as f32, *radius as f32));
                self.paint(path, ink, *inside);
            }
            Item::Text { at, size, anchor, text, colour } => self.text(*at, *size, *anchor, text, *colour),
        }
    }

    fn paint(&mut self, path: PathBuilder, ink: &Ink, inside: bool) {
        let Some(path) = path.finish() else { return };
        let mask = inside.then_some(&self.inside);
        if let Some(colour) = ink.fill {
            self.pixels.fill_path(&path, &paint(colour, ink), FillRule::Winding, self.place, mask);
        }
        if let Some((colour, width)) = ink.stroke {
            let stroke = Stroke {
                width: width as f32,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            self.pixels.stroke_path(&path, &paint(colour, ink), &stroke, self.place, mask);
        }
    }

    fn text(&mut self, [x, y]: Point, size: f64, anchor: TextAnchor, text: &str, colour: Rgb) {
        let back = match anchor {
            TextAnchor::Start => 0.0,
            TextAnchor::Middle => 0.5,
            TextAnchor::End => 1.0,
        };
        let x = x - back * glyphs::width(text, size);
        let Some(path) = glyphs::outline(text, size as f32) else { return };
        let place = self.place.pre_translate(x as f32, y as f32);
        self.pixels.fill_path(&path, &paint(colour, &Ink::default()), FillRule::Winding, place, None);
    }
}

fn paint([r, g, b]: Rgb, ink: &Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (255.0 * (1.0 - ink.transparency)).round() as u8);
    paint.anti_alias = true;
    paint
}
