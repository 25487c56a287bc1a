//! Attempts of a benchmark or a build script. Each line of a file of attempts is a name, an action and its target.

use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;

/// Attempts in one line of output, of which the gate keeps the last ones and the beginning of each.
const IN_A_LINE: usize = 4;

/// Makes every attempt of a file and says of each what came of it.
pub fn attempt_all(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    let attempts: Vec<&str> = text.lines().collect();
    for some in attempts.chunks(IN_A_LINE) {
        let outcomes: Vec<String> = some.iter().map(|line| outcome(line)).collect();
        eprintln!("{}", outcomes.join(" && "));
    }
    attempts.len()
}

fn outcome(line: &str) -> String {
    let mut parts = line.split('|');
    let mut part = || parts.next().unwrap_or_default();
    let (name, what, target) = (part(), part(), part());
    match attempt(what, target) {
        Ok(()) => format!("attempt {name}: done"),
        Err(error) => match error.raw_os_error() {
            Some(number) => format!("attempt {name}: denied: error {number}"),
            None => format!("attempt {name}: denied: {error}"),
        },
    }
}

fn attempt(what: &str, target: &str) -> io::Result<()> {
    let path = Path::new(target);
    match what {
        // A comment in every file that is read again while the attempts go on.
        "append" => OpenOptions::new().append(true).open(path)?.write_all(b"# forged\n"),
        "create" => fs::write(path, "forged"),
        // As a running program is replaced.
        "replace" => {
            fs::write(path.with_extension("new"), "forged")?;
            fs::rename(path.with_extension("new"), path)
        }
        "remove" => fs::remove_file(path),
        "empty" => OpenOptions::new().write(true).truncate(true).open(path).map(drop),
        "link-and-write" => {
            let link = temporary().join("linked");
            let _ = fs::remove_file(&link);
            fs::hard_link(path, &link)?;
            OpenOptions::new().append(true).open(&link)?.write_all(b"forged")
        }
        "read" => fs::read(path).map(drop),
        "read-parent" => fs::read(format!("/proc/{}/environ", gate())).map(drop),
        "open-memory-of-parent" => {
            OpenOptions::new().write(true).open(format!("/proc/{}/mem", gate())).map(drop)
        }
        "connect" => std::net::TcpStream::connect(target).map(drop),
        "listen" => std::net::TcpListener::bind(target).map(drop),
        "kill-parent" => {
            let killed = std::process::Command::new("kill").args(["-KILL", &parent()]).status()?;
            killed.success().then_some(()).ok_or_else(|| io::Error::other("not permitted"))
        }
        "open-device" => OpenOptions::new().read(true).write(true).open(path).map(drop),
        "begin-in-a-session" => match unsafe { getsid(0) == getsid(gate()) } {
            true => Ok(()),
            false => Err(io::Error::other("it is in a session of its own")),
        },
        "list" => fs::read_dir(path).map(drop),
        "share-a-file" => fs::write(path, "forged").and_then(|()| fs::remove_file(path)),
        "send-udp" => std::net::UdpSocket::bind(target).map(drop),
        "listen-at-a-path" => {
            let path = temporary().join("socket");
            let _ = fs::remove_file(&path);
            UnixListener::bind(path).map(drop)
        }
        "listen-at-a-name" => {
            UnixListener::bind_addr(&SocketAddr::from_abstract_name(target)?).map(drop)
        }
        "connect-to-a-path" => UnixStream::connect(path).map(drop),
        "read-variable" => match std::env::var_os(target) {
            Some(_) => Ok(()),
            None => Err(io::Error::other("it is not set")),
        },
        "look-at-file" => fs::read_link(format!("/proc/{}/fd/1", gate())).map(drop),
        "be-ended-first" => {
            let file = format!("/proc/{}/oom_score_adj", gate());
            fs::write(&file, fs::read(&file)?)
        }
        what => call(what),
    }
}

/// Attempts by a system call. What is of the gate is set to what it is: a user without privileges could not set it back.
// Long: one match.
fn call(what: &str) -> io::Result<()> {
    let gate = gate();
    let answer = match what {
        "limit" => {
            let mut limit = [0; 2];
            done(unsafe { prlimit(gate, CORE, std::ptr::null(), limit.as_mut_ptr()) })?;
            unsafe { prlimit(gate, CORE, limit.as_ptr(), std::ptr::null_mut()) }
        }
        "slow-down" => unsafe { setpriority(0, gate as u32, getpriority(0, gate as u32)) },
        "slow-down-group" => {
            let group = unsafe { getpgid(gate) } as u32;
            unsafe { setpriority(1, group, getpriority(1, group)) }
        }
        "slow-down-disk" => (unsafe { syscall(IOPRIO_SET, 1, gate, 2 << 13 | 4) }) as i32,
        "slow-down-disk-of-user" => {
            (unsafe { syscall(IOPRIO_SET, 3, getuid(), 2 << 13 | 4) }) as i32
        }
        "pin" => unsafe { sched_setaffinity(gate, 8, [1_u64].as_ptr()) },
        "pin-a-thread" => {
            let threads = fs::read_dir(format!("/proc/{gate}/task"))?.flatten();
            let last = threads.filter_map(|it| it.file_name().to_str()?.parse::<i32>().ok()).max();
            unsafe { sched_setaffinity(last.unwrap_or(gate), 8, [u64::MAX].as_ptr()) }
        }
        "schedule" => unsafe { sched_setscheduler(gate, 0, &0) },
        "schedule-by-parameters" => unsafe { sched_setparam(gate, &0) },
        "schedule-by-attributes" => {
            let nice = unsafe { getpriority(0, gate as u32) };
            let mut attributes = [48_u32, 0, 0, 0, nice as u32, 0, 0, 0, 0, 0, 0, 0];
            (unsafe { syscall(SCHED_SETATTR, gate, attributes.as_mut_ptr(), 0) }) as i32
        }
        "signal" => unsafe { kill(gate, CONTINUE) },
        "signal-by-descriptor" => {
            let descriptor = (unsafe { syscall(434, gate, 0) }) as i32;
            done(descriptor)?;
            (unsafe { syscall(424, descriptor, CONTINUE, 0, 0) }) as i32
        }
        "share-memory" => {
            let memory = unsafe { shmget(0, 4096, 0o1600) };
            done(memory)?;
            unsafe { shmctl(memory, 0, std::ptr::null_mut()) }
        }
        "share-a-semaphore" => {
            let semaphore = unsafe { semget(0, 1, 0o1600) };
            done(semaphore)?;
            unsafe { semctl(semaphore, 0, 0) }
        }
        "share-a-queue" => {
            let queue = unsafe { msgget(0, 0o1600) };
            done(queue)?;
            unsafe { msgctl(queue, 0, std::ptr::null_mut()) }
        }
        "keep-a-key" => {
            let (kind, name) = (c"user".as_ptr(), c"forged".as_ptr());
            // In the keyring of this process.
            (unsafe { syscall(ADD_KEY, kind, name, name, 1, -2) }) as i32
        }
        // A loop device.
        "make-a-device" => {
            let path = temporary().join("device");
            let _ = fs::remove_file(&path);
            let name = CString::new(path.into_os_string().into_encoded_bytes())?;
            unsafe { mknod(name.as_ptr(), 0o60600, 7 << 8) }
        }
        // To what it is.
        "name-the-machine" => {
            let name = fs::read_to_string("/proc/sys/kernel/hostname")?;
            unsafe { sethostname(name.trim().as_ptr(), name.trim().len()) }
        }
        "talk-to-the-kernel" => unsafe { socket(16, 3, 0) },
        "trace" => {
            let none = std::ptr::null::<u8>();
            let answer = (unsafe { ptrace(SEIZE, gate, none, none) }) as i32;
            if answer >= 0 {
                unsafe { ptrace(DETACH, gate, none, none) };
            }
            answer
        }
        // Root may, in a mount namespace of its own.
        "mount-over-the-checkout" => {
            let (here, there) = (CString::new("/tmp")?, CString::new(".")?);
            unsafe { unshare(NEW_MOUNTS) };
            unsafe { mount(here.as_ptr(), there.as_ptr(), std::ptr::null(), BIND, std::ptr::null()) }
        }
        other => return Err(io::Error::other(format!("a mistake of the test: {other}"))),
    };
    done(answer)
}

/// `RLIMIT_CORE`.
const CORE: i32 = 4;
/// `SIGCONT`, which does nothing to a process that runs.
const CONTINUE: i32 = 18;
/// `PTRACE_SEIZE`, which does not stop the gate, and `PTRACE_DETACH`.
const SEIZE: u32 = 0x4206;
const DETACH: u32 = 17;
/// `CLONE_NEWNS`.
const NEW_MOUNTS: i32 = 0x20000;
/// `MS_BIND`.
const BIND: u64 = 4096;

#[cfg(target_arch = "aarch64")]
const IOPRIO_SET: i64 = 30;
#[cfg(target_arch = "aarch64")]
const SCHED_SETATTR: i64 = 274;
#[cfg(target_arch = "aarch64")]
const ADD_KEY: i64 = 217;
#[cfg(not(target_arch = "aarch64"))]
const IOPRIO_SET: i64 = 251;
#[cfg(not(target_arch = "aarch64"))]
const SCHED_SETATTR: i64 = 314;
#[cfg(not(target_arch = "aarch64"))]
const ADD_KEY: i64 = 248;

extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn getuid() -> u32;
    fn getsid(process: i32) -> i32;
    fn getpgid(process: i32) -> i32;
    fn kill(process: i32, signal: i32) -> i32;
    fn prlimit(process: i32, limit: i32, new: *const u64, old: *mut u64) -> i32;
    fn getpriority(which: i32, who: u32) -> i32;
    fn setpriority(which: i32, who: u32, priority: i32) -> i32;
    fn sched_setaffinity(process: i32, size: usize, processors: *const u64) -> i32;
    fn sched_setscheduler(process: i32, policy: i32, parameters: *const i32) -> i32;
    fn sched_setparam(process: i32, parameters: *const i32) -> i32;
    fn shmget(key: i32, size: usize, mode: i32) -> i32;
    fn shmctl(memory: i32, command: i32, buffer: *mut u8) -> i32;
    fn semget(key: i32, number: i32, mode: i32) -> i32;
    fn semctl(semaphore: i32, number: i32, command: i32, ...) -> i32;
    fn msgget(key: i32, mode: i32) -> i32;
    fn msgctl(queue: i32, command: i32, buffer: *mut u8) -> i32;
    fn mknod(path: *const std::ffi::c_char, mode: u32, device: u64) -> i32;
    fn sethostname(name: *const u8, length: usize) -> i32;
    fn socket(family: i32, kind: i32, protocol: i32) -> i32;
    fn ptrace(request: u32, process: i32, address: *const u8, data: *const u8) -> i64;
    fn unshare(flags: i32) -> i32;
    fn mount(
        source: *const std::ffi::c_char,
        target: *const std::ffi::c_char,
        kind: *const std::ffi::c_char,
        flags: u64,
        data: *const u8,
    ) -> i32;
}

fn done(answer: i32) -> io::Result<()> {
    if answer >= 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// The gate: the parent of a benchmark, and of the cargo that runs a build script.
fn gate() -> i32 {
    let mut process = std::os::unix::process::parent_id();
    loop {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        match (field("Name:"), field("PPid:").and_then(|parent| parent.parse().ok())) {
            (Some("benchgate"), _) => return process as i32,
            (_, Some(parent)) if parent > 1 => process = parent,
            _ => panic!("a mistake of the test: there is no gate"),
        }
    }
}

/// A folder that may be written.
fn temporary() -> std::path::PathBuf {
    std::env::temp_dir()
}

fn parent() -> String {
    std::os::unix::process::parent_id().to_string()
}
