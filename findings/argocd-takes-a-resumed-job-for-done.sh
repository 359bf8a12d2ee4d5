#!/usr/bin/env bash
# A Job that was suspended, was resumed, and runs, as every Job that Kueue admits, in the library with which Argo CD judges health
# (github.com/argoproj/argo-cd/gitops-engine/pkg/health 0.0.0-20260914071520-c9c369efcc5b).
# Guess: Progressing: its condition `Suspended` is "False", and it is neither complete nor failed.
# Seen:  Healthy: any condition of this type counts as an end. Argo CD takes a healthy hook for a successful one, so a sync goes
#        on while the migration that it should wait for has just begun.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func main() {
	show := func(what string, conditions ...interface{}) {
		job := &unstructured.Unstructured{Object: map[string]interface{}{
			"apiVersion": "batch/v1", "kind": "Job",
			"metadata": map[string]interface{}{"name": "migrate", "namespace": "shop"},
			"status":   map[string]interface{}{"active": int64(1), "conditions": conditions},
		}}
		status, err := health.GetResourceHealth(job, nil)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", what, status.Status)
	}
	suspended := func(status, reason string) interface{} {
		return map[string]interface{}{"type": "Suspended", "status": status, "reason": reason}
	}
	show("a running Job")
	show("a suspended Job", suspended("True", "JobSuspended"))
	show("a running Job that was resumed", suspended("False", "JobResumed"))
}
GO
go mod init finding >/dev/null 2>&1
go mod edit -replace=k8s.io/kubernetes=k8s.io/kubernetes@v1.36.1
for module in api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider cluster-bootstrap component-base \
  component-helpers controller-manager cri-api cri-client cri-streaming csi-translation-lib dynamic-resource-allocation endpointslice \
  externaljwt kms kube-aggregator kube-controller-manager kube-proxy kube-scheduler kubectl kubelet metrics mount-utils \
  pod-security-admission streaming; do
  go mod edit -replace="k8s.io/$module=k8s.io/$module@v0.36.1"
done
go get github.com/argoproj/argo-cd/gitops-engine@v0.0.0-20260914071520-c9c369efcc5b >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
a running Job: Progressing
a suspended Job: Suspended
a running Job that was resumed: Healthy
OUT
