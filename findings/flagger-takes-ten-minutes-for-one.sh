#!/usr/bin/env bash
# The interval of a canary of Flagger (github.com/fluxcd/flagger 1.36.1), between two steps of its traffic: the pattern of the
# custom resource and what the controller makes of it.
# Guess: what the API server accepts is the interval, and what is none is refused.
# Seen:  the pattern has no end, so "10min" and "5m30" are accepted; Go cannot read them, and the controller takes one minute
#        without a word. A canary that should be watched for an hour and a half in steps of ten minutes is promoted in nine.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"regexp"

	"github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1"
)

func main() {
	definition, err := os.ReadFile(os.Args[1] + "/artifacts/flagger/crd.yaml")
	if err != nil {
		panic(err)
	}
	found := regexp.MustCompile(`description: Schedule interval for this canary\n +type: string\n +pattern: "(.+)"`).FindSubmatch(definition)
	pattern := regexp.MustCompile(string(found[1]))
	for _, interval := range []string{"10m", "10min", "5m30", "1h"} {
		canary := v1beta1.Canary{Spec: v1beta1.CanarySpec{Analysis: &v1beta1.CanaryAnalysis{Interval: interval}}}
		fmt.Printf("%s: accepted %t, counts as %s\n", interval, pattern.MatchString(interval), canary.GetAnalysisInterval())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1@v1.36.1 >/dev/null 2>&1
go run -mod=mod . "$(go list -mod=mod -m -f '{{.Dir}}' github.com/fluxcd/flagger)" | tee seen
diff seen - <<'OUT'
10m: accepted true, counts as 10m0s
10min: accepted true, counts as 1m0s
5m30: accepted true, counts as 1m0s
1h: accepted false, counts as 1h0m0s
OUT
