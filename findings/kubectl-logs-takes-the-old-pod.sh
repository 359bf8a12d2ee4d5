#!/usr/bin/env bash
# `kubectl logs deployment/web` while an update is stuck: one pod of the former version is ready, the new one has crashed seven
# times (the choice of the pod in k8s.io/kubectl/pkg/polymorphichelpers 0.36.3).
# Guess: the logs of the new pod: it is the younger one, and the only one of the current template.
# Seen:  the old pod. A ready pod comes before one that is not, so during every failed update the command shows the version that
#        works, and its log has no error. Adding --previous does not change the choice.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"sort"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"k8s.io/kubectl/pkg/util/podutils"
)

func pod(name string, ready core.ConditionStatus, restarts int32, since time.Time) *core.Pod {
	return &core.Pod{
		ObjectMeta: meta.ObjectMeta{
			Namespace: "shop", Name: name, Labels: map[string]string{"app": "web"}, CreationTimestamp: meta.NewTime(since),
		},
		Spec: core.PodSpec{NodeName: "node-1", Containers: []core.Container{{Name: "web"}}},
		Status: core.PodStatus{
			Phase:             core.PodRunning,
			Conditions:        []core.PodCondition{{Type: core.PodReady, Status: ready, LastTransitionTime: meta.NewTime(since)}},
			ContainerStatuses: []core.ContainerStatus{{Name: "web", RestartCount: restarts}},
		},
	}
}

func main() {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	client := fake.NewSimpleClientset(
		pod("web-old", core.ConditionTrue, 0, now.Add(-24*time.Hour)), pod("web-new", core.ConditionFalse, 7, now))
	deployment := &apps.Deployment{
		ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec:       apps.DeploymentSpec{Selector: &meta.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
	}
	namespace, selector, err := polymorphichelpers.SelectorsForObject(deployment)
	if err != nil {
		panic(err)
	}
	order := func(pods []*core.Pod) sort.Interface { return podutils.ByLogging(pods) }
	chosen, count, err := polymorphichelpers.GetFirstPod(client.CoreV1(), namespace, selector.String(), time.Second, order)
	if err != nil {
		panic(err)
	}
	fmt.Printf("found %d pods, using %s\n", count, chosen.Name)
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
found 2 pods, using web-old
EOF
