#!/usr/bin/env bash
# The recorder of events.k8s.io that the scheduler writes with (k8s.io/client-go/tools/events 0.36.3): the same pod is refused
# for one reason, then twice for another.
# Guess: two events, or one whose note is that of the last refusal.
# Seen:  one event. The recorder compares everything but the note, so it counts the other refusals and keeps the first note.
#        Who reads "Insufficient nvidia.com/gpu" with a count cannot tell how often, or whether still, that was the reason.
#        Only a change of the pod itself starts another event, because the reference holds its resourceVersion.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
)

func main() {
	client := fake.NewSimpleClientset()
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	ctx, stop := context.WithCancel(context.Background())
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		panic(err)
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "default-scheduler")
	refuse := func(version, note string) {
		pod := &core.Pod{ObjectMeta: meta.ObjectMeta{Namespace: "shop", Name: "web-1", UID: "1", ResourceVersion: version}}
		recorder.Eventf(pod, nil, core.EventTypeWarning, "FailedScheduling", "Scheduling", note)
		time.Sleep(300 * time.Millisecond)
	}
	refuse("7", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.")
	refuse("7", "0/1 nodes are available: 1 node(s) had untolerated taint(s).")
	refuse("7", "0/1 nodes are available: 1 node(s) had untolerated taint(s).")
	refuse("8", "0/1 nodes are available: 1 node(s) were unschedulable.")
	stop()
	for _, action := range client.Actions() {
		fmt.Println(action.GetVerb(), action.GetResource().Resource)
	}
	list, err := client.EventsV1().Events("shop").List(context.Background(), meta.ListOptions{})
	if err != nil {
		panic(err)
	}
	for _, event := range list.Items {
		fmt.Println(event.Series != nil, event.Note)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
create events
patch events
create events
true 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.
false 0/1 nodes are available: 1 node(s) were unschedulable.
EOF
