#!/usr/bin/env bash
# The spam filter in front of every event that the kubelet and the controllers write (k8s.io/client-go/tools/record 0.36.3):
# a container crashes thirty times, then its volume fails to mount, then it is killed.
# Guess: each reason has its own budget, so that the first 'FailedMount' is written.
# Seen:  one budget of 25 for all warnings of a source about a pod. 'BackOff' uses it up, its count stays at 25, and the other
#        warning is dropped without a trace; an event of type Normal has a budget of its own. That a pod has no event of a
#        reason proves nothing once other warnings about it were written 25 times.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock/testing"
)

func main() {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	clock := testing.NewFakePassiveClock(now)
	correlator := record.NewEventCorrelator(clock)
	counts := map[string]int32{}
	write := func(kind, reason, message string) {
		result, err := correlator.EventCorrelate(&core.Event{
			ObjectMeta:     meta.ObjectMeta{Namespace: "shop", Name: "web-1." + reason},
			InvolvedObject: core.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "1"},
			Source:         core.EventSource{Component: "kubelet", Host: "node-1"},
			Type:           kind, Reason: reason, Message: message, Count: 1,
			FirstTimestamp: meta.NewTime(clock.Now()), LastTimestamp: meta.NewTime(clock.Now()),
		})
		if err != nil {
			panic(err)
		}
		if !result.Skip {
			counts[reason] = result.Event.Count
			correlator.UpdateState(result.Event)
		}
	}
	for i := range 30 {
		clock.SetTime(now.Add(time.Duration(i) * time.Second))
		write(core.EventTypeWarning, "BackOff", "Back-off restarting failed container")
	}
	write(core.EventTypeWarning, "FailedMount", "MountVolume.SetUp failed")
	write(core.EventTypeNormal, "Killing", "Stopping container")
	for _, reason := range []string{"BackOff", "FailedMount", "Killing"} {
		fmt.Println(reason, counts[reason])
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
BackOff 25
FailedMount 0
Killing 1
EOF
