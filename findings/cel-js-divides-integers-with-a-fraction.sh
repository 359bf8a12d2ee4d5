#!/usr/bin/env bash
# Expressions of two integers, computed by cel-js 0.8.2 and by the library of the API server (github.com/google/cel-go
# 0.26.1).
# Guess: the same results. In CEL the quotient of two integers is an integer.
# Seen:  cel-js keeps the fraction, so a check of half the replicas, tested with cel-js, decides otherwise in an
#        admission policy.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cel-js@0.8.2 >/dev/null 2>&1
cat >check.mjs <<'JS'
import { evaluate } from 'cel-js';
for (const expression of process.argv.slice(2)) console.log(`cel-js: ${expression}: ${evaluate(expression)}`);
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
)

func main() {
	env, _ := cel.NewEnv()
	for _, expression := range os.Args[1:] {
		ast, issues := env.Compile(expression)
		if issues.Err() != nil {
			panic(issues.Err())
		}
		program, _ := env.Program(ast)
		value, _, err := program.Eval(map[string]any{})
		fmt.Println("cel-go:", expression+":", value, err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/google/cel-go@v0.26.1 >/dev/null 2>&1
{
  node check.mjs '6 / 2' '5 / 2'
  go run -mod=mod . '6 / 2' '5 / 2'
} | tee seen
diff seen - <<'OUT'
cel-js: 6 / 2: 3
cel-js: 5 / 2: 2.5
cel-go: 6 / 2: 3 <nil>
cel-go: 5 / 2: 2 <nil>
OUT
