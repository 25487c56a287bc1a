//! Variables that builds and rounds get from the environment of the gate: what cargo, compilers, linkers, toolchains,
//! locales, proxies and harnesses go by. Everything else stays with the gate: tokens are kept in variables.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Names of single variables.
const NAMES: &[&str] = &[
    // The user and the system.
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "PATH",
    "PWD",
    "SHELL",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "TZDIR",
    "USER",
    // CI, by which tools choose how they talk; not its tokens and files.
    "CI",
    "NO_COLOR",
    // Compilers, linkers, and where they search.
    "AR",
    "AS",
    "CC",
    "CPATH",
    "CPP",
    "C_INCLUDE_PATH",
    "DEVELOPER_DIR",
    "FC",
    "LD",
    "MAKEFLAGS",
    "MFLAGS",
    "NM",
    "NUM_JOBS",
    "OBJCOPY",
    "RANLIB",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
    "STRIP",
    // Proxies.
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "ftp_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    // Certificates.
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    // Runtimes.
    "CLASSPATH",
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "NEXTEST",
    "TOKIO_WORKER_THREADS",
    "VIRTUAL_ENV",
    "_RJEM_MALLOC_CONF",
];

/// Beginnings of the names of more of them.
const BEGINNINGS: &[&str] = &[
    "AR_",
    "ARFLAGS",
    "ASAN_",
    "ASDF_",
    "BENCHGATE_",
    "BINDGEN_",
    "CARGO",
    "CC_",
    "CFLAGS",
    "CLANG_",
    "CMAKE",
    "CONDA_",
    "CPLUS_INCLUDE_PATH",
    "CPPFLAGS",
    "CRITERION_",
    "CXX",
    "DIVAN_",
    "GLIBC_TUNABLES",
    "GOMP_",
    "HOST_",
    "JAVA_",
    "JDK_",
    "KMP_",
    "LC_",
    "LDFLAGS",
    "LD_",
    "LIBCLANG_",
    "LIBRARY_PATH",
    "LLVM_",
    "MACOSX_DEPLOYMENT_TARGET",
    "MALLOC_",
    "MAVEN_",
    "MIMALLOC_",
    "MKL_",
    "NINJA",
    "NIX_",
    "NODE_",
    "NVM_",
    "OMP_",
    "OPENBLAS_",
    "OPENSSL_",
    "PKG_CONFIG",
    "PROTOC",
    "PYENV_",
    "PYTHON",
    "RAYON_",
    "RUST",
    "TARGET_",
    "TCMALLOC_",
    "XDG_",
];

/// Ends of names that are a folder or a library of somebody's `-sys` package.
const ENDS: &[&str] = &[
    "_DIR",
    "_HOME",
    "_INCLUDE",
    "_LIB",
    "_LIBS",
    "_NO_PKG_CONFIG",
    "_PREFIX",
    "_ROOT",
    "_STATIC",
    "_USE_PKG_CONFIG",
];

/// Git would take another repository for that of a checkout.
const OF_GIT: &str = "GIT_";

/// Parts of the names of secrets, whatever they begin with.
const SECRET: &[&str] = &[
    "ACCESS_KEY",
    "API_KEY",
    "APIKEY",
    "CREDENTIAL",
    "NIX_CONFIG",
    "PASS",
    "PRIVATE",
    "SECRET",
    "TOKEN",
];

/// Ends of the names of others.
const SECRET_ENDS: &[&str] = &["_AUTH", "_KEY", "_PAT"];

/// A part of the names of proxies, whose addresses may have a password.
const PROXY: &str = "PROXY";

/// What a policy passes on in addition.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    /// Names of variables, with a `*` at the end for all that begin so.
    pub(super) names: Vec<String>,
    /// Whether there is a network, for which there are proxies.
    pub(super) has_network: bool,
}

/// Returns the variables that are passed on, of all that the gate has.
pub(super) fn passed(
    all: BTreeMap<OsString, OsString>,
    named: &Named,
) -> BTreeMap<OsString, OsString> {
    let trusted = trusted_folders(&all);
    let mut passed = all;
    passed.retain(|name, _| name.to_str().is_some_and(|name| is_passed(name, named)));
    if !passed.contains_key(OsStr::new(GIT_COUNT)) {
        passed.extend(trusted);
    }
    passed
}

/// Beginnings of the variables that configure git.
const GIT_COUNT: &str = "GIT_CONFIG_COUNT";
const GIT_KEY: &str = "GIT_CONFIG_KEY_";
const GIT_VALUE: &str = "GIT_CONFIG_VALUE_";

/// Settings that are read at most.
const MOST_SETTINGS: usize = 1000;

/// The folders of other users that git is told to trust, which it refuses to read otherwise. Other settings may be headers
/// with a token.
fn trusted_folders(all: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
    let get = |name: String| all.get(OsStr::new(&name));
    let count = get(GIT_COUNT.to_owned()).and_then(|count| count.to_str()?.parse().ok());
    let folders: Vec<&OsString> = (0..count.unwrap_or(0).min(MOST_SETTINGS))
        .filter(|number| get(format!("{GIT_KEY}{number}")).is_some_and(|it| it == "safe.directory"))
        .filter_map(|number| get(format!("{GIT_VALUE}{number}")))
        .collect();
    if folders.is_empty() {
        return BTreeMap::new();
    }
    let mut settings = BTreeMap::from([(GIT_COUNT.into(), folders.len().to_string().into())]);
    for (number, folder) in folders.into_iter().enumerate() {
        settings.insert(format!("{GIT_KEY}{number}").into(), "safe.directory".into());
        settings.insert(format!("{GIT_VALUE}{number}").into(), folder.clone());
    }
    settings
}

/// Whether a variable is passed on.
fn is_passed(name: &str, Named { names: named, has_network }: &Named) -> bool {
    // A secret is passed where somebody wrote its whole name.
    if named.iter().any(|of_policy| of_policy == name) {
        return true;
    }
    let is_proxy = name.to_ascii_uppercase().contains(PROXY);
    if is_secret(name) || is_proxy && !has_network {
        return false;
    }
    NAMES.contains(&name)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || !name.starts_with(OF_GIT) && ENDS.iter().any(|end| name.ends_with(end))
        || named.iter().any(|entry| is_begun_by(entry, name))
}

/// Whether a name is one of what secrets are passed in.
pub(crate) fn is_secret(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    SECRET.iter().any(|part| upper.contains(part))
        || SECRET_ENDS.iter().any(|end| upper.ends_with(end))
}

/// Whether an entry of a policy stands for all that begin so, and a variable does.
fn is_begun_by(entry: &str, name: &str) -> bool {
    entry.strip_suffix('*').is_some_and(|beginning| name.starts_with(beginning))
}

/// The variables of the gate that a policy names.
pub fn named<'a>(entries: impl Iterator<Item = &'a String>) -> BTreeMap<String, OsString> {
    let entries: Vec<&String> = entries.collect();
    let all = std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into_owned(), value));
    let is_named = |name: &str| entries.iter().any(|it| *it == name || is_begun_by(it, name));
    all.filter(|(name, _)| is_named(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Named {
        Named { names: names.iter().map(|name| (*name).to_owned()).collect(), has_network: false }
    }

    #[test]
    fn what_tools_go_by_is_passed_and_secrets_and_all_others_are_not() {
        for name in [
            "PATH",
            "LC_ALL",
            "RUSTFLAGS",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_REGISTRIES_OWN_INDEX",
            "CFLAGS_x86_64_unknown_linux_gnu",
            "OPENSSL_LIB_DIR",
            "PQ_LIB_DIR",
            "JAVA_HOME",
        ] {
            assert!(is_passed(name, &named(&[])), "{name}");
        }
        for name in [
            "GITHUB_TOKEN",
            "CARGO_REGISTRY_TOKEN",
            "CARGO_REGISTRIES_OWN_TOKEN",
            "CARGO_REGISTRY_CREDENTIAL_PROVIDER",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "ACTIONS_RUNTIME_URL",
            "GITHUB_ENV",
            "SSH_AUTH_SOCK",
            "DBUS_SESSION_BUS_ADDRESS",
            "npm_config_password",
            "DATABASE_URL",
            "GIT_ASKPASS",
            "https_proxy",
            "CARGO_HTTP_PROXY",
        ] {
            assert!(!is_passed(name, &named(&[])), "{name}");
        }
        let with_network = Named { has_network: true, ..Named::default() };
        assert!(is_passed("https_proxy", &with_network) && is_passed("NO_PROXY", &with_network));
    }

    #[test]
    fn the_page_lists_what_is_passed() {
        let page = include_str!("../../../../../docs/sandbox.md");
        let beginnings = BEGINNINGS.iter().map(|beginning| format!("`{beginning}*`"));
        let whole = NAMES
            .iter()
            .chain(ENDS)
            .chain(SECRET)
            .chain(SECRET_ENDS)
            .map(|name| format!("`{name}`"));
        for name in beginnings.chain(whole) {
            assert!(page.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_policy_passes_more_and_a_secret_by_its_whole_name_only() {
        let few = named(&["DATABASE_URL", "TEST_*", "OWN_TOKEN"]);
        for name in ["DATABASE_URL", "TEST_SIZE", "OWN_TOKEN"] {
            assert!(is_passed(name, &few), "{name}");
        }
        assert!(!is_passed("TEST_TOKEN", &few) && !is_passed("ANYTHING", &few));
        let all = named(&["*"]);
        assert!(!is_passed("TEST_TOKEN", &all) && is_passed("ANYTHING", &all));
    }

    #[test]
    fn of_what_git_is_told_by_variables_the_folders_that_it_trusts_are_passed() {
        let of = |pairs: &[(&str, &str)]| -> BTreeMap<OsString, OsString> {
            pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
        };
        let all = of(&[
            ("GIT_CONFIG_COUNT", "2"),
            ("GIT_CONFIG_KEY_0", "http.extraheader"),
            ("GIT_CONFIG_VALUE_0", "AUTHORIZATION: basic x"),
            ("GIT_CONFIG_KEY_1", "safe.directory"),
            ("GIT_CONFIG_VALUE_1", "/work"),
            ("GIT_DIR", "/elsewhere"),
        ]);
        let expected = of(&[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "safe.directory"),
            ("GIT_CONFIG_VALUE_0", "/work"),
        ]);
        assert_eq!(passed(all.clone(), &Named::default()), expected);
        assert_eq!(passed(all, &named(&["GIT_CONFIG_*"])).len(), 5);
        assert_eq!(passed(of(&[("GIT_CONFIG_COUNT", "x")]), &Named::default()), of(&[]));
    }
}
