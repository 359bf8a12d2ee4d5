#!/usr/bin/env bash
# A file of three documents, the first of which ends with `...` (the end mark of YAML) and without a `---` after it, in the decoder
# of `kubectl apply -f` (k8s.io/apimachinery/pkg/util/yaml 0.36.3) and in yaml 2.8.1 of npm.
# Guess: three documents, as YAML says, or an error.
# Seen:  two, without an error: the decoder splits at `---` alone and reads one document of each part. A tool that checks the file
#        before sees three, so what it approved is not what is applied.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
printf 'name: first\n...\nname: second\n---\nname: third\n' >file.yaml
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	file, err := os.Open("file.yaml")
	if err != nil {
		panic(err)
	}
	decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for {
		var document map[string]string
		if err := decoder.Decode(&document); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		fmt.Println("kubectl", document["name"])
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get k8s.io/apimachinery@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund yaml@2.8.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
for (const document of parseAllDocuments(readFileSync('file.yaml', 'utf8'))) {
  console.log('yaml', document.toJS().name, document.errors.length);
}
EOF
node read.mjs | tee -a seen
diff seen - <<'EOF'
kubectl first
kubectl third
yaml first 0
yaml second 0
yaml third 0
EOF
