#!/usr/bin/env bash
# A unit with a comment that ends with a backslash, read by github.com/coreos/go-systemd/v22/unit 22.7.0.
# Guess: the option below the comment is read, as by systemd, which ignores a line that starts with a sign of comments.
# Seen:  the option is a part of the comment and missing, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/coreos/go-systemd/v22/unit"
)

const service = `[Service]
ExecStart=/usr/bin/kubelet
# The command was: kubelet \
Restart=always
RestartSec=10
`

func main() {
	options, err := unit.DeserializeOptions(strings.NewReader(service))
	if err != nil {
		panic(err)
	}
	for _, option := range options {
		fmt.Printf("%s: %s = %s\n", option.Section, option.Name, option.Value)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/coreos/go-systemd/v22@v22.7.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
Service: ExecStart = /usr/bin/kubelet
Service: RestartSec = 10
OUT
