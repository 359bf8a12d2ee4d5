#!/usr/bin/env bash
# A sync of Argo CD with a Service and a Job that migrates the database first: `argocd.argoproj.io/hook: PreSync`, and the same with the
# misspelt `presync` (github.com/argoproj/argo-cd/gitops-engine/pkg/sync 0.0.0-20260914071520-c9c369efcc5b with its own test double of
# kubectl).
# Guess: the misspelt Job is an error of the sync, or is applied like any other resource.
# Seen:  the Job is left out without an error, and the sync succeeds. The annotation alone makes it a hook, so it is not applied with the
#        resources, and a hook of no known type has no phase in which it runs: the new version starts on the old database.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube/kubetest"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

type object = map[string]any

type allNamespaced struct{}

func (allNamespaced) IsNamespaced(schema.GroupKind) (bool, error) { return true, nil }

func resourceList(group, name, kind string) object {
	return object{"kind": "APIResourceList", "groupVersion": group, "resources": []object{
		{"name": name, "kind": kind, "namespaced": true, "verbs": []string{"create", "get"}}}}
}

func main() {
	klog.InitFlags(nil)
	_ = flag.Set("logtostderr", "false")
	_ = flag.Set("stderrthreshold", "FATAL")
	answers := map[string]object{"/api/v1": resourceList("v1", "services", "Service"), "/apis/batch/v1": resourceList("batch/v1", "jobs", "Job")}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(response).Encode(answers[request.URL.Path])
	}))
	defer server.Close()
	for _, hook := range []string{"PreSync", "presync"} {
		service := &unstructured.Unstructured{Object: object{"apiVersion": "v1", "kind": "Service", "metadata": object{"name": "web", "namespace": "shop"}}}
		job := &unstructured.Unstructured{Object: object{"apiVersion": "batch/v1", "kind": "Job", "metadata": object{"name": "migrate",
			"namespace": "shop", "annotations": object{"argocd.argoproj.io/hook": hook}}}}
		live := map[kube.ResourceKey]*unstructured.Unstructured{}
		wanted := sync.Reconcile([]*unstructured.Unstructured{service, job}, live, "shop", allNamespaced{})
		config := &rest.Config{Host: server.URL}
		context, cleanup, err := sync.NewSyncContext("1", wanted, config, config, &kubetest.MockKubectlCmd{}, "shop")
		if err != nil {
			panic(err)
		}
		defer cleanup()
		context.Sync()
		context.Sync()
		phase, message, results := context.GetState()
		fmt.Printf("hook %s: %s, %s\n", hook, phase, message)
		for _, result := range results {
			fmt.Printf("  %s %s: %s\n", result.ResourceKey.Kind, result.ResourceKey.Name, result.SyncPhase)
		}
	}
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
go run -mod=mod . 2>/dev/null | tee seen
diff seen - <<'OUT'
hook PreSync: Running, waiting for completion of hook batch/Job/migrate
  Job migrate: PreSync
hook presync: Succeeded, successfully synced (no more tasks)
  Service web: Sync
OUT
