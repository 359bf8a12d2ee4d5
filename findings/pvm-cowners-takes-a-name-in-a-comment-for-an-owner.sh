#!/usr/bin/env bash
# A file of owners with a comment behind an owner, read by @pvm/cowners 0.55.20 and by a reader in Go
# (github.com/hmarr/codeowners 1.2.1).
# Guess: one owner.
# Seen:  the package takes the former owner in the comment for a second one, who gets each review.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @pvm/cowners@0.55.20 >/dev/null 2>&1
printf '/src/ @web\n/k8s/ @platform # before: @ops\n' >CODEOWNERS
cat >read.js <<'JS'
const { CodeOwners } = require('@pvm/cowners');
const owners = new CodeOwners(require('fs').readFileSync('CODEOWNERS', 'utf8'));
for (const path of process.argv.slice(2)) console.log(`pvm: ${path}: [${owners.getOwners([path]).join(' ')}]`);
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
for program in 'node read.js' 'go run -mod=mod .'; do $program src/index.ts k8s/web.yaml; done | tee seen
diff seen - <<'OUT'
pvm: src/index.ts: [@web]
pvm: k8s/web.yaml: [@platform @ops]
go: src/index.ts: [@web]
go: k8s/web.yaml: [@platform]
OUT
