#!/usr/bin/env bash
# Two values with a hash in a `.env` file, read by github.com/subosito/gotenv 1.6.0, by github.com/joho/godotenv 1.5.1
# and by bash.
# Guess: a hash behind a space starts a comment, and one in a word is a part of the word, as for bash.
# Seen:  gotenv cuts both values.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
printf 'LEVEL=info # or debug\nCHANNEL=alerts#1\n' >.env
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/joho/godotenv"
	"github.com/subosito/gotenv"
)

func main() {
	first, err := gotenv.Read(".env")
	if err != nil {
		panic(err)
	}
	second, err := godotenv.Read(".env")
	if err != nil {
		panic(err)
	}
	fmt.Println("gotenv:  ", first["LEVEL"], first["CHANNEL"])
	fmt.Println("godotenv:", second["LEVEL"], second["CHANNEL"])
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/subosito/gotenv@v1.6.0 github.com/joho/godotenv@v1.5.1 >/dev/null 2>&1
{
  go run -mod=mod .
  bash -c '. ./.env; echo "bash:      $LEVEL $CHANNEL"'
} | tee seen
diff seen - <<'OUT'
gotenv:   info alerts
godotenv: info alerts#1
bash:      info alerts#1
OUT
