//! [`Scale`]: numbers onto pixels, with ticks at round numbers.

/// Numbers between two ends, onto pixels between two others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    whole: bool,
    log: bool,
}

impl Scale {
    /// A scale that covers all of `values`, with some width even when they are all equal.
    pub fn holding(values: impl IntoIterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|v| v.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low <= f64::EPSILON * low.abs().max(high.abs()) {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            (low, high) = (low - room, high + room);
        }
        Self { low, high, from, to, whole: false, log: false }
    }

    /// The same with its ends moved out to ticks.
    pub fn rounded(mut self) -> Self {
        let step = self.step(5);
        self.low = (self.low / step + 1e-9).floor() * step;
        self.high = (self.high / step - 1e-9).ceil() * step;
        self
    }

    /// The same for counts: ticks at whole numbers alone.
    pub fn of_counts(mut self) -> Self {
        self.whole = true;
        self
    }

    /// The same scale as a logarithmic one, if all numbers are above 0.
    pub fn of_ratios(mut self) -> Self {
        self.log = self.low > 0.0;
        self
    }

    /// Where a number stands.
    pub fn at(&self, value: f64) -> f64 {
        let share = match self.log {
            true => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// About `count` round numbers between the ends, with their words.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        if self.log {
            return self.ratio_ticks(count);
        }
        let step = self.step(count);
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let (first, last) = ((self.low / step - 1e-9).ceil(), (self.high / step + 1e-9).floor());
        let mut ticks = Vec::new();
        let mut number = first;
        while number <= last {
            // Adding 0 takes the sign off a zero.
            let value = number * step + 0.0;
            let words = match !(1e-6..1e6).contains(&step) {
                true => format!("{value:.0e}"),
                false => format!("{value:.decimals$}"),
            };
            ticks.push((value, words));
            number += 1.0;
        }
        ticks
    }

    /// Powers of ten between the ends, and 2 and 5 times each of them if there is room.
    fn ratio_ticks(&self, count: usize) -> Vec<(f64, String)> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let within = |leads: &[f64]| -> Vec<(f64, String)> {
            let values = (first..=last)
                .flat_map(|power| leads.iter().map(move |lead| lead * 10f64.powi(power)))
                .filter(|value| (self.low..=self.high).contains(value));
            values.map(|value| (value, super::told(value))).collect()
        };
        let fine = within(&[1.0, 2.0, 5.0]);
        if fine.len() <= count + 2 { fine } else { within(&[1.0]) }
    }

    /// The round step (1, 2 or 5 times a power of ten) that gives about `count` ticks.
    fn step(&self, count: usize) -> f64 {
        let rough = (self.high - self.low) / count.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let lead = rough / power;
        let lead = [1.0, 2.0, 5.0, 10.0].into_iter().find(|&nice| lead <= nice * 1.000_001);
        let step = lead.unwrap_or(10.0) * power;
        if self.whole { step.max(1.0) } else { step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_ends() {
        let words = |low: f64, high: f64| -> Vec<String> {
            let scale = Scale::holding([low, high], (0.0, 100.0));
            scale.ticks(5).into_iter().map(|(_, words)| words).collect()
        };
        assert_eq!(words(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(words(-0.13, 0.31), ["-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(words(0.0, 43.0), ["0", "10", "20", "30", "40"]);
        let counts = Scale::holding([1.0, 4.0], (0.0, 100.0)).of_counts().ticks(8);
        let counts: Vec<String> = counts.into_iter().map(|(_, words)| words).collect();
        assert_eq!(counts, ["1", "2", "3", "4"]);
        assert_eq!(words(0.0, 4e8), ["0e0", "1e8", "2e8", "3e8", "4e8"]);
    }

    #[test]
    fn equal_values_stand_in_the_middle_and_nothing_leaves_the_ends() {
        let scale = Scale::holding([3.0, 3.0], (0.0, 100.0));
        assert!((scale.at(3.0) - 50.0).abs() < 1e-9);
        assert_eq!(Scale::holding([0.0, 1.0], (100.0, 0.0)).at(7.0), 0.0);
        assert_eq!(Scale::holding([], (0.0, 1.0)).at(0.5), 0.5);
        assert!(Scale::holding([1e300, 1e300], (0.0, 1.0)).ticks(5).len() < 20);
    }

    #[test]
    fn equal_ratios_take_equal_room() {
        let scale = Scale::holding([1.0, 100.0], (0.0, 200.0)).of_ratios();
        assert!((scale.at(10.0) - 100.0).abs() < 1e-9);
        assert_eq!((scale.at(1.0), scale.at(0.0), scale.at(100.0)), (0.0, 0.0, 200.0));
        let words: Vec<String> = scale.ticks(8).into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["1", "2", "5", "10", "20", "50", "100"]);
        let few: Vec<f64> = scale.ticks(4).into_iter().map(|(value, _)| value).collect();
        assert_eq!(few, [1.0, 10.0, 100.0]);
        // A scale that holds 0 stays as it is.
        assert!((Scale::holding([0.0, 4.0], (0.0, 4.0)).of_ratios().at(1.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_rounded_scale_ends_at_ticks() {
        let scale = Scale::holding([-0.13, 0.31], (0.0, 1.0)).rounded();
        let ticks = scale.ticks(5);
        assert_eq!((scale.at(ticks[0].0), scale.at(ticks[ticks.len() - 1].0)), (0.0, 1.0));
    }
}
