#!/usr/bin/env bash
# `kubectl describe pod` of a pending pod: the autoscaler added a node 50 minutes ago, and the scheduler has refused the pod since
# then, last a minute ago (k8s.io/kubectl/pkg/describe 0.36.3).
# Guess: the refusal stands last, because the table is sorted by time.
# Seen:  it stands first, as if the autoscaler had answered it. The table is sorted by lastTimestamp, which events of
#        events.k8s.io, among them all of the scheduler, leave empty. The order of the lines does not show what came last.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubectl/pkg/describe"
)

func main() {
	minutesAgo := func(minutes int) time.Time { return time.Now().Add(-time.Duration(minutes) * time.Minute) }
	eventOf := func(reason string) corev1.Event {
		return corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Namespace: "shop", Name: strings.ToLower(reason)},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "1"},
			Reason:         reason,
		}
	}
	refusal := eventOf("FailedScheduling")
	refusal.EventTime = metav1.NewMicroTime(minutesAgo(60))
	refusal.Series = &corev1.EventSeries{Count: 12, LastObservedTime: metav1.NewMicroTime(minutesAgo(1))}
	scaleUp := eventOf("TriggeredScaleUp")
	scaleUp.FirstTimestamp, scaleUp.LastTimestamp, scaleUp.Count = metav1.NewTime(minutesAgo(50)), metav1.NewTime(minutesAgo(50)), 1
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", UID: "1"}}
	describer := &describe.PodDescriber{Interface: fake.NewSimpleClientset(pod, &scaleUp, &refusal)}
	seen, err := describer.Describe("shop", "web-1", describe.DescriberSettings{ShowEvents: true})
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(seen, "\n") {
		for _, event := range []corev1.Event{refusal, scaleUp} {
			if strings.Contains(line, event.Reason) {
				fmt.Println(event.Reason)
			}
		}
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/kubectl@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
FailedScheduling
TriggeredScaleUp
EOF
