#!/usr/bin/env bash
# The share of failed requests, written as logfmt and as JSON by github.com/inconshreveable/log15 2.16.0.
# Guess: the same number in both.
# Seen:  logfmt keeps three digits behind the point, so a share of four in ten thousand is zero. JSON keeps the number.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"os"

	"github.com/inconshreveable/log15"
)

func main() {
	for _, format := range []log15.Format{log15.LogfmtFormat(), log15.JsonFormat()} {
		logger := log15.New()
		logger.SetHandler(log15.StreamHandler(os.Stdout, format))
		logger.Info("errors", "share", 0.0004)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/inconshreveable/log15@v2.16.0+incompatible >/dev/null 2>&1
go run -mod=mod . | sed -E 's/^t=[^ ]+/t=TIME/; s/"t":"[^"]+"/"t":"TIME"/' | tee seen
diff seen - <<'OUT'
t=TIME lvl=info msg=errors share=0.000
{"lvl":"info","msg":"errors","share":0.0004,"t":"TIME"}
OUT
