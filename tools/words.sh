#!/bin/bash
# Collects what people read from the program and the page and brings po/*.po up to date with it. New texts come in
# untranslated; tests/words_test.sh does not pass until every language has them. words.sh [TEMPLATE]
#
# With TEMPLATE only that file is written and po/ is left alone.
set -euo pipefail

cd "$(dirname "$0")/.."
template=${1:-$(mktemp --suffix=.pot)}
xgettext --from-code=UTF-8 --language=C --keyword=_ --keyword=N_ --keyword=n_:1,2 --flag=cli_complain:1:c-format \
    --no-location --sort-output --package-name=hairpin --output="$template" cli/*.c cli/*.h terminal/*.c bench/*.c bots/*.c
xgettext --from-code=UTF-8 --language=JavaScript --keyword --keyword=_ --keyword=N_ --keyword=n_:1,2 \
    --no-location --sort-output --join-existing --package-name=hairpin --output="$template" web/*.js
sed -i 's/charset=CHARSET/charset=UTF-8/' "$template"
[ $# -gt 0 ] && exit
for po in po/*.po; do
    msgmerge --quiet --update --backup=none --no-fuzzy-matching --sort-output "$po" "$template"
    msgattrib --no-obsolete --sort-output --output-file="$po" "$po"
done
rm -f "$template"
