//! Levels of the sandbox, and the settings that lower them.

use super::finding::Finding;
use super::system::{field, kernel, read, version};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::probe::probe;
use arbitre_process::sys;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// First kernel with Landlock.
const LANDLOCK: (u32, u32) = (5, 13);
/// Version of Landlock that protects files without namespaces.
const LEAST_ALONE: u32 = 3;
/// First kernel with that version.
const LEAST_KERNEL: (u32, u32) = (6, 2);
/// Abilities that Landlock gained, with the version and the first kernel that have them.
const GAINS: [(u32, &str, &str); 3] =
    [(3, "6.2", "shortening of files"), (4, "6.7", "TCP"), (6, "6.12", "signals")];
/// Bit of the capability CAP_SYS_ADMIN.
const ADMINISTRATOR: u64 = 1 << 21;
/// Restriction of user namespaces by AppArmor.
const APPARMOR: &str = "kernel.apparmor_restrict_unprivileged_userns";
/// Settings that refuse user namespaces, with the value that does and one that does not, and
/// whether they apply to an administrator too.
const SETTINGS: [(&str, &str, &str, bool); 3] = [
    (APPARMOR, "1", "0", false),
    ("kernel.unprivileged_userns_clone", "0", "1", false),
    ("user.max_user_namespaces", "0", "28633", true),
];

/// Kind of the container around this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Container {
    Docker,
    Podman,
    Other,
}

/// Values on which the level depends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Readings {
    /// Highest level that the machine gives.
    #[serde(serialize_with = "as_word")]
    pub level: Level,
    /// Reasons of the canary why it gives no more.
    pub reasons: Vec<String>,
    /// Release of the kernel.
    pub kernel: String,
    /// Version of Landlock; 0 for none.
    pub landlock: u32,
    /// Security modules of the kernel, if it tells them.
    pub security_modules: Option<String>,
    /// Settings of the kernel for user namespaces.
    pub settings: BTreeMap<&'static str, String>,
    /// Whether this process may administer the machine.
    pub is_administrator: bool,
    /// Container around this process.
    pub container: Option<Container>,
    /// Whether this process has a filter of system calls.
    pub has_filter: bool,
    /// Whether parts of `/proc` are hidden from this process.
    pub has_masked_proc: bool,
    /// Profile of AppArmor for this process.
    pub apparmor_profile: Option<String>,
    /// File of the referee's program.
    pub program: PathBuf,
}

fn as_word<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(level)
}

impl Readings {
    /// Reads this machine. `executable` is the referee's own program.
    pub fn here(executable: &Path) -> Readings {
        let found = probe(executable);
        let status = read("/proc/self/status").unwrap_or_default();
        let capabilities = field(&status, "CapEff");
        let capabilities = capabilities.and_then(|bits| u64::from_str_radix(bits, 16).ok());
        let setting = |name: &'static str| {
            let value = read(format!("/proc/sys/{}", name.replace('.', "/")))?;
            Some((name, value))
        };
        let mounts = read("/proc/self/mountinfo").unwrap_or_default();
        Readings {
            level: found.level,
            reasons: found.reasons,
            kernel: kernel(),
            landlock: sys::landlock_version(),
            security_modules: read("/sys/kernel/security/lsm"),
            settings: SETTINGS.iter().filter_map(|(name, ..)| setting(name)).collect(),
            is_administrator: capabilities.is_some_and(|bits| bits & ADMINISTRATOR != 0),
            container: container(),
            has_filter: field(&status, "Seccomp") == Some("2"),
            has_masked_proc: has_mount_below_proc(&mounts),
            apparmor_profile: read("/proc/self/attr/current"),
            program: std::env::current_exe().unwrap_or_else(|_| executable.to_owned()),
        }
    }

    /// Returns the level, and a finding for each reason why it is not higher.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = vec![self.level_given()];
        if self.landlock < LEAST_ALONE && self.level < Level::Partial {
            findings.push(self.landlock_missing());
        }
        if self.level < Level::Full {
            findings.extend(self.namespaces_missing());
        }
        // Landlock was there, so that the cause of the lowest level is another one.
        if self.level < Level::Partial && self.landlock >= LEAST_ALONE {
            let reason = self.reasons.last().map_or("the canary failed", String::as_str);
            let text = format!("level partial: {reason}");
            findings
                .push(Finding::missing(text).help("ask for a kernel with Landlock and seccomp"));
        }
        if self.landlock > 0 {
            findings.push(self.landlock_version());
        }
        findings
    }

    fn level_given(&self) -> Finding {
        match self.level {
            Level::Full => Finding::ok(
                "level full: programs have files and processes of their own, and no network",
            ),
            Level::Partial => Finding::ok(
                "level partial: the kernel refuses programs other files, the network and dangerous \
                 system calls",
            ),
            _ => Finding::warning(
                "level weak: programs can read and change whatever you can; play no programs that \
                 you do not trust",
            ),
        }
    }

    fn landlock_version(&self) -> Finding {
        let version = self.landlock;
        let lacks: Vec<String> = GAINS
            .iter()
            .filter(|(since, ..)| version < *since)
            .map(|(since, kernel, what)| format!("{what} (version {since}, kernel {kernel})"))
            .collect();
        if lacks.is_empty() {
            return Finding::ok(format!("Landlock {version}"));
        }
        let text = format!("Landlock {version}, without rules on {}", lacks.join(", "));
        Finding::ok(match self.level < Level::Partial {
            true => text,
            false => format!("{text}; other layers refuse these"),
        })
    }

    fn landlock_missing(&self) -> Finding {
        let Readings { kernel, landlock, .. } = self;
        let (major, minor) = LEAST_KERNEL;
        if *landlock > 0 {
            let text = format!(
                "level partial: Landlock {LEAST_ALONE} is needed, kernel {kernel} has {landlock}"
            );
            return Finding::missing(text).help(format!("ask for kernel {major}.{minor} or newer"));
        }
        if version(kernel) < LANDLOCK {
            let text = format!("levels partial and full: kernel {kernel} has no Landlock");
            return Finding::missing(text).help(format!("ask for kernel {major}.{minor} or newer"));
        }
        let text = "levels partial and full: Landlock is not enabled";
        if self.container.is_some() && self.has_filter {
            let text = format!("{text}, or the container refuses it");
            return Finding::missing(text).help(
                "ask for Landlock on the host (look for landlock in /sys/kernel/security/lsm), \
                 and for a newer version of the container program, or for \
                 --security-opt seccomp=unconfined",
            );
        }
        let modules = self.security_modules.as_deref().unwrap_or("LIST");
        Finding::missing(text).help(format!(
            "ask for a kernel with CONFIG_SECURITY_LANDLOCK, and for this boot option \
             {}: lsm=landlock,{modules}",
            match self.security_modules {
                Some(_) => "(the present modules with landlock before them)",
                None => "(LIST is the content of /sys/kernel/security/lsm)",
            }
        ))
    }

    /// Returns the causes that are known, else what the canary reported.
    fn namespaces_missing(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for (name, refusing, allowing, also_for_administrators) in SETTINGS {
            let applies = also_for_administrators || !self.is_administrator;
            if applies && self.settings.get(name).is_some_and(|value| value == refusing) {
                let text =
                    format!("level full: user namespaces are refused, as {name} is {refusing}");
                findings.push(match name {
                    APPARMOR => self.apparmor_profile_for(Finding::missing(text)),
                    _ => Finding::missing(text)
                        .help(match self.container {
                            Some(_) => "ask an administrator to run on the host:",
                            None => "ask an administrator to run:",
                        })
                        .command(format!(
                            "echo {name}={allowing} | sudo tee /etc/sysctl.d/60-{name}.conf"
                        ))
                        .command("sudo sysctl --system"),
                });
            }
        }
        findings.extend(self.container.and_then(|container| self.container_options(container)));
        if findings.is_empty() && self.landlock > 0 {
            let reason = self.reasons.first().map_or("the canary failed", String::as_str);
            let text = format!("level full: {reason}");
            let finding = Finding::missing(text);
            findings.push(
                finding
                    .help("ask for user namespaces without root, so that this works:")
                    .command("unshare --user --map-root-user --pid --fork --mount-proc true"),
            );
        }
        findings
    }

    /// Adds the profile of AppArmor that lets the referee's program create namespaces.
    fn apparmor_profile_for(&self, finding: Finding) -> Finding {
        let profile = format!(
            "abi <abi/4.0>,\n\
             include <tunables/global>\n\
             profile arbitre-referee {} flags=(unconfined) {{\n  \
               userns,\n\
             }}",
            apparmor_path(&self.program)
        );
        let profile = profile.replace('\'', r"'\''");
        // Blanks before any of these lines change nothing.
        finding
            .help(
                "ask an administrator to allow them to this file, which only root should be able \
                 to replace:",
            )
            .command(format!(
                "printf '%s\\n' '{profile}' | sudo tee /etc/apparmor.d/arbitre-referee"
            ))
            .command("sudo apparmor_parser -r /etc/apparmor.d/arbitre-referee")
            .command(format!(
                "# for all programs, until the next boot: sudo sysctl -w {APPARMOR}=0"
            ))
    }

    fn container_options(&self, container: Container) -> Option<Finding> {
        let profile = self.apparmor_profile.as_deref().unwrap_or("unconfined");
        let is_confined = !profile.is_empty() && !profile.starts_with("unconfined");
        let masks = match container {
            Container::Podman => "unmask=ALL",
            _ => "systempaths=unconfined",
        };
        let all = [
            (self.has_filter, "its filter refuses namespaces and mounts", "seccomp=unconfined"),
            (self.has_masked_proc, "parts of /proc are hidden", masks),
            (is_confined, "AppArmor refuses mounts", "apparmor=unconfined"),
        ];
        let found: Vec<_> = all.iter().filter(|(applies, ..)| *applies).collect();
        if found.is_empty() {
            return None;
        }
        let reasons: Vec<&str> = found.iter().map(|(_, reason, _)| *reason).collect();
        let options: Vec<String> =
            found.iter().map(|(.., option)| format!("--security-opt {option}")).collect();
        let text = format!("level full: this container does not allow it ({})", reasons.join("; "));
        let finding = Finding::missing(text);
        let warning = "use it for the referee alone, as that weakens it";
        Some(match container {
            Container::Other => finding.help(format!(
                "ask for a container without these limits, and {warning}. Docker has {} for that; \
                 Kubernetes has procMount: Unmasked and seccompProfile: Unconfined",
                options.join(" ")
            )),
            Container::Docker | Container::Podman => {
                let program = if container == Container::Docker { "docker" } else { "podman" };
                finding
                    .help(format!("start the container with these options, and {warning}:"))
                    .command(format!("{program} run {} IMAGE", options.join(" ")))
            }
        })
    }
}

/// Returns the kind of container that files and variables tell.
fn container() -> Option<Container> {
    let named = std::env::var("container").ok();
    if named.as_deref() == Some("podman") || Path::new("/run/.containerenv").exists() {
        return Some(Container::Podman);
    }
    if named.as_deref() == Some("docker") || Path::new("/.dockerenv").exists() {
        return Some(Container::Docker);
    }
    let is_in_kubernetes = std::env::var_os("KUBERNETES_SERVICE_HOST").is_some();
    (named.is_some() || is_in_kubernetes).then_some(Container::Other)
}

/// Returns `true` if something is mounted below `/proc`, which hides a part of it.
fn has_mount_below_proc(mounts: &str) -> bool {
    // The fifth field is the path.
    let mut paths = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    paths.any(|path| path.starts_with("/proc/") && !path.starts_with("/proc/sys/fs/binfmt_misc"))
}

/// Returns a path as a profile of AppArmor spells it: in quotes, with its wildcards escaped.
fn apparmor_path(path: &Path) -> String {
    let path = path.to_string_lossy();
    // The name that the system gives to a program whose file was replaced while it ran.
    let path = path.strip_suffix(" (deleted)").unwrap_or(&path);
    let mut quoted = String::from("\"");
    for c in path.chars() {
        if r#"*?[]{}^\""#.contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::super::finding::Status;
    use super::*;

    fn machine(level: Level, kernel: &str, landlock: u32) -> Readings {
        Readings {
            level,
            reasons: vec!["no user namespaces: EPERM".into()],
            kernel: kernel.into(),
            landlock,
            security_modules: Some("capability,yama".into()),
            settings: BTreeMap::new(),
            is_administrator: false,
            container: None,
            has_filter: false,
            has_masked_proc: false,
            apparmor_profile: None,
            program: "/opt/arbitre/referee".into(),
        }
    }

    /// Returns the texts with their remedies, of all findings that are not ok.
    fn problems(of: &Readings) -> Vec<String> {
        let problems = of.findings().into_iter().filter(|found| found.status != Status::Ok);
        let text = |found: Finding| {
            let help = found.help.unwrap_or_default();
            format!("{}\n{help}\n{}", found.text, found.commands.join("\n"))
        };
        problems.map(text).collect()
    }

    #[test]
    fn nothing_is_missing_at_full() {
        assert_eq!(problems(&machine(Level::Full, "6.12.1", 6)), [""; 0]);
        let old = machine(Level::Full, "5.15.0", 1).findings();
        assert!(old.iter().all(|found| found.status == Status::Ok), "{old:?}");
        assert_eq!(
            old[1].text,
            "Landlock 1, without rules on shortening of files (version 3, kernel 6.2), TCP \
             (version 4, kernel 6.7), signals (version 6, kernel 6.12); other layers refuse these"
        );
    }

    #[test]
    fn ubuntu_gets_a_profile_of_this_file() {
        let mut ubuntu = machine(Level::Partial, "6.8.0-31-generic", 4);
        ubuntu.settings.insert(APPARMOR, "1".into());
        ubuntu.settings.insert("kernel.unprivileged_userns_clone", "1".into());
        ubuntu.apparmor_profile = Some("unconfined".into());
        let [found] = &problems(&ubuntu)[..] else { panic!("{:?}", problems(&ubuntu)) };
        assert!(found
            .starts_with(&format!("level full: user namespaces are refused, as {APPARMOR} is 1")));
        assert!(
            found.contains("profile arbitre-referee \"/opt/arbitre/referee\" flags=(unconfined)")
        );
        assert!(
            found.contains("\n  userns,\n}' | sudo tee /etc/apparmor.d/arbitre-referee\n"),
            "{found}"
        );
        assert!(found.contains("\nsudo apparmor_parser -r /etc/apparmor.d/arbitre-referee\n"));
        assert!(found.ends_with("sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"));
        ubuntu.program = "/it's/referee".into();
        assert!(problems(&ubuntu)[0].contains(r#"arbitre-referee "/it'\''s/referee" flags"#));
        // The restriction does not apply to an administrator, so there is another cause.
        ubuntu.is_administrator = true;
        assert!(problems(&ubuntu)[0].starts_with("level full: no user namespaces: EPERM\n"));
    }

    #[test]
    fn debian_gets_each_setting_to_change() {
        let mut debian = machine(Level::Partial, "6.1.0-21-amd64", 2);
        debian.settings.insert("kernel.unprivileged_userns_clone", "0".into());
        debian.settings.insert("user.max_user_namespaces", "0".into());
        let found = problems(&debian);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("\necho kernel.unprivileged_userns_clone=1 | sudo tee /etc/"));
        assert!(found[1].contains("\necho user.max_user_namespaces=28633 | sudo tee /etc/"));
        debian.level = Level::Weak;
        let found = problems(&debian);
        assert!(found[0].starts_with("level weak: "), "{found:?}");
        assert!(found[1].starts_with("level partial: Landlock 3 is needed, kernel 6.1.0-21-amd64"));
        assert!(found[1].contains("ask for kernel 6.2 or newer"), "{found:?}");
    }

    #[test]
    fn containers_get_their_options() {
        let mut docker = machine(Level::Partial, "6.8.0", 4);
        docker.container = Some(Container::Docker);
        docker.has_filter = true;
        docker.has_masked_proc = true;
        docker.apparmor_profile = Some("docker-default (enforce)".into());
        let found = problems(&docker);
        assert!(found[0].ends_with(
            "docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined \
             --security-opt apparmor=unconfined IMAGE"
        ));
        docker.container = Some(Container::Podman);
        docker.has_filter = false;
        docker.apparmor_profile = None;
        assert!(problems(&docker)[0].ends_with("podman run --security-opt unmask=ALL IMAGE"));
        docker.container = Some(Container::Other);
        assert!(problems(&docker)[0].contains("procMount: Unmasked"));
        docker.has_masked_proc = false;
        assert!(problems(&docker)[0].starts_with("level full: no user namespaces: EPERM\n"));
    }

    #[test]
    fn missing_landlock_has_a_boot_option_or_a_newer_kernel() {
        let new = problems(&machine(Level::Weak, "6.5.0", 0));
        assert!(new[1].contains("Landlock is not enabled"), "{new:?}");
        assert!(new[1].contains("lsm=landlock,capability,yama"), "{new:?}");
        assert_eq!(new.len(), 2, "the level full fails without Landlock, whatever else it lacks");
        let old = problems(&machine(Level::Weak, "5.10.0-8", 0));
        assert!(old[1].contains("kernel 5.10.0-8 has no Landlock"), "{old:?}");
        assert!(old[1].contains("ask for kernel 6.2 or newer"), "{old:?}");
        let mut inside = machine(Level::Weak, "6.5.0", 0);
        inside.container = Some(Container::Docker);
        inside.has_filter = true;
        assert!(problems(&inside)[1].contains("or the container refuses it"));
    }

    #[test]
    fn failing_filter_is_reported_as_the_canary_saw_it() {
        let mut odd = machine(Level::Weak, "6.8.0", 4);
        odd.reasons.push("a program in a sandbox could open a socket".into());
        let found = problems(&odd);
        assert!(found[1].starts_with("level full: no user namespaces: EPERM"), "{found:?}");
        assert!(found[2].starts_with("level partial: a program in a sandbox could open a socket"));
    }

    #[test]
    fn masked_parts_of_proc_are_seen() {
        let line = |path: &str| format!("22 27 0:21 / {path} rw,relatime - proc proc rw");
        assert!(!has_mount_below_proc(&line("/proc")));
        assert!(!has_mount_below_proc(&line("/proc/sys/fs/binfmt_misc")));
        assert!(has_mount_below_proc(&format!("{}\n{}", line("/proc"), line("/proc/kcore"))));
    }

    #[test]
    fn path_of_a_profile_is_quoted() {
        assert_eq!(apparmor_path(Path::new("/a b/[c]\"*")), r#""/a b/\[c\]\"\*""#);
        assert_eq!(apparmor_path(Path::new("/a/referee (deleted)")), "\"/a/referee\"");
    }
}
