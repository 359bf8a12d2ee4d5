#!/usr/bin/env bash
# Four latencies of 100 and one behind them, in a weighted histogram of github.com/VividCortex/gohistogram 1.0.0.
# Guess: the one behind them gets the same weight whether it is lower or higher.
# Seen:  a lower one takes most of the weight, since those before it fade. A new highest one lets nothing fade, so it
#        weighs a fifth. While latencies rise, the histogram is the one without weights.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/VividCortex/gohistogram"
)

func main() {
	for _, last := range []float64{50, 150} {
		histogram := gohistogram.NewWeightedHistogram(20, 0.1)
		for count := 0; count < 4; count++ {
			histogram.Add(100)
		}
		histogram.Add(last)
		weight := (histogram.Mean() - 100) / (last - 100)
		fmt.Printf("%v behind four of 100: weight %.2f\n", last, weight)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/VividCortex/gohistogram@v1.0.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
50 behind four of 100: weight 0.71
150 behind four of 100: weight 0.20
OUT
