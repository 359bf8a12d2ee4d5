#!/usr/bin/env bash
# A volume and a folder of the host, both mounted read-only, in the long form of composeverter 1.7.5, and read by the
# library of Docker Compose (github.com/compose-spec/compose-go 2.16.2).
# Guess: both read-only.
# Seen:  neither. The volume has "nocopy" instead, which only stops a first copy of files. The container can write to
#        both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund composeverter@1.7.5 >/dev/null 2>&1
cat >expand.js <<'JS'
const { migrateToCommonSpec } = require('composeverter');
const volumes = '["data:/data:ro", "./pages:/pages:ro"]';
const text = `services:\n  web:\n    image: nginx\n    volumes: ${volumes}\nvolumes:\n  data: {}\n`;
console.log(process.argv[2] === 'long' ? migrateToCommonSpec(text, { expandVolumes: true }) : text);
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	files := []types.ConfigFile{{Filename: "compose.yaml", Content: text}}
	details := types.ConfigDetails{WorkingDir: ".", ConfigFiles: files}
	project, err := loader.LoadWithContext(context.Background(), details, func(options *loader.Options) {
		options.SetProjectName("finding", true)
	})
	if err != nil {
		fmt.Println("refused:", err)
		return
	}
	for _, service := range project.Services {
		for _, volume := range service.Volumes {
			fmt.Println(volume.Target, "read-only:", volume.ReadOnly)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/compose-spec/compose-go/v2@v2.16.2 >/dev/null 2>&1
for form in short long; do
  echo "$form:"
  node expand.js $form | sed 's/<your project name>/web/' | go run -mod=mod .
done | tee seen
diff seen - <<'OUT'
short:
/data read-only: true
/pages read-only: true
long:
/data read-only: false
/pages read-only: false
OUT
