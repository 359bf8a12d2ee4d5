#!/usr/bin/env bash
# `kubectl rollout undo` of a Deployment whose annotations changed after the release: the team on call did, and somebody froze it
# (k8s.io/kubectl/pkg/polymorphichelpers 0.36.3).
# Guess: the pod template of the former revision comes back, and nothing else changes.
# Seen:  the annotations of the Deployment become those that its former ReplicaSet once copied. The new one is deleted, the
#        changed one has its old value: a rollback undoes a freeze or a route of alerts that nobody meant to touch.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >objects.json <<'EOF'
[
{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"web","uid":"d","annotations":{"deployment.kubernetes.io/revision":"2","example.com/on-call":"team-b","example.com/frozen":"true"}},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:2"}]}}}},
{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"namespace":"shop","name":"web-1","uid":"1","labels":{"app":"web","pod-template-hash":"1"},"annotations":{"deployment.kubernetes.io/revision":"1","example.com/on-call":"team-a"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d","controller":true}]},"spec":{"replicas":0,"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"1"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}}},
{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"namespace":"shop","name":"web-2","uid":"2","labels":{"app":"web","pod-template-hash":"2"},"annotations":{"deployment.kubernetes.io/revision":"2","example.com/on-call":"team-b","example.com/frozen":"true"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d","controller":true}]},"spec":{"replicas":1,"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"2"}},"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}
]
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/polymorphichelpers"
)

func main() {
	var raw []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&raw); err != nil {
		panic(err)
	}
	client := fake.NewSimpleClientset()
	for _, each := range raw {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(each, nil, nil)
		if err != nil {
			panic(err)
		}
		if err := client.Tracker().Add(object); err != nil {
			panic(err)
		}
	}
	get := func() *apps.Deployment {
		deployment, err := client.AppsV1().Deployments("shop").Get(context.Background(), "web", meta.GetOptions{})
		if err != nil {
			panic(err)
		}
		text, _ := json.Marshal(deployment.Annotations)
		fmt.Println(deployment.Spec.Template.Spec.Containers[0].Image, string(text))
		return deployment
	}
	deployment := get()
	rollbacker, err := polymorphichelpers.RollbackerFor(apps.SchemeGroupVersion.WithKind("Deployment").GroupKind(), client)
	if err != nil {
		panic(err)
	}
	if _, err := rollbacker.Rollback(deployment, nil, 0, util.DryRunNone); err != nil {
		panic(err)
	}
	get()
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . <objects.json | tee seen
diff seen - <<'EOF'
web:2 {"deployment.kubernetes.io/revision":"2","example.com/frozen":"true","example.com/on-call":"team-b"}
web:1 {"deployment.kubernetes.io/revision":"2","example.com/on-call":"team-a"}
EOF
