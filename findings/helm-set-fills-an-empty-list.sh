#!/usr/bin/env bash
# Lists set on the command line of Helm, read by helm.sh/helm/v4/pkg/strvals 4.3.2: with one value, with two, and without any in both forms,
# `{}` and `[]`. The documentation of Helm translates `name=[]` to an empty list.
# Guess: a list with one item, a list with two, and twice an empty list.
# Seen:  `{}` is a list with one item, an empty text, and `[]` is no list but a text of two characters. A chart that writes an entry for
#        each item writes one without a name, or fails. Neither form empties a list.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	"helm.sh/helm/v4/pkg/strvals"
)

func main() {
	for _, text := range []string{"args={web}", "args={web,8080}", "args={}", "args=[]"} {
		values, err := strvals.Parse(text)
		if err != nil {
			panic(err)
		}
		list, _ := json.Marshal(values["args"])
		fmt.Printf("%s: %s\n", text, list)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get helm.sh/helm/v4/pkg/strvals@v4.3.2 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
args={web}: ["web"]
args={web,8080}: ["web",8080]
args={}: [""]
args=[]: "[]"
OUT
