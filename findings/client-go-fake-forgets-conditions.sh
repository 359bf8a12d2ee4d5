#!/usr/bin/env bash
# Calls that are limited by a condition, in a test against the fake client (k8s.io/client-go/kubernetes/fake 0.36.3): the pods of
# one node, a watch of one application, an update of a stale object, a deletion of one UID alone, and a dry run.
# Guess: as the API server does, or an error for what the fake does not have: it obeys the label selector of a list.
# Seen:  all other conditions are dropped without a word. The list has the pods of both nodes, the watch brings another
#        application, the update wins, the deletion takes the pod of another UID, and the dry run deletes. The test of a drain
#        or of a safe repair passes with and without the condition that makes it safe.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

func pod(name, node, version string) *core.Pod {
	return &core.Pod{
		ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-of-" + name), ResourceVersion: version, Labels: map[string]string{"app": name}},
		Spec:       core.PodSpec{NodeName: node},
	}
}

func main() {
	ctx := context.Background()
	pods := fake.NewClientset(pod("web", "node-1", "7"), pod("db", "node-2", "7")).CoreV1().Pods("shop")
	show := func(what string, options meta.ListOptions, err error) {
		list, _ := pods.List(ctx, options)
		fmt.Print(what, ": ", err, ",")
		for _, item := range list.Items {
			fmt.Print(" ", item.Name)
		}
		fmt.Println()
	}
	show("list of app=web", meta.ListOptions{LabelSelector: "app=web"}, nil)
	show("list of node-1", meta.ListOptions{FieldSelector: "spec.nodeName=node-1"}, nil)
	watch, err := pods.Watch(ctx, meta.ListOptions{LabelSelector: "app=web"})
	if err != nil {
		panic(err)
	}
	_, err = pods.Update(ctx, pod("db", "node-2", "6"), meta.UpdateOptions{})
	show("update of a stale object", meta.ListOptions{}, err)
	for event := range watch.ResultChan() {
		if name := event.Object.(*core.Pod).Name; name != "web" {
			fmt.Println("watch of app=web:", name)
			break
		}
	}
	other := types.UID("another")
	err = pods.Delete(ctx, "db", meta.DeleteOptions{Preconditions: &meta.Preconditions{UID: &other}})
	show("deletion of another UID", meta.ListOptions{}, err)
	err = pods.Delete(ctx, "web", meta.DeleteOptions{DryRun: []string{meta.DryRunAll}})
	show("dry run of a deletion", meta.ListOptions{}, err)
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
list of app=web: <nil>, web
list of node-1: <nil>, db web
update of a stale object: <nil>, db web
watch of app=web: db
deletion of another UID: <nil>, web
dry run of a deletion: <nil>,
OUT
