#!/usr/bin/env bash
# Quantities, checked by the format `quantity` of @kubernetes-models/validate 5.0.2 and read by k8s.io/apimachinery 0.36.3.
# Guess: both accept the same ones. The package names the file of Kubernetes as its source.
# Seen:  the package accepts units of physics such as `d`, `h`, `da` and `Y`, which Kubernetes refuses.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @kubernetes-models/validate@5.0.2 >/dev/null 2>&1
cat >check.mjs <<'JS'
import { formats } from '@kubernetes-models/validate';
for (const text of process.argv.slice(2)) console.log(`${text}: package ${formats.quantity.validate.test(text)}`);
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

func main() {
	for _, text := range os.Args[1:] {
		_, err := resource.ParseQuantity(text)
		fmt.Printf("Kubernetes %t\n", err == nil)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get k8s.io/apimachinery@v0.36.3 >/dev/null 2>&1
quantities=(500m 1.5Gi 1e3 1K 1d 2h 10da 1Y)
node check.mjs "${quantities[@]}" >package
go run -mod=mod . "${quantities[@]}" >kubernetes
paste -d ',' package kubernetes | sed 's/,/, /' | tee seen
diff seen - <<'OUT'
500m: package true, Kubernetes true
1.5Gi: package true, Kubernetes true
1e3: package true, Kubernetes true
1K: package false, Kubernetes false
1d: package true, Kubernetes false
2h: package true, Kubernetes false
10da: package true, Kubernetes false
1Y: package true, Kubernetes false
OUT
