#!/usr/bin/env bash
# `kubectl rollout status` of a Deployment that is paused, and of one whose new pods a quota forbids, each with the condition that
# the controller writes (k8s.io/kubectl/pkg/polymorphichelpers 0.36.3).
# Guess: an error, or a word about it: `rollout undo` and `rollout restart` refuse a paused Deployment and say so.
# Seen:  the same line for both, '0 out of 1 new replicas have been updated...', as of an update that has just begun. The
#        progress deadline does not run while a Deployment is paused, so a pipeline without --timeout waits for ever.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"bufio"
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/kubectl/pkg/polymorphichelpers"
)

func main() {
	viewer, err := polymorphichelpers.StatusViewerFor(apps.SchemeGroupVersion.WithKind("Deployment").GroupKind())
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(lines.Bytes()); err != nil {
			panic(err)
		}
		message, done, err := viewer.Status(object, 0)
		fmt.Println(object.GetName(), done, err, message)
	}
}
EOF
cat >objects <<'EOF'
{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"paused","generation":2},"spec":{"replicas":1,"paused":true},"status":{"observedGeneration":2,"replicas":1,"readyReplicas":1,"availableReplicas":1,"conditions":[{"type":"Progressing","status":"Unknown","reason":"DeploymentPaused","message":"Deployment is paused"}]}}
{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"forbidden","generation":2},"spec":{"replicas":1},"status":{"observedGeneration":2,"replicas":1,"readyReplicas":1,"availableReplicas":1,"conditions":[{"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"exceeded quota: gpus"}]}}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . <objects | grep . | tee seen
diff seen - <<'EOF'
paused false <nil> Waiting for deployment "paused" rollout to finish: 0 out of 1 new replicas have been updated...
forbidden false <nil> Waiting for deployment "forbidden" rollout to finish: 0 out of 1 new replicas have been updated...
EOF
