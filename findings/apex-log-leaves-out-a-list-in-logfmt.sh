#!/usr/bin/env bash
# A line about a pod, written by the handlers `logfmt` and `json` of github.com/apex/log 1.9.0.
# Guess: the same fields in both, a list and a map as text in logfmt.
# Seen:  logfmt has neither the list nor the map, not even their names. The call reports no error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"os"

	"github.com/apex/log"
	"github.com/apex/log/handlers/json"
	"github.com/apex/log/handlers/logfmt"
)

func main() {
	fields := log.Fields{
		"pod":     "web-0",
		"waiting": []string{"api", "proxy"},
		"limits":  map[string]string{"cpu": "1"},
	}
	for _, handler := range []log.Handler{logfmt.New(os.Stdout), json.New(os.Stdout)} {
		logger := log.Logger{Handler: handler, Level: log.InfoLevel}
		logger.WithFields(fields).Info("stuck")
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/apex/log@v1.9.0 github.com/apex/log/handlers/logfmt@v1.9.0 >/dev/null 2>&1
go run -mod=mod . | sed -E 's/timestamp=[^ ]+ //; s/,"timestamp":"[^"]+"//' | tee seen
diff seen - <<'OUT'
level=info message=stuck pod=web-0
{"fields":{"limits":{"cpu":"1"},"pod":"web-0","waiting":["api","proxy"]},"level":"info","message":"stuck"}
OUT
