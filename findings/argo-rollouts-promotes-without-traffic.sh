#!/usr/bin/env bash
# An analysis of Argo Rollouts (github.com/argoproj/argo-rollouts 1.9.1) of a rate of errors while the canary has no traffic:
# errors by requests is 0/0, for which Prometheus answers NaN. The limit is written as a failure, as a success, and as both.
# Guess: the two ways to write one limit agree, and a measurement without a value is inconclusive.
# Seen:  three answers. `failureCondition` alone makes it successful, so a canary that no request has reached is promoted;
#        `successCondition` alone makes it failed and aborts; only both together pause and ask somebody.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"math"

	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	"github.com/argoproj/argo-rollouts/utils/evaluate"
	"github.com/sirupsen/logrus"
)

func main() {
	const failure, success = "result[0] > 0.05", "result[0] <= 0.05"
	log := *logrus.NewEntry(logrus.New())
	for _, rate := range []float64{0.01, 0.2, math.NaN()} {
		for _, metric := range []v1alpha1.Metric{
			{FailureCondition: failure},
			{SuccessCondition: success},
			{FailureCondition: failure, SuccessCondition: success},
		} {
			phase, err := evaluate.EvaluateResult([]float64{rate}, metric, log)
			if err != nil {
				panic(err)
			}
			fmt.Printf("rate %v, failure %q, success %q: %s\n", rate, metric.FailureCondition, metric.SuccessCondition, phase)
		}
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get github.com/argoproj/argo-rollouts@v1.9.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
rate 0.01, failure "result[0] > 0.05", success "": Successful
rate 0.01, failure "", success "result[0] <= 0.05": Successful
rate 0.01, failure "result[0] > 0.05", success "result[0] <= 0.05": Successful
rate 0.2, failure "result[0] > 0.05", success "": Failed
rate 0.2, failure "", success "result[0] <= 0.05": Failed
rate 0.2, failure "result[0] > 0.05", success "result[0] <= 0.05": Failed
rate NaN, failure "result[0] > 0.05", success "": Successful
rate NaN, failure "", success "result[0] <= 0.05": Failed
rate NaN, failure "result[0] > 0.05", success "result[0] <= 0.05": Inconclusive
EOF
