//! System calls that builds and rounds are denied alongside what Landlock restricts: what types into a terminal, what
//! changes limits, priorities and processors of others, memory and queues that have no file, keys, the clock, what root may
//! do to the whole system, and, without the network, sockets.
//!
//! A denied call returns EPERM, and nothing is ended. The program is written here and not by a crate: those that were
//! tried end a process that calls as a 32-bit one does, and cannot ask for `SPEC_ALLOW`. Without it a kernel before 5.16
//! switches mitigations on that slow down what is measured.

use std::io;

use libc::{SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, sock_filter, sock_fprog};

/// Requests to a terminal that put letters where the user's are read: `TIOCSTI` and `TIOCLINUX`.
const TYPE: [u32; 2] = [0x5412, 0x541c];

/// Of `setpriority`, and of `ioprio_set`: all processes of a user.
const OF_USER: u32 = 2;
/// Like `OF_USER`.
const OF_USER_IO: u32 = 3;

/// The system calls of one interface to the kernel, by number.
struct Calls {
    /// As seccomp names the interface.
    architecture: u32,
    /// The first number of another interface that has the same name.
    limit: Option<u32>,
    /// `None` if it is denied as a whole.
    numbers: Option<Numbers>,
}

struct Numbers {
    ioctl: u32,
    prlimit: u32,
    setpriority: u32,
    ioprio_set: u32,
    /// Of a process that the first argument names.
    scheduling: [u32; 4],
    /// Denied to all.
    never: &'static [u32],
    /// Denied without the network.
    of_network: &'static [u32],
    socketpair: u32,
}

#[cfg(target_arch = "x86_64")]
const INTERFACES: [Calls; 2] = [
    // From the limit on are the numbers of x32.
    Calls { architecture: 0xc000_003e, limit: Some(0x4000_0000), numbers: Some(NATIVE) },
    Calls { architecture: 0x4000_0003, limit: None, numbers: Some(I386) },
];

#[cfg(target_arch = "aarch64")]
const INTERFACES: [Calls; 2] = [
    Calls { architecture: 0xc000_00b7, limit: None, numbers: Some(NATIVE) },
    // 32-bit Arm, which few of these processors have.
    Calls { architecture: 0x4000_0028, limit: None, numbers: None },
];

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const INTERFACES: [Calls; 0] = [];

#[cfg(target_arch = "x86_64")]
const KEXEC_FILE_LOAD: u32 = libc::SYS_kexec_file_load as u32;
/// The crate libc does not have it for musl; it is that of all systems with the generic table.
#[cfg(target_arch = "aarch64")]
const KEXEC_FILE_LOAD: u32 = 294;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const NATIVE: Numbers = Numbers {
    ioctl: libc::SYS_ioctl as u32,
    prlimit: libc::SYS_prlimit64 as u32,
    setpriority: libc::SYS_setpriority as u32,
    ioprio_set: libc::SYS_ioprio_set as u32,
    scheduling: [
        libc::SYS_sched_setaffinity as u32,
        libc::SYS_sched_setscheduler as u32,
        libc::SYS_sched_setparam as u32,
        libc::SYS_sched_setattr as u32,
    ],
    never: &[
        libc::SYS_shmget as u32,
        libc::SYS_shmat as u32,
        libc::SYS_shmctl as u32,
        libc::SYS_semget as u32,
        libc::SYS_semop as u32,
        libc::SYS_semtimedop as u32,
        libc::SYS_semctl as u32,
        libc::SYS_msgget as u32,
        libc::SYS_msgsnd as u32,
        libc::SYS_msgrcv as u32,
        libc::SYS_msgctl as u32,
        libc::SYS_mq_open as u32,
        libc::SYS_mq_unlink as u32,
        libc::SYS_add_key as u32,
        libc::SYS_request_key as u32,
        libc::SYS_keyctl as u32,
        libc::SYS_settimeofday as u32,
        libc::SYS_clock_settime as u32,
        libc::SYS_adjtimex as u32,
        libc::SYS_clock_adjtime as u32,
        libc::SYS_reboot as u32,
        libc::SYS_kexec_load as u32,
        KEXEC_FILE_LOAD,
        libc::SYS_init_module as u32,
        libc::SYS_finit_module as u32,
        libc::SYS_delete_module as u32,
        libc::SYS_swapon as u32,
        libc::SYS_swapoff as u32,
        libc::SYS_acct as u32,
        libc::SYS_quotactl as u32,
        libc::SYS_sethostname as u32,
        libc::SYS_setdomainname as u32,
        libc::SYS_bpf as u32,
    ],
    // A ring makes sockets without the call.
    of_network: &[libc::SYS_socket as u32, libc::SYS_io_uring_setup as u32],
    socketpair: libc::SYS_socketpair as u32,
};

/// A 64-bit program may call the kernel as a 32-bit one does.
#[cfg(target_arch = "x86_64")]
const I386: Numbers = Numbers {
    ioctl: 54,
    prlimit: 340,
    setpriority: 97,
    ioprio_set: 289,
    scheduling: [241, 156, 154, 351],
    // `ipc`; the calls of shared memory, semaphores and queues; `mq_*`; keys; `stime` and the other ways to set the clock;
    // those of the system.
    never: &[
        117, 393, 394, 395, 396, 397, 399, 400, 401, 402, 420, 277, 278, 286, 287, 288, 25, 79,
        264, 404, 124, 343, 405, 88, 283, 128, 350, 129, 87, 115, 51, 131, 74, 121, 357,
    ],
    // `socketcall`, which is every call of sockets in one, `socket`, `io_uring_setup`.
    of_network: &[102, 359, 425],
    socketpair: 360,
};

/// A comparison of half an argument of a call.
#[derive(Clone, Copy)]
struct Test {
    argument: u32,
    is_high: bool,
    is_equal: bool,
    value: u32,
}

impl Test {
    fn is(argument: u32, value: u32) -> Self {
        Self { argument, is_high: false, is_equal: true, value }
    }

    fn is_not(argument: u32, value: u32) -> Self {
        Self { is_equal: false, ..Self::is(argument, value) }
    }

    fn high_is_not(argument: u32, value: u32) -> Self {
        Self { is_high: true, ..Self::is_not(argument, value) }
    }

    /// Where it is in `seccomp_data`: number, architecture, instruction pointer, six arguments.
    fn offset(self) -> u32 {
        let is_second = self.is_high == cfg!(target_endian = "little");
        16 + 8 * self.argument + if is_second { 4 } else { 0 }
    }
}

/// The calls that are denied, each where all of its tests hold; `own` is the process that becomes the program.
fn denied(numbers: &Numbers, has_network: bool, own: u32) -> Vec<(u32, Vec<Test>)> {
    let of_another = |argument| vec![Test::is_not(argument, 0), Test::is_not(argument, own)];
    let with = |tests: Vec<Test>, more: Test| [tests, vec![more]].concat();
    let mut denied: Vec<(u32, Vec<Test>)> = Vec::new();
    denied.extend(TYPE.map(|request| (numbers.ioctl, vec![Test::is(1, request)])));
    // To read the limits of another process, with no new ones, does no harm.
    for new in [Test::is_not(2, 0), Test::high_is_not(2, 0)] {
        denied.push((numbers.prlimit, with(of_another(0), new)));
    }
    for (call, of_user) in [(numbers.setpriority, OF_USER), (numbers.ioprio_set, OF_USER_IO)] {
        denied.push((call, vec![Test::is(0, of_user)]));
        denied.push((call, of_another(1)));
    }
    denied.extend(numbers.scheduling.map(|call| (call, of_another(0))));
    denied.extend(numbers.never.iter().map(|call| (*call, Vec::new())));
    if !has_network {
        denied.extend(numbers.of_network.iter().map(|call| (*call, Vec::new())));
        denied.push((numbers.socketpair, vec![Test::is_not(0, libc::AF_UNIX as u32)]));
    }
    denied
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
const DENY: u32 = SECCOMP_RET_ERRNO | libc::EPERM as u32;
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

fn statement(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

/// Skips so many statements where the comparison holds, and where it does not.
fn jump(code: u16, k: u32, [jt, jf]: [u8; 2]) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// The filter of one interface, which lets every call of another pass.
fn program(calls: &Calls, has_network: bool, own: u32) -> Vec<sock_filter> {
    let mut all = vec![
        statement(LOAD, ARCHITECTURE),
        jump(IF_EQUAL, calls.architecture, [1, 0]),
        statement(RETURN, SECCOMP_RET_ALLOW),
    ];
    let Some(numbers) = &calls.numbers else {
        all.push(statement(RETURN, DENY));
        return all;
    };
    all.push(statement(LOAD, NUMBER));
    if let Some(limit) = calls.limit {
        all.extend([jump(IF_AT_LEAST, limit, [0, 1]), statement(RETURN, DENY)]);
    }
    for (call, tests) in denied(numbers, has_network, own) {
        // Each test is two statements; after them, one denies and one loads the number again.
        let rest = |done: usize| (2 * (tests.len() - done) + 2) as u8;
        let is_plain = tests.is_empty();
        all.push(jump(IF_EQUAL, call, [0, if is_plain { 1 } else { rest(0) }]));
        for (index, test) in tests.iter().enumerate() {
            let to_end = rest(index + 1) - 1;
            let skips = if test.is_equal { [0, to_end] } else { [to_end, 0] };
            all.extend([statement(LOAD, test.offset()), jump(IF_EQUAL, test.value, skips)]);
        }
        all.push(statement(RETURN, DENY));
        if !is_plain {
            all.push(statement(LOAD, NUMBER));
        }
    }
    all.push(statement(RETURN, SECCOMP_RET_ALLOW));
    all
}

/// Denies this thread, and all that it becomes or starts, these calls for good.
pub(crate) fn filter(has_network: bool) -> io::Result<()> {
    if INTERFACES.is_empty() {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "no filter for this processor"));
    }
    // SAFETY: it has no pointers.
    if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    for calls in &INTERFACES {
        apply(&program(calls, has_network, std::process::id()))?;
    }
    Ok(())
}

fn apply(statements: &[sock_filter]) -> io::Result<()> {
    let mut statements = statements.to_vec();
    let program = sock_fprog { len: statements.len() as u16, filter: statements.as_mut_ptr() };
    let (mode, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW);
    // SAFETY: the kernel copies the program, which outlives the call.
    let done = unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const program) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Whether calls by this interface have the numbers of this program's own.
pub(crate) fn is_native(architecture: u32) -> bool {
    INTERFACES.first().is_some_and(|calls| calls.architecture == architecture)
}

/// Whether the filter denies a call, or some of its arguments: all but those of the network and of terminals.
pub(crate) fn is_filtered(number: libc::c_long) -> bool {
    let numbers = INTERFACES.first().and_then(|calls| calls.numbers.as_ref());
    numbers.zip(u32::try_from(number).ok()).is_some_and(|(numbers, number)| {
        let Numbers { prlimit, setpriority, ioprio_set, scheduling, never, .. } = numbers;
        [prlimit, setpriority, ioprio_set].contains(&&number)
            || scheduling.contains(&number)
            || never.contains(&number)
    })
}

/// Whether the kernel lets this user filter.
pub(crate) fn can_filter() -> bool {
    // It is of its thread alone.
    std::thread::spawn(|| filter(true)).join().is_ok_and(|done| done.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program decides of a call, as the kernel would.
    fn decision(program: &[sock_filter], architecture: u32, call: u32, arguments: &[u64]) -> u32 {
        let word = |offset: u32| match offset {
            NUMBER => call,
            ARCHITECTURE => architecture,
            offset => {
                let argument = arguments.get((offset as usize - 16) / 8).copied().unwrap_or(0);
                let bytes = argument.to_ne_bytes();
                let at = (offset as usize - 16) % 8;
                u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
            }
        };
        let (mut at, mut loaded) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            match code {
                LOAD => loaded = word(k),
                IF_EQUAL => at += usize::from(if loaded == k { jt } else { jf }),
                IF_AT_LEAST => at += usize::from(if loaded >= k { jt } else { jf }),
                RETURN => return k,
                other => panic!("no statement of ours: {other}"),
            }
        }
    }

    const OWN: u32 = 77;

    fn is_denied(architecture: u32, has_network: bool, call: u32, arguments: &[u64]) -> bool {
        INTERFACES.iter().any(|calls| {
            let program = program(calls, has_network, OWN);
            decision(&program, architecture, call, arguments) == DENY
        })
    }

    // Long: a table of calls.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn each_interface_denies_the_same_by_its_own_numbers() {
        for (calls, mmap, shmget) in [(&INTERFACES[0], 9, 29), (&INTERFACES[1], 90, 395)] {
            let numbers = calls.numbers.as_ref().unwrap();
            let denied =
                |call, arguments: &[u64]| is_denied(calls.architecture, false, call, arguments);
            assert!(!denied(mmap, &[0]) && denied(shmget, &[]));
            let high = 1_u64 << 32;
            for (call, arguments, expected) in [
                (numbers.ioctl, &[0, 0x5412][..], true),
                // The kernel reads 32 bits of a request.
                (numbers.ioctl, &[0, high | 0x5412], true),
                (numbers.ioctl, &[0, 0x541c], true),
                (numbers.ioctl, &[0, 0x5413], false),
                (numbers.prlimit, &[5, 7, 0x1000], true),
                (numbers.prlimit, &[5, 7, high], true),
                (numbers.prlimit, &[5, 7, 0, 0x1000], false),
                (numbers.prlimit, &[0, 7, 0x1000], false),
                (numbers.prlimit, &[OWN.into(), 7, 0x1000], false),
                (numbers.setpriority, &[0, 5, 19], true),
                (numbers.setpriority, &[1, 5, 19], true),
                (numbers.setpriority, &[0, 0, 19], false),
                (numbers.setpriority, &[2, 0, 19], true),
                (numbers.ioprio_set, &[3, 0, 0], true),
                (numbers.ioprio_set, &[1, 5, 0], true),
                (numbers.ioprio_set, &[1, 0, 0], false),
                (numbers.scheduling[0], &[5], true),
                (numbers.scheduling[1], &[5], true),
                (numbers.scheduling[2], &[5], true),
                (numbers.scheduling[3], &[5], true),
                (numbers.scheduling[3], &[0], false),
                (numbers.scheduling[1], &[OWN.into()], false),
                (numbers.socketpair, &[1], false),
                (numbers.socketpair, &[2], true),
                (numbers.of_network[0], &[1], true),
            ] {
                assert_eq!(denied(call, arguments), expected, "{call} {arguments:?}");
            }
            assert!(!is_denied(calls.architecture, true, numbers.of_network[0], &[2]));
        }
        // All numbers once more, not by the names above.
        let always = |architecture, has_network, calls: &[u32]| {
            for call in 0..500 {
                let is_expected = calls.contains(&call);
                let is_denied = is_denied(architecture, has_network, call, &[0, 0, 0]);
                assert_eq!(is_denied, is_expected, "{call}");
            }
        };
        let of_native = [
            29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 159, 163, 164, 167, 168, 169, 170, 171, 175,
            176, 179, 220, 227, 240, 241, 246, 248, 249, 250, 305, 313, 320, 321,
        ];
        always(0xc000_003e, true, &of_native);
        always(0xc000_003e, false, &[&of_native[..], &[41, 53, 425]].concat());
        let of_i386 = [
            25, 51, 74, 79, 87, 88, 115, 117, 121, 124, 128, 129, 131, 264, 277, 278, 283, 286,
            287, 288, 343, 350, 357, 393, 394, 395, 396, 397, 399, 400, 401, 402, 404, 405, 420,
        ];
        always(0x4000_0003, true, &of_i386);
        always(0x4000_0003, false, &[&of_i386[..], &[102, 359, 360, 425]].concat());
        // The same call of x32.
        assert!(is_denied(INTERFACES[0].architecture, true, 0x4000_0000 | 16, &[0, 0x5412]));
    }

    #[test]
    fn a_denied_call_returns_eperm_and_what_ordinary_benches_need_works() {
        use rustix::process::{Resource, getpriority_process, getrlimit, setrlimit};
        use std::net::UdpSocket;
        use std::os::fd::AsRawFd as _;
        use std::os::unix::net::{UnixListener, UnixStream};
        if !can_filter() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let filtered = move || {
            filter(false).unwrap();
            let parent = std::os::unix::process::parent_id() as libc::pid_t;
            let error = || io::Error::last_os_error().raw_os_error();
            // SAFETY: an empty set of no bytes, of another process.
            let pinned = unsafe { libc::sched_setaffinity(parent, 0, std::ptr::null()) };
            assert_eq!((pinned, error()), (-1, Some(libc::EPERM)));
            let null = std::fs::File::open("/dev/null").unwrap();
            // Of what is not a terminal it would be ENOTTY.
            // SAFETY: the letter is borrowed for the call.
            let typed = unsafe { libc::ioctl(null.as_raw_fd(), libc::TIOCSTI, c"x".as_ptr()) };
            assert_eq!((typed, error()), (-1, Some(libc::EPERM)));
            // SAFETY: it has no pointers.
            let shared = unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, 0o600) };
            assert_eq!((shared, error()), (-1, Some(libc::EPERM)));
            let bound = UdpSocket::bind("127.0.0.1:0").map(drop).unwrap_err();
            assert_eq!(bound.raw_os_error(), Some(libc::EPERM));
            let listening = UnixListener::bind(socket).map(drop).unwrap_err();
            assert_eq!(listening.raw_os_error(), Some(libc::EPERM));
            UnixStream::pair().unwrap();
            let limit = getrlimit(Resource::Core);
            setrlimit(Resource::Core, limit).unwrap();
            getpriority_process(None).unwrap();
            std::thread::spawn(|| ()).join().unwrap();
            assert!(std::thread::available_parallelism().is_ok());
            let done = std::process::Command::new("true").status().unwrap();
            assert!(done.success());
        };
        std::thread::spawn(filtered).join().unwrap();
    }

    /// As in a container whose runtime denies the call.
    #[test]
    fn where_the_kernel_refuses_filters_it_is_known_and_nothing_is_filtered() {
        if !can_filter() {
            return;
        }
        let refusing = || {
            let program = [
                statement(LOAD, NUMBER),
                jump(IF_EQUAL, libc::SYS_seccomp as u32, [0, 1]),
                statement(RETURN, DENY),
                statement(RETURN, SECCOMP_RET_ALLOW),
            ];
            // It can no longer gain privileges, without which nobody may filter.
            filter(true).unwrap();
            apply(&program).unwrap();
            assert!(!can_filter());
            assert!(filter(false).is_err());
            std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        };
        std::thread::spawn(refusing).join().unwrap();
    }
}
