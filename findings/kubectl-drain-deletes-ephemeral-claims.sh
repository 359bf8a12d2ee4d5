#!/usr/bin/env bash
# `kubectl drain` without `--delete-emptydir-data`, of pods of a ReplicaSet whose data ends with the pod: in an `emptyDir`, and in a
# generic ephemeral volume, whose claim belongs to the pod (the filters in k8s.io/kubectl/pkg/drain 0.36.3).
# Guess: both are refused, because the flag exists so that nobody loses data that dies with its pod.
# Seen:  the `emptyDir` alone is refused. The garbage collector deletes the claim and the disk behind it with the pod, so a
#        drain that seemed safe throws away a cache of models or hours of scratch data on a volume of terabytes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"
	"os"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubectl/pkg/drain"
)

func main() {
	controller := true
	owners := []meta.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", Controller: &controller}}
	claim := core.PersistentVolumeClaimSpec{AccessModes: []core.PersistentVolumeAccessMode{core.ReadWriteOnce}}
	for _, volume := range []core.Volume{
		{Name: "empty-dir", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{}}},
		{Name: "ephemeral", VolumeSource: core.VolumeSource{Ephemeral: &core.EphemeralVolumeSource{
			VolumeClaimTemplate: &core.PersistentVolumeClaimTemplate{Spec: claim},
		}}},
	} {
		pod := &core.Pod{
			ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: "web-" + volume.Name, OwnerReferences: owners},
			Spec:       core.PodSpec{NodeName: "node-1", Volumes: []core.Volume{volume}},
			Status:     core.PodStatus{Phase: core.PodRunning},
		}
		helper := &drain.Helper{Ctx: context.Background(), Client: fake.NewClientset(pod), Out: os.Stdout, ErrOut: os.Stderr}
		list, errs := helper.GetPodsForDeletion("node-1")
		fmt.Printf("%s: %d to evict %v\n", pod.Name, len(list.Pods()), errs)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
web-empty-dir: 0 to evict [cannot delete Pods with local storage (use --delete-emptydir-data to override): shop/web-empty-dir]
web-ephemeral: 1 to evict []
EOF
