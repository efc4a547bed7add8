# Python programs that the tests run, each in an environment of its own.

# environment FOLDER WHAT…: installs what pip is told to, unless it has been installed there before.
environment() {
    local folder=$1
    shift
    [[ ! -e $folder/whole ]] || return 0
    rm -rf "$folder"
    python3 -m venv "$folder" &&
        "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" &&
        touch "$folder/whole"
}
