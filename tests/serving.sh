# Sourced by the scripts that drive a server: starts one, and says where it listens.

# serve SAID [OPTION...]: `"$nil" serve` on any free ports; the addresses it prints go to the file SAID. Returns when it
# listens, with its process number in $server; fails when it ends before that.
serve() {
    local said=$1
    shift
    : > "$said"
    "$nil" serve --core 127.0.0.1:0 --back-office 127.0.0.1:0 "$@" > "$said" &
    server=$!
    until grep -q '^Admin' "$said"; do kill -0 "$server"; read -rt 0.05 <> <(:) || true; done
}

# address SAID INTERFACE: the address of Core, Compliance or Admin.
address() { sed -n "s|^$2  *||p" "$1"; }
