#!/usr/bin/env bash
# Months and minutes with a zero in front, as text, by `int` and `atoi` of github.com/Masterminds/sprig/v3 3.3.0, which
# Helm offers to charts.
# Guess: the same numbers from both. The function for octal numbers is `toDecimal`.
# Seen:  `int` reads 010 as eight, and 08 as zero without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"os"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

const text = `{{ range list "7" "07" "08" "010" }}{{ . }}: int {{ int . }}, atoi {{ atoi . }}
{{ end }}`

func main() {
	page := template.Must(template.New("page").Funcs(sprig.TxtFuncMap()).Parse(text))
	if err := page.Execute(os.Stdout, nil); err != nil {
		panic(err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/Masterminds/sprig/v3@v3.3.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
7: int 7, atoi 7
07: int 7, atoi 7
08: int 0, atoi 8
010: int 8, atoi 10
OUT
