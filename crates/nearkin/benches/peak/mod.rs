//! What every benchmark that tells memory asks.

/// Peak memory of this process in MB so far, where the system tells (Linux only).
pub fn megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Forget the peak so far, so that the next is that of what comes; whether the system did (Linux only).
#[allow(dead_code)] // not every benchmark has several cases to a process
pub fn forget() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak as benchmarks print it.
#[allow(dead_code)]
pub fn told(megabytes: Option<f64>) -> String {
    megabytes.map_or("unknown".into(), |mb| format!("{mb:.0} MB"))
}
