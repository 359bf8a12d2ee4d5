#!/usr/bin/env bash
# A file of owners with an escaped space in a path, read by codeowners-utils 1.0.2 and by a reader in Go
# (github.com/hmarr/codeowners 1.2.1).
# Guess: the owner of each path. The package follows the rules of .gitignore, which have this escape.
# Seen:  the package ends the path at the space and takes the rest for an owner, so the folder has none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund codeowners-utils@1.0.2 >/dev/null 2>&1
printf '/src/ @web\n/run\\ books/ @ops\n' >CODEOWNERS
cat >read.js <<'JS'
const { parse, matchFile } = require('codeowners-utils');
const entries = parse(require('fs').readFileSync('CODEOWNERS', 'utf8'));
for (const path of process.argv.slice(2)) {
  const entry = matchFile(path, entries);
  console.log(`utils: ${path}: [${entry === null ? '' : entry.owners.join(' ')}]`);
}
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/hmarr/codeowners"
)

func main() {
	file, _ := os.Open("CODEOWNERS")
	rules, err := codeowners.ParseFile(file)
	if err != nil {
		panic(err)
	}
	for _, path := range os.Args[1:] {
		rule, _ := rules.Match(path)
		fmt.Printf("go: %s: %v\n", path, rule.Owners)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/hmarr/codeowners@v1.2.1 >/dev/null 2>&1
for program in 'node read.js' 'go run -mod=mod .'; do $program src/index.ts 'run books/disk.md'; done | tee seen
diff seen - <<'OUT'
utils: src/index.ts: [@web]
utils: run books/disk.md: []
go: src/index.ts: [@web]
go: run books/disk.md: [@ops]
OUT
