//! Processors and memory that a scheduler or a container grants to this process, where that is less
//! than the machine has.

use std::fs;
use std::path::{Path, PathBuf};

/// Folder of all control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// Returns the number of processors of a Slurm task. Without Slurm's own control groups the kernel
/// does not know it.
pub fn processors() -> Option<usize> {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    slurm_processors(number).map(|number| number as usize)
}

/// Returns the memory that this process and its children may use together, in bytes.
pub fn memory() -> Option<u64> {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    let of_groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_memory(Path::new(GROUPS), &of_groups);
    slurm_memory(number).into_iter().chain(group).min()
}

fn slurm_processors(number: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    number("SLURM_CPUS_PER_TASK").or_else(|| number("SLURM_CPUS_ON_NODE")).filter(|of| *of > 0)
}

/// Returns the memory of a Slurm task, whose variables are in mebibytes. Zero stands for all
/// memory of the machine.
fn slurm_memory(number: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let per_cpu = || Some(number("SLURM_MEM_PER_CPU")? * slurm_processors(&number)?);
    let mebibytes = number("SLURM_MEM_PER_NODE").or_else(per_cpu);
    mebibytes.filter(|mebibytes| *mebibytes > 0).map(|mebibytes| mebibytes << 20)
}

/// Returns the least limit of the group of this process and those above it. `of_process` is the
/// content of `/proc/self/cgroup`.
fn group_memory(root: &Path, of_process: &str) -> Option<u64> {
    let line = |line: &str| -> Option<(PathBuf, PathBuf, &'static str)> {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let path = path.trim_start_matches('/');
        match controllers {
            "" => Some((root.into(), root.join(path), "memory.max")),
            "memory" => {
                let root = root.join("memory");
                Some((root.clone(), root.join(path), "memory.limit_in_bytes"))
            }
            _ => None,
        }
    };
    let limits = of_process.lines().filter_map(line).flat_map(|(root, group, file)| {
        let groups = group.ancestors().take_while(|group| group.starts_with(&root));
        let texts = groups.filter_map(|group| fs::read_to_string(group.join(file)).ok());
        texts.filter_map(|text| text.trim().parse().ok()).collect::<Vec<u64>>()
    });
    // Version 1 has a number near the largest one where there is no limit.
    limits.min().filter(|limit| *limit < 1 << 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables<'a>(all: &'a [(&'a str, u64)]) -> impl Fn(&str) -> Option<u64> + 'a {
        |name| all.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }

    #[test]
    fn slurm_says_what_a_task_has() {
        let task =
            [("SLURM_CPUS_PER_TASK", 4), ("SLURM_CPUS_ON_NODE", 8), ("SLURM_MEM_PER_CPU", 500)];
        assert_eq!(slurm_processors(variables(&task)), Some(4));
        assert_eq!(slurm_processors(variables(&task[1..])), Some(8));
        assert_eq!(slurm_memory(variables(&task)), Some(2000 << 20));
        assert_eq!(slurm_memory(variables(&[("SLURM_MEM_PER_NODE", 0)])), None);
        assert_eq!(slurm_processors(variables(&[])), None);
    }

    #[test]
    fn least_limit_of_the_groups_counts() {
        let root = std::env::temp_dir().join(format!("arbitre-groups-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("job/memory.max", "1000\n");
        write("job/task/memory.max", "max\n");
        write("memory/job/memory.limit_in_bytes", "2000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        let limit = |of_process: &str| group_memory(&root, of_process);
        assert_eq!(limit("0::/job/task\n"), Some(1000));
        assert_eq!(limit("0::/\n"), None);
        assert_eq!(limit("5:memory:/job\n4:cpu,cpuacct:/job\n"), Some(2000));
        assert_eq!(limit("5:memory:/other\n"), None, "there is no limit");
        fs::remove_dir_all(&root).unwrap();
    }
}
