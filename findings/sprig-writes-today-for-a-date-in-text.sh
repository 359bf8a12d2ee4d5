#!/usr/bin/env bash
# The day of a release, as text as values of a chart have it, by the function `date` of
# github.com/Masterminds/sprig/v3 3.3.0, which Helm offers to charts.
# Guess: the day in the other form, or an error.
# Seen:  the day of today, without an error. `toDate` in front of it gives the right day.
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

const text = `date: {{ .released | date "02/01/2006" }}
toDate and date: {{ .released | toDate "2006-01-02" | date "02/01/2006" }}
`

func main() {
	page := template.Must(template.New("page").Funcs(sprig.TxtFuncMap()).Parse(text))
	if err := page.Execute(os.Stdout, map[string]any{"released": "2017-12-31"}); err != nil {
		panic(err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/Masterminds/sprig/v3@v3.3.0 >/dev/null 2>&1
before=$(date +%d/%m/%Y)
go run -mod=mod . >page
after=$(date +%d/%m/%Y)
sed -e "s,$before,TODAY," -e "s,$after,TODAY," page | tee seen
diff seen - <<'OUT'
date: TODAY
toDate and date: 31/12/2017
OUT
