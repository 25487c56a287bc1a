//! Functions that depend on the operating system, behind one interface: `unix` implements them, `unsupported` has the
//! same ones where benchgate cannot measure. There, reading, judging and reporting still work.

mod child;
#[cfg(target_os = "linux")]
mod counters;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod idle;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod orphans;
#[cfg(target_os = "linux")]
mod others;
#[cfg(target_os = "linux")]
mod standing;
mod support;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(unix)]
mod unix;
#[cfg(any(not(target_os = "linux"), test))]
mod unrestricted;
#[cfg(any(not(unix), test))]
mod unsupported;
#[cfg(target_os = "linux")]
mod watch;

pub(crate) use child::{Act, Readable, Refused, Stop};
#[cfg(target_os = "linux")]
pub(crate) use counters::*;
#[cfg(target_os = "linux")]
pub(crate) use filter::*;
#[cfg(target_os = "linux")]
pub(crate) use idle::*;
#[cfg(target_os = "linux")]
pub(crate) use landlock::*;
#[cfg(target_os = "linux")]
pub(crate) use memory::*;
#[cfg(target_os = "linux")]
pub(crate) use orphans::*;
#[cfg(target_os = "linux")]
pub(crate) use others::*;
#[cfg(target_os = "linux")]
pub(crate) use standing::*;
pub use support::{Support, require};
#[cfg(target_os = "linux")]
pub(crate) use threads::*;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(not(target_os = "linux"))]
pub(crate) use unrestricted::*;
#[cfg(not(unix))]
pub(crate) use unsupported::*;
#[cfg(target_os = "linux")]
pub(crate) use watch::*;

#[cfg(test)]
mod tests {
    use super::*;

    /// Two functions in one list have one signature, or this does not compile.
    #[test]
    fn an_unsupported_system_has_every_function() {
        use std::path::Path;
        let _ = [unix::lead_group, unsupported::lead_group];
        let _ = [unix::begin_session, unsupported::begin_session];
        let _ = [unix::begins_session, unsupported::begins_session];
        let _ = [unix::stop, unsupported::stop];
        let _ = [unix::wait, unsupported::wait];
        let _ = [unix::is_killed, unsupported::is_killed];
        let _ = [unix::set_mode, unsupported::set_mode];
        let _ = [unix::has_other_names, unsupported::has_other_names];
        let _ = [unix::is_executable, unsupported::is_executable];
        let _ = [unix::make_executable, unsupported::make_executable];
        let _ = [unix::os_string, unsupported::os_string];
        let _ = [unix::link_folder, unsupported::link_folder];
        let _ = [unix::free_disk, unsupported::free_disk];
        let _ = [unix::set_accessed, unsupported::set_accessed];
        let _ = [unix::file_id, unsupported::file_id];
        let _ = [unix::output_files, unsupported::output_files];
        let _ = [unix::replace, unsupported::replace];
        let _ = [unix::open_plain, unsupported::open_plain];
        let _ = [unix::readable, unsupported::readable];
        let _ = [landlock_version, unrestricted::landlock_version];
        let _ = [restrict, unrestricted::restrict];
        let _ = [filter, unrestricted::filter];
        let _ = [can_filter, unrestricted::can_filter];
        let _ = [counted::<(), fn()>, unrestricted::counted::<(), fn()>];
        let _ = [can_count, unrestricted::can_count];
        let _ = [adopt_orphans, unrestricted::adopt_orphans];
        let _ = [end_orphans, unrestricted::end_orphans];
        let _ = || [spin().map(drop), unrestricted::spin().map(drop)];
        let _ = [processors, unrestricted::processors];
        let _ = [run_first_thread_on, unrestricted::run_first_thread_on];
        let _ = [time_of_other_threads, unrestricted::time_of_other_threads];
        let _ = [time_of_others, unrestricted::time_of_others];
        let _ = [another_thread_runs, unrestricted::another_thread_runs];
        let _ = [trace_of_children, unrestricted::trace_of_children];
        let _ = [be_watched, unrestricted::be_watched];
        let _ = [watch::watch, unrestricted::watch];
        let _ = [is_permitted, unsupported::is_permitted];
        let _ = [peak_memory, unrestricted::peak_memory];
        let _ = [available_memory, unrestricted::available_memory];
        let _ = [keep_standing, unrestricted::keep_standing];
        let _ = [restore_standing, unrestricted::restore_standing];
        let error = unsupported::link_folder(Path::new("a"), Path::new("b")).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    }
}
