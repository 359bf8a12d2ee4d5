#!/usr/bin/env bash
# Commands with a backslash in double quotes, split by github.com/mattn/go-shellwords 1.0.16 and by bash.
# Guess: the same words. In double quotes a backslash stands for itself in front of a letter.
# Seen:  the package makes a line end of `\n`, and of `\d` only the letter is left, without an error. So a search for
#        `\d` looks for the letter.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/mattn/go-shellwords"
)

func main() {
	for _, text := range os.Args[1:] {
		words, err := shellwords.Parse(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("package: %q\n", words)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/mattn/go-shellwords@v1.0.16 >/dev/null 2>&1
for command in 'printf "%s\n" ready' 'grep -E "web-\d"' "grep -E 'web-\d'"; do
  echo "text:    $command"
  eval "set -- $command"
  echo "bash:    [$(printf '"%s" ' "$@" | sed 's/ $//; s/\\/\\\\/g')]"
  go run -mod=mod . "$command"
done | tee seen
diff seen - <<'OUT'
text:    printf "%s\n" ready
bash:    ["printf" "%s\\n" "ready"]
package: ["printf" "%s\n" "ready"]
text:    grep -E "web-\d"
bash:    ["grep" "-E" "web-\\d"]
package: ["grep" "-E" "web-d"]
text:    grep -E 'web-\d'
bash:    ["grep" "-E" "web-\\d"]
package: ["grep" "-E" "web-\\d"]
OUT
