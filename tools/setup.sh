#!/bin/bash
# Installs what is missing of the packages in packages.txt: setup.sh GROUP...
# Says nothing and needs no rights when nothing is.
set -euo pipefail

list=$(dirname "$0")/packages.txt
debian=no
if command -v dpkg-query > /dev/null && command -v apt-get > /dev/null; then
    debian=yes
fi

missing=() # packages on Debian, commands elsewhere
for group in "$@"; do
    entries=$(awk -v group="[$group]" '/^\[/ { in_it = $1 == group; next } in_it && NF && !/^#/ { print $1 }' "$list")
    [ -n "$entries" ] || { echo "$list has no group $group" >&2; exit 1; }
    for entry in $entries; do
        package=${entry%%=*}
        command=${entry#"$package"}
        command=${command#=}
        if [ -n "$command" ] && command -v "$command" > /dev/null; then
            continue
        elif [ $debian = yes ]; then
            status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
            [ "$status" = installed ] || missing+=("$package")
        elif [ -n "$command" ]; then
            missing+=("$command")
        fi
    done
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ $debian = no ]; then
    echo "These commands are needed and not here: ${missing[*]}" >&2
    echo "Only Debian and its relatives can be set up automatically; $list names the packages there." >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo > /dev/null; then
        echo "These packages are missing, and there is no sudo to install them with: ${missing[*]}" >&2
        echo "As root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
# Somebody else may be installing just now, or the network may be slow. For the lists apt-get does not wait.
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}
echo "Installing: ${missing[*]}"
update() {
    for _ in 1 2 3; do
        ! apt update || return 0
        echo "Trying again in 20 seconds."
        sleep 20
    done
    apt update
}
if ! { update && apt -y --no-install-recommends install "${missing[@]}"; }; then
    echo "That did not work. As root: apt-get install ${missing[*]}" >&2
    exit 1
fi
