#!/usr/bin/env bash
# An environment file with the tag of an image and the commit of a build, read by dotenv-parse-variables 2.0.0 and by
# github.com/joho/godotenv 1.5.1.
# Guess: the package makes a number only of a text that the number writes again in the same way.
# Seen:  the tag 1.10 becomes the number 1.1, which is another tag, and the commit 4500e12 becomes 4500000000000000.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dotenv@16.6.1 dotenv-parse-variables@2.0.0 >/dev/null 2>&1
printf 'TAG=1.10\nCOMMIT=4500e12\nREPLICAS=3\n' >.env
cat >read.js <<'JS'
const parse = require('dotenv-parse-variables');
const { TAG, COMMIT, REPLICAS } = parse(require('dotenv').parse(require('node:fs').readFileSync('.env')));
console.log(`js: image web:${TAG}, commit ${COMMIT}, replicas ${REPLICAS}`);
JS
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
	fmt.Printf("go: image web:%s, commit %s, replicas %s\n", values["TAG"], values["COMMIT"], values["REPLICAS"])
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/joho/godotenv@v1.5.1 >/dev/null 2>&1
{
  node read.js
  go run -mod=mod .
} | tee seen
diff seen - <<'OUT'
js: image web:1.1, commit 4500000000000000, replicas 3
go: image web:1.10, commit 4500e12, replicas 3
OUT
