#!/usr/bin/env bash
# The arguments of a container, written by github.com/jsternberg/zap-logfmt 1.2.0.
# Guess: one argument with a comma looks other than two arguments, and no argument other than an empty one.
# Seen:  both pairs are the same text. Nothing marks a comma or an empty text of the list.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"os"

	zaplogfmt "github.com/jsternberg/zap-logfmt"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

func main() {
	encoder := zaplogfmt.NewEncoder(zapcore.EncoderConfig{MessageKey: "msg"})
	logger := zap.New(zapcore.NewCore(encoder, os.Stdout, zap.InfoLevel))
	logger.Info("one", zap.Strings("args", []string{"--hosts=a,b"}))
	logger.Info("two", zap.Strings("args", []string{"--hosts=a", "b"}))
	logger.Info("empty", zap.Strings("args", []string{""}))
	logger.Info("none", zap.Strings("args", nil))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/jsternberg/zap-logfmt@v1.2.0 go.uber.org/zap@v1.27.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
msg=one args="--hosts=a,b"
msg=two args="--hosts=a,b"
msg=empty args=
msg=none args=
OUT
