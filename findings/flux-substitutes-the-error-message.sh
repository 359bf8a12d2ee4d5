#!/usr/bin/env bash
# Variables in manifests, as the post-build substitution of Flux expands them (github.com/fluxcd/pkg/envsubst 1.8.0), beside bash.
# Guess: what both can read means the same, as with `${image%%:*}` and `${sha:0:7}`: `${host:?set the host}` fails while the
#        variable is missing, and `${host:+--tls}` is `--tls` if it is set.
# Seen:  the words of the error become the value and are applied, without an error. `:+` gives the variable itself, or the words
#        where it is empty. What guards a required variable in bash sends traffic to a host named after the message.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/fluxcd/pkg/envsubst"
)

func main() {
	for _, expression := range os.Args[1:] {
		value, err := envsubst.Eval(expression, os.LookupEnv)
		fmt.Println("flux", expression, value, err)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get github.com/fluxcd/pkg/envsubst@v1.8.0 >/dev/null 2>&1
export image=registry.example.com/web:1.2 host=web.example.com empty=
expressions=('${image%%:*}' '${missing:?set-it}' '${host:+--tls}' '${empty:+--tls}')
{
  go run -mod=mod . "${expressions[@]}"
  for expression in "${expressions[@]}"; do
    bash -c "echo bash $expression" 2>/dev/null || echo "bash fails"
  done
} | tee seen
diff seen - <<'EOF'
flux ${image%%:*} registry.example.com/web <nil>
flux ${missing:?set-it} set-it <nil>
flux ${host:+--tls} web.example.com <nil>
flux ${empty:+--tls} --tls <nil>
bash registry.example.com/web
bash fails
bash --tls
bash
EOF
