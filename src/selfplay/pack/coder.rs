//! A binary adaptive range coder: each decision has a model of its own that learns how
//! likely it is, and costs what the model made of it.
//!
//! Code that describes data is written once against [`Coder`] and both packs and unpacks.

/// How likely a decision is to be true, learned from how it went before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bit {
    /// Of 65,536.
    chance: u16,
    /// How often it was seen, up to [`MEMORY`].
    seen: u16,
}

/// How many decisions are remembered; older ones fade.
const MEMORY: u16 = 250;
/// Nothing is ever certain.
const LEAST: u32 = 24;
/// How far a model goes towards what it sees, of 65,536, by how much it has seen.
const RATES: [i32; MEMORY as usize + 1] = {
    let mut rates = [0; MEMORY as usize + 1];
    let mut seen = 0;
    while seen < rates.len() {
        rates[seen] = (2 * 65_536 / (2 * seen + 3)) as i32;
        seen += 1;
    }
    rates
};

impl Default for Bit {
    fn default() -> Bit {
        Bit { chance: 1 << 15, seen: 0 }
    }
}

impl Bit {
    /// Of 65,536.
    #[inline(always)]
    pub(super) fn chance(self) -> u16 {
        self.chance
    }

    #[inline(always)]
    pub(super) fn learn(&mut self, value: bool) {
        let target = if value { 65_535 } else { 0 };
        let rate = RATES[usize::from(self.seen.min(MEMORY))];
        let chance = i32::from(self.chance);
        // Stays within 16 bits, as it only moves towards the target.
        self.chance =
            (chance + ((i64::from(target - chance) * i64::from(rate)) >> 16) as i32) as u16;
        self.seen = (self.seen + 1).min(MEMORY);
    }

    #[inline(always)]
    fn split(self, range: u32) -> u32 {
        (range >> 16) * u32::from(self.chance).clamp(LEAST, 65_536 - LEAST)
    }
}

/// Writes decisions or reads them; who reads ignores the values given and returns those
/// that were written.
pub(super) trait Coder {
    fn bit(&mut self, model: &mut Bit, value: bool) -> bool;

    /// A number below two to the power of `bits`, the highest bit first. `models` has as
    /// many entries as there are such numbers.
    #[inline]
    fn number(&mut self, models: &mut [Bit], bits: u32, value: usize) -> usize {
        let mut node = 1;
        for bit in (0..bits).rev() {
            node = 2 * node + usize::from(self.bit(&mut models[node], value >> bit & 1 != 0));
        }
        node - (1 << bits)
    }
}

/// The range is never smaller between two decisions.
const SMALLEST_RANGE: u32 = 1 << 24;

#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that is certain but for a carry, and how many bytes of 255 follow it.
    pending: u8,
    full: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { low: 0, range: u32::MAX, pending: 0, full: 0, bytes: Vec::new() }
    }

    fn shift(&mut self) {
        if self.low < 0xFF00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            self.bytes.push(self.pending.wrapping_add(carry));
            self.bytes.extend(std::iter::repeat_n(0xFFu8.wrapping_add(carry), self.full));
            (self.pending, self.full) = ((self.low >> 24) as u8, 0);
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// Everything written, without the zeros at the end: a decoder thinks of them itself.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        // The first byte only ever takes a carry that cannot come.
        self.bytes.remove(0);
        let end = self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.truncate(end);
        self.bytes
    }
}

impl Coder for Encoder {
    #[inline(always)]
    fn bit(&mut self, model: &mut Bit, value: bool) -> bool {
        let split = model.split(self.range);
        if value {
            self.range = split;
        } else {
            self.low += u64::from(split);
            self.range -= split;
        }
        while self.range < SMALLEST_RANGE {
            self.range <<= 8;
            self.shift();
        }
        model.learn(value);
        value
    }
}

#[derive(Debug)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    code: u32,
    range: u32,
    /// How many bytes beyond the end were asked for.
    missing: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { bytes, code: 0, range: u32::MAX, missing: 0 };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.byte();
        }
        decoder
    }

    #[inline(always)]
    fn byte(&mut self) -> u32 {
        if let Some((&byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            u32::from(byte)
        } else {
            self.missing += 1;
            0
        }
    }

    /// Whether no byte is left over. An encoder leaves out only zeros that a decoder has
    /// read ahead by the end.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether more was read than any encoder leaves out.
    pub(super) fn is_exhausted(&self) -> bool {
        self.missing > 1 << 10
    }
}

impl Coder for Decoder<'_> {
    #[inline(always)]
    fn bit(&mut self, model: &mut Bit, _: bool) -> bool {
        let split = model.split(self.range);
        let value = self.code < split;
        if value {
            self.range = split;
        } else {
            self.code -= split;
            self.range -= split;
        }
        while self.range < SMALLEST_RANGE {
            self.range <<= 8;
            self.code = self.code << 8 | self.byte();
        }
        model.learn(value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn decisions_survive_and_cost_what_they_tell() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let count = if cfg!(miri) { 500 } else { 100_000 };
        for (often, largest) in [(2, 1.01), (16, 0.36), (1_000, 0.03), (u64::MAX, 0.002)] {
            let values: Vec<bool> =
                (0..count).map(|_| rng.next_u64().is_multiple_of(often)).collect();
            let mut encoder = Encoder::new();
            let mut model = Bit::default();
            values.iter().for_each(|&value| {
                encoder.bit(&mut model, value);
            });
            let bytes = encoder.finish();
            let bits = 8.0 * bytes.len() as f64 / f64::from(count);
            assert!(bits < largest || cfg!(miri), "{often}: {bits}");
            let (mut decoder, mut model) = (Decoder::new(&bytes), Bit::default());
            assert!(values.iter().all(|&value| decoder.bit(&mut model, false) == value));
            assert!(decoder.is_at_end() && !decoder.is_exhausted());
        }
    }

    #[test]
    fn numbers_survive() {
        let mut encoder = Encoder::new();
        let mut models = [Bit::default(); 256];
        for value in 0..=255 {
            encoder.number(&mut models, 8, value);
        }
        let bytes = encoder.finish();
        let (mut decoder, mut models) = (Decoder::new(&bytes), [Bit::default(); 256]);
        assert!((0..=255).all(|value| decoder.number(&mut models, 8, 0) == value));
    }

    #[test]
    fn carries_run_through_whole_bytes() {
        // Unlikely decisions near the upper end of the range push it over again and again.
        for length in 1..300 {
            let values = (0..length).map(|index| index % 37 == 36);
            let mut encoder = Encoder::new();
            let mut models = [Bit { chance: 60_000, seen: MEMORY }; 3];
            values.clone().enumerate().for_each(|(index, value)| {
                encoder.bit(&mut models[index % 3], value);
            });
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut models = [Bit { chance: 60_000, seen: MEMORY }; 3];
            for (index, value) in values.enumerate() {
                assert_eq!(decoder.bit(&mut models[index % 3], false), value, "{length} {index}");
            }
        }
    }
}
