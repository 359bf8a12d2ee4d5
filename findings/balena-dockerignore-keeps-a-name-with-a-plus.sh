#!/usr/bin/env bash
# The files that stay out of the build of an image, by @balena/dockerignore 1.0.2 and by
# github.com/moby/patternmatcher 0.6.1, which Docker uses.
# Guess: the same files.
# Seen:  a plus and parentheses are read as in a regular expression. The files that the rules name go into the image,
#        and others are missing there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @balena/dockerignore@1.0.2 >/dev/null 2>&1
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/moby/patternmatcher"
)

func main() {
	matcher, err := patternmatcher.New([]string{"web+db.yaml", "web(1).yaml", "*.log"})
	if err != nil {
		panic(err)
	}
	fmt.Print("docker:")
	for _, path := range os.Args[1:] {
		ignored, err := matcher.MatchesOrParentMatches(path)
		if err != nil {
			panic(err)
		}
		if ignored {
			fmt.Print(" ", path)
		}
	}
	fmt.Println()
}
GO
cat >ignored.js <<'JS'
const rules = require('@balena/dockerignore')().add(['web+db.yaml', 'web(1).yaml', '*.log']);
console.log('balena:', process.argv.slice(2).filter((path) => rules.ignores(path)).join(' '));
JS
go mod init finding >/dev/null 2>&1
go get github.com/moby/patternmatcher@v0.6.1 >/dev/null 2>&1
paths=('web+db.yaml' webbdb.yaml 'web(1).yaml' web1.yaml web.log)
{
  go run -mod=mod . "${paths[@]}"
  node ignored.js "${paths[@]}"
} | tee seen
diff seen - <<'OUT'
docker: web+db.yaml web(1).yaml web.log
balena: webbdb.yaml web1.yaml web.log
OUT
