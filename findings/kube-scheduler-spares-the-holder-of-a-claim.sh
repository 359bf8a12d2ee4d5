#!/usr/bin/env bash
# Preemption for a pod that needs node n1 and a claim with ReadWriteOncePod, which the pod `holder` there uses. A larger pod of another
# namespace has to leave as well (k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumerestrictions 1.36.3, asked as preemption asks it:
# both pods taken away, then `holder` put back).
# Guess: the answer is the same whatever claims the pod of the other namespace has, because a claim belongs to one namespace.
# Seen:  where its claim has the same NAME, `holder` may stay: the plugin subtracts claims of the victims by name alone. The large pod is
#        evicted, and the pod still waits for the claim. Claims of StatefulSets (data-db-0) often have one name in several namespaces.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumerestrictions"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func podWithClaim(namespace, name, node, claim string) *v1.Pod {
	source := v1.VolumeSource{PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}
	return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1.PodSpec{NodeName: node, Volumes: []v1.Volume{{Name: "data", VolumeSource: source}}}}
}

func main() {
	ctx := context.Background()
	claim := &v1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data-db-0"},
		Spec: v1.PersistentVolumeClaimSpec{AccessModes: []v1.PersistentVolumeAccessMode{v1.ReadWriteOncePod}}}
	for _, other := range []string{"data-cache-0", "data-db-0"} {
		wanted := podWithClaim("shop", "wanted", "", "data-db-0")
		holder := podWithClaim("shop", "holder", "n1", "data-db-0")
		large := podWithClaim("bank", "large", "n1", other)
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}
		snapshot := cache.NewSnapshot([]*v1.Pod{holder, large}, []*v1.Node{node})
		factory := informers.NewSharedInformerFactory(fake.NewClientset(claim), 0)
		handle := must(runtime.NewFramework(ctx, nil, nil, runtime.WithInformerFactory(factory), runtime.WithSnapshotSharedLister(snapshot)))
		plugin := must(volumerestrictions.New(ctx, nil, handle, feature.Features{})).(*volumerestrictions.VolumeRestrictions)
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		state := framework.NewCycleState()
		if _, status := plugin.PreFilter(ctx, state, wanted, nil); !status.IsSuccess() {
			panic(status.AsError())
		}
		nodeInfo := must(snapshot.NodeInfos().Get("n1"))
		for _, victim := range []*v1.Pod{holder, large} {
			plugin.RemovePod(ctx, state, wanted, must(framework.NewPodInfo(victim)), nodeInfo)
		}
		plugin.AddPod(ctx, state, wanted, must(framework.NewPodInfo(holder)), nodeInfo)
		fmt.Printf("the other pod uses bank/%s: beside holder the pod fits: %v\n", other, plugin.Filter(ctx, state, wanted, nodeInfo).IsSuccess())
	}
}
GO
go mod init finding >/dev/null 2>&1
go mod edit -replace=k8s.io/kubernetes=k8s.io/kubernetes@v1.36.3
for module in api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider cluster-bootstrap component-base \
  component-helpers controller-manager cri-api cri-client cri-streaming csi-translation-lib dynamic-resource-allocation endpointslice \
  externaljwt kms kube-aggregator kube-controller-manager kube-proxy kube-scheduler kubectl kubelet metrics mount-utils \
  pod-security-admission streaming; do
  go mod edit -replace="k8s.io/$module=k8s.io/$module@v0.36.3"
done
go get k8s.io/kubernetes@v1.36.3 >/dev/null 2>&1
go run -mod=mod . 2>/dev/null | tee seen
diff seen - <<'OUT'
the other pod uses bank/data-cache-0: beside holder the pod fits: false
the other pod uses bank/data-db-0: beside holder the pod fits: true
OUT
