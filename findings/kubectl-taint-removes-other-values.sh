#!/usr/bin/env bash
# `kubectl taint nodes node-1 dedicated=shop:NoSchedule-`, the form with which the documentation of Kubernetes removes a taint, on a
# node that is reserved for another team: its taint is dedicated=search:NoSchedule (k8s.io/kubectl/pkg/cmd/taint 0.36.3).
# Guess: an error that the node has no such taint, as there is for another key.
# Seen:  "untainted". The value of a taint to remove is never read, so a clean-up of all nodes of one team, with `--all` or by a list of
#        names, also opens the nodes of the others, and pods that tolerate nothing are scheduled there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd/taint"
	"k8s.io/kubectl/pkg/cmd/util"
)

type object map[string]any

func main() {
	node := object{"apiVersion": "v1", "kind": "Node", "metadata": object{"name": "node-1"}, "spec": object{
		"taints": []object{{"key": "dedicated", "value": "search", "effect": "NoSchedule"}}}}
	answers := map[string]object{
		"/api":                {"kind": "APIVersions", "versions": []string{"v1"}},
		"/apis":               {"kind": "APIGroupList", "apiVersion": "v1", "groups": []object{}},
		"/api/v1":             {"kind": "APIResourceList", "groupVersion": "v1", "resources": []object{{"name": "nodes", "kind": "Node", "verbs": []string{"get", "patch"}}}},
		"/api/v1/nodes/node-1": node,
	}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.Method == http.MethodPatch {
			patch, _ := io.ReadAll(request.Body)
			fmt.Println("patch:", string(patch))
		}
		response.Header().Set("Content-Type", "application/json")
		answer, found := answers[request.URL.Path]
		if !found {
			response.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(response).Encode(answer)
	}))
	defer server.Close()
	util.BehaviorOnFatal(func(message string, _ int) { fmt.Println(message) })
	for _, wanted := range []string{"team=shop:NoSchedule-", "dedicated=shop:NoSchedule-"} {
		flags := genericclioptions.NewConfigFlags(true)
		*flags.APIServer, *flags.CacheDir = server.URL, "cache"
		command := taint.NewCmdTaint(util.NewFactory(flags), genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stdout})
		command.SetArgs([]string{"nodes", "node-1", wanted})
		fmt.Println("kubectl taint nodes node-1", wanted)
		if err := command.Execute(); err != nil {
			panic(err)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl/pkg/cmd/taint@v0.36.3 >/dev/null 2>&1
KUBECONFIG=/dev/null go run -mod=mod . | tee seen
diff seen - <<'OUT'
kubectl taint nodes node-1 team=shop:NoSchedule-
error: taint "team:NoSchedule" not found
kubectl taint nodes node-1 dedicated=shop:NoSchedule-
patch: {"spec":{"taints":null}}
node/node-1 untainted
OUT
