#!/usr/bin/env bash
# A list of rules in a list of groups, written by json2toml 6.1.2 and read by github.com/BurntSushi/toml 1.6.0, and
# the same rules in one group.
# Guess: the same objects.
# Seen:  json2toml leaves out the name of the outer list, so the rules belong to no group.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json2toml@6.1.2 >/dev/null 2>&1
cat >write.js <<'JS'
const write = require('json2toml');
const group = { rules: [{ alert: 'Down' }] };
process.stdout.write(write(process.argv[2] === 'one' ? { group } : { groups: [group] }));
JS
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
for count in one list; do
  node write.js $count >written
  cat written
  go run -mod=mod . <written
done | tee seen
diff seen - <<'OUT'
[[group.rules]]
alert = "Down"
go:  {"group":{"rules":[{"alert":"Down"}]}}
[[groups]]
[[rules]]
alert = "Down"
go:  {"groups":[{}],"rules":[{"alert":"Down"}]}
OUT
