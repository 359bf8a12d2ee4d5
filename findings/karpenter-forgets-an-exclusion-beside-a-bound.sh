#!/usr/bin/env bash
# A pool of nodes of more than 4 CPUs, with instances of 96 CPUs excluded: the label `karpenter.k8s.aws/instance-cpu` with Gt and NotIn
# (sigs.k8s.io/karpenter/pkg/scheduling 1.14.1).
# Guess: the NodeClaim has both requirements, as it has both bounds when Gt and Lt are given.
# Seen:  the bound only. Two requirements of one label are joined, and a requirement with a bound is written without the values that it
#        excludes. The scheduler itself still refuses 96, so its decision and what it writes into the NodeClaim differ.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	core "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

func main() {
	const cpu = "karpenter.k8s.aws/instance-cpu"
	above := func() *scheduling.Requirement { return scheduling.NewRequirement(cpu, core.NodeSelectorOpGt, "4") }
	for _, operator := range []core.NodeSelectorOperator{core.NodeSelectorOpLt, core.NodeSelectorOpNotIn} {
		requirements := scheduling.NewRequirements(above(), scheduling.NewRequirement(cpu, operator, "96"))
		fmt.Printf("Gt 4 and %s 96: may be 96: %t, written:", operator, requirements.Get(cpu).Has("96"))
		for _, written := range requirements.NodeSelectorRequirements() {
			fmt.Printf(" %s %v", written.Operator, written.Values)
		}
		fmt.Println()
	}
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/karpenter@v1.14.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
Gt 4 and Lt 96: may be 96: false, written: Gte [5] Lte [95]
Gt 4 and NotIn 96: may be 96: false, written: Gte [5]
OUT
