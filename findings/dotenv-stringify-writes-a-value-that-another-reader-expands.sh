#!/usr/bin/env bash
# Two values with a dollar sign, written by dotenv-stringify 3.0.1 and read by dotenv 16.6.1 and by a reader in Go
# (github.com/joho/godotenv 1.5.1).
# Guess: the same values from both readers.
# Seen:  the reader in Go takes what follows the dollar sign for the name of a variable and cuts it off. Single quotes
#        would keep it, but the writer sets none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund dotenv-stringify@3.0.1 dotenv@16.6.1 >/dev/null 2>&1
cat >write.mjs <<'JS'
import stringify from 'dotenv-stringify';
process.stdout.write(stringify({ PLAIN: 'secret', TOKEN: '5$USD' }));
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/joho/godotenv"
)

func main() {
	values, err := godotenv.Parse(os.Stdin)
	text, _ := json.Marshal(values)
	fmt.Println("godotenv:", string(text), err)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/joho/godotenv@v1.5.1 >/dev/null 2>&1
node write.mjs >written
{
  node -p '`dotenv:   ${JSON.stringify(require("dotenv").parse(fs.readFileSync("written")))}`'
  go run -mod=mod . <written
} | tee seen
diff seen - <<'OUT'
dotenv:   {"PLAIN":"secret","TOKEN":"5$USD"}
godotenv: {"PLAIN":"secret","TOKEN":"5"} <nil>
OUT
