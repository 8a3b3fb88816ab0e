#!/bin/bash
# label: fast
# Every text that people read is translated into every language, with the same placeholders.
#
# That no text of the page escapes translation is what tests/browser looks for.
set -euo pipefail

[ "$SANITIZED" = 0 ] || exit 77
cd "$SOURCE_DIR"
template=$(mktemp --suffix=.pot)
trap 'rm -f "$template"' EXIT
tools/words.sh "$template"

result=0
for language in da nl de fr el; do
    po=po/$language.po
    # msgcmp fails on texts that are missing or fuzzy; msgfmt on placeholders that do not match.
    msgcmp "$po" "$template" || result=1
    msgfmt --check --check-format --output-file=/dev/null "$po" || result=1
    tests/placeholders.py "$po" || result=1
    if [ -n "$(msgattrib --obsolete "$po")" ]; then
        echo "$po: has texts that nobody uses"
        result=1
    fi
    # The program itself speaks it, whatever locales this machine has.
    if [ "$("$HAIRPIN" --lang $language help)" = "$("$HAIRPIN" --lang en help)" ]; then
        echo "$language: the program does not speak it"
        result=1
    fi
done
[ $result = 0 ] && echo "$(grep -c '^msgid' "$template") texts in 5 languages"
exit $result
