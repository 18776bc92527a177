//! Watch on the memory and the number of processes of a program.

use super::jail::JailLimits;
use super::ProgramEnd;
use crate::sys;
use std::time::Duration;

/// Time between two looks. A program that fills new memory as fast as it can gets about 20 MB in
/// it: measured 2026-11-25 in a virtual machine.
pub const INTERVAL: Duration = Duration::from_millis(10);

/// Returns the reason to end the descendants of this process, if they exceed a limit together.
/// Memory that several of them share counts for each.
pub fn exceeded(limits: &JailLimits) -> Option<ProgramEnd> {
    let (mut memory, mut tasks) = (0, 0);
    let mut waiting = sys::children(std::process::id());
    while let Some(process) = waiting.pop() {
        let Some(size) = sys::process_size(process) else { continue };
        memory += size.resident;
        tasks += size.threads;
        if tasks > limits.processes {
            return Some(ProgramEnd::ProcessLimit);
        }
        waiting.extend(sys::children(process));
    }
    (memory > limits.memory).then_some(ProgramEnd::MemoryLimit)
}
