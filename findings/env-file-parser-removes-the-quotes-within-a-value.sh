#!/usr/bin/env bash
# An environment file with a document of JSON in single quotes, read by env-file-parser 1.0.0 and by
# github.com/joho/godotenv 1.5.1.
# Guess: the same document.
# Seen:  env-file-parser removes each quote of the value and not only those around it, so what is left is no JSON.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund env-file-parser@1.0.0 >/dev/null 2>&1
cat >.env <<'ENV'
NODES='{"zone":"a"}'
NOTE="it's ready"
ENV
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/joho/godotenv"
)

func main() {
	values, err := godotenv.Read(".env")
	if err != nil {
		panic(err)
	}
	fmt.Printf("go: %s\ngo: %s\n", values["NODES"], values["NOTE"])
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/joho/godotenv@v1.5.1 >/dev/null 2>&1
{
  node -p "const values = require('env-file-parser').parseSync('.env'); 'js: ' + values.NODES + '\njs: ' + values.NOTE"
  go run -mod=mod .
} | tee seen
diff seen - <<'OUT'
js: {zone:a}
js: its ready
go: {"zone":"a"}
go: it's ready
OUT
