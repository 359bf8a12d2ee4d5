#!/usr/bin/env bash
# `namePrefix` of Kustomize 5.8.1 over two autoscalers: one of a Deployment, one of an Argo Rollout.
# Guess: both follow their target to its new name: what a `scaleTargetRef` means does not depend on the kind it names.
# Seen:  the autoscaler of the Rollout keeps the old name, without a warning. It scales nothing, or a Rollout without the prefix
#        that happens to live in the same namespace.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >kustomization.yaml <<'EOF'
namePrefix: eu-
resources: [objects.yaml]
EOF
cat >objects.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: api}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: api}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: api}}
EOF
go run sigs.k8s.io/kustomize/kustomize/v5@v5.8.1 build . | grep -E '^kind| name:' | tee seen
diff seen - <<'EOF'
kind: Deployment
  name: eu-web
kind: Rollout
  name: eu-api
kind: HorizontalPodAutoscaler
  name: eu-api
    name: api
kind: HorizontalPodAutoscaler
  name: eu-web
    name: eu-web
EOF
