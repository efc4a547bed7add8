# Sourced by the parts: what they need, and a Debian of their own.

say() { printf '      %s\n' "$*"; }
die() { echo "tests/packages: $*" >&2; exit 1; }
# holds WHAT COMMAND…: the command succeeds, or the run ends with what did not hold.
holds() {
    local what=$1
    shift
    "$@" || die "does not hold: $what"
}

install_missing() {
    local tool package
    local -a missing=()
    for package in mmdebstrap lintian strace buildah iproute2:ip curl jq systemd:systemd-analyze systemd-container:systemd-nspawn \
        build-essential:dpkg-shlibdeps openssl; do
        tool=${package#*:}
        command -v "$tool" > /dev/null || missing+=("${package%:*}")
    done
    ((${#missing[@]})) || return 0
    command -v apt-get > /dev/null || die "please install: ${missing[*]}"
    echo "installing ${missing[*]}" >&2
    apt-get update -q >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}" >&2
}

# debian_root VARIANT [PACKAGE…]: the path of an archive with a small Debian. It is kept, because making one takes more
# than a minute.
debian_root() {
    local archive
    archive=$kept/$1-$(cksum <<< "$* $(cat /etc/os-release)" | cut -d ' ' -f 1).tar
    [[ -e $archive ]] || "$here/../../packaging/root" "$archive" "$@" >&2
    echo "$archive"
}

# ready URL: waits until the server there answers that it is ready; its process is $server.
ready() {
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        [[ $(curl -s -o /dev/null -w '%{http_code}' "$1") != 200 ]] || return 0
        kill -0 "$server" 2> /dev/null || return 1
        read -rt 0.1 <> <(:) || true
    done
    return 1
}

# validators: the folder with the programs of those who check formats.
validators() {
    local folder
    # shellcheck source=tests/venv.sh
    . "$here/../venv.sh"
    folder=$kept/validators-$(cksum < "$here/requirements.txt" | cut -d ' ' -f 1)
    environment "$folder" -r "$here/requirements.txt" >&2
    echo "$folder/bin"
}
