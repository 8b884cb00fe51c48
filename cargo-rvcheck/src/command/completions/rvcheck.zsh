#compdef cargo-rvcheck
# Completion of `cargo rvcheck` and `cargo-rvcheck` in zsh. The words come from cargo-rvcheck itself.

# Completes the words behind the first `$1` ones.
_rvcheck_words() {
    local -a lines described
    local line value
    lines=("${(@f)$(RVCHECK_COMPLETE=zsh RVCHECK_COMPLETE_INDEX=$((CURRENT - $1)) \
        cargo-rvcheck -- cargo-rvcheck "${(@)words[$1 + 1,-1]}" 2> /dev/null)}")
    for line in $lines; do
        value=${line%%$'\t'*}
        described+=("${value//:/\\:}:${line#*$'\t'}")
    done
    _describe -V 'rvcheck' described
}

_rvcheck() {
    _rvcheck_words 1
}

_rvcheck_of_cargo() {
    local at=2
    [[ $words[2] == +* ]] && at=3
    if [[ $words[at] == rvcheck ]] && ((CURRENT > at)); then
        _rvcheck_words $at
    elif [[ -n $_rvcheck_before ]]; then
        $_rvcheck_before "$@"
    fi
}

# What completes cargo's other commands stays.
if [[ ${_comps[cargo]} != _rvcheck_of_cargo ]]; then
    typeset -g _rvcheck_before=${_comps[cargo]}
fi
compdef _rvcheck_of_cargo cargo
compdef _rvcheck cargo-rvcheck
