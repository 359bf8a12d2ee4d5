#!/usr/bin/env bash
# Ranges of versions in the form of npm, read by semver 7.8.6 and by github.com/aquasecurity/go-npm-version 0.0.2,
# which compares versions of npm packages.
# Guess: the same answers.
# Seen:  the Go module refuses a range with a hyphen and a range with `~>`, both of which npm reads.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund semver@7.8.6 >/dev/null 2>&1
cat >read.js <<'JS'
const { satisfies } = require('semver');
for (const range of process.argv.slice(2)) console.log(`npm: ${range}: ${satisfies('1.2.5', range)}`);
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	npm "github.com/aquasecurity/go-npm-version/pkg"
)

func main() {
	version, err := npm.NewVersion("1.2.5")
	if err != nil {
		panic(err)
	}
	for _, text := range os.Args[1:] {
		constraints, err := npm.NewConstraints(text)
		if err != nil {
			fmt.Printf("go:  %s: %v\n", text, err)
			continue
		}
		fmt.Printf("go:  %s: %t\n", text, constraints.Check(version))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/aquasecurity/go-npm-version@v0.0.2 >/dev/null 2>&1
ranges=('^1.2.3' '~1.2.3' '1.x || 3.x' '1.2.3 - 1.3.0' '~>1.2.3')
node read.js "${ranges[@]}" >npm
go run -mod=mod . "${ranges[@]}" >go
cat npm go | tee seen
diff seen - <<'OUT'
npm: ^1.2.3: true
npm: ~1.2.3: true
npm: 1.x || 3.x: true
npm: 1.2.3 - 1.3.0: true
npm: ~>1.2.3: true
go:  ^1.2.3: true
go:  ~1.2.3: true
go:  1.x || 3.x: true
go:  1.2.3 - 1.3.0: improper constraint: 1.2.3 - 1.3.0
go:  ~>1.2.3: improper constraint: ~>1.2.3
OUT
