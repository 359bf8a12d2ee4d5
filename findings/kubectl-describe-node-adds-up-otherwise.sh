#!/usr/bin/env bash
# `kubectl describe node` of a node with 4 CPUs and two pods that are resized in place: one holds 1 CPU and asks for 9, which the
# kubelet called infeasible; one asks for 1 and still holds 3 (k8s.io/kubectl/pkg/describe 0.36.3).
# Guess: "Allocated resources" is the sum of the pods above it.
# Seen:  the rows say 1 and 3, as the scheduler counts, and the total says 10, 250 % of the node: the rows read the status, the
#        total reads the spec alone. A resize that was refused makes a node look full on which the scheduler still
#        places pods; one that shrinks shows room that is not there yet.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"strings"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubectl/pkg/describe"
)

func cpu(value string) core.ResourceList {
	return core.ResourceList{core.ResourceCPU: resource.MustParse(value), core.ResourceMemory: resource.MustParse("1Gi")}
}

func podOf(name, asks, holds string, conditions ...core.PodCondition) *core.Pod {
	return &core.Pod{
		ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: name},
		Spec: core.PodSpec{NodeName: "node-1", Containers: []core.Container{
			{Name: "web", Resources: core.ResourceRequirements{Requests: cpu(asks)}},
		}},
		Status: core.PodStatus{Phase: core.PodRunning, Conditions: conditions, ContainerStatuses: []core.ContainerStatus{
			{Name: "web", AllocatedResources: cpu(holds), Resources: &core.ResourceRequirements{Requests: cpu(holds)}},
		}},
	}
}

func main() {
	refused := core.PodCondition{Type: core.PodResizePending, Status: core.ConditionTrue, Reason: core.PodReasonInfeasible}
	node := &core.Node{ObjectMeta: meta.ObjectMeta{Name: "node-1"}, Status: core.NodeStatus{Allocatable: cpu("4")}}
	client := fake.NewClientset(node, podOf("grows", "9", "1", refused), podOf("shrinks", "1", "3"))
	seen, err := (&describe.NodeDescriber{Interface: client}).Describe("", "node-1", describe.DescriberSettings{})
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(seen[strings.Index(seen, "Non-terminated Pods"):], "\n") {
		switch words := strings.Fields(line); {
		case len(words) > 3 && words[0] == "shop":
			fmt.Println("pod", words[1], words[2], words[3])
		case len(words) > 2 && words[0] == "cpu":
			fmt.Println("allocated", words[1], words[2])
		}
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
pod grows 1 (25%)
pod shrinks 3 (75%)
allocated 10 (250%)
EOF
