#!/usr/bin/env bash
# The first five and the last five of three objects, as `kubectl get -o jsonpath` evaluates a slice
# (k8s.io/client-go/util/jsonpath 0.36.3).
# Guess: the three that exist, twice: RFC 9535 cuts a slice to the length of the list, as Python and jq do.
# Seen:  an error about an index, and no object at all. "The last five" works while there are five; with fewer, as after a quiet
#        hour, the command of the runbook fails.
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
	list := map[string]any{"items": []any{"first", "second", "third"}}
	for _, slice := range []string{"[0:2]", "[0:5]", "[-2:]", "[-5:]"} {
		path := jsonpath.New("get").AllowMissingKeys(true)
		if err := path.Parse("{.items" + slice + "}"); err != nil {
			panic(err)
		}
		var out bytes.Buffer
		err := path.Execute(&out, list)
		fmt.Printf("%s: [%s] %v\n", slice, out.String(), err)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
[0:2]: [first second] <nil>
[0:5]: [] array index out of bounds: index 4, length 3
[-2:]: [second third] <nil>
[-5:]: [] array index out of bounds: index -2, length 3
EOF
