#!/usr/bin/env bash
# Latencies in a weighted histogram of github.com/VividCortex/gohistogram 1.0.0 with an alpha of 0.1. Its description
# computes alpha as 2/(N+1), so 0.1 stands for an average age of 19 values.
# Guess: each value takes a tenth of the weight of those before it, so eight slow values still weigh seven times as much
#        as the fast one behind them.
# Seen:  each value leaves a tenth to those before it. One fast value outweighs the eight, and it is the median.
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
	histogram := gohistogram.NewWeightedHistogram(20, 0.1)
	for count := 0; count < 8; count++ {
		histogram.Add(900)
	}
	print := func(name string) {
		fmt.Printf("%s: median %v, mean %.0f\n", name, histogram.Quantile(0.5), histogram.Mean())
	}
	print("8 slow values")
	histogram.Add(10)
	print("and a fast one")
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/VividCortex/gohistogram@v1.0.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
8 slow values: median 900, mean 900
and a fast one: median 10, mean 406
OUT
