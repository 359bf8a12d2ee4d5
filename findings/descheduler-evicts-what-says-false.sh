#!/usr/bin/env bash
# The annotation `descheduler.alpha.kubernetes.io/evict: "false"` on a pod of a ReplicaSet and on one of a DaemonSet, as the filter
# of the descheduler reads it (sigs.k8s.io/descheduler 0.36.0).
# Guess: "false" protects the pod, as "true" permits its eviction.
# Seen:  the value is never read. "false" protects nothing, and it lifts every other protection: the pod of the DaemonSet, which is
#        never evicted otherwise, is evicted because somebody wrote that it must not be.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	framework "sigs.k8s.io/descheduler/pkg/framework/fake"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/defaultevictor"
)

func main() {
	client := fake.NewClientset()
	handle := &framework.HandleImpl{ClientsetImpl: client, SharedInformerFactoryImpl: informers.NewSharedInformerFactory(client, 0)}
	evictor, err := defaultevictor.New(context.Background(), &defaultevictor.DefaultEvictorArgs{}, handle)
	if err != nil {
		panic(err)
	}
	yes := true
	for _, kind := range []string{"ReplicaSet", "DaemonSet"} {
		for _, value := range []string{"", "true", "false"} {
			owner := meta.OwnerReference{APIVersion: "apps/v1", Kind: kind, Name: "agent", Controller: &yes}
			pod := &core.Pod{ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: "agent", OwnerReferences: []meta.OwnerReference{owner}}}
			if value != "" {
				pod.Annotations = map[string]string{"descheduler.alpha.kubernetes.io/evict": value}
			}
			fmt.Printf("%s, evict %q: %v\n", kind, value, evictor.(interface{ Filter(*core.Pod) bool }).Filter(pod))
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go mod edit -replace=k8s.io/kube-openapi=k8s.io/kube-openapi@v0.0.0-20260317180543-43fb72c5454a
go get sigs.k8s.io/descheduler@v0.36.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
ReplicaSet, evict "": true
ReplicaSet, evict "true": true
ReplicaSet, evict "false": true
DaemonSet, evict "": false
DaemonSet, evict "true": true
DaemonSet, evict "false": true
OUT
