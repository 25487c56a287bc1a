//! Paths that every build and every bench may read or write: the system, the Rust toolchains, git's configuration and
//! folders of search paths such as `PATH`. No other files of the user.

use std::path::{Path, PathBuf};

use crate::system::{configuration, files};

/// The system. Not `/home`, `/root`, `/tmp`, `/run`, `/srv` and `/var`, where people and services keep things.
const SYSTEM: [&str; 16] = [
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr",
    "/etc",
    "/opt",
    "/snap",
    "/nix",
    "/gnu",
    "/proc",
    "/sys",
    "/run/current-system",
    "/run/systemd/resolve",
    "/run/opengl-driver",
];

/// Devices that hold nothing. Not the terminal: what is typed there is run by the user's shell.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Of cargo's home: what is downloaded. Its configuration is read too, and not the credentials.
const OF_CARGO: [&str; 6] = ["registry", "git", "bin", "env", ".package-cache", ".global-cache"];

/// Lists of folders by which programs and libraries are found.
const SEARCHED: [&str; 6] =
    ["PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH"];

/// Variables that name a program of the toolchain.
const TOOLS: [&str; 5] = ["CARGO", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC"];

/// Variables of cargo that name a program by which it links or starts what it built, for one target each.
const OF_TARGETS: (&str, [&str; 2]) = ("CARGO_TARGET_", ["_LINKER", "_RUNNER"]);

/// Of the home folder: git reads it, and its own folder, before anything, and ends where it may not.
const OF_HOME: &str = ".gitconfig";
const OF_GIT: &str = ".config/git";

/// Files that cargo and rustup look for in every folder above, besides the configuration of cargo.
const ABOVE: [&str; 3] = ["rust-toolchain.toml", "rust-toolchain", "Cargo.toml"];

/// Returns the readable paths: those that exist, and what cargo is going to make.
pub(super) fn readable() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    places.extend(home_of("RUSTUP_HOME", ".rustup"));
    if let Some(home) = home() {
        places.push(home.join(OF_HOME));
        places.extend(without_credentials(&home.join(OF_GIT)));
    }
    for name in SEARCHED {
        let list = std::env::var_os(name).unwrap_or_default();
        places.extend(std::env::split_paths(&list).filter(|path| is_narrow(path)));
    }
    places.extend(TOOLS.iter().filter_map(std::env::var_os).map(PathBuf::from));
    let variables = std::env::vars_os();
    places
        .extend(variables.flat_map(|(name, value)| {
            of_target(&name.to_string_lossy(), &value.to_string_lossy())
        }));
    let mut places = existing(places);
    // Folders of downloads are not there before the first one, which is after this.
    let cargo = home_of("CARGO_HOME", ".cargo");
    places.extend(cargo.iter().flat_map(|cargo| OF_CARGO.map(|inside| cargo.join(inside))));
    places.extend(cargo.iter().flat_map(|cargo| configuration::files_of(cargo)));
    places
}

/// The files that a variable of cargo names for a target: its user chose them.
fn of_target(name: &str, value: &str) -> Vec<PathBuf> {
    let (beginning, ends) = OF_TARGETS;
    let is_meant = name.starts_with(beginning) && ends.iter().any(|end| name.ends_with(end));
    let words = value.split_whitespace().filter(|_| is_meant).map(PathBuf::from);
    words.filter(|path| path.is_absolute() && path.is_file()).collect()
}

/// Returns the files of the user that git and cargo are configured by, of those that exist.
pub(super) fn of_user() -> Vec<PathBuf> {
    let of_cargo = home_of("CARGO_HOME", ".cargo");
    let mut files = of_cargo.map_or_else(Vec::new, |folder| configuration::files_of(&folder));
    if let Some(home) = home() {
        files.push(home.join(OF_HOME));
        files.extend(without_credentials(&home.join(OF_GIT)));
    }
    existing(files)
}

/// What is in a folder of git, but for the credentials that it may keep there.
fn without_credentials(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_secret = |path: &Path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().contains("credential"))
    };
    entries.map(|entry| entry.path()).filter(move |path| !is_secret(path))
}

/// Returns the writable paths that exist: devices.
pub(super) fn writable() -> Vec<PathBuf> {
    existing(DEVICES.iter().map(PathBuf::from).collect())
}

/// Returns the files above a folder that cargo and rustup read, of those that exist.
pub(super) fn above(folder: &Path) -> Vec<PathBuf> {
    let files = |folder: &Path| {
        let configuration = configuration::files_of(&folder.join(".cargo"));
        configuration.into_iter().chain(ABOVE.map(|name| folder.join(name)))
    };
    existing(folder.ancestors().skip(1).flat_map(files).collect())
}

/// Folders in which programs of an installation are, below its prefix.
const OF_PROGRAMS: [&str; 3] = ["bin", "shims", "sbin"];

/// Of the home folder: they are not installations, and keep secrets.
const OF_SECRETS: [&str; 4] = [".local", ".config", ".cache", ".ssh"];

/// Returns a program that a policy names, and the prefix that it is installed at: that of pyenv, conda or nvm is in the
/// home folder, and the program reads its libraries there. None of a program of a checkout.
pub(super) fn of_program(name: &str) -> Vec<PathBuf> {
    let program = if name.contains('/') {
        Some(PathBuf::from(name)).filter(|path| path.is_absolute())
    } else {
        files::program_on_path(name)
    };
    let Some(program) = program else { return Vec::new() };
    let resolved = std::fs::canonicalize(&program).ok();
    let prefixes = [Some(&program), resolved.as_ref()].into_iter().flatten().filter_map(|path| {
        let folder = path.parent()?;
        let is_of_programs = OF_PROGRAMS.iter().any(|name| folder.ends_with(name));
        folder
            .parent()
            .filter(|prefix| is_of_programs && is_installation(prefix, home().as_deref()))
    });
    let mut places: Vec<PathBuf> = prefixes.map(Path::to_owned).collect();
    places.extend([Some(program), resolved].into_iter().flatten());
    existing(places)
}

/// Whether a program is the system's: found by its name, or in one of its folders.
pub(crate) fn is_of_system(program: &Path) -> bool {
    !program.is_absolute() || SYSTEM.iter().any(|folder| program.starts_with(folder))
}

/// Whether a file is one by which cargo keeps others from its downloads, in whatever home.
pub(super) fn is_lock_of_cargo(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    OF_CARGO.iter().any(|it| it.starts_with('.') && name.starts_with(it))
}

/// The hidden folder of the home folder that has programs on `PATH`, and this file too.
pub(crate) fn installation(path: &Path) -> Option<PathBuf> {
    let home = home()?;
    let first = path.strip_prefix(&home).ok()?.iter().next()?;
    // One that is not hidden has other things than programs, too.
    let folder = first.to_string_lossy().starts_with('.').then(|| home.join(first))?;
    let searched = std::env::var_os("PATH").unwrap_or_default();
    let has_programs = std::env::split_paths(&searched).any(|it| it.starts_with(&folder));
    // Of cargo's home, what is no secret may be read anyway.
    let is_secret = OF_SECRETS.iter().chain(&[".cargo"]).any(|name| folder == home.join(name));
    (has_programs && !is_secret).then_some(folder)
}

/// Whether a prefix is a folder of its own in a home folder, and not one that keeps more than programs.
fn is_installation(prefix: &Path, home: Option<&Path>) -> bool {
    let inside = home.and_then(|home| prefix.strip_prefix(home).ok());
    inside.is_some_and(|inside| {
        inside.parent().is_some() && OF_SECRETS.iter().all(|name| inside != Path::new(name))
    })
}

/// The user's home folder.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

fn home_of(variable: &str, name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| Some(home()?.join(name)))
}

/// Whether a folder for programs is no more than that: not the root, a home, or above one.
fn is_narrow(path: &Path) -> bool {
    path.is_absolute()
        && path.parent().is_some()
        && home().is_none_or(|home| !home.starts_with(path))
}

fn existing(mut places: Vec<PathBuf>) -> Vec<PathBuf> {
    places.retain(|path| path.is_absolute() && path.exists());
    places.sort();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_a_variable_of_cargo_names_for_a_target_may_be_read_and_no_folders() {
        let program = std::env::current_exe().unwrap();
        let value = format!("{} -L / relative", program.display());
        assert_eq!(of_target("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", &value), [&*program]);
        assert_eq!(of_target("CARGO_TARGET_WASM32_WASIP1_LINKER", &value), [&*program]);
        assert!(of_target("CARGO_TARGET_DIR", &value).is_empty());
        assert!(of_target("TEST_RUNNER", &value).is_empty());
    }

    #[test]
    fn git_reads_what_it_is_configured_with_and_no_credentials() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["config", "ignore", "work.inc", "credentials", "my-credentials.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let mut found: Vec<PathBuf> = without_credentials(folder.path()).collect();
        found.sort();
        assert_eq!(found, ["config", "ignore", "work.inc"].map(|name| folder.path().join(name)));
        assert_eq!(without_credentials(&folder.path().join("none")).count(), 0);
    }

    #[test]
    fn an_installation_is_below_the_home_folder_and_holds_no_secrets() {
        let home = Some(Path::new("/home/me"));
        for prefix in ["/home/me/.pyenv", "/home/me/conda", "/home/me/.local/share/uv/tools/x"] {
            assert!(is_installation(Path::new(prefix), home), "{prefix}");
        }
        for prefix in ["/", "/home", "/home/me", "/home/me/.local", "/home/other", "/tmp/x"] {
            assert!(!is_installation(Path::new(prefix), home), "{prefix}");
        }
    }
}
