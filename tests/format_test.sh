#!/bin/bash
# The formatter has nothing to say (make format).
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "Once is enough."; exit 77; }
exec "$SOURCE_DIR/tools/format.sh" --check
