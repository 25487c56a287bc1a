use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

use super::*;
use crate::system::sandbox::Sandbox;
use benchgate_core::policy::Policy;

/// A store with one suite, and what it is known by.
struct Kept {
    folder: tempfile::TempDir,
    store: BaseStore,
    identity: Identity,
    key: SuiteKey,
}

impl Kept {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = BaseStore::below(folder.path());
        let identity = identity(folder.path(), "c1");
        let stored = Self { store, identity, key: SuiteKey::new("p", "speed"), folder };
        stored.keep(&stored.identity, &stored.key, b"the code");
        stored
    }

    fn keep(&self, identity: &Identity, key: &SuiteKey, code: &[u8]) {
        let (target, file) = (self.folder.path().join("target"), self.folder.path().join("read"));
        fs::create_dir_all(target.join("release/deps")).unwrap();
        fs::write(&file, "as it was").unwrap();
        let text = format!("out: {}\n\n# env-dep:BENCHGATE_TEST_UNSET\n", file.display());
        fs::write(target.join("release/deps/speed-1.d"), text).unwrap();
        let executable = self.folder.path().join("built");
        fs::write(&executable, code).unwrap();
        let inputs = Inputs::of(
            &target,
            std::slice::from_ref(&target),
            &BTreeSet::new(),
            &self.store.given(),
        )
        .unwrap();
        let inputs = inputs.available().unwrap();
        let link = link();
        let built = Built {
            executable: &executable,
            neighbours: &BTreeMap::new(),
            link: Some(&link),
            start: None,
            inputs: &inputs,
            lock_file: None,
        };
        assert!(self.store.keep(identity, key, &built).unwrap());
    }

    fn place(&self) -> PathBuf {
        self.store.place(&self.identity, &self.key)
    }

    fn restore(&self) -> Result<Option<Restored>, String> {
        self.store.restore(&self.identity, &self.key)
    }

    fn edit(&self, from: &str, to: &str) {
        let path = self.place().join(RECORD);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }

    /// The record with this change, and a digest that fits.
    fn forge(&self, change: impl Fn(&mut Record)) {
        let path = self.place().join(RECORD);
        let mut record = Record::read(&fs::read(&path).unwrap()).unwrap();
        change(&mut record);
        fs::write(path, record.sealed().to_json()).unwrap();
    }
}

fn link() -> Link {
    let arguments = ["-m64", "1.o", "-lc"].map(str::to_owned).into();
    Link { arguments, files: [("1.o".to_owned(), b"object".to_vec())].into() }
}

fn identity(folder: &Path, commit: &str) -> Identity {
    let root = folder.join("root");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("Cargo.lock"), "version = 4").unwrap();
    Identity::of(commit, &root, &root, folder, &Policy::default().build, &Sandbox::default())
        .unwrap()
}

#[test]
fn what_is_kept_is_restored_as_it_was() {
    let stored = Kept::new();
    let restored = stored.restore().unwrap().unwrap();
    assert_eq!((&*restored.bytes, restored.link), (&b"the code"[..], Some(link())));
    let other = SuiteKey::new("p", "other");
    assert!(stored.store.restore(&stored.identity, &other).unwrap().is_none());
    let other = identity(stored.folder.path(), "c2");
    assert!(stored.store.restore(&other, &stored.key).unwrap().is_none());
    let entries = stored.store.entries().unwrap();
    let of = Of::Suite("c1".to_owned(), stored.key.clone());
    assert_eq!((entries.len(), &entries[0].of), (1, &of));
}

/// A gate that is built from changed sources has the same version, and measures in another way.
#[test]
fn what_was_built_with_another_runtime_is_not_used_again() {
    let stored = Kept::new();
    let mut values = serde_json::to_value(&stored.identity).unwrap();
    let runtime = values.get_mut("runtime").unwrap();
    let digest = files::digest_of(benchgate_runtime::fingerprint().as_bytes());
    assert_eq!(*runtime, serde_json::Value::String(digest));
    *runtime = "of another benchgate".into();
    let other: Identity = serde_json::from_value(values).unwrap();
    assert!(stored.store.restore(&other, &stored.key).unwrap().is_none());
}

type Edit = dyn Fn(&Kept);

#[test]
fn what_is_poisoned_truncated_foreign_or_stale_is_refused_by_name_and_removed() {
    let edits: [(&str, &Edit); 19] = [
        ("other code", &|k| fs::write(k.place().join(EXECUTABLE), b"the c0de").unwrap()),
        ("less code", &|k| fs::write(k.place().join(EXECUTABLE), b"the").unwrap()),
        ("more code", &|k| fs::write(k.place().join(EXECUTABLE), b"the code and more").unwrap()),
        ("no code", &|k| fs::remove_file(k.place().join(EXECUTABLE)).unwrap()),
        ("a link to code", &|k| {
            fs::rename(k.place().join(EXECUTABLE), k.folder.path().join("there")).unwrap();
            symlink(k.folder.path().join("there"), k.place().join(EXECUTABLE)).unwrap();
        }),
        ("a folder of that name", &|k| {
            fs::remove_file(k.place().join(EXECUTABLE)).unwrap();
            fs::create_dir(k.place().join(EXECUTABLE)).unwrap();
        }),
        ("another object", &|k| fs::write(k.place().join("1.o"), b"abject").unwrap()),
        ("no object", &|k| fs::remove_file(k.place().join("1.o")).unwrap()),
        ("an object elsewhere", &|k| {
            k.forge(|record| {
                let elsewhere = ("../../1.o".to_owned(), File::of(b"object"));
                let files = [elsewhere].into();
                record.link = record.link.take().map(|link| LinkRecord { files, ..link });
            });
        }),
        ("no record", &|k| fs::remove_file(k.place().join(RECORD)).unwrap()),
        ("the beginning of a record", &|k| {
            let bytes = fs::read(k.place().join(RECORD)).unwrap();
            fs::write(k.place().join(RECORD), &bytes[..20]).unwrap();
        }),
        ("a record of another version", &|k| k.edit("benchgate.kept/2", "benchgate.kept/0")),
        ("another commit in the record", &|k| k.edit("\"c1\"", "\"c2\"")),
        ("a key that there is not", &|k| k.edit("\"schema\"", "\"html\": 1, \"schema\"")),
        ("a forged digest of the code", &|k| {
            fs::write(k.place().join(EXECUTABLE), b"the c0de").unwrap();
            let digest = files::digest_of(b"the code");
            k.edit(&digest, &files::digest_of(b"the c0de"));
        }),
        ("the entry of another commit", &|k| {
            let other = identity(k.folder.path(), "c2");
            k.keep(&other, &k.key, b"other code");
            files::remove_dir(&k.place()).unwrap();
            fs::rename(k.store.place(&other, &k.key), k.place()).unwrap();
        }),
        ("the entry of another suite", &|k| {
            let other = SuiteKey::new("p", "other");
            k.keep(&k.identity, &other, b"other code");
            files::remove_dir(&k.place()).unwrap();
            fs::rename(k.store.place(&k.identity, &other), k.place()).unwrap();
        }),
        ("a file that was read has changed", &|k| {
            fs::write(k.folder.path().join("read"), "other").unwrap();
        }),
        ("a variable that was read has changed", &|k| {
            // As if it had been set when the suite was built.
            k.forge(|record| {
                record.inputs = record.inputs.clone().with_variable("BENCHGATE_TEST_UNSET", "1");
            });
        }),
    ];
    let table: String = edits
        .iter()
        .map(|(what, edit)| {
            let stored = Kept::new();
            edit(&stored);
            let refused = stored.restore().map(drop).unwrap_err();
            assert!(stored.place().symlink_metadata().is_err(), "{what} is still there");
            assert!(stored.restore().unwrap().is_none());
            let folder = stored.folder.path().display().to_string();
            format!("{what}: {}\n", refused.replace(&folder, "…"))
        })
        .collect();
    insta::assert_snapshot!(table);
}

#[test]
fn what_was_not_used_for_longest_is_removed_first() {
    let stored = Kept::new();
    let size = stored.store.entries().unwrap()[0].bytes;
    for (age, suite) in [(3_000, "old"), (2_000, "middle"), (1_000, "new")] {
        let key = SuiteKey::new("p", suite);
        stored.keep(&stored.identity, &key, b"the code");
        let record = stored.store.place(&stored.identity, &key).join(RECORD);
        let used = SystemTime::now() - std::time::Duration::from_secs(age);
        fs::File::options().append(true).open(record).unwrap().file().set_modified(used).unwrap();
    }
    // A use makes it the newest.
    assert!(stored.store.restore(&stored.identity, &SuiteKey::new("p", "old")).unwrap().is_some());
    let removed = stored.store.prune(size * 3 + size / 2).unwrap();
    let names: Vec<_> = removed.into_iter().map(|entry| entry.of).collect();
    assert_eq!(names, [Of::Suite("c1".to_owned(), SuiteKey::new("p", "middle"))]);
    assert_eq!(stored.store.prune(0).unwrap().len(), 3);
    assert!(stored.store.entries().unwrap().is_empty());
}

#[test]
fn a_build_script_that_reads_a_folder_elsewhere_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (target, elsewhere) = (folder.path().join("target"), folder.path().join("a b"));
    fs::create_dir_all(target.join("release/build/p-1")).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    let output = target.join("release/build/p-1/output");
    let given = Variables::new();
    let none = BTreeSet::new();
    let own = std::slice::from_ref(&target);
    let of = || Inputs::of(&target, own, &none, &given).unwrap().into_result();
    let instruction = format!("cargo::rerun-if-changed={}\n", elsewhere.display());
    fs::write(&output, "cargo:rerun-if-changed=src\ncargo:rustc-cfg=x\n").unwrap();
    assert_eq!(of(), Ok(Inputs::default()));
    fs::write(&output, instruction).unwrap();
    assert!(of().unwrap_err().contains("a b"));
    fs::write(&output, "").unwrap();
    let line =
        format!("x: {}/file src/main.rs\n", elsewhere.display().to_string().replace(' ', "\\ "));
    fs::write(target.join("x.d"), line).unwrap();
    fs::write(elsewhere.join("file"), "1").unwrap();
    assert_eq!(of().unwrap().changed(&given), None);
    let read = of().unwrap();
    fs::write(elsewhere.join("file"), "2").unwrap();
    assert!(read.changed(&given).unwrap().ends_with("a b/file was another file"));
}

/// As `GITHUB_SHA` in a sandbox: this process has it, and no build.
#[test]
fn a_variable_that_no_build_is_given_is_no_input() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.d"), "x: \n# env-dep:PATH=/bin\n").unwrap();
    let without = Variables::new();
    let with = Variables::from([("PATH".into(), "/bin".into())]);
    let none = BTreeSet::new();
    let of = |given| Inputs::of(folder.path(), &[], &none, given).unwrap().into_result().unwrap();
    assert_eq!(of(&without).changed(&without), None);
    assert_eq!(of(&with).changed(&with), None);
    assert_eq!(of(&without).changed(&with).unwrap(), "the variable PATH had another value");
    assert_eq!(of(&with).changed(&without).unwrap(), "the variable PATH had another value");
}

#[test]
fn a_build_script_of_the_workspace_may_read_any_variable_but_those_of_shells() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("release/build/my-tables-0123456789abcdef")).unwrap();
    let output = "release/build/my-tables-0123456789abcdef/output";
    fs::write(folder.path().join(output), "cargo:rerun-if-changed=build.rs\n").unwrap();
    let given = |name: &str, value: &str| Variables::from([(name.into(), value.into())]);
    let of = |packages: &[&str], given| {
        let packages = packages.iter().map(|&name| name.to_owned()).collect();
        Inputs::of(folder.path(), &[], &packages, given).unwrap().into_result().unwrap()
    };
    let (without, with) = (Variables::new(), given("TABLE_ROOT", "20000"));
    let own = of(&["my_tables"], &without);
    let changed = own.changed(&with).unwrap();
    assert_eq!(changed, "a variable that a build script may read had another value");
    assert_eq!(own.changed(&without), None);
    assert_eq!(own.changed(&given("SHLVL", "2")), None);
    assert_eq!(of(&["other"], &without).changed(&with), None);
}
