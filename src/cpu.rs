//! What this CPU can do, asked once. A binary with code for several CPUs chooses by
//! `level`. In code for any CPU sliders ask here, and the network's inner loops ask the
//! standard library.

/// How sliders find their attacks on this machine.
pub(crate) fn slider_lookup() -> &'static str {
    if cfg!(sliders = "pext") || cfg!(sliders = "either") && has_fast_pext() {
        "PEXT"
    } else {
        "magic"
    }
}

/// What this code was compiled for.
pub(crate) fn compiled_for() -> &'static str {
    if cfg!(target_feature = "avx512bw") {
        "x86-64-v4"
    } else if cfg!(target_feature = "avx2") {
        "x86-64-v3"
    } else if cfg!(target_feature = "sse4.2") {
        "x86-64-v2"
    } else {
        std::env::consts::ARCH
    }
}

/// The highest level of x86-64 whose code is fast on this CPU, from 2 to 4. From 3 on
/// sliders use PEXT.
#[cfg(target_arch = "x86_64")]
pub fn level() -> u32 {
    let all = |features: &[bool]| features.iter().all(|&has| has);
    let third = all(&[
        is_x86_feature_detected!("avx2"),
        is_x86_feature_detected!("bmi1"),
        is_x86_feature_detected!("bmi2"),
        is_x86_feature_detected!("f16c"),
        is_x86_feature_detected!("fma"),
        is_x86_feature_detected!("lzcnt"),
        is_x86_feature_detected!("movbe"),
        has_fast_pext(),
    ]);
    let fourth = all(&[
        is_x86_feature_detected!("avx512f"),
        is_x86_feature_detected!("avx512bw"),
        is_x86_feature_detected!("avx512cd"),
        is_x86_feature_detected!("avx512dq"),
        is_x86_feature_detected!("avx512vl"),
    ]);
    match (third, fourth) {
        (false, _) => 2,
        (true, false) => 3,
        (true, true) => 4,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
pub(crate) fn has_fast_pext() -> bool {
    false
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use x86::has_fast_pext;

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86 {
    use core::arch::x86_64::__cpuid;
    use std::sync::atomic::{AtomicU8, Ordering};

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;

    /// Whether the CPU has PEXT, and not as a microprogram of hundreds of cycles. In the
    /// innermost loops, hence one load and one comparison where the answer is yes.
    #[inline(always)]
    pub(crate) fn has_fast_pext() -> bool {
        static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

        #[cold]
        #[inline(never)]
        fn ask() -> bool {
            let answer = std::arch::is_x86_feature_detected!("bmi2") && !is_microcoded();
            ANSWER.store(if answer { YES } else { NO }, Ordering::Relaxed);
            answer
        }

        match ANSWER.load(Ordering::Relaxed) {
            YES => true,
            NO => false,
            _ => ask(),
        }
    }

    /// AMD's and Hygon's CPUs before Zen 3, which is family 25.
    fn is_microcoded() -> bool {
        let vendor = __cpuid(0);
        let [name, rest, end] = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let amd = [name, rest, end] == [*b"Auth", *b"enti", *b"cAMD"];
        let hygon = [name, rest, end] == [*b"Hygo", *b"nGen", *b"uine"];
        (amd || hygon) && family(__cpuid(1).eax) < 0x19
    }

    fn family(signature: u32) -> u32 {
        match signature >> 8 & 0xf {
            0xf => 0xf + (signature >> 20 & 0xff),
            family => family,
        }
    }

    #[test]
    fn families_of_amd() {
        // Excavator, Zen 2 and Zen 3.
        assert_eq!([0x0066_0f01, 0x0087_0f10, 0x00a2_0f12].map(family), [0x15, 0x17, 0x19]);
    }
}
