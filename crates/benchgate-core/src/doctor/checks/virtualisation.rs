//! Virtual machines and containers.

use super::{Check, Facts, Seen, parse};

const CPUINFO: &str = "/proc/cpuinfo";
const VENDOR: &str = "/sys/class/dmi/id/sys_vendor";
const PRODUCT: &str = "/sys/class/dmi/id/product_name";
const DOCKER: &str = "/.dockerenv";
const PODMAN: &str = "/run/.containerenv";
const OTHER: &str = "/run/systemd/container";

pub(super) const CHECK: Check = Check {
    name: "virtualisation",
    reads: &[CPUINFO, VENDOR, PRODUCT, DOCKER, PODMAN, OTHER],
    why: "neighbours that are not to be seen take time, caches and clock",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let Some(cpuinfo) = facts.text(CPUINFO) else {
        return Seen::unknown("the system does not tell");
    };
    let mut found = Vec::new();
    if parse::fields(cpuinfo, "flags").any(|flags| flags.split(' ').any(|f| f == "hypervisor")) {
        let maker: Vec<&str> =
            [VENDOR, PRODUCT].iter().filter_map(|path| facts.text(path)).collect();
        found.push(match maker.as_slice() {
            [] => "virtual machine".to_owned(),
            maker => format!("virtual machine ({})", maker.join(" ")),
        });
    }
    if [DOCKER, PODMAN, OTHER].iter().any(|path| facts.exists(path)) {
        found.push("container".to_owned());
    }
    if found.is_empty() {
        return Seen::ok("none");
    }
    Seen::advice(
        found.join(", "),
        "measure on a machine of its own; here, trust pairs (`check`) and no committed baseline",
    )
}
