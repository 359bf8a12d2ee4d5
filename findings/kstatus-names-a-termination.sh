#!/usr/bin/env bash
# A Deployment whose surge pod is Pending, while its one old pod runs on and nothing terminates, in kstatus
# (sigs.k8s.io/cli-utils 0.37.2).
# Guess: 'InProgress' with a count of ready or available new pods.
# Seen:  'Pending termination: 1', which sends the reader to the old pod's termination. No pod of this Deployment terminates;
#        the new one cannot be scheduled.
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
{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"surge-pod-pending","generation":2},"spec":{"replicas":1,"progressDeadlineSeconds":600},"status":{"observedGeneration":2,"replicas":2,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,"unavailableReplicas":1,"conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"True","reason":"ReplicaSetUpdated"}]}}
EOF
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/cli-utils@v0.37.2 >/dev/null 2>&1
go run -mod=mod . <objects | tee seen
diff seen - <<'EOF'
surge-pod-pending: InProgress: Pending termination: 1
EOF
