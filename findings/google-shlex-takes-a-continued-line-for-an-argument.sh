#!/usr/bin/env bash
# A command over two lines, joined by a backslash as in a runbook, split by github.com/google/shlex
# (v0.0.0-20191202100458-e7afc7fbc510) and by bash.
# Guess: the same words.
# Seen:  the package makes a word of the line end, without an error, so kubectl would look for a pod of that name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/google/shlex"
)

func main() {
	words, err := shlex.Split(os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Printf("package: %q\n", words)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/google/shlex@v0.0.0-20191202100458-e7afc7fbc510 >/dev/null 2>&1
printf -v command 'kubectl get pods \\\n  -n shop'
{
  echo "$command"
  eval "set -- $command"
  echo "bash:    [$(printf '"%s" ' "$@" | sed 's/ $//')]"
  go run -mod=mod . "$command"
} | tee seen
diff seen - <<'OUT'
kubectl get pods \
  -n shop
bash:    ["kubectl" "get" "pods" "-n" "shop"]
package: ["kubectl" "get" "pods" "\n" "-n" "shop"]
OUT
