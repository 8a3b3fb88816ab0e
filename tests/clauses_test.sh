#!/bin/bash
# label: fast
# Every clause of the rules has a test that names it: r8_2_..., or two of them, r8_1_r8_3_...
set -euo pipefail

cd "$SOURCE_DIR"
result=0
clauses=$(sed -n 's/^- R\([0-9]*\)\.\([0-9]*\) .*/r\1_\2/p' docs/RULES.md)
[ -n "$clauses" ] || { echo "docs/RULES.md has no clauses"; exit 1; }
tests=$(sed -n 's/^static void \(r[0-9]*_[0-9]*_.*\)(void \*\*state)$/_\1/p' tests/test_*.c)
for clause in $clauses; do
    if ! grep -q "_${clause}_" <<< "$tests"; then
        echo "no test names $clause"
        result=1
    fi
done
[ $result = 0 ] && echo "$(wc -w <<< "$clauses") clauses, $(wc -l <<< "$tests") tests that name one"
exit $result
