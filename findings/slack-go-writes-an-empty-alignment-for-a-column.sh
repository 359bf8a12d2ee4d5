#!/usr/bin/env bash
# A block of a table in Slack, read and written again by github.com/slack-go/slack 0.36.0. The settings of the first column only wrap its text, and
# those of the second are `null`, by which Slack skips a column. Slack has the alignments left, center and right.
# Guess: the same settings.
# Seen:  both columns get the alignment "", which Slack does not have, and the skipped column gets settings. A program that changes one
#        cell of a message and sends it back writes a block that differs in its settings.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	"github.com/slack-go/slack"
)

const block = `[{"type":"table","rows":[[{"type":"raw_text","text":"pod"},{"type":"raw_text","text":"web-1"}]],
	"column_settings":[{"is_wrapped":true},null]}]`

func main() {
	var blocks slack.Blocks
	if err := json.Unmarshal([]byte(block), &blocks); err != nil {
		panic(err)
	}
	written, err := json.Marshal(blocks)
	if err != nil {
		panic(err)
	}
	var tables []struct {
		Settings json.RawMessage `json:"column_settings"`
	}
	if err := json.Unmarshal(written, &tables); err != nil {
		panic(err)
	}
	fmt.Println(string(tables[0].Settings))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/slack-go/slack@v0.36.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
[{"align":"","is_wrapped":true},{"align":"","is_wrapped":false}]
OUT
