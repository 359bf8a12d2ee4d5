#!/usr/bin/env bash
# A volume of a Pod whose size limit is not set, written by @catalystic/json-to-yaml 1.0.0 and by JSON.stringify, and
# read as kubectl reads it (sigs.k8s.io/yaml 1.6.0).
# Guess: `emptyDir: {}` from both. The package writes an object without fields in this way.
# Seen:  the package leaves the unset field out, and then writes `emptyDir:` without a value, which is null for the
#        reader. The volume has lost its source.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @catalystic/json-to-yaml@1.0.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { convert } = require('@catalystic/json-to-yaml');
const volume = (emptyDir) => ({ volumes: [{ name: 'cache', emptyDir }] });
const [writer, limit] = process.argv.slice(2);
const value = volume(limit === 'unset' ? { sizeLimit: undefined } : {});
process.stdout.write(writer === 'package' ? convert(value) : JSON.stringify(value));
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	json, err := yaml.YAMLToJSON(text)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(json))
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/yaml@v1.6.0 >/dev/null 2>&1
for writer in json package; do
  for limit in none unset; do
    echo "$writer, $limit: $(node write.js "$writer" "$limit" | go run -mod=mod .)"
  done
done | tee seen
diff seen - <<'OUT'
json, none: {"volumes":[{"emptyDir":{},"name":"cache"}]}
json, unset: {"volumes":[{"emptyDir":{},"name":"cache"}]}
package, none: {"volumes":[{"emptyDir":{},"name":"cache"}]}
package, unset: {"volumes":[{"emptyDir":null,"name":"cache"}]}
OUT
