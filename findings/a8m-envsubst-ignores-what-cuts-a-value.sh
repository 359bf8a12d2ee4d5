#!/usr/bin/env bash
# Parts of the address of an image, filled in by github.com/a8m/envsubst 1.4.3 and by bash.
# Guess: the same texts, or an error for what the package does not know.
# Seen:  the package returns the whole value each time, without an error, and an empty text for the length.
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
export IMAGE=team/web
for text in '${IMAGE##*/}' '${IMAGE%/*}' '${IMAGE:0:4}' '${#IMAGE}'; do
  echo "bash:     $(eval "printf '%s: %s' '$text' \"$text\"")"
  echo "envsubst: $(go run -mod=mod . "$text")"
done | sed "s, $,," | tee seen
diff seen - <<'OUT'
bash:     ${IMAGE##*/}: web
envsubst: ${IMAGE##*/}: team/web
bash:     ${IMAGE%/*}: team
envsubst: ${IMAGE%/*}: team/web
bash:     ${IMAGE:0:4}: team
envsubst: ${IMAGE:0:4}: team/web
bash:     ${#IMAGE}: 8
envsubst: ${#IMAGE}:
OUT
