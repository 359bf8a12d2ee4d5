#!/usr/bin/env bash
# A JSON patch that replaces a field which is not there, in the library of the API server
# (gopkg.in/evanphx/json-patch.v4 4.13.0) and in fast-json-patch 3.1.1 of npm.
# Guess: both refuse it, because RFC 6902 lets `replace` succeed only where there is a value.
# Seen:  the API server's library adds the field, and takes a missing field for null in a `test`; only `remove` refuses. A patch
#        that must not bring back what somebody has removed meanwhile needs a `test` of the former value before its `replace`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >patches <<'EOF'
replace: [{"op":"replace","path":"/spec/replicas","value":3}]
test null: [{"op":"test","path":"/spec/replicas","value":null}]
test 2: [{"op":"test","path":"/spec/replicas","value":2}]
remove: [{"op":"remove","path":"/spec/replicas"}]
EOF
cat >main.go <<'EOF'
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		name, text, _ := strings.Cut(lines.Text(), ": ")
		patch, err := jsonpatch.DecodePatch([]byte(text))
		if err != nil {
			panic(err)
		}
		if result, err := patch.Apply([]byte(`{"spec":{"paused":true}}`)); err != nil {
			fmt.Println(name, "refused")
		} else {
			fmt.Println(name, string(result))
		}
	}
}
EOF
cat >apply.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import patcher from 'fast-json-patch';
for (const line of readFileSync('patches', 'utf8').trim().split('\n')) {
  const [name] = line.split(': ');
  const patch = JSON.parse(line.slice(name.length + 2));
  try {
    console.log(name, JSON.stringify(patcher.applyPatch({ spec: { paused: true } }, patch, true).newDocument));
  } catch {
    console.log(name, 'refused');
  }
}
EOF
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund fast-json-patch@3.1.1 >/dev/null 2>&1
go mod init finding >/dev/null 2>&1
go get gopkg.in/evanphx/json-patch.v4@v4.13.0 >/dev/null 2>&1
{
  echo 'json-patch:'
  go run -mod=mod . <patches
  echo 'fast-json-patch:'
  node apply.mjs
} | tee seen
diff seen - <<'EOF'
json-patch:
replace {"spec":{"paused":true,"replicas":3}}
test null {"spec":{"paused":true}}
test 2 refused
remove refused
fast-json-patch:
replace refused
test null refused
test 2 refused
remove refused
EOF
