#!/usr/bin/env bash
# Two places in a program count the same pods, with the labels in another order (github.com/VictoriaMetrics/metrics
# 1.45.0). The page is read by github.com/prometheus/common/expfmt 0.73.1.
# Guess: one counter of 2. The order of labels has no meaning in the format of Prometheus.
# Seen:  two lines of 1. The reader finds two values of one and the same series at one time.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"bytes"
	"fmt"

	"github.com/VictoriaMetrics/metrics"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func main() {
	metrics.GetOrCreateCounter(`pods{phase="Running",node="a"}`).Inc()
	metrics.GetOrCreateCounter(`pods{node="a",phase="Running"}`).Inc()
	var page bytes.Buffer
	metrics.WritePrometheus(&page, false)
	fmt.Print(page.String())
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&page)
	if err != nil {
		panic(err)
	}
	samples, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{}, families["pods"])
	if err != nil {
		panic(err)
	}
	for _, sample := range samples {
		fmt.Printf("read: %s = %s\n", sample.Metric, sample.Value)
	}
	fmt.Println("the same series:", samples[0].Metric.Equal(samples[1].Metric))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/VictoriaMetrics/metrics@v1.45.0 github.com/prometheus/common@v0.73.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
pods{node="a",phase="Running"} 1
pods{phase="Running",node="a"} 1
read: pods{node="a", phase="Running"} = 1
read: pods{node="a", phase="Running"} = 1
the same series: true
OUT
