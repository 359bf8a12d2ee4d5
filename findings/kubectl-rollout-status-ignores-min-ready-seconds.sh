#!/usr/bin/env bash
# `kubectl rollout status` of a Deployment and of a StatefulSet, both with `minReadySeconds: 600`, whose three new pods have been
# ready for a second (k8s.io/kubectl/pkg/polymorphichelpers 0.36.3).
# Guess: both wait until the pods are available, that is until each has been ready for ten minutes.
# Seen:  the StatefulSet is complete at once: its check reads `readyReplicas`, that of a Deployment reads `availableReplicas`.
#        A pipeline goes on before the time in which a bad version would have shown itself.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"k8s.io/utils/ptr"
)

func main() {
	meta := metav1.ObjectMeta{Name: "db", Generation: 2}
	deployment := &appsv1.Deployment{ObjectMeta: meta}
	deployment.Spec = appsv1.DeploymentSpec{Replicas: ptr.To[int32](3), MinReadySeconds: 600}
	deployment.Status = appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3}
	statefulSet := &appsv1.StatefulSet{ObjectMeta: meta}
	statefulSet.Spec = appsv1.StatefulSetSpec{Replicas: ptr.To[int32](3), MinReadySeconds: 600}
	statefulSet.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{
		Type:          appsv1.RollingUpdateStatefulSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: ptr.To[int32](0)}, // the default of the API
	}
	statefulSet.Status = appsv1.StatefulSetStatus{ObservedGeneration: 2, Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3}
	for _, one := range []struct {
		viewer polymorphichelpers.StatusViewer
		object runtime.Object
	}{
		{&polymorphichelpers.DeploymentStatusViewer{}, deployment},
		{&polymorphichelpers.StatefulSetStatusViewer{}, statefulSet},
	} {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(one.object)
		if err != nil {
			panic(err)
		}
		line, done, err := one.viewer.Status(&unstructured.Unstructured{Object: content}, 0)
		fmt.Println(strings.TrimSpace(line), done, err)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
Waiting for deployment "db" rollout to finish: 0 of 3 updated replicas are available... false <nil>
partitioned roll out complete: 3 new pods have been updated... true <nil>
EOF
