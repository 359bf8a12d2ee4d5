#!/usr/bin/env bash
# The command `unsubscribe` of Argo's bot for Slack on an annotation with several channels
# (github.com/argoproj/notifications-engine/pkg/subscriptions 0.5.0).
# Guess: the other channels stay subscribed.
# Seen:  their names are joined without the `;` between them, so all of them are unsubscribed and one that does not exist is
#        subscribed: when one team leaves, no team hears of a degraded application any more.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/argoproj/notifications-engine/pkg/subscriptions"
)

func main() {
	annotations := subscriptions.NewAnnotations(map[string]string{})
	annotations.Subscribe("on-degraded", "slack", "shop", "search", "on-call")
	show := func(what string) {
		fmt.Printf("%s: %q, on-call has it: %t\n", what, annotations[subscriptions.SubscribeAnnotationKey("on-degraded", "slack")], annotations.Has("slack", "on-call"))
	}
	show("three subscribe")
	annotations.Unsubscribe("on-degraded", "slack", "shop")
	show("one unsubscribes")
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/argoproj/notifications-engine/pkg/subscriptions@v0.5.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
three subscribe: "shop;search;on-call", on-call has it: true
one unsubscribes: "searchon-call", on-call has it: false
OUT
