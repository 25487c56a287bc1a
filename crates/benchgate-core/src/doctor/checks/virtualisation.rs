//! Virtual machines and containers.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const CPUINFO: &str = "/proc/cpuinfo";
const VENDOR: &str = "/sys/class/dmi/id/sys_vendor";
const PRODUCT: &str = "/sys/class/dmi/id/product_name";
const DOCKER: &str = "/.dockerenv";
const PODMAN: &str = "/run/.containerenv";
const OTHER: &str = "/run/systemd/container";

pub(super) const CHECK: Check = Check {
    name: "virtualisation",
    reads: &[CPUINFO, VENDOR, PRODUCT, DOCKER, PODMAN, OTHER],
    why: "other guests of the host, which are not visible, take time, caches and clock",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let Some(cpuinfo) = facts.text(CPUINFO) else {
        return Observation::unknown("not reported by the system");
    };
    let mut signs = Vec::new();
    if parse::fields(cpuinfo, "flags").any(|flags| flags.split(' ').any(|f| f == "hypervisor")) {
        let maker: Vec<&str> =
            [VENDOR, PRODUCT].iter().filter_map(|path| facts.text(path)).collect();
        signs.push(match maker.as_slice() {
            [] => "virtual machine".to_owned(),
            maker => format!("virtual machine ({})", maker.join(" ")),
        });
    }
    if [DOCKER, PODMAN, OTHER].iter().any(|path| facts.exists(path)) {
        signs.push("container".to_owned());
    }
    if signs.is_empty() {
        return Observation::ok("none");
    }
    Observation::advice(
        signs.join(", "),
        "measure on a dedicated machine; here, trust pairs (`check`) and not a committed baseline",
    )
}
