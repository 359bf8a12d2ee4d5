#!/usr/bin/env bash
# The settings of a plugin of containerd, whose name has points and stands in quotes, read by markty-toml 0.1.1 and by
# github.com/BurntSushi/toml 1.6.0.
# Guess: one plugin with its name.
# Seen:  markty-toml splits the name at its points and keeps the quotes in the parts.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund markty-toml@0.1.1 >/dev/null 2>&1
printf '[plugins."io.containerd.grpc.v1.cri"]\nenabled = true\n' >settings.toml
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
  node -p '`own: ${JSON.stringify(require("markty-toml")(fs.readFileSync("settings.toml", "utf8")))}`'
  go run -mod=mod . <settings.toml
} | tee seen
diff seen - <<'OUT'
own: {"plugins":{"\"io":{"containerd":{"grpc":{"v1":{"cri\"":{"enabled":true}}}}}}}
go:  {"plugins":{"io.containerd.grpc.v1.cri":{"enabled":true}}}
OUT
