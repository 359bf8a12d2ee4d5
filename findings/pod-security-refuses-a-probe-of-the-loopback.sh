#!/usr/bin/env bash
# A liveness probe with `host: 127.0.0.1` in a namespace of the level "baseline", by the rules of Kubernetes 1.33 and of 1.34
# (k8s.io/pod-security-admission 0.36.3).
# Guess: allowed by both. "Baseline" forbids what is known to raise privileges and admits a pod that worked under it.
# Seen:  since 1.34 a probe may name no host at all, the loopback and `localhost` included. Where the namespace enforces "latest",
#        as it does by default, the pods run on after the upgrade of the cluster, and the next rollout of the same template
#        can create none: FailedCreate weeks later, from a release that changed an image.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err)
	}
	for _, host := range []string{"", "127.0.0.1", "localhost"} {
		probe := &core.Probe{ProbeHandler: core.ProbeHandler{HTTPGet: &core.HTTPGetAction{Host: host}}}
		spec := &core.PodSpec{Containers: []core.Container{{Name: "web", LivenessProbe: probe}}}
		for _, minor := range []int{33, 34} {
			level := api.LevelVersion{Level: api.LevelBaseline, Version: api.MajorMinorVersion(1, minor)}
			result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, &meta.ObjectMeta{}, spec))
			fmt.Printf("host %q by 1.%d: allowed %t %s\n", host, minor, result.Allowed, result.ForbiddenDetail())
		}
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/pod-security-admission@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | sed 's/ *$//' | tee seen
diff seen - <<'EOF'
host "" by 1.33: allowed true
host "" by 1.34: allowed true
host "127.0.0.1" by 1.33: allowed true
host "127.0.0.1" by 1.34: allowed false probe or lifecycle host (container "web" uses probe or lifecycle host "127.0.0.1")
host "localhost" by 1.33: allowed true
host "localhost" by 1.34: allowed false probe or lifecycle host (container "web" uses probe or lifecycle host "localhost")
EOF
