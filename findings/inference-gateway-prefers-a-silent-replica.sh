#!/usr/bin/env bash
# Replicas of a model behind the Gateway API Inference Extension (sigs.k8s.io/gateway-api-inference-extension 1.5.0): two report
# their queue and cache, the metrics of the third were never read, as during a rollout that renames a metric or moves its port.
# Guess: the scorers leave out the third or put it last, because its metrics have no time of update.
# Seen:  it gets the best score of both: what is not known counts as an empty queue and an empty cache. All requests go to the one
#        replica about which nothing is known, until it is overloaded, and then still.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/datalayer"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/interface/scheduling"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/plugins/scheduling/scorer/kvcacheutilization"
	"sigs.k8s.io/gateway-api-inference-extension/pkg/epp/framework/plugins/scheduling/scorer/queuedepth"
)

func main() {
	replica := func(name string, metrics *datalayer.Metrics) scheduling.Endpoint {
		return scheduling.NewEndpoint(&datalayer.EndpointMetadata{NamespacedName: types.NamespacedName{Namespace: "llm", Name: name}}, metrics, nil)
	}
	now := time.Now()
	replicas := []scheduling.Endpoint{
		replica("quiet", &datalayer.Metrics{WaitingQueueSize: 1, KVCacheUsagePercent: 0.25, UpdateTime: now}),
		replica("busy", &datalayer.Metrics{WaitingQueueSize: 4, KVCacheUsagePercent: 0.75, UpdateTime: now}),
		replica("silent", datalayer.NewMetrics()),
	}
	for _, scorer := range []scheduling.Scorer{queuedepth.NewQueueScorer(), kvcacheutilization.NewKVCacheUtilizationScorer()} {
		scores := scorer.Score(context.Background(), nil, nil, replicas)
		fmt.Print(scorer.TypedName().Type, ":")
		for _, endpoint := range replicas {
			fmt.Printf(" %s %.2f", endpoint.GetMetadata().NamespacedName.Name, scores[endpoint])
		}
		fmt.Println()
	}
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/gateway-api-inference-extension@v1.5.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
queue-scorer: quiet 0.75 busy 0.00 silent 1.00
kv-cache-utilization-scorer: quiet 0.75 busy 0.25 silent 1.00
OUT
