#!/usr/bin/env bash
# A table with and without a comment behind its name, read by markty-toml 0.1.1 and by github.com/BurntSushi/toml
# 1.6.0.
# Guess: the same table twice.
# Seen:  with the comment markty-toml returns neither the table nor what is in it, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund markty-toml@0.1.1 >/dev/null 2>&1
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/BurntSushi/toml"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	var values map[string]any
	if _, err := toml.Decode(string(text), &values); err != nil {
		fmt.Println("go: ", err)
		return
	}
	read, _ := json.Marshal(values)
	fmt.Println("go: ", string(read))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/BurntSushi/toml@v1.6.0 >/dev/null 2>&1
for name in '[limits]' '[limits] # of a pod'; do
  printf '%s\ncpu = 1\n' "$name" >settings.toml
  node -p '`own: ${JSON.stringify(require("markty-toml")(fs.readFileSync("settings.toml", "utf8")))}`'
  go run -mod=mod . <settings.toml
done | tee seen
diff seen - <<'OUT'
own: {"limits":{"cpu":1}}
go:  {"limits":{"cpu":1}}
own: {}
go:  {"limits":{"cpu":1}}
OUT
