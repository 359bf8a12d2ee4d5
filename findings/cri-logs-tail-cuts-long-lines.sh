#!/usr/bin/env bash
# The last line of a container's log, `kubectl logs --tail=1`, where that line has 40,000 characters, as a stack trace or a request
# in JSON has (the reader of the kubelet's log files, k8s.io/cri-client/pkg/logs 0.36.3; containerd writes parts of 16 KiB).
# Guess: the whole line: the reader joins the parts when it reads a log without --tail.
# Seen:  its last part, 7,232 characters, without its beginning: --tail counts the lines of the file. A collector that asks for
#        the last line of a crashed container gets JSON that does not parse, or the end of a trace without the error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"k8s.io/cri-client/pkg/logs"
)

func main() {
	const part = 16384
	line := "panic: " + strings.Repeat("x", 39993)
	file := "2026-11-28T09:00:00.000000000Z stdout F started\n"
	for ; len(line) > part; line = line[part:] {
		file += "2026-11-28T09:00:01.000000000Z stdout P " + line[:part] + "\n"
	}
	file += "2026-11-28T09:00:01.000000000Z stdout F " + line + "\n"
	if err := os.WriteFile("0.log", []byte(file), 0o600); err != nil {
		panic(err)
	}
	for _, tail := range []int64{4, 3, 2, 1} {
		var out, errs bytes.Buffer
		err := logs.ReadLogs(context.Background(), "0.log", "web", &logs.LogOptions{TailLines: &tail}, nil, &out, &errs)
		if err != nil {
			panic(err)
		}
		text := out.String()
		fmt.Printf("tail %d: %d lines, %d characters, the error %t\n", tail, strings.Count(text, "\n"), len(text), strings.Contains(text, "panic"))
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/cri-client@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
tail 4: 2 lines, 40009 characters, the error true
tail 3: 1 lines, 40001 characters, the error true
tail 2: 1 lines, 23617 characters, the error false
tail 1: 1 lines, 7233 characters, the error false
EOF
