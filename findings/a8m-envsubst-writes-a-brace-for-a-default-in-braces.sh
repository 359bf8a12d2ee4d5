#!/usr/bin/env bash
# Defaults of a variable that is not set, filled in by github.com/a8m/envsubst 1.4.3 and by bash. The description
# gives the default as a variable.
# Guess: the same texts.
# Seen:  of a default in braces only a brace is left, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/a8m/envsubst"
)

func main() {
	for _, text := range os.Args[1:] {
		result, err := envsubst.String(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", text, result)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/a8m/envsubst@v1.4.3 >/dev/null 2>&1
export FALLBACK=8080
for text in '${PORT:-80}' '${PORT:-$FALLBACK}' '${PORT:-${FALLBACK}}'; do
  echo "bash:     $(eval "printf '%s: %s' '$text' \"$text\"")"
  echo "envsubst: $(go run -mod=mod . "$text")"
done | sed "s, $,," | tee seen
diff seen - <<'OUT'
bash:     ${PORT:-80}: 80
envsubst: ${PORT:-80}: 80
bash:     ${PORT:-$FALLBACK}: 8080
envsubst: ${PORT:-$FALLBACK}: 8080
bash:     ${PORT:-${FALLBACK}}: 8080
envsubst: ${PORT:-${FALLBACK}}: }
OUT
