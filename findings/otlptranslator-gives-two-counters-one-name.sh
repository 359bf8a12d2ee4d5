#!/usr/bin/env bash
# Two counters of OpenTelemetry that differ in the word `total` within the name, named for Prometheus by github.com/prometheus/otlptranslator
# 1.0.0 with each strategy that adds suffixes. The description says that a counter gets the suffix `_total`.
# Guess: two names, since the word within the name is no suffix.
# Seen:  the strategy with underscores removes the word wherever it is. Both counters become `rollout_steps_total`, so their series are
#        mixed. A gauge of unit 1 loses the word `ratio` in the same way. The strategy that keeps dots keeps the words.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	translator "github.com/prometheus/otlptranslator"
)

func main() {
	metrics := []translator.Metric{
		{Name: "rollout.steps", Type: translator.MetricTypeMonotonicCounter},
		{Name: "rollout.total.steps", Type: translator.MetricTypeMonotonicCounter},
		{Name: "ready.target", Unit: "1", Type: translator.MetricTypeGauge},
		{Name: "ready.ratio.target", Unit: "1", Type: translator.MetricTypeGauge},
	}
	underscores := translator.NewMetricNamer("", translator.UnderscoreEscapingWithSuffixes)
	dots := translator.NewMetricNamer("", translator.NoUTF8EscapingWithSuffixes)
	for _, metric := range metrics {
		first, err := underscores.Build(metric)
		if err != nil {
			panic(err)
		}
		second, err := dots.Build(metric)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s, %s\n", metric.Name, first, second)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/prometheus/otlptranslator@v1.0.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
rollout.steps: rollout_steps_total, rollout.steps_total
rollout.total.steps: rollout_steps_total, rollout.total.steps_total
ready.target: ready_target_ratio, ready.target_ratio
ready.ratio.target: ready_target_ratio, ready.ratio.target_ratio
OUT
