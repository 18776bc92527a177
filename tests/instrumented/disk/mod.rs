//! Failing writes: whatever happens to the disk, an acknowledged game is kept as it was played.

#[allow(unsafe_code)]
mod failing_disk;
mod write_failures;
