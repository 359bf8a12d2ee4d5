#!/usr/bin/env bash
# `kubectl set image deployment/web '*=web:2'`, "all containers" by its help, on a Deployment whose init containers migrate the
# database and run the proxy as a native sidecar (k8s.io/kubectl/pkg/cmd/set 0.36.3, with --local).
# Guess: the containers of `spec.containers`, as init containers are a list of their own, or at most a native sidecar with them.
# Seen:  the init containers get the image as well. The application runs in the place of the migration and never ends, so each new
#        pod hangs in Init, or, where the image ends at once, serves without a migrated database and without its proxy.
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
      initContainers:
        - {name: migrate, image: 'migrate:1'}
        - {name: proxy, image: 'proxy:1', restartPolicy: Always}
      containers:
        - {name: web, image: 'web:1'}
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
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	image := set.NewCmdImage(util.NewFactory(genericclioptions.NewConfigFlags(true)), streams)
	const show = `jsonpath={range .spec.template.spec['initContainers','containers'][*]}{.name}={.image}{"\n"}{end}`
	image.SetArgs([]string{"*=web:2", "--local", "-f", "deployment.yaml", "-o", show})
	if err := image.Execute(); err != nil {
		panic(err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl/pkg/cmd/set@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
migrate=web:2
proxy=web:2
web=web:2
OUT
