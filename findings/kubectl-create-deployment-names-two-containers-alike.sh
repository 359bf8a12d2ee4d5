#!/usr/bin/env bash
# `kubectl create deployment` with two images whose last parts are equal (k8s.io/kubectl/pkg/cmd/create 0.36.3): once `web`, and once
# `web_app`, which is no name of a container. The names of the containers are derived from the images.
# Guess: two different names in both cases.
# Seen:  only a name that has to be corrected gets a random ending. The other two containers are both named `web`, which the API requires to
#        be unique, and the dry run of the client reports no error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"os"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd/create"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	for _, name := range []string{"web", "web_app"} {
		streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
		command := create.NewCmdCreateDeployment(util.NewFactory(genericclioptions.NewConfigFlags(true)), streams)
		command.SetArgs([]string{"shop", "--image=team/" + name + ":1", "--image=mirror/" + name + ":1", "--dry-run=client", "-o",
			`jsonpath={.spec.template.spec.containers[*].name}{"\n"}`})
		if err := command.Execute(); err != nil {
			panic(err)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl/pkg/cmd/create@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | sed -E 's/(web-app)-[a-z0-9]{5}/\1-random/g' | tee seen
diff seen - <<'OUT'
web web
web-app-random web-app-random
OUT
