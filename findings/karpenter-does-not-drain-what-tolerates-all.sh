#!/usr/bin/env bash
# Pods with tolerations on a node that Karpenter takes away (sigs.k8s.io/karpenter 1.14.1): one for the taint of GPUs, and
# the `operator: Exists` without a key that charts of agents and training runs often have.
# Guess: tolerations say where a pod may start. On a node that goes, all pods but those of DaemonSets are evicted alike.
# Seen:  the pod that tolerates everything is neither evicted nor waited for, because it also tolerates Karpenter's own taint. The
#        machine is ended under it: no eviction, no regard for its disruption budget, and no wait for its grace period.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"

	core "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/karpenter/pkg/utils/pod"
)

func main() {
	for _, toleration := range []core.Toleration{
		{Operator: core.TolerationOpExists, Key: "nvidia.com/gpu"},
		{Operator: core.TolerationOpExists, Effect: core.TaintEffectNoExecute},
		{Operator: core.TolerationOpExists},
	} {
		running := &core.Pod{Spec: core.PodSpec{Tolerations: []core.Toleration{toleration}}, Status: core.PodStatus{Phase: core.PodRunning}}
		evicts, waits := pod.IsEvictable(running, clock.RealClock{}, nil), pod.IsWaitingEviction(running, clock.RealClock{})
		fmt.Printf("Exists key=%q effect=%q: evicts %t, waits %t\n", toleration.Key, toleration.Effect, evicts, waits)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/karpenter@v1.14.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
Exists key="nvidia.com/gpu" effect="": evicts true, waits true
Exists key="" effect="NoExecute": evicts true, waits true
Exists key="" effect="": evicts false, waits false
EOF
