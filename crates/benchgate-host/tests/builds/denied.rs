//! What is offered to be allowed, of what processes were denied.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use benchgate_host::system::sandbox::Denial;

use crate::support::Repo;

#[test]
fn nothing_of_the_gate_or_of_the_users_checkout_is_offered() {
    let repo = Repo::new();
    let build_dir = repo.build_dir();
    let top = repo.top();
    let around = fs::canonicalize(top.parent().unwrap()).unwrap();
    let data = around.join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("x.bin"), "").unwrap();
    let offered = |denial: Denial| {
        let reach = build_dir.allowing([denial].into_iter());
        [reach.read, reach.write].concat()
    };
    let of_data = [data.to_str().unwrap().to_owned()];
    assert_eq!(offered(Denial::Read(data.join("x.bin"))), of_data);
    assert_eq!(offered(Denial::Write(data.join("new.bin"))), of_data);
    for path in [
        top.join("package/src/lib.rs"),
        top.join(".git/config"),
        top.join(".git/hooks/post-checkout"),
        top.join("target/benchgate/result.json"),
        around.join("cache/benchgate/other"),
        // Whoever may use it may use what is in it.
        around.join("x"),
        // No policy can name it.
        data.join(OsStr::from_bytes(b"\xff/x")),
    ] {
        for denial in [Denial::Read(path.clone()), Denial::Write(path.clone())] {
            let shown = format!("{denial:?}");
            assert_eq!(offered(denial), [] as [&str; 0], "{shown}");
        }
    }
}
