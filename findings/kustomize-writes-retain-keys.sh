#!/usr/bin/env bash
# The strategic merge patch of the Kubernetes documentation that changes a Deployment to `Recreate`
# (`$retainKeys: [type]`), in Kustomize 5.8.1 and in the library that kubectl and the API server use
# (k8s.io/apimachinery 0.36.3).
# Guess: both obey the directive and drop `rollingUpdate`; Kustomize obeys `$patch: replace` and `null` in the same place.
# Seen:  Kustomize writes `$retainKeys` into the Deployment as if it were a field, and keeps `rollingUpdate`, which the API
#        server refuses beside `Recreate`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >deployment.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
EOF
cat >kustomization.yaml <<'EOF'
resources: [deployment.yaml]
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {strategy: {$retainKeys: [type], type: Recreate}}
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"

	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func main() {
	original := `{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}`
	patch := `{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}`
	merged, err := strategicpatch.StrategicMergePatch([]byte(original), []byte(patch), apps.Deployment{})
	fmt.Println(string(merged), err)
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/api@v0.36.3 k8s.io/apimachinery@v0.36.3 >/dev/null 2>&1
{
  echo 'Kustomize:'
  go run sigs.k8s.io/kustomize/kustomize/v5@v5.8.1 build . | sed -n '/^spec:/,$p'
  echo 'strategicpatch:'
  go run -mod=mod .
} | tee seen
diff seen - <<'EOF'
Kustomize:
spec:
  strategy:
    $retainKeys:
    - type
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
    type: Recreate
strategicpatch:
{"spec":{"strategy":{"type":"Recreate"}}} <nil>
EOF
