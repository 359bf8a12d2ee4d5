#!/usr/bin/env bash
# An Argo Rollout in kstatus (sigs.k8s.io/cli-utils 0.37.2), which Flux and others ask whether an object is ready.
# Guess: a kind that kstatus does not know is judged by its conditions and generation, as the README says of custom resources.
# Seen:  no status at all, but an error: Argo Rollouts writes `status.observedGeneration` as a string, kstatus demands a
#        number. The same object with a number is 'Current', although its phase is Degraded and its update has failed.
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
{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"with-string","generation":2},"spec":{"replicas":3},"status":{"phase":"Degraded","observedGeneration":"2","conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"},{"type":"Available","status":"False"}]}}
{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"with-number","generation":2},"spec":{"replicas":3},"status":{"phase":"Degraded","observedGeneration":2,"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"},{"type":"Available","status":"False"}]}}
EOF
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/cli-utils@v0.37.2 >/dev/null 2>&1
go run -mod=mod . <objects | tee seen
diff seen - <<'EOF'
with-string: error: looking up status.observedGeneration from resource: .status.observedGeneration accessor error: 2 is of the type string, expected int64
with-number: Current: Resource is current
EOF
