#!/usr/bin/env bash
# A text that stands for a variable that has a value, filled in by github.com/drone/envsubst 1.0.3 and by bash.
# Guess: the same texts.
# Seen:  the package takes the operator for a default: it returns the value itself, and the other text where the
#        variable is empty.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/drone/envsubst"
)

func main() {
	for _, text := range os.Args[1:] {
		result, err := envsubst.EvalEnv(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", text, result)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/drone/envsubst@v1.0.3 >/dev/null 2>&1
export DEBUG=1 EMPTY=
for text in '${DEBUG:-none}' '${DEBUG:+--verbose}' '${EMPTY:+--verbose}'; do
  echo "bash:     $(eval "printf '%s: %s' '$text' \"$text\"")"
  echo "envsubst: $(go run -mod=mod . "$text")"
done | sed "s, $,," | tee seen
diff seen - <<'OUT'
bash:     ${DEBUG:-none}: 1
envsubst: ${DEBUG:-none}: 1
bash:     ${DEBUG:+--verbose}: --verbose
envsubst: ${DEBUG:+--verbose}: 1
bash:     ${EMPTY:+--verbose}:
envsubst: ${EMPTY:+--verbose}: --verbose
OUT
