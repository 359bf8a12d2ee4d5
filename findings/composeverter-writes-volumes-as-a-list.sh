#!/usr/bin/env bash
# A file of the first version of Docker Compose with a named volume, migrated by composeverter 1.7.5 and read by the
# library of Docker Compose (github.com/compose-spec/compose-go 2.16.2).
# Guess: the service with its volume.
# Seen:  composeverter declares the volume in a list. The format has a map there, and the reader refuses the file.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund composeverter@1.7.5 >/dev/null 2>&1
cat >migrate.js <<'JS'
const { migrateFromV1ToV2x } = require('composeverter');
const text = migrateFromV1ToV2x('db:\n  image: postgres\n  volumes:\n    - data:/data\n');
console.log(text.replace(/^#.*\n/gm, ''));
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
		fmt.Println(service.Name, service.Volumes)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/compose-spec/compose-go/v2@v2.16.2 >/dev/null 2>&1
node migrate.js >compose.yaml
go run -mod=mod . <compose.yaml >read
cat compose.yaml read | tee seen
diff seen - <<'OUT'
version: "2.4"
services:
    db:
        image: postgres
        volumes:
            - data:/data
volumes:
    - data:
          external: true
          name: data
refused: validating compose.yaml: volumes must be a mapping
OUT
