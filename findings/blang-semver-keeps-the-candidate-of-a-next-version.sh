#!/usr/bin/env bash
# The next patch of a release and of a release candidate, by github.com/blang/semver 4.0.0 and by
# github.com/coreos/go-semver 0.3.1.
# Guess: a release from both.
# Seen:  blang/semver counts up and keeps the candidate, so the next version of 1.2.3-rc.1 is 1.2.4-rc.1.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	blang "github.com/blang/semver/v4"
	coreos "github.com/coreos/go-semver/semver"
)

func main() {
	for _, text := range []string{"1.2.3", "1.2.3-rc.1"} {
		first := blang.MustParse(text)
		if err := first.IncrementPatch(); err != nil {
			panic(err)
		}
		second := coreos.New(text)
		second.BumpPatch()
		fmt.Printf("%s: blang %v, coreos %v\n", text, first, second)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/blang/semver/v4@v4.0.0 github.com/coreos/go-semver@v0.3.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
1.2.3: blang 1.2.4, coreos 1.2.4
1.2.3-rc.1: blang 1.2.4-rc.1, coreos 1.2.4
OUT
