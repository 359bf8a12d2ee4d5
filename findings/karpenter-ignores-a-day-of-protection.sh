#!/usr/bin/env bash
# The annotation `karpenter.sh/do-not-disrupt` of a pod of one hour, as Karpenter reads it (sigs.k8s.io/karpenter 1.14.1):
# "true", or for how long the pod is protected.
# Guess: a value that Karpenter cannot read protects the pod, because whoever wrote it wanted protection.
# Seen:  it protects nothing. Go has no unit for days, so "1d" is invalid, and so are "True" and "yes": the pod, a
#        training run say, is disrupted as if the annotation were not there. Only an event tells of it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/karpenter/pkg/utils/pod"
)

func main() {
	start := metav1.NewTime(time.Now().Add(-time.Hour))
	for _, value := range []string{"true", "24h", "1d", "True", "yes"} {
		protected := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"karpenter.sh/do-not-disrupt": value}}}
		protected.Status = corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &start}
		fmt.Println(value, "disruptable:", pod.IsDisruptable(protected, clock.RealClock{}, nil))
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/karpenter@v1.14.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
true disruptable: false
24h disruptable: false
1d disruptable: true
True disruptable: true
yes disruptable: true
EOF
