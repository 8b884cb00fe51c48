# Completion of `cargo rvcheck` and `cargo-rvcheck` in fish. The words come from cargo-rvcheck itself.

# Prints how many words come before those of rvcheck; nothing if it is not called.
function __rvcheck_skipped
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    if test "$words[1]" = cargo-rvcheck
        echo 1
    else if test "$words[2]" = rvcheck
        echo 2
    else if string match --quiet '+*' -- "$words[2]"; and test "$words[3]" = rvcheck
        echo 3
    end
end

function __rvcheck_words
    set -l skipped (__rvcheck_skipped)
    test -n "$skipped"; or return
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -e words[1..$skipped]
    set -l at (math (count $words) + 1)
    RVCHECK_COMPLETE=fish RVCHECK_COMPLETE_INDEX=$at cargo-rvcheck -- cargo-rvcheck $words (commandline --current-token --cut-at-cursor) 2>/dev/null
end

complete --command cargo --condition 'string length --quiet (__rvcheck_skipped)' --keep-order --no-files --arguments '(__rvcheck_words)'
complete --command cargo-rvcheck --keep-order --no-files --arguments '(__rvcheck_words)'
