#!/usr/bin/env bash
# One image of three, changed by the field `images` of Kustomize 5.8.1, which names it in full: `registry.example/shop.web`.
# Guess: the image of this name gets the new tag, and the other two are kept.
# Seen:  the name is read as a regular expression. Its dots stand for any character, so `registry.example/shop-web` gets the tag of another
#        image as well, without a warning.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >kustomization.yaml <<'YAML'
images: [{name: registry.example/shop.web, newTag: "2"}]
resources: [pod.yaml]
YAML
cat >pod.yaml <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - {name: first, image: "registry.example/shop.web:1"}
    - {name: second, image: "registry.example/shop-web:1"}
    - {name: third, image: "registry.example/shop--web:1"}
YAML
go run sigs.k8s.io/kustomize/kustomize/v5@v5.8.1 build . | grep image: | tee seen
diff seen - <<'OUT'
  - image: registry.example/shop.web:2
  - image: registry.example/shop-web:2
  - image: registry.example/shop--web:1
OUT
