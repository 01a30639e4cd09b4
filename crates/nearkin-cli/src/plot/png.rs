//! Portable Network Graphics: cells of colour for a picture inside an SVG, and, with the feature
//! `png`, whole figures.

/// Rows of `width` pixels as a file; empty where there are none.
pub fn encode(width: usize, cells: &[[u8; 3]]) -> Vec<u8> {
    let mut file = Vec::new();
    let height = cells.len() / width.max(1);
    let mut encoder = ::png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(::png::ColorType::Rgb);
    let written =
        encoder.write_header().and_then(|mut pixels| pixels.write_image_data(cells.as_flattened()));
    // Writing into memory fails for no pixels alone.
    written.map_or_else(|_| Vec::new(), |()| file)
}

/// A figure as a file of pixels, with the fonts of this machine.
#[cfg(feature = "png")]
pub fn draw(figure: &super::Figure) -> Result<Vec<u8>, String> {
    use resvg::{tiny_skia, usvg};

    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let any = fonts.faces().find_map(|face| Some(face.families.first()?.0.clone()));
    let any = any.ok_or("this machine has no fonts to write text with; a .svg file needs none")?;
    let families = [usvg::fontdb::Family::SansSerif];
    if fonts.query(&usvg::fontdb::Query { families: &families, ..Default::default() }).is_none() {
        fonts.set_sans_serif_family(any);
    }
    let tree = usvg::Tree::from_str(&super::svg::alone(figure), &options)
        .map_err(|error| error.to_string())?;
    let side = |length: f32| (length * SCALE).ceil() as u32;
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or("the figure is too large")?;
    let scale = tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

/// Pixels for each unit of the figure, so that thin lines stay sharp.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;
