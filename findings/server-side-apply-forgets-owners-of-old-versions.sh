#!/usr/bin/env bash
# An autoscaler that Git applied server-side as autoscaling/v2beta2, before the cluster was upgraded to versions without it.
# Now Git drops `behavior` and applies autoscaling/v2 (managed fields of k8s.io/apimachinery 0.36.3, through the fake client of
# client-go).
# Guess: `behavior` goes: Git, the manager of the same name, is the only one that ever set it.
# Seen:  it stays and belongs to nobody. Fields that a manager set by a version which the server no longer knows are forgotten,
#        without an error or a conflict, so Git reports "in sync" and the old limit on scaling stays for ever.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	autoscaling "k8s.io/api/autoscaling/v2"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

const (
	target   = `"scaleTargetRef":{"kind":"Deployment","name":"web"},"maxReplicas":9`
	behavior = `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":3600}}`
)

func manifest(spec string) string {
	return `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},"spec":{` + spec + `}}`
}

func main() {
	for _, version := range []string{"v2", "v2beta2"} {
		client := fake.NewClientset().AutoscalingV2().HorizontalPodAutoscalers("shop")
		apply := func(text string) *autoscaling.HorizontalPodAutoscaler {
			options := meta.PatchOptions{FieldManager: "git"}
			applied, err := client.Patch(context.Background(), "web", types.ApplyPatchType, []byte(text), options)
			if err != nil {
				panic(err)
			}
			return applied
		}
		former := apply(manifest(target + behavior))
		former.ManagedFields[0].APIVersion = "autoscaling/" + version
		client = fake.NewClientset(former).AutoscalingV2().HorizontalPodAutoscalers("shop")
		applied := apply(manifest(target))
		owners, err := json.Marshal(applied.ManagedFields)
		if err != nil {
			panic(err)
		}
		fmt.Printf("owner by %s: behavior stays %t, has an owner %t\n", version, applied.Spec.Behavior != nil, strings.Contains(string(owners), "f:behavior"))
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
owner by v2: behavior stays false, has an owner false
owner by v2beta2: behavior stays true, has an owner false
EOF
