#!/usr/bin/env bash
# A Deployment behind a Service whose application has no readiness probe, beside a sidecar that has one, checked by kube-score
# 1.20.0 (github.com/zegl/kube-score).
# Guess: critical: "Container is missing a readinessProbe", as without the sidecar.
# Seen:  all is well: one probe in the pod, be it that of an init container, counts for every container. The application gets
#        traffic as soon as its proxy is up, and a rollout of a broken version goes through, which the check is there to prevent.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
GOBIN="$PWD" go install github.com/zegl/kube-score/cmd/kube-score@v1.20.0 >/dev/null 2>&1
manifest() {
  cat <<MANIFEST
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: 'web:1'}
        $1
MANIFEST
}
proxy="- {name: proxy, image: 'proxy:1', readinessProbe: {tcpSocket: {port: 15021}}, livenessProbe: {tcpSocket: {port: 15020}}}"
for sidecar in '' "$proxy"; do
  if [ -n "$sidecar" ]; then echo "with a sidecar:"; else echo "without a sidecar:"; fi
  manifest "$sidecar" | ./kube-score score --output-format ci - | grep -iE 'pod probes |readinessProbe' || true
done | tee seen
diff seen - <<'OUT'
without a sidecar:
[CRITICAL] web/shop apps/v1/Deployment: Container is missing a readinessProbe
with a sidecar:
OUT
