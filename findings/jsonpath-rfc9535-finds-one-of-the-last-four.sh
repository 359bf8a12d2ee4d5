#!/usr/bin/env bash
# The last revisions of a list that has fewer than are asked for, by jsonpath-rfc9535 1.3.0 and by
# github.com/theory/jsonpath 0.12.3, which both follow RFC 9535.
# Guess: all that there are.
# Seen:  jsonpath-rfc9535 counts a start before the first item from the end once more, and finds one of three.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund jsonpath-rfc9535@1.3.0 >/dev/null 2>&1
echo '{"revisions":["r1","r2","r3"]}' >document.json
cat >find.mjs <<'JS'
import { readFileSync } from 'node:fs';
import * as jsonpath from 'jsonpath-rfc9535';
const query = jsonpath.query ?? jsonpath.default.query ?? jsonpath.default;
const document = JSON.parse(readFileSync('document.json', 'utf8'));
console.log('  package:', JSON.stringify(query(document, process.argv[2])));
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/theory/jsonpath"
)

func main() {
	text, err := os.ReadFile("document.json")
	if err != nil {
		panic(err)
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		panic(err)
	}
	path, err := jsonpath.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	found, err := json.Marshal(path.Select(document))
	if err != nil {
		panic(err)
	}
	fmt.Println("  theory: ", string(found))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/theory/jsonpath@v0.12.3 >/dev/null 2>&1
for path in '$.revisions[-3:]' '$.revisions[-4:]' '$.revisions[-5:2]'; do
  echo "$path"
  node find.mjs "$path"
  go run -mod=mod . "$path"
done | tee seen
diff seen - <<'OUT'
$.revisions[-3:]
  package: ["r1","r2","r3"]
  theory:  ["r1","r2","r3"]
$.revisions[-4:]
  package: ["r3"]
  theory:  ["r1","r2","r3"]
$.revisions[-5:2]
  package: ["r2"]
  theory:  ["r1","r2"]
OUT
