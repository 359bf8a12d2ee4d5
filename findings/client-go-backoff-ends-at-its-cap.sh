#!/usr/bin/env bash
# A retry of ten steps that starts at 10 ms, doubles, and waits at most 50 ms
# (`wait.Backoff` of k8s.io/apimachinery 0.36.3, with which client-go and most controllers retry).
# Guess: ten attempts: from the fourth on each pause is 50 ms, as a cap limits the pause.
# Seen:  three attempts. The step that reaches the cap sets the number of steps to zero, so the retry ends in the moment in which it
#        should become patient. With "1s, doubled up to 1m, 100 steps" a bot gives up on its API server after a minute and
#        six attempts, not after an hour and a half.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

func main() {
	for _, limit := range []time.Duration{0, 50 * time.Millisecond} {
		attempts := 0
		backoff := wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Steps: 10, Cap: limit}
		err := wait.ExponentialBackoff(backoff, func() (bool, error) {
			attempts++
			return false, nil
		})
		fmt.Printf("cap %s: %d attempts, %v\n", limit, attempts, err)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/apimachinery@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
cap 0s: 10 attempts, timed out waiting for the condition
cap 50ms: 3 attempts, timed out waiting for the condition
EOF
