#!/usr/bin/env bash
# A text of two lines that a backslash joins, read by fast-toml 0.5.4 and by github.com/BurntSushi/toml 1.6.0.
# Guess: the same text. The backslash removes the line end and the spaces behind it.
# Seen:  fast-toml removes the line end only, so the spaces stand in the command.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund fast-toml@0.5.4 >/dev/null 2>&1
printf 'command = """kubectl get \\\n    pods"""\n' >settings.toml
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
{
  node -p '`own: ${JSON.stringify(require("fast-toml").parse(fs.readFileSync("settings.toml", "utf8")))}`'
  go run -mod=mod . <settings.toml
} | tee seen
diff seen - <<'OUT'
own: {"command":"kubectl get     pods"}
go:  {"command":"kubectl get pods"}
OUT
