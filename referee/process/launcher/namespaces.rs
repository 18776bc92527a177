//! The outermost layer of a sandbox: namespaces, in which a program sees only the files of its view
//! and only its own processes.

use super::layers::{Access, Layers, ViewEntry};
use super::watched::WatchedPath;
use crate::sys;
use rustix::fs::{
    mkdirat, openat, openat2, readlinkat, symlinkat, Mode, OFlags, ResolveFlags, CWD,
};
use rustix::io::Errno;
use rustix::mount::{
    fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_change, move_mount, open_tree,
    unmount, FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags,
    OpenTreeFlags, UnmountFlags,
};
use rustix::process::{
    chdir, getegid, geteuid, pivot_root, set_dumpable_behavior, DumpableBehavior,
};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::raw::c_int;
use std::path::{Component, Path, PathBuf};

/// Kinds of namespaces of every launcher in namespaces of its own.
const KINDS: c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWNS;
/// Devices that any program may use. `/dev/zero` is not among them: memory shared through it stays
/// when it is unmapped, and counts for no process.
pub const DEVICES: [&str; 4] = ["null", "full", "random", "urandom"];
/// Scratch folder of a program.
pub const SCRATCH: &str = "/tmp";
/// Number of bytes of the scratch folder for each file in it. Not tuned.
const BYTES_PER_FILE: u64 = 8192;
/// Fewest files of a file system in memory. Not tuned.
const FEWEST_FILES: u64 = 64;
/// Number of bytes of a file system in memory that has only folders. Not tuned; they count for none
/// on Linux 6.18, and a program can write into such a one only below its scratch folder.
const OF_FOLDERS: u64 = 1 << 16;
/// Folder of the old root on which the new one is mounted. Every system has it.
const STAGE: &str = "/proc";

const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY;
/// A device on a mount that is read-only can be written to, but its owner cannot be changed.
const DEVICE: u64 = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC;
const NO_PRIVILEGES: u64 = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;

/// Returns the kinds of namespaces of a sandbox with or without the network.
pub fn kinds(has_network: bool) -> c_int {
    KINDS | if has_network { 0 } else { libc::CLONE_NEWNET }
}

/// Numbers of the user and the group that runs the host.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    user: u32,
    group: u32,
}

impl Owner {
    /// Returns those of this process.
    pub fn here() -> Owner {
        Owner { user: geteuid().as_raw(), group: getegid().as_raw() }
    }
}

/// Keeps the numbers of user and group in a new user namespace. Must be called first in it.
///
/// # Errors
/// Returns the error of the system.
pub fn keep_owner(Owner { user, group }: Owner) -> io::Result<()> {
    // The files of a process that is not dumpable belong to the superuser.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Replaces the root folder by one that shows only the view of a sandbox. Returns the watched
/// paths.
///
/// # Errors
/// Returns the error of the system.
pub fn enter_view(layers: &Layers) -> io::Result<Vec<WatchedPath>> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // Made before the old one is covered: the system refuses a new one where none is visible.
    let processes = file_system("proc", &[], READ_ONLY | NO_PRIVILEGES)?;
    let shows_all = layers.view.iter().any(|entry| entry.path == Path::new("/"));
    let root = match shows_all {
        true => tree("/", READ_ONLY | NO_PRIVILEGES)?,
        false => empty(layers, NO_PRIVILEGES)?,
    };
    attach(&root, openat(CWD, STAGE, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?)?;
    let mut view = View { layers, root, hidden: Vec::new(), watched: Vec::new() };
    view.put_device_folder()?;
    let (bytes, files) =
        (layers.limits.disk, (layers.limits.disk / BYTES_PER_FILE).max(FEWEST_FILES));
    view.put(memory(bytes, files, NO_PRIVILEGES)?, Path::new(SCRATCH), true)?;
    view.put(processes, Path::new("/proc"), true)?;
    let prepared = view.put_folders_of_watched()?;
    for entry in layers.view.iter().filter(|entry| entry.path != Path::new("/")) {
        match view.show(entry, &prepared) {
            // It is not there, or the program could not use it outside either.
            Err(_) if entry.access == Access::Watched => {}
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::LOOP) => {}
            shown => shown?,
        }
    }
    for hidden in &view.hidden {
        sys::add_mount_attributes(hidden, READ_ONLY, false)?;
    }
    if !shows_all {
        sys::add_mount_attributes(&view.root, READ_ONLY, false)?;
    }
    rustix::process::fchdir(&view.root)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    // One that cannot be watched is shown all the same.
    Ok(view.watched.into_iter().filter_map(|path| WatchedPath::new(path).ok()).collect())
}

/// New root folder, under construction.
struct View<'j> {
    layers: &'j Layers,
    root: OwnedFd,
    /// Empty file systems that cover hidden folders. They are writable until the view is complete,
    /// so that entries below them have a place.
    hidden: Vec<OwnedFd>,
    /// Watched folders.
    watched: Vec<PathBuf>,
}

impl View<'_> {
    /// Mounts a folder of the usual devices.
    fn put_device_folder(&mut self) -> io::Result<()> {
        let folder = empty(self.layers, libc::MOUNT_ATTR_NOSUID)?;
        for name in DEVICES {
            let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
            openat(&folder, name, flags, Mode::empty())?;
        }
        for (name, target) in [
            ("fd", "/proc/self/fd"),
            ("stdin", "/proc/self/fd/0"),
            ("stdout", "/proc/self/fd/1"),
            ("stderr", "/proc/self/fd/2"),
            ("shm", SCRATCH),
        ] {
            symlinkat(target, &folder, name)?;
        }
        let covered = folder.try_clone()?;
        self.put(folder, Path::new("/dev"), true)?;
        for name in DEVICES {
            let device = tree(Path::new("/dev").join(name), DEVICE)?;
            attach(&device, openat(&covered, name, OFlags::PATH, Mode::empty())?)?;
        }
        sys::add_mount_attributes(&covered, READ_ONLY, false)
    }

    /// Mounts a folder above watched ones that nothing else shows or hides, and returns the path of
    /// each. It is writable, as the system notes no reading on a mount that is read-only. Landlock
    /// lets the program change nothing there.
    fn put_folders_of_watched(&self) -> io::Result<BTreeSet<PathBuf>> {
        let layers = self.layers;
        let of = |access: Access| layers.view.iter().filter(move |entry| entry.access == access);
        let folders: BTreeSet<&Path> =
            of(Access::Watched).filter_map(|entry| entry.path.parent()).collect();
        let mut put = BTreeSet::new();
        for folder in folders {
            let is_hidden = of(Access::Hidden).any(|entry| folder.starts_with(&entry.path));
            if !is_hidden && matches!(self.find(folder), Err(Errno::NOENT)) {
                self.put(empty(layers, NO_PRIVILEGES)?, folder, true)?;
                put.insert(folder.to_owned());
            }
        }
        Ok(put)
    }

    /// Shows or hides the path of an entry. `prepared` are the folders of watched ones.
    fn show(&mut self, entry: &ViewEntry, prepared: &BTreeSet<PathBuf>) -> Result<(), Errno> {
        let path = &entry.path;
        let metadata = fs::symlink_metadata(path)
            .map_err(|error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error))?;
        if metadata.is_symlink() && !entry.access.is_none() && self.find(path).is_err() {
            return self.copy_link(path);
        }
        let is_folder = fs::metadata(path).is_ok_and(|metadata| metadata.is_dir());
        if entry.access == Access::Watched {
            self.watched.push(path.clone());
            let is_prepared = path.parent().is_some_and(|parent| prepared.contains(parent));
            if is_prepared && matches!(self.find(path), Err(Errno::NOENT)) {
                return self.create(path, true);
            }
        }
        let mount = match entry.access {
            Access::Read => tree(path, READ_ONLY | NO_PRIVILEGES),
            Access::Write => tree(path, NO_PRIVILEGES),
            Access::Device => tree(path, DEVICE),
            // A device on a file system without devices cannot be opened.
            Access::Hidden if !is_folder => tree("/dev/null", READ_ONLY | NO_PRIVILEGES),
            Access::Hidden | Access::Watched => {
                let empty = empty(self.layers, NO_PRIVILEGES).map_err(errno)?;
                if entry.access == Access::Hidden {
                    self.hidden.push(empty.try_clone().map_err(errno)?);
                }
                Ok(empty)
            }
        };
        self.put(mount.map_err(errno)?, path, is_folder).map_err(errno)
    }

    /// Mounts a tree at a path of the new root, which is created where it is missing.
    fn put(&self, mount: OwnedFd, path: &Path, is_folder: bool) -> io::Result<()> {
        let target = match self.find(path) {
            Err(Errno::NOENT) => {
                self.create(path, is_folder)?;
                self.find(path)?
            }
            found => found?,
        };
        attach(&mount, target)
    }

    /// Opens a path of the new root. A symbolic link on the way cannot lead out of it.
    fn find(&self, path: &Path) -> Result<OwnedFd, Errno> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        openat2(&self.root, inside(path), flags, Mode::empty(), ResolveFlags::IN_ROOT)
    }

    fn create(&self, path: &Path, is_folder: bool) -> Result<(), Errno> {
        let parent = self.create_parents(path)?;
        let Some(name) = path.file_name() else { return Ok(()) };
        if is_folder {
            return mkdirat(&parent, name, Mode::from_raw_mode(0o755));
        }
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        openat(&parent, name, flags, Mode::empty()).map(drop)
    }

    /// Opens the folder that contains a path, after creating it where it is missing.
    fn create_parents(&self, path: &Path) -> Result<OwnedFd, Errno> {
        let mut folder = PathBuf::from("/");
        let mut opened = self.find(&folder)?;
        for part in path.parent().into_iter().flat_map(Path::components) {
            let Component::Normal(name) = part else { continue };
            folder.push(name);
            opened = match self.find(&folder) {
                Err(Errno::NOENT) => {
                    mkdirat(&opened, name, Mode::from_raw_mode(0o755))?;
                    self.find(&folder)?
                }
                found => found?,
            };
        }
        Ok(opened)
    }

    /// Creates a symbolic link as it is in the old root.
    fn copy_link(&self, path: &Path) -> Result<(), Errno> {
        let target = readlinkat(CWD, path, Vec::new())?;
        let Some(name) = path.file_name() else { return Ok(()) };
        symlinkat(target, self.create_parents(path)?, name)
    }
}

fn errno(error: io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error)
}

/// Returns a path of the new root as a relative one.
fn inside(path: &Path) -> &Path {
    match path.strip_prefix("/") {
        Ok(relative) if !relative.as_os_str().is_empty() => relative,
        _ => Path::new("."),
    }
}

/// Returns a detached copy of a mount tree, or of a file.
fn tree(path: impl AsRef<Path>, attributes: u64) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let mount = open_tree(CWD, path.as_ref(), flags)?;
    sys::add_mount_attributes(&mount, attributes, true)?;
    Ok(mount)
}

/// Returns an empty file system in memory with room for the folders on all paths of a view.
fn empty(layers: &Layers, attributes: u64) -> io::Result<OwnedFd> {
    let folders = layers.view.iter().map(|entry| entry.path.components().count() as u64);
    memory(OF_FOLDERS, FEWEST_FILES + folders.sum::<u64>(), attributes)
}

/// Returns an empty file system in memory, of at most `bytes` and `files`.
fn memory(bytes: u64, files: u64, attributes: u64) -> io::Result<OwnedFd> {
    let (size, files) = (bytes.to_string(), files.to_string());
    let options = [("size", size.as_str()), ("nr_inodes", &files), ("mode", "0755")];
    file_system("tmpfs", &options, attributes)
}

fn file_system(kind: &str, options: &[(&str, &str)], attributes: u64) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        fsconfig_set_string(context.as_fd(), *key, *value)?;
    }
    fsconfig_create(context.as_fd())?;
    let attributes = MountAttrFlags::from_bits_retain(attributes as _);
    Ok(fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

/// Mounts a detached tree on a file or folder.
fn attach(mount: &OwnedFd, target: OwnedFd) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    Ok(move_mount(mount, "", target, "", flags)?)
}
