#!/usr/bin/env bash
# Two topology spread constraints over zones, a hard one (at most 3 apart) and a soft one (at most 2). Git changes the soft
# one to 1, and `kubectl apply` makes its patch (k8s.io/apimachinery/pkg/util/strategicpatch 0.36.3).
# Guess: the soft one becomes 1. The API allows one constraint for each pair of topologyKey and whenUnsatisfiable, and
#        server-side apply tells them apart by this pair.
# Seen:  the hard one becomes 1 and the soft one stays at 2, without an error. The patch knows topologyKey alone. The next
#        rollout waits for a node in a zone that nobody made a condition.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func manifest(soft int32) []byte {
	constraints := []corev1.TopologySpreadConstraint{
		{TopologyKey: "topology.kubernetes.io/zone", MaxSkew: 3, WhenUnsatisfiable: corev1.DoNotSchedule},
		{TopologyKey: "topology.kubernetes.io/zone", MaxSkew: soft, WhenUnsatisfiable: corev1.ScheduleAnyway},
	}
	text, err := json.Marshal(corev1.PodSpec{TopologySpreadConstraints: constraints})
	if err != nil {
		panic(err)
	}
	return text
}

func main() {
	former, next := manifest(2), manifest(1)
	schema, err := strategicpatch.NewPatchMetaFromStruct(corev1.PodSpec{})
	if err != nil {
		panic(err)
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(former, next, former, schema, true)
	if err != nil {
		panic(err)
	}
	applied, err := strategicpatch.StrategicMergePatch(former, patch, corev1.PodSpec{})
	if err != nil {
		panic(err)
	}
	for name, text := range map[string][]byte{"1 Git": next, "2 applied": applied} {
		var spec corev1.PodSpec
		if err := json.Unmarshal(text, &spec); err != nil {
			panic(err)
		}
		for _, constraint := range spec.TopologySpreadConstraints {
			fmt.Println(name, constraint.WhenUnsatisfiable, constraint.MaxSkew)
		}
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/api@v0.36.3 k8s.io/apimachinery@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | sort | tee seen
diff seen - <<'EOF'
1 Git DoNotSchedule 3
1 Git ScheduleAnyway 1
2 applied DoNotSchedule 1
2 applied ScheduleAnyway 2
EOF
