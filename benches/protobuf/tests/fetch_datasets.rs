//! `scripts/fetch-datasets`, with a folder in the place of the internet.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use benchmarks::datasets::{Dataset, Source};
use support::official;

#[test]
fn the_downloaded_files_are_used_and_not_downloaded_again() {
    let name = "the_downloaded_files_are_used_and_not_downloaded_again";
    let Some(Source::Official(originals)) = official(name) else { return };
    let [mirror, folder] = fresh_folders("downloaded");
    for dataset in Dataset::OFFICIAL {
        let original = originals.join(format!("dataset.{}.pb", dataset.name()));
        serve(&mirror, dataset, &fs::read(original).unwrap());
    }

    let output = fetch(&mirror, &folder);
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout.lines().filter(|line| line.starts_with("downloaded: ")).count(), 3);
    let last = format!("BENCH_DATASETS={}", folder.display());
    assert_eq!(stdout.lines().last(), Some(last.as_str()));
    for dataset in Dataset::OFFICIAL {
        Source::Official(folder.clone()).load(dataset).unwrap();
    }

    // Nothing is left to download from.
    fs::remove_dir_all(&mirror).unwrap();
    let output = fetch(&mirror, &folder);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_download_with_another_digest_fails_and_leaves_no_file() {
    let [mirror, folder] = fresh_folders("other-digest");
    for dataset in Dataset::OFFICIAL {
        serve(&mirror, dataset, b"not a dataset");
    }

    let output = fetch(&mirror, &folder);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("expected e8db59c48f99"), "{stderr}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_download_that_fails_names_its_url_and_leaves_no_file() {
    let [mirror, folder] = fresh_folders("no-download");

    let output = fetch(&mirror, &folder);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("error: cannot download file://"), "{stderr}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

/// Two empty folders, to download from and to.
fn fresh_folders(test: &str) -> [PathBuf; 2] {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fetch-datasets").join(test);
    let _ = fs::remove_dir_all(&parent);
    ["mirror", "folder"].map(|name| {
        let folder = parent.join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    })
}

/// Puts a file where the protobuf repository has it.
fn serve(mirror: &Path, dataset: Dataset, content: &[u8]) {
    let folder = mirror.join(match dataset {
        Dataset::GoogleMessage1Proto2 => "google_message1/proto2",
        Dataset::GoogleMessage1Proto3 => "google_message1/proto3",
        Dataset::GoogleMessage2 => "google_message2",
        Dataset::GoogleMessage2Utf8 => panic!("there is no official file"),
    });
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("dataset.{}.pb", dataset.name())), content).unwrap();
}

fn fetch(mirror: &Path, folder: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/fetch-datasets");
    Command::new(script)
        .arg(folder)
        .env("FETCH_DATASETS_URL", format!("file://{}", mirror.display()))
        .output()
        .unwrap()
}
