#!/usr/bin/env bash
# A pod whose sidecar, an init container with `restartPolicy: Always`, serves the port `metrics`. Both functions are of k8s.io/kubectl 0.36.3:
# `kubectl expose` finds the ports of a pod by the first, and `kubectl port-forward` the port of a name by the second.
# Guess: 8080 and 9090 to expose, and 9090 for the name.
# Seen:  8080 only to expose, since the ports of init containers are not read. The Service has no port for the metrics, without a
#        warning. For port-forward, the same port is found.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"k8s.io/kubectl/pkg/util"
)

func container(name, port string, number int32) corev1.Container {
	return corev1.Container{Name: name, Ports: []corev1.ContainerPort{{Name: port, ContainerPort: number}}}
}

func main() {
	always := corev1.ContainerRestartPolicyAlways
	sidecar := container("proxy", "metrics", 9090)
	sidecar.RestartPolicy = &always
	spec := corev1.PodSpec{InitContainers: []corev1.Container{sidecar}, Containers: []corev1.Container{container("web", "http", 8080)}}
	exposed, err := polymorphichelpers.PortsForObjectFn(&corev1.Pod{Spec: spec})
	if err != nil {
		panic(err)
	}
	forwarded, err := util.LookupContainerPortNumberByName(corev1.Pod{Spec: spec}, "metrics")
	if err != nil {
		panic(err)
	}
	fmt.Printf("expose: %v, port-forward: %d\n", exposed, forwarded)
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl/pkg/polymorphichelpers@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
expose: [8080], port-forward: 9090
OUT
