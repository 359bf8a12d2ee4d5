#!/usr/bin/env bash
# `kubectl describe pod` of a pending pod that has all that keeps a pod from its node, and a preStop hook
# (k8s.io/kubectl/pkg/describe 0.36.3).
# Guess: every constraint of the scheduler is named, as node selector, tolerations and topology spread are.
# Seen:  node affinity, pod anti-affinity and scheduling gates are left out, and so are the hook and the grace period of half an
#        hour. Who looks there why a pod is pending, or why it does not end, concludes that no such rule exists.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >pod.json <<'EOF'
{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","name":"web-1"},"spec":{
"nodeSelector":{"disk":"of-the-selector"},
"tolerations":[{"key":"of-the-toleration","operator":"Exists"}],
"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"of-the-spread","whenUnsatisfiable":"DoNotSchedule"}],
"priorityClassName":"of-the-priority",
"affinity":{
"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"of-the-node-affinity","operator":"Exists"}]}]}},
"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"of-the-anti-affinity","labelSelector":{}}]}},
"schedulingGates":[{"name":"example.com/of-the-gate"}],
"terminationGracePeriodSeconds":1800,
"containers":[{"name":"web","image":"web:1","command":["of-the-command"],"lifecycle":{"preStop":{"exec":{"command":["of-the-hook"]}}}}]},
"status":{"phase":"Pending"}}
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubectl/pkg/describe"
)

func main() {
	text, err := os.ReadFile("pod.json")
	if err != nil {
		panic(err)
	}
	pod, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		panic(err)
	}
	describer := &describe.PodDescriber{Interface: fake.NewSimpleClientset(pod)}
	seen, err := describer.Describe("shop", "web-1", describe.DescriberSettings{})
	if err != nil {
		panic(err)
	}
	names := "selector toleration spread priority command node-affinity anti-affinity gate hook"
	for _, name := range strings.Fields(names) {
		fmt.Println(name, strings.Contains(seen, "of-the-"+name))
	}
	fmt.Println("grace period", strings.Contains(seen, "1800") || strings.Contains(seen, "30m"))
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
selector true
toleration true
spread true
priority true
command true
node-affinity false
anti-affinity false
gate false
hook false
grace period false
EOF
