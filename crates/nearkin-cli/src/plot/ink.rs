//! [`Ink`]: colours by their use, distinct for colour-blind readers too.
//!
//! The first eight series follow Okabe and Ito's palette for colour-blind readers, darkened where it
//! would be faint on white; markers also differ in form. Shades run from blue over white to orange.

/// A colour by its use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ink {
    /// Words to read.
    Text,
    /// Words beside: ticks, axes' names.
    Quiet,
    /// Lines behind everything.
    Grid,
    /// The line at zero, axes, intervals.
    Axis,
    /// The background colour, to separate a mark from what is drawn below it.
    Ground,
    /// A series by its number.
    Series(usize),
    /// The faint ground of a series: a band, a histogram's inside.
    Band(usize),
    /// A value between −1 (blue) and 1 (orange), 0 white.
    Shade(f64),
    /// Words on such a shade.
    OnShade(f64),
}

/// How many series have a colour of their own; the next begins again.
pub const SERIES: usize = 12;

const LIGHT: [u32; SERIES] = [
    0x0072b2, 0xd55e00, 0x00805e, 0xb1508a, 0xb87e00, 0x2684be, 0x6e6200, 0x5a5a5a, 0x7846c8,
    0xa02828, 0x1e3c82, 0x825532,
];
const DARK: [u32; SERIES] = [
    0x56b4e9, 0xf0823c, 0x28be91, 0xdc96be, 0xe6af32, 0x8cc8f0, 0xd7cd50, 0xb4b4b4, 0xb9a0ff,
    0xf07878, 0x96aaff, 0xd2aa82,
];
const SHADES: [[u8; 3]; 3] = [[0, 90, 160], [250, 250, 250], [200, 80, 0]];

/// The parts of a colour written as `0xrrggbb`.
fn parts(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

impl Ink {
    /// Its colour on a light ground.
    pub fn light(self) -> [u8; 3] {
        self.colour(&LIGHT, [[27, 31, 36], [87, 96, 106], [225, 228, 232], [110, 118, 126]], 255)
    }

    fn dark(self) -> [u8; 3] {
        self.colour(&DARK, [[230, 237, 243], [155, 165, 175], [48, 54, 61], [130, 140, 150]], 22)
    }

    fn colour(self, series: &[u32; SERIES], plain: [[u8; 3]; 4], ground: u8) -> [u8; 3] {
        match self {
            Self::Text => plain[0],
            Self::Quiet => plain[1],
            Self::Grid => plain[2],
            Self::Axis => plain[3],
            Self::Ground => [ground; 3],
            Self::Series(number) => parts(series[number % SERIES]),
            Self::Band(number) => {
                let ground = [ground; 3];
                between(ground, parts(series[number % SERIES]), 0.3)
            }
            Self::Shade(value) => shade(value),
            Self::OnShade(value) => {
                let (ground, black, white) = (shade(value), [10, 10, 10], [255, 255, 255]);
                if contrast(ground, black) > contrast(ground, white) { black } else { white }
            }
        }
    }

    /// Its name in a style sheet; a shade has none, being one of many.
    pub fn class(self) -> Option<String> {
        match self {
            Self::Text => Some("text".into()),
            Self::Quiet => Some("quiet".into()),
            Self::Grid => Some("grid".into()),
            Self::Axis => Some("axis".into()),
            Self::Ground => Some("ground".into()),
            Self::Series(number) => Some(format!("s{}", number % SERIES)),
            Self::Band(number) => Some(format!("b{}", number % SERIES)),
            Self::Shade(_) | Self::OnShade(_) => None,
        }
    }
}

/// Every ink with a name.
fn named() -> impl Iterator<Item = Ink> {
    let plain = [Ink::Text, Ink::Quiet, Ink::Grid, Ink::Axis, Ink::Ground];
    plain.into_iter().chain((0..SERIES).map(Ink::Series)).chain((0..SERIES).map(Ink::Band))
}

/// The style of figures by class: `f-` fills, `l-` lines, with the colours of a light ground.
pub fn light_style() -> String {
    rules(Ink::light)
}

/// The same with the colours of a dark ground, for figures within `scope`.
pub fn dark_style(scope: &str) -> String {
    rules(Ink::dark).lines().map(|rule| format!("{scope} {rule}\n")).collect()
}

fn rules(colour: fn(Ink) -> [u8; 3]) -> String {
    let rule = |ink: Ink| {
        let (name, colour) = (ink.class().unwrap_or_default(), hex(colour(ink)));
        format!(".f-{name}{{fill:{colour}}}\n.l-{name}{{stroke:{colour};fill:none}}\n")
    };
    named().map(rule).collect()
}

/// A colour as `#rrggbb`.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The shade of a value between −1 and 1.
pub fn shade(value: f64) -> [u8; 3] {
    let value = if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) };
    between(SHADES[1], SHADES[if value < 0.0 { 0 } else { 2 }], value.abs())
}

fn between(from: [u8; 3], to: [u8; 3], share: f64) -> [u8; 3] {
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])]
}

/// Relative luminance as the Web Content Accessibility Guidelines define it.
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// The contrast of two colours, from 1 to 21.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_series_stand_out_on_both_grounds() {
        for (colour, ground) in [(Ink::light as fn(Ink) -> _, [255; 3]), (Ink::dark, [22; 3])] {
            for ink in [Ink::Text, Ink::Quiet] {
                assert!(contrast(colour(ink), ground) >= 4.5, "{ink:?} on {ground:?}");
            }
            for number in 0..SERIES {
                let found = contrast(colour(Ink::Series(number)), ground);
                assert!(found >= 3.0, "series {number} on {ground:?}: {found}");
            }
        }
        let all: std::collections::HashSet<_> = LIGHT.iter().chain(&DARK).collect();
        assert_eq!(all.len(), 2 * SERIES, "every series has colours of its own");
        for step in -10..=10 {
            let value = f64::from(step) / 10.0;
            assert!(contrast(Ink::OnShade(value).light(), shade(value)) >= 4.5, "{value}");
        }
    }
}
