# Completion of `cargo rvcheck` and `cargo-rvcheck` in bash. The words come from cargo-rvcheck itself.

# Completes the words behind the first `$1` ones.
_rvcheck_words() {
    local skipped=$1 words=("cargo-rvcheck") at=0 i
    # Bash takes `--option=value` apart.
    for ((i = skipped; i < ${#COMP_WORDS[@]}; i++)); do
        if ((i > skipped)) && [[ ${COMP_WORDS[i]} == "=" || ${COMP_WORDS[i - 1]} == "=" ]]; then
            words[${#words[@]} - 1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
        ((i == COMP_CWORD)) && at=$((${#words[@]} - 1))
    done
    ((at > 0)) || return 0
    local IFS=$'\n'
    COMPREPLY=($(RVCHECK_COMPLETE=bash RVCHECK_COMPLETE_INDEX=$at cargo-rvcheck -- "${words[@]}" 2> /dev/null))
    if [[ ${words[at]} != "${COMP_WORDS[COMP_CWORD]}" ]]; then
        COMPREPLY=("${COMPREPLY[@]#*=}")
    fi
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2> /dev/null
    fi
    return 0
}

_rvcheck() {
    _rvcheck_words 1
}

_rvcheck_of_cargo() {
    local at=1
    [[ ${COMP_WORDS[1]} == +* ]] && at=2
    if [[ ${COMP_WORDS[at]} == rvcheck ]] && ((COMP_CWORD > at)); then
        _rvcheck_words $((at + 1))
    elif [[ -n $_rvcheck_before ]]; then
        "$_rvcheck_before" "$@"
    fi
}

# What completes cargo's other commands stays.
if declare -F _comp_load > /dev/null; then
    _comp_load cargo 2> /dev/null
elif declare -F _completion_loader > /dev/null; then
    _completion_loader cargo 2> /dev/null
fi
_rvcheck_spec=$(complete -p cargo 2> /dev/null)
if [[ $_rvcheck_spec =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _rvcheck_of_cargo ]]; then
    _rvcheck_before=${BASH_REMATCH[1]}
fi
unset _rvcheck_spec
complete -o bashdefault -o default -F _rvcheck_of_cargo cargo
complete -o bashdefault -o default -F _rvcheck cargo-rvcheck
