#!/usr/bin/env bash
# The time that a container gets to stop, given to `docker run` in seconds, as a Compose file of composerize-ts 0.6.2,
# read by the library of Docker Compose (github.com/compose-spec/compose-go 2.16.2).
# Guess: 30 s.
# Seen:  composerize-ts copies the number. The reader wants a unit and refuses the whole file.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund composerize-ts@0.6.2 >/dev/null 2>&1
cat >write.js <<'JS'
const { composerize } = require('composerize-ts');
console.log(composerize('docker run --stop-timeout 30 nginx').yaml);
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
		fmt.Println(service.Name, service.StopGracePeriod)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/compose-spec/compose-go/v2@v2.16.2 >/dev/null 2>&1
node write.js >compose.yaml
go run -mod=mod . <compose.yaml >read
grep stop_grace_period compose.yaml | tee seen
tee -a seen <read
diff seen - <<'OUT'
        stop_grace_period: '30'
refused: decoding failed due to the following error(s):

'services[nginx].stop_grace_period' time: missing unit in duration "30"
OUT
