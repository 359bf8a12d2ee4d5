#!/usr/bin/env bash
# A list of pods in parts of one, in a test against the fake client of sigs.k8s.io/controller-runtime 0.25.2.
# Guess: one pod and a token for the rest, as the API server does. The limits that the description states are others.
# Seen:  all pods and no token. A test of code that forgets the token passes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func main() {
	builder := fake.NewClientBuilder()
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		builder.WithObjects(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}})
	}
	var pods corev1.PodList
	if err := builder.Build().List(context.Background(), &pods, client.InNamespace("shop"), client.Limit(1)); err != nil {
		panic(err)
	}
	fmt.Printf("%d pods, token %q\n", len(pods.Items), pods.Continue)
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/controller-runtime@v0.25.2 k8s.io/{api,apimachinery,client-go}@v0.37.2 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
3 pods, token ""
OUT
