//! Levels: each layer is masked once, and the probe must notice.

use crate::sandbox::harness::REFEREE;
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::probe::{probe, try_level, Probe};
use seccompiler::{
    apply_filter, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};
use std::path::Path;

/// Works where a system call fails with this error. `flag` is a bit of its first argument without
/// which the call succeeds.
pub fn without<T: Send + 'static>(
    call: libc::c_long,
    flag: Option<i32>,
    error: i32,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let program = move || -> BpfProgram {
        let condition = flag.map(|flag| {
            let flag = u64::from(flag as u32);
            let operator = SeccompCmpOp::MaskedEq(flag);
            SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, flag).unwrap()
        });
        let rules = condition.map(|condition| SeccompRule::new(vec![condition]).unwrap());
        let arch = TargetArch::try_from(std::env::consts::ARCH).unwrap();
        let refused = SeccompAction::Errno(error as u32);
        let rules = [(call, rules.into_iter().collect())].into();
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch).unwrap();
        filter.try_into().unwrap()
    };
    // The filter applies to this thread and to the processes that it starts.
    let thread = std::thread::spawn(move || {
        apply_filter(&program()).unwrap();
        work()
    });
    thread.join().unwrap()
}

fn probe_without(call: libc::c_long, flag: Option<i32>, error: i32) -> Probe {
    without(call, flag, error, || probe(Path::new(REFEREE)))
}

/// Returns `true` if nothing is missing here.
pub fn is_full() -> bool {
    let found = probe(Path::new(REFEREE));
    if found.level != Level::Full {
        eprintln!("SKIPPED: this machine does not give the level full: {:?}", found.reasons);
    }
    found.level == Level::Full
}

#[test]
fn missing_namespaces_lower_the_level() {
    if !is_full() {
        return;
    }
    for (call, flag, error) in [
        (libc::SYS_clone, Some(libc::CLONE_NEWUSER), libc::EPERM),
        (libc::SYS_clone, Some(libc::CLONE_NEWUSER), libc::ENOSPC),
        (libc::SYS_clone, Some(libc::CLONE_NEWNET), libc::EINVAL),
        (libc::SYS_open_tree, None, libc::ENOSYS),
        (libc::SYS_mount_setattr, None, libc::ENOSYS),
        (libc::SYS_pivot_root, None, libc::EPERM),
    ] {
        let found = probe_without(call, flag, error);
        assert_eq!(found.level, Level::Partial, "{found:?}");
        assert!(found.reasons[0].starts_with("no namespaces: "), "{found:?}");
    }
}

#[test]
fn missing_rules_or_filters_leave_the_weak_level() {
    for call in
        [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_restrict_self, libc::SYS_seccomp]
    {
        let found = probe_without(call, None, libc::ENOSYS);
        assert_eq!((found.level, found.reasons.len()), (Level::Weak, 2), "{found:?}");
    }
    // Both calls succeed, but nothing is refused.
    for call in [libc::SYS_landlock_restrict_self, libc::SYS_seccomp] {
        let found = probe_without(call, None, 0);
        assert_eq!((found.level, found.reasons.len()), (Level::Weak, 2), "{found:?}");
    }
}

#[test]
fn canary_finds_that_a_weak_sandbox_refuses_nothing() {
    let reason = try_level(Path::new(REFEREE), Level::Weak).unwrap_err();
    assert!(
        reason.contains("a program in a sandbox could read files outside of its view"),
        "{reason}"
    );
}
