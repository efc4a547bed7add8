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

# serve_demonstration SAID: the same with the demonstration's year. The suites have made one of this program that is
# kept while `tests/run` runs, and to copy it saves half a minute; a script that runs alone has it made.
serve_demonstration() {
    local kept=${NIL_TEST_SCRATCH:-/nowhere}/nil-template-demonstration-$(date -r "$nil" +%s%N)
    if [[ -e $kept && -e $kept.said ]]; then
        cp -a "$kept" nil-data
        serve "$1"
        # The accounts to log in with.
        grep '@' "$kept.said" >> "$1"
    else
        serve "$1" --demo
    fi
}

# address SAID INTERFACE: the address of Core, Compliance or Admin.
address() { sed -n "s|^$2  *||p" "$1"; }
