#!/usr/bin/env bash
# A merge patch whose list has an item with a null, applied by the library of the API server
# (gopkg.in/evanphx/json-patch.v4 4.13.0) and by json-merge-patch 1.0.2.
# Guess: the same document. RFC 7396 replaces a list by the list of the patch, whatever is in it.
# Seen:  json-patch removes the field with the null from the item of a list as well, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-merge-patch@1.0.2 >/dev/null 2>&1
echo '{"steps":[{"pause":10}],"image":"web"}' >document.json
echo '{"steps":[{"pause":null},{"weight":50}],"image":null}' >patch.json
cat >apply.js <<'JS'
const { apply } = require('json-merge-patch');
console.log('json-merge-patch:', JSON.stringify(apply(require('./document.json'), require('./patch.json'))));
JS
cat >main.go <<'GO'
package main

import (
	"bytes"
	"fmt"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

func main() {
	document, err := os.ReadFile("document.json")
	if err != nil {
		panic(err)
	}
	patch, err := os.ReadFile("patch.json")
	if err != nil {
		panic(err)
	}
	merged, err := jsonpatch.MergePatch(document, patch)
	if err != nil {
		panic(err)
	}
	fmt.Printf("json-patch:       %s\n", bytes.TrimSpace(merged))
}
GO
go mod init finding >/dev/null 2>&1
go get gopkg.in/evanphx/json-patch.v4@v4.13.0 >/dev/null 2>&1
{
  node apply.js
  go run -mod=mod .
} | tee seen
diff seen - <<'OUT'
json-merge-patch: {"steps":[{"pause":null},{"weight":50}]}
json-patch:       {"steps":[{},{"weight":50}]}
OUT
