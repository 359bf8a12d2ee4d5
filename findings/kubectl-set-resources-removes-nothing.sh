#!/usr/bin/env bash
# `kubectl set resources` with `cpu=0`, which its help names as the way to remove a request (k8s.io/kubectl/pkg/cmd/set 0.36.3).
# The container requests 100m of CPU and limits it to 200m; its limit of CPU is to go.
# Guess: the limit of CPU is removed and the rest stays.
# Seen:  the limit becomes "0" and stays in the template. A limit must not be below the request, so the API server refuses this change:
#        a limit of CPU cannot be removed with this command while there is a request. With requests and limits of "0" it is
#        accepted, and the container counts as one whose owner chose zero, not as one without a request.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >deployment.yaml <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: 'web:1', resources: {requests: {cpu: 100m}, limits: {cpu: 200m, memory: 1Gi}}}
YAML
cat >main.go <<'GO'
package main

import (
	"os"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd/set"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	for _, change := range [][]string{{"--limits=cpu=0"}, {"--limits=cpu=0,memory=0", "--requests=cpu=0"}} {
		streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
		resources := set.NewCmdResources(util.NewFactory(genericclioptions.NewConfigFlags(true)), streams)
		resources.SetArgs(append(change, "--local", "-f", "deployment.yaml", "-o",
			`jsonpath={.spec.template.spec.containers[0].resources}{"\n"}`))
		if err := resources.Execute(); err != nil {
			panic(err)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl/pkg/cmd/set@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
{"limits":{"cpu":"0","memory":"1Gi"},"requests":{"cpu":"100m"}}
{"limits":{"cpu":"0","memory":"0"},"requests":{"cpu":"0"}}
OUT
