//! Examples below the help of each command.

pub(super) const CHECK: &str = "\
Examples:
  benchgate check                            the working tree, compared with its last commit
  benchgate check --base main                the branch, compared with where it forked from main
  benchgate check decode/                    only benchmarks with this in their id
  benchgate check --suite speed --budget 5m  one suite, for at most five minutes
  benchgate check --earlier target/benchgate/result.json   add pairs to what the last run left undecided
  benchgate check --dry-run                  what would be built and measured, and for how long
  benchgate check --format json >result.json";

pub(super) const COMPARE: &str = "\
Examples:
  benchgate compare base.json head.json               two exports of critcmp
  benchgate compare target/criterion:main target/criterion
  benchgate compare target/benchgate/result.json      judge the two sides of a run again";

pub(super) const BASELINE: &str = "\
Examples:
  benchgate baseline save       measure the last commit and write its baseline
  benchgate baseline diff main  what changed since the baselines of main";

pub(super) const CACHE: &str = "\
Examples:
  benchgate cache                      what is stored
  benchgate cache fill                 build the last commit, so that the next check builds the head alone
  benchgate cache prune --max-size 500 keep at most 500 MiB";

pub(super) const MERGE: &str = "\
Examples:
  benchgate check --shard 1/2 --output one   on one machine
  benchgate check --shard 2/2 --output two   on another one, or later
  benchgate merge one/result.json two/result.json";

pub(super) const REPORT: &str = "\
Examples:
  benchgate report target/benchgate/result.json
  benchgate report target/benchgate/result.json --format markdown >>\"$GITHUB_STEP_SUMMARY\"";

pub(super) const EXPLAIN: &str = "\
Examples:
  benchgate explain                       what the last check flagged
  benchgate explain decode/large          one benchmark, compared with the last commit
  benchgate explain 'decode/*' --base main";

pub(super) const BISECT: &str = "\
Examples:
  benchgate bisect --good v1.2.0 decode/large    what made it slower since v1.2.0
  benchgate bisect --good v1.2.0 --bad main 'decode/*' --budget 1h
  benchgate bisect --resume                      resume an interrupted search
  git bisect replay target/benchgate/bisect.log  the same search in git";

pub(super) const HISTORY: &str = "\
Examples:
  benchgate history                              every benchmark, those that changed first
  benchgate history 'decode/*' --since v1.2.0
  benchgate history --site public                pages for a web server
  benchgate history append target/benchgate/result.json --remote origin";

pub(super) const DOCTOR: &str = "\
Examples:
  benchgate doctor                     what makes this machine noisy
  benchgate doctor --check --allow smt for CI: exit 101 if a check other than smt is blocking";

pub(super) const SELFTEST: &str = "\
Examples:
  benchgate selftest                   how small a slowdown is detected here
  benchgate selftest --canaries-only   without this repository's benchmarks";

pub(super) const DEMO: &str = "\
Examples:
  benchgate demo                       half a minute, with the first build of Criterion";

pub(super) const INIT: &str = "\
Examples:
  benchgate init                       write benchgate.toml
  benchgate init --workflows --hook    also a GitHub workflow and a pre-commit hook";

pub(super) const POLICY: &str = "\
Examples:
  benchgate policy check                 is benchgate.toml of the working tree valid?
  benchgate policy show                  every setting of the last commit, with defaults
  benchgate policy show --revision main --format json";

pub(super) const COMPLETIONS: &str = "\
Examples:
  benchgate completions bash >~/.local/share/bash-completion/completions/benchgate
  benchgate completions fish >~/.config/fish/completions/benchgate.fish";

pub(super) const MAN: &str = "\
Examples:
  benchgate man >~/.local/share/man/man1/benchgate.1
  benchgate man check >~/.local/share/man/man1/benchgate-check.1";
