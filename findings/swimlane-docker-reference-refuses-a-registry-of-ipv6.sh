#!/usr/bin/env bash
# Images of a registry given by its address, read by @swimlane/docker-reference 2.0.1 and by
# github.com/distribution/reference 0.6.0, of which the package is a port.
# Guess: the same registries.
# Seen:  the package reads an address of IPv4 and refuses an address of IPv6, which the reader in Go accepts.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @swimlane/docker-reference@2.0.1 >/dev/null 2>&1
cat >read.js <<'JS'
const { parseFamiliarName } = require('@swimlane/docker-reference');
for (const image of process.argv.slice(2)) {
  let seen;
  try {
    seen = parseFamiliarName(image).domain;
  } catch (error) {
    seen = error.message;
  }
  console.log(`js: ${image}: ${seen}`);
}
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/distribution/reference"
)

func main() {
	for _, image := range os.Args[1:] {
		named, err := reference.ParseNormalizedNamed(image)
		if err != nil {
			panic(err)
		}
		fmt.Printf("go: %s: %s\n", image, reference.Domain(named))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/distribution/reference@v0.6.0 >/dev/null 2>&1
images=('10.0.0.1:5000/web:1' '[fd00::1]:5000/web:1' '[fd00::1]/web:1')
node read.js "${images[@]}" >js
go run -mod=mod . "${images[@]}" >go
cat js go | tee seen
diff seen - <<'OUT'
js: 10.0.0.1:5000/web:1: 10.0.0.1:5000
js: [fd00::1]:5000/web:1: invalid reference format
js: [fd00::1]/web:1: invalid reference format
go: 10.0.0.1:5000/web:1: 10.0.0.1:5000
go: [fd00::1]:5000/web:1: [fd00::1]:5000
go: [fd00::1]/web:1: [fd00::1]
OUT
