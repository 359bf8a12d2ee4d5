#!/usr/bin/env bash
# The pods that are not on the broken node, `{.items[?(@.spec.nodeName!="node-1")]}`, as `kubectl get -o jsonpath` evaluates the
# filter (k8s.io/client-go/util/jsonpath 0.36.3).
# Guess: every pod but those of node-1: RFC 9535 says that a missing value is unequal to any string.
# Seen:  a pod without `nodeName` is left out, by `!=` as by `==`. The pods that wait for a node, which are the question during
#        a stuck rollout, are in neither list, and the two lists together look like all pods.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"bytes"
	"fmt"

	"k8s.io/client-go/util/jsonpath"
)

func main() {
	podOf := func(name string, spec map[string]any) any {
		return map[string]any{"metadata": map[string]any{"name": name}, "spec": spec}
	}
	list := map[string]any{"items": []any{
		podOf("web-1", map[string]any{"nodeName": "node-1"}),
		podOf("web-2", map[string]any{"nodeName": "node-2"}),
		podOf("web-pending", map[string]any{}),
	}}
	for _, operator := range []string{"==", "!="} {
		path := jsonpath.New("get").AllowMissingKeys(true)
		if err := path.Parse(`{.items[?(@.spec.nodeName` + operator + `"node-1")].metadata.name}`); err != nil {
			panic(err)
		}
		var out bytes.Buffer
		err := path.Execute(&out, list)
		fmt.Println(operator, out.String(), err)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
== web-1 <nil>
!= web-2 <nil>
EOF
