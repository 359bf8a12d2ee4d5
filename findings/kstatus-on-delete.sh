#!/usr/bin/env bash
# `updateStrategy: OnDelete` in kstatus (sigs.k8s.io/cli-utils 0.37.2).
# Guess: a StatefulSet and a DaemonSet with this strategy are judged alike, and none is 'Current' while no pod is ready.
# Seen:  the StatefulSet is 'Current' with 0 of 3 pods ready; the DaemonSet with 3 of 3 ready pods of the former revision is
#        'InProgress' until somebody deletes them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"bufio"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(lines.Bytes()); err != nil {
			panic(err)
		}
		result, err := status.Compute(object)
		if err != nil {
			fmt.Printf("%s: error: %v\n", object.GetName(), err)
			continue
		}
		fmt.Printf("%s: %s: %s\n", object.GetName(), result.Status, result.Message)
	}
}
EOF
cat >objects <<'EOF'
{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"stateful-set-without-a-ready-pod","generation":2},"spec":{"replicas":3,"updateStrategy":{"type":"OnDelete"}},"status":{"observedGeneration":2,"replicas":3,"readyReplicas":0,"currentReplicas":3,"updatedReplicas":0}}
{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"daemon-set-of-the-former-revision","generation":2},"spec":{"updateStrategy":{"type":"OnDelete"}},"status":{"observedGeneration":2,"desiredNumberScheduled":3,"currentNumberScheduled":3,"updatedNumberScheduled":0,"numberAvailable":3,"numberReady":3}}
EOF
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/cli-utils@v0.37.2 >/dev/null 2>&1
go run -mod=mod . <objects | tee seen
diff seen - <<'EOF'
stateful-set-without-a-ready-pod: Current: StatefulSet is using the ondelete update strategy
daemon-set-of-the-former-revision: InProgress: Updated: 0/3
EOF
