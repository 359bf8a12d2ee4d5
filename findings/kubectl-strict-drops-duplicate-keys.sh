#!/usr/bin/env bash
# A manifest in which an edit left `replicas` twice, created with `--validate=strict` (k8s.io/kubectl/pkg/cmd/create 0.36.3, with a server
# that prints what it receives). Strict validation of the API server refuses unknown and duplicate fields.
# Guess: an error that names the key.
# Seen:  kubectl keeps the last value of each key when it reads YAML, and sends JSON in which no key is there twice. It asks for strict
#        validation, which has nothing left to find: the Deployment is created with 1 replica instead of 6, without a warning.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >deployment.yaml <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:1
  replicas: 1
YAML
cat >main.go <<'GO'
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd/create"
	"k8s.io/kubectl/pkg/cmd/util"
)

type object map[string]any

func main() {
	version := object{"groupVersion": "apps/v1", "version": "v1"}
	answers := map[string]object{
		"/api":  {"kind": "APIVersions", "versions": []string{}},
		"/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []object{{"name": "apps", "versions": []object{version}, "preferredVersion": version}}},
		"/apis/apps/v1": {"kind": "APIResourceList", "groupVersion": "apps/v1", "resources": []object{
			{"name": "deployments", "kind": "Deployment", "namespaced": true, "verbs": []string{"create", "patch"}}}},
		"/openapi/v3": {"paths": object{"apis/apps/v1": object{"serverRelativeURL": "/openapi/v3/apis/apps/v1"}}},
		"/openapi/v3/apis/apps/v1": {"openapi": "3.0.0", "paths": object{"/apis/apps/v1/namespaces/{namespace}/deployments/{name}": object{"patch": object{
			"x-kubernetes-group-version-kind": object{"group": "apps", "version": "v1", "kind": "Deployment"},
			"parameters":                      []object{{"name": "fieldValidation", "in": "query"}}}}}},
	}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		if request.Method == http.MethodPost {
			body, _ := io.ReadAll(request.Body)
			var received struct{ Spec struct{ Replicas int } }
			_ = json.Unmarshal(body, &received)
			fmt.Printf("received with fieldValidation=%s: replicas %d time, value %d\n", request.URL.Query().Get("fieldValidation"),
				bytes.Count(body, []byte(`"replicas"`)), received.Spec.Replicas)
			response.WriteHeader(http.StatusCreated)
			_, _ = response.Write(body)
			return
		}
		answer, found := answers[request.URL.Path]
		if !found {
			response.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(response).Encode(answer)
	}))
	defer server.Close()
	flags := genericclioptions.NewConfigFlags(true)
	*flags.APIServer, *flags.CacheDir = server.URL, "cache"
	command := create.NewCmdCreate(util.NewFactory(flags), genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stdout})
	command.SetArgs([]string{"-f", "deployment.yaml", "--validate=strict"})
	if err := command.Execute(); err != nil {
		panic(err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl/pkg/cmd/create@v0.36.3 >/dev/null 2>&1
KUBECONFIG=/dev/null go run -mod=mod . | tee seen
diff seen - <<'OUT'
received with fieldValidation=Strict: replicas 1 time, value 1
deployment.apps/web created
OUT
