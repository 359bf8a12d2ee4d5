#!/usr/bin/env bash
# Values with leading zeros set on the command line of Helm, read by helm.sh/helm/v4/pkg/strvals 4.3.2: a code without a sign, and offsets of
# time zones.
# Guess: all stay text, as a value with a leading zero does.
# Seen:  only a value that begins with a zero stays text. Behind a sign the zeros are dropped, and the plus as well: the offset of Seoul
#        becomes the number 900, that of New York -500.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"helm.sh/helm/v4/pkg/strvals"
)

func main() {
	for _, text := range []string{"0900", "+0900", "-0500"} {
		values, err := strvals.Parse("offset=" + text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %T %v\n", text, values["offset"], values["offset"])
	}
}
GO
go mod init finding >/dev/null 2>&1
go get helm.sh/helm/v4/pkg/strvals@v4.3.2 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
0900: string 0900
+0900: int64 900
-0500: int64 -500
OUT
