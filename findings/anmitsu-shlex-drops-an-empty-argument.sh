#!/usr/bin/env bash
# Commands with an empty argument, split by github.com/anmitsu/go-shlex (v0.0.0-20200514113438-38f4b401e2be) by the
# rules of POSIX, and by bash.
# Guess: the same words, the empty one among them.
# Seen:  the empty word is gone, without an error. The option takes the word behind it for its value.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/anmitsu/go-shlex"
)

func main() {
	for _, text := range os.Args[1:] {
		words, err := shlex.Split(text, true)
		if err != nil {
			panic(err)
		}
		fmt.Printf("package: %q\n", words)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/anmitsu/go-shlex@v0.0.0-20200514113438-38f4b401e2be >/dev/null 2>&1
for command in 'web --prefix "" --port 80' "web --name '' db"; do
  echo "text:    $command"
  eval "set -- $command"
  echo "bash:    [$(printf '"%s" ' "$@" | sed 's/ $//')]"
  go run -mod=mod . "$command"
done | tee seen
diff seen - <<'OUT'
text:    web --prefix "" --port 80
bash:    ["web" "--prefix" "" "--port" "80"]
package: ["web" "--prefix" "--port" "80"]
text:    web --name '' db
bash:    ["web" "--name" "" "db"]
package: ["web" "--name" "db"]
OUT
