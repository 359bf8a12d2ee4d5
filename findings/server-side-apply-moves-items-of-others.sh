#!/usr/bin/env bash
# Server-side apply of init containers by two managers: Git has two, the operators add a third that runs last. Then Git changes the
# order of its two (sigs.k8s.io/structured-merge-diff with the schemas of k8s.io/client-go 0.36.3, through its fake client).
# Guess: the one of the operators stays last; Git neither names it nor owns it.
# Seen:  it moves between the two, without a conflict and although nobody asked for that order. It now runs before a step that it
#        followed.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"
	"strings"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

func main() {
	deployments := fake.NewClientset().AppsV1().Deployments("shop")
	apply := func(manager string, names ...string) {
		var items []string
		for _, name := range names {
			items = append(items, `{"name":"`+name+`","image":"`+name+`:1"}`)
		}
		object := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{
"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{
"initContainers":[` + strings.Join(items, ",") + `]}}}}`
		got, err := deployments.Patch(context.Background(), "web", types.ApplyPatchType, []byte(object), meta.PatchOptions{FieldManager: manager})
		if err != nil {
			panic(err)
		}
		fmt.Print(manager, " applies ", names, ":")
		for _, container := range got.Spec.Template.Spec.InitContainers {
			fmt.Print(" ", container.Name)
		}
		fmt.Println()
	}
	apply("git", "migrate", "warm-up")
	apply("operators", "check")
	apply("git", "warm-up", "migrate")
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
git applies [migrate warm-up]: migrate warm-up
operators applies [check]: migrate warm-up check
git applies [warm-up migrate]: warm-up check migrate
EOF
