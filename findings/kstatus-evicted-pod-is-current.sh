#!/usr/bin/env bash
# Pods and Jobs that failed, in kstatus (sigs.k8s.io/cli-utils 0.37.2).
# Guess: 'Failed' for a pod that was evicted and for a Job whose pods all failed so far.
# Seen:  the evicted pod is 'Current' (reconciled), and so is the Job until its back-off limit is reached. A waiter that
#        counts 'Current' as success goes on. A pod that crash-loops is 'Failed', one whose init container does is not.
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
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"evicted"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Failed","reason":"Evicted"}}
{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job-with-five-failures","generation":1},"spec":{"completions":1},"status":{"active":1,"failed":5,"startTime":"2026-11-20T09:00:00Z"}}
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"crash-loop"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady"}],"containerStatuses":[{"name":"c","ready":false,"restartCount":9,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"init-crash-loop"},"spec":{"initContainers":[{"name":"i"}],"containers":[{"name":"c"}]},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True"},{"type":"Ready","status":"False","reason":"ContainersNotReady"}],"initContainerStatuses":[{"name":"i","ready":false,"restartCount":9,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}],"containerStatuses":[{"name":"c","ready":false,"state":{"waiting":{"reason":"PodInitializing"}}}]}}
EOF
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/cli-utils@v0.37.2 >/dev/null 2>&1
go run -mod=mod . <objects | tee seen
diff seen - <<'EOF'
evicted: Current: Pod has completed, but not successfully
job-with-five-failures: Current: Job in progress. success:0, active: 1, failed: 5
crash-loop: Failed: Containers in CrashLoop state: c
init-crash-loop: InProgress: Pod is in the Pending phase
EOF
