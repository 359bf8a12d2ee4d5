#!/usr/bin/env bash
# Values of a HelmRelease (strings: a country, a switch, a version, an answer) written by yaml 2.9.1 of npm, as bots write manifests
# to Git, and read as kubectl, Helm and Flux read them (sigs.k8s.io/yaml 1.6.0).
# Guess: the same strings: what is no plain string for the reader is quoted, as js-yaml does and as yaml does for "true".
# Seen:  yaml quotes only what YAML 1.2 would misread. Norway becomes false, "on" true and "1_000" a number, as value and as
#        key, without an error where a chart takes any type; in a ConfigMap the API server refuses the object. With
#        `version: '1.1'` these are quoted, and "0o644" is 420.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund yaml@2.9.1 >/dev/null 2>&1
cat >write.mjs <<'JS'
import { stringify } from 'yaml';
const values = { country: 'no', cache: 'on', build: '1_000', mode: '0o644', ready: 'true', answers: { y: 'yes' } };
process.stdout.write(stringify(values, { version: process.argv[2] }));
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
for version in 1.2 1.1; do node write.mjs $version | go run -mod=mod .; done | tee seen
diff seen - <<'OUT'
{"answers":{"true":true},"build":1000,"cache":true,"country":false,"mode":"0o644","ready":"true"}
{"answers":{"y":"yes"},"build":"1_000","cache":"on","country":"no","mode":420,"ready":"true"}
OUT
