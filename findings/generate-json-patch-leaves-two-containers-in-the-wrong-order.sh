#!/usr/bin/env bash
# The init containers of a pod in a new order, compared by generate-json-patch 1.2.9 with their names as identity. The
# patch is applied by github.com/evanphx/json-patch/v5 5.9.11.
# Guess: the new order. Init containers run one after the other, so their order counts.
# Seen:  of 24 orders of four containers one is not reached, "cdba". The patch moves two containers and leaves the other
#        two exchanged.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund generate-json-patch@1.2.9 >/dev/null 2>&1
cat >write.js <<'JS'
const { generateJSONPatch } = require('generate-json-patch');
const list = order => [...order].map(name => ({ name }));
const orders = text =>
  text.length < 2 ? [text] : [...text].flatMap(first => orders(text.replace(first, '')).map(rest => first + rest));
for (const order of orders('abcd')) {
  const [before, after] = [list('abcd'), list(order)];
  const patch = generateJSONPatch({ list: before }, { list: after }, { objectHash: container => container.name });
  console.log(JSON.stringify({ order, before: { list: before }, patch }));
}
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

func main() {
	decoder := json.NewDecoder(os.Stdin)
	reached := 0
	for {
		var test struct {
			Order         string
			Before, Patch json.RawMessage
		}
		if err := decoder.Decode(&test); err == io.EOF {
			break
		} else if err != nil {
			panic(err)
		}
		patch, err := jsonpatch.DecodePatch(test.Patch)
		if err != nil {
			panic(err)
		}
		document, err := patch.Apply(test.Before)
		if err != nil {
			panic(err)
		}
		var after struct{ List []struct{ Name string } }
		if err := json.Unmarshal(document, &after); err != nil {
			panic(err)
		}
		order := ""
		for _, item := range after.List {
			order += item.Name
		}
		if order == test.Order {
			reached++
		} else {
			fmt.Printf("expected %s, reached %s by %s\n", test.Order, order, test.Patch)
		}
	}
	fmt.Printf("reached: %d\n", reached)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/evanphx/json-patch/v5@v5.9.11 >/dev/null 2>&1
node write.js | go run -mod=mod . | tee seen
diff seen - <<'OUT'
expected cdba, reached cbda by [{"op":"move","from":"/list/1","path":"/list/2"},{"op":"move","from":"/list/0","path":"/list/3"}]
reached: 23
OUT
