//! `criterion.rs` without its behaviours: most tests need no more, and each compiles it twice. With the C library instead of
//! Rust's that takes a third of the time, and what is copied and digested has kilobytes instead of megabytes. Each line
//! of `speeds.txt` is an id and nanoseconds per iteration.
#![no_main]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null;

/// So that each line ends.
const SPEEDS: &str = concat!(include_str!("speeds.txt"), "\n\0");
const LONGEST: usize = 4096;
type Text = *const c_char;

unsafe extern "C" {
    fn exit(code: c_int) -> !;
    fn fclose(file: *mut c_void) -> c_int;
    fn fopen(path: Text, mode: Text) -> *mut c_void;
    fn fprintf(file: *mut c_void, format: Text, ...) -> c_int;
    fn getenv(name: Text) -> Text;
    fn mkdir(path: Text, mode: c_int) -> c_int;
    fn opendir(path: Text) -> *mut c_void;
    fn printf(format: Text, ...) -> c_int;
    fn readdir(folder: *mut c_void) -> *const c_void;
    fn snprintf(into: *mut c_char, room: usize, format: Text, ...) -> c_int;
    fn strchr(text: Text, byte: c_int) -> Text;
    fn strcmp(left: Text, right: Text) -> c_int;
    fn strncmp(left: Text, right: Text, most: usize) -> c_int;
    fn strtod(text: Text, end: *const Text) -> f64;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn main(count: c_int, arguments: *const Text) -> c_int {
    unsafe {
        if has(arguments, c"--help") {
            let options =
                c"--warm-up-time --measurement-time --sample-size --nresamples --noplot --exact --quick";
            printf(c"%s\n".as_ptr(), options.as_ptr());
            return 0;
        }
        let lists = has(arguments, c"--list");
        if !lists {
            log(*arguments);
        }
        let wanted = *arguments.offset(count as isize - 1);
        let mut line: Text = SPEEDS.as_ptr().cast();
        while *line > b'\n' as c_char {
            let bar = strchr(line, b'|' as c_int);
            let length = bar as usize - line as usize;
            if lists {
                printf(c"%.*s: benchmark\n".as_ptr(), length as c_int, line);
            } else if strncmp(line, wanted, length) == 0 && *wanted.add(length) == 0 {
                measure(wanted, strtod(bar.add(1), null()));
            }
            line = strchr(line, b'\n' as c_int).add(1);
        }
        0
    }
}

unsafe fn has(mut arguments: *const Text, flag: &CStr) -> bool {
    unsafe {
        while !(*arguments).is_null() {
            if strcmp(*arguments, flag.as_ptr()) == 0 {
                return true;
            }
            arguments = arguments.add(1);
        }
        false
    }
}

/// A variable that the gate sets.
unsafe fn given(name: &CStr) -> Text {
    unsafe {
        let value = getenv(name.as_ptr());
        if value.is_null() {
            exit(101);
        }
        value
    }
}

unsafe fn measure(id: Text, ns: f64) {
    unsafe {
        let mut path = [0 as c_char; LONGEST];
        let end = snprintf(
            path.as_mut_ptr(),
            LONGEST,
            c"%s/%s/new/".as_ptr(),
            given(c"CRITERION_HOME"),
            id,
        );
        let mut at = path.as_mut_ptr().add(1);
        while *at != 0 {
            if *at == b'/' as c_char {
                *at = 0;
                mkdir(path.as_ptr(), 0o777);
                *at = b'/' as c_char;
            }
            at = at.add(1);
        }
        let (name, room) = (path.as_mut_ptr().offset(end as isize), LONGEST - end as usize);
        snprintf(name, room, c"benchmark.json".as_ptr());
        let file = fopen(path.as_ptr(), c"w".as_ptr());
        let identity = cr#"{"group_id":"%s","function_id":null,"value_str":null,"throughput":{"Bytes":64},"full_id":"%s","directory_name":"d","title":"%s"}"#;
        fprintf(file, identity.as_ptr(), id, id, id);
        fclose(file);
        snprintf(name, room, c"sample.json".as_ptr());
        let file = fopen(path.as_ptr(), c"w".as_ptr());
        // No two samples of a process are the same; the last one is no quartile.
        let sample = cr#"{"sampling_mode":"Linear","iters":[1,2,2,2,2],"times":[%.17g,%.17g,%.17g,%.17g,%.17g]}"#;
        let two = ns * 2.0;
        fprintf(file, sample.as_ptr(), ns, two, two, two, ns * 2.5);
        fclose(file);
    }
}

/// Logs for a test how this process was called.
unsafe fn log(this: Text) {
    unsafe {
        let path = getenv(c"FAKE_LOG".as_ptr());
        if path.is_null() {
            return;
        }
        let home = given(c"CRITERION_HOME");
        let folder = opendir(home);
        let mut entries = 0;
        while !folder.is_null() && !readdir(folder).is_null() {
            entries += 1;
        }
        // Of itself and of the one above.
        let empty = if entries == 2 { c"true" } else { c"false" };
        // A repository without a policy has a sandbox that does not know of it.
        let file = fopen(path, c"a".as_ptr());
        if !file.is_null() {
            fprintf(file, c"%s|%s|%s\n".as_ptr(), this, home, empty.as_ptr());
            fclose(file);
        }
    }
}
