#!/usr/bin/env bash
# Makes a Manjaro machine into one that measures: packages, a user without sudo, a runner that takes one
# job at a time, a pinned kernel, settings against noise. Repeating it changes only what is not as it
# should be; --undo puts back what was. docs/machine.md describes it and why.
set -euo pipefail
shopt -s inherit_errexit nullglob

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Tests run it on a folder that looks like a root.
readonly here root=${BENCHGATE_ROOT:-}
readonly state=$root/var/lib/benchgate-setup
readonly user=benchgate
readonly library=/usr/local/lib/benchgate
readonly runner=/opt/benchgate-runner
readonly releases=https://github.com/actions/runner/releases/download

# What the gate builds and measures with, and what the runner's own installer knows no names of here.
readonly packages=(base-devel curl git jq python rustup valgrind icu krb5 lttng-ust openssl zlib)
readonly units=(benchgate-machine.service benchgate-update.timer benchgate-runner.service)

usage() {
    cat <<'HELP'
Usage: setup-manjaro.sh --repository OWNER/NAME --runner-version VERSION --runner-sha256 SUM [option…]
       setup-manjaro.sh --undo [--dry-run]

  --repository OWNER/NAME   the repository whose jobs this machine takes, and no other's
  --runner-version VERSION  a release of github.com/actions/runner, such as 2.329.0
  --runner-sha256 SUM       the checksum that its page names for linux-x64
  --runner-archive FILE     that release as a file, instead of a download
  --token-file FILE         a fine-grained token of that repository with Administration: write
  --kernel PACKAGE          the kernel to pin, such as linux612 [default: the one that runs]
  --dry-run                 print every command and every change, and touch nothing
  --undo                    put back what was there before
  --help                    this text
HELP
}

fail() {
    printf 'setup-manjaro.sh: %s\n' "$*" >&2
    exit 2
}
say() { printf '%s\n' "$*"; }

dry_run='' undo='' repository='' runner_version='' runner_sha256='' runner_archive='' token_file='' kernel=''

# Primitives. Each does nothing when nothing is to be done, says what it does, only says it in a dry run,
# and notes before it does it what an undo has to know.

# run COMMAND…
run() {
    say "+ $*"
    [[ -n $dry_run ]] || "$@"
}

# note FILE LINE: a line of the record, once.
note() {
    [[ -z $dry_run ]] || return 0
    mkdir -p "$state"
    grep -qsxF -- "$2" "$state/$1" || printf '%s\n' "$2" >>"$state/$1"
}

# put MODE PATH: writes stdin to the file.
put() {
    local mode=$1 path=$2 new
    new=$(mktemp)
    cat >"$new"
    if cmp -s "$new" "$root$path" && [[ $(stat -c %a "$root$path") == "$mode" ]]; then
        rm -f "$new"
        return 0
    fi
    say "write $path (mode $mode)"
    changed=yes
    if [[ -n $dry_run ]]; then
        local old=/dev/null
        [[ ! -e $root$path ]] || old=$root$path
        # A secret is not for the terminal.
        if [[ $mode == *00 ]]; then say "    (not shown)"; else diff -u --label before --label after "$old" "$new" | sed 's/^/    /' || true; fi
        rm -f "$new"
        return 0
    fi
    if [[ -e $root$path ]]; then
        if ! grep -qsxF -- "$path" "$state/created" && [[ ! -e $state/before$path ]]; then
            mkdir -p "$state/before${path%/*}"
            cp -p "$root$path" "$state/before$path"
        fi
    else
        folder "${path%/*}"
        note created "$path"
    fi
    chmod "$mode" "$new"
    # Written next to it and renamed: nobody reads half a file.
    cp -p "$new" "$root$path.benchgate"
    mv -f "$root$path.benchgate" "$root$path"
    rm -f "$new"
}

# folder PATH: is there, and the folders above it; those that were not go with an undo.
folder() {
    [[ ! -d $root$1 ]] || return 0
    [[ -z ${1%/*} ]] || folder "${1%/*}"
    note created "$1"
    [[ -n $dry_run ]] || mkdir -m 755 "$root$1"
}

# Steps.

install_packages() {
    local package missing
    # It names what is missing, and knows what another package provides.
    mapfile -t missing < <(pacman --deptest "${packages[@]}" "$kernel" || true)
    ((${#missing[@]} > 0)) || return 0
    for package in "${missing[@]}"; do note packages "$package"; done
    # With the whole system: a part of an update breaks a rolling release.
    run pacman --sync --refresh --sysupgrade --needed --noconfirm "${missing[@]}"
}

pin_kernel() {
    put 644 /etc/pacman.d/benchgate.conf <<PINS
# What measures does not change with an update. Other packages always go together: never a part of them.
IgnorePkg = $kernel $kernel-headers
IgnorePkg = intel-ucode amd-ucode
PINS
    local include='Include = /etc/pacman.d/benchgate.conf'
    if ! grep -qxF "$include" "$root/etc/pacman.conf"; then
        put "$(stat -c %a "$root/etc/pacman.conf")" /etc/pacman.conf < <(
            sed "/^\[options\]/a $include" "$root/etc/pacman.conf"
        )
    fi
}

make_user() {
    local groups
    if ! grep -q "^$user:" "$root/etc/passwd"; then
        note user "$user"
        run useradd --system --user-group --home-dir /var/lib/benchgate --create-home \
            --shell /usr/bin/nologin "$user"
    fi
    groups=$(awk -F: -v user="$user" '
        $1 ~ /^(root|wheel|sudo|admin|docker|lxd)$/ && ("," $4 ",") ~ ("," user ",") { print $1 }
    ' "$root/etc/group")
    if grep -rqs "^[[:space:]]*${user}[[:space:]]" "$root/etc/sudoers" "$root/etc/sudoers.d"; then
        groups+=${groups:+ }sudoers
    fi
    [[ -z $groups ]] || fail "the user $user can become root (${groups//$'\n'/ }): take it out of there first"
}

install_runner() {
    [[ $(cat "$root$runner/.benchgate-version" 2>/dev/null) != "$runner_version" ]] || return 0
    local archive=$runner_archive download='' name=actions-runner-linux-x64-$runner_version.tar.gz
    say "write $runner (actions/runner $runner_version)"
    if [[ -z $archive ]]; then
        if [[ -n $dry_run ]]; then archive=$name; else
            download=$(mktemp -d)
            archive=$download/$name
        fi
        run curl --silent --show-error --fail --location --retry 5 --output "$archive" \
            "$releases/v$runner_version/$name"
    fi
    [[ -z $dry_run ]] || return 0
    printf '%s  %s\n' "$runner_sha256" "$archive" | sha256sum --check --quiet ||
        fail "$archive is not what --runner-sha256 says; nothing of it was used"
    folder "${runner%/*}"
    [[ -d $root$runner ]] || note trees "$runner"
    rm -rf "$root$runner.new"
    mkdir "$root$runner.new"
    tar --extract --gzip --no-same-owner --file "$archive" --directory "$root$runner.new"
    printf '%s\n' "$runner_version" >"$root$runner.new/.benchgate-version"
    rm -rf "${root:?}$runner"
    mv "$root$runner.new" "$root$runner"
    [[ -z $download ]] || rm -rf "$download"
}

install_files() {
    local file
    for file in machine register-runner run-one-job update job-started.sh; do
        put 755 "$library/$file" <"$here/$file"
    done
    put 644 /etc/benchgate/runner.conf <<<"REPOSITORY=$repository"
    [[ -z $token_file ]] || put 600 /etc/benchgate/github-token <"$token_file"
    changed=
    for file in "$here"/benchgate-*.{service,timer}; do
        put 644 "/etc/systemd/system/${file##*/}" <"$file"
    done
    [[ -z $changed ]] || run systemctl daemon-reload
}

# Every timer that is enabled; benchgate-update does their work between jobs.
quiet_timers() {
    local path timer
    for path in "$root"/{etc,usr/lib}/systemd/system/timers.target.wants/*.timer; do
        timer=${path##*/}
        [[ $timer != benchgate-* ]] || continue
        local own=$root/etc/systemd/system/$timer
        [[ $(readlink "$own") != /dev/null ]] || continue
        if [[ -f $own && ! -L $own ]]; then
            # The machine's own timer: its file is in the way of a mask.
            [[ $path == "$root"/etc/* ]] || continue
            note timers "enable $timer"
            run systemctl disable --now "$timer"
        else
            note timers "unmask $timer"
            run systemctl mask --now "$timer"
        fi
    done
}

start_units() {
    local unit
    for unit in "${units[@]}"; do
        # An enabled runner that waited for its token is not active yet.
        systemctl is-enabled --quiet "$unit" 2>/dev/null &&
            systemctl is-active --quiet "$unit" 2>/dev/null && continue
        note units "$unit"
        run systemctl enable --now "$unit"
    done
}

set_up() {
    [[ $repository =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || fail "--repository OWNER/NAME is missing"
    [[ $runner_version =~ ^[0-9]+(\.[0-9]+)+$ ]] || fail "--runner-version is missing (a release such as 2.329.0)"
    [[ $runner_sha256 =~ ^[0-9a-f]{64}$ ]] || fail "--runner-sha256 is missing (64 hexadecimal digits)"
    [[ -z $token_file || -r $token_file ]] || fail "$token_file cannot be read"
    [[ -z $runner_archive || -r $runner_archive ]] || fail "$runner_archive cannot be read"
    [[ -r $root/etc/pacman.conf ]] || fail "this system has no pacman"
    if [[ -z $kernel ]]; then
        # 6.12.48-1-MANJARO comes from the package linux612.
        local release
        release=$(<"$root/proc/sys/kernel/osrelease")
        [[ $release =~ ^([0-9]+)\.([0-9]+)\..*MANJARO ]] ||
            fail "the kernel $release is not Manjaro's: name its package with --kernel"
        kernel=linux${BASH_REMATCH[1]}${BASH_REMATCH[2]}
    fi
    install_packages
    pin_kernel
    make_user
    install_runner
    install_files
    quiet_timers
    start_units
    say "done: $repository, $kernel is pinned"
    if [[ ! -e $root/etc/benchgate/github-token ]]; then
        say "next: repeat with --token-file; the runner waits for it"
    fi
    say "next: restart when the kernel was updated, then benchgate doctor, then benchgate baseline save"
}

# lines FILE: of a record, the last first.
lines() { tac "$state/$1" 2>/dev/null || true; }

undo_all() {
    if [[ ! -d $state ]]; then
        say "nothing to undo: $state is not there"
        return
    fi
    local line path
    while read -r line; do run systemctl disable --now "$line"; done < <(lines units)
    while read -r line path; do
        run systemctl "$line" "$path"
        run systemctl start "$path"
    done < <(lines timers)
    while read -r path; do
        path=${path#"$state/before"}
        say "write $path (as it was)"
        [[ -n $dry_run ]] || cp -p "$state/before$path" "$root$path"
    done < <(find "$state/before" -type f 2>/dev/null)
    while read -r path; do
        say "remove $path"
        [[ -n $dry_run ]] || rm -rf "${root:?}$path"
    done < <(lines trees)
    while read -r line; do run userdel --remove "$line"; done < <(lines user)
    while read -r path; do
        say "remove $path"
        [[ -z $dry_run ]] || continue
        # A folder that somebody else uses by now stays.
        if [[ -d $root$path ]]; then rmdir "$root$path" 2>/dev/null || say "    kept: not empty"; else rm -f "$root$path"; fi
    done < <(lines created)
    run systemctl daemon-reload
    local installed=()
    while read -r line; do
        # Never the kernel: it may be the one that runs.
        if [[ $line == linux[0-9]* ]]; then say "kept: $line"; else installed+=("$line"); fi
    done < <(lines packages)
    if ((${#installed[@]} > 0)); then
        run pacman --remove --recursive --unneeded --noconfirm "${installed[@]}"
    fi
    [[ -n $dry_run ]] || rm -rf "$state"
    say "done: what was there before is back; the settings of the CPU with benchgate-machine.service"
}

main() {
    while (($# > 0)); do
        case $1 in
            --help | -h)
                usage
                return
                ;;
            --dry-run) dry_run=yes ;;
            --undo) undo=yes ;;
            --repository | --runner-version | --runner-sha256 | --runner-archive | --token-file | --kernel)
                (($# > 1)) || fail "$1 needs a value"
                local name=${1#--}
                printf -v "${name//-/_}" %s "$2"
                shift
                ;;
            *)
                usage >&2
                fail "unknown option $1"
                ;;
        esac
        shift
    done
    if [[ -z $dry_run && -z $root && $EUID != 0 ]]; then
        fail "run it as root, or with --dry-run"
    fi
    if [[ -n $undo ]]; then undo_all; else set_up; fi
}

main "$@"
