#!/usr/bin/env bash
# Baggage with a name that has an empty value, written by go.opentelemetry.io/otel/baggage 1.47.0 and read by that module
# and by @opentelemetry/core 2.12.1. The format of the W3C allows an empty value.
# Guess: both read three names.
# Seen:  JavaScript drops the name with the empty value, so "set and empty" arrives as "not set".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/core@2.12.1 >/dev/null 2>&1
cat >read.js <<'JS'
const { ROOT_CONTEXT, defaultTextMapGetter, propagation } = require('@opentelemetry/api');
const { W3CBaggagePropagator } = require('@opentelemetry/core');
const carrier = { baggage: process.argv[2] };
const read = propagation.getBaggage(new W3CBaggagePropagator().extract(ROOT_CONTEXT, carrier, defaultTextMapGetter));
console.log(`js: ${read.getAllEntries().map(([name, { value }]) => `${name}="${value}"`).sort().join(' ')}`);
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
)

func main() {
	if len(os.Args) == 1 {
		members := []baggage.Member{}
		for name, value := range map[string]string{"team": "shop", "zone": "", "wave": "2"} {
			member, err := baggage.NewMember(name, value)
			if err != nil {
				panic(err)
			}
			members = append(members, member)
		}
		written, err := baggage.New(members...)
		if err != nil {
			panic(err)
		}
		names := strings.Split(written.String(), ",")
		sort.Strings(names)
		fmt.Println(strings.Join(names, ","))
		return
	}
	carrier := propagation.MapCarrier{"baggage": os.Args[1]}
	read := baggage.FromContext(propagation.Baggage{}.Extract(context.Background(), carrier))
	names := []string{}
	for _, member := range read.Members() {
		names = append(names, fmt.Sprintf("%s=%q", member.Key(), member.Value()))
	}
	sort.Strings(names)
	fmt.Printf("go: %s\n", strings.Join(names, " "))
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel@v1.47.0 >/dev/null 2>&1
header=$(go run -mod=mod . 2>/dev/null)
{
  echo "header: $header"
  node read.js "$header"
  go run -mod=mod . "$header" 2>/dev/null
} | tee seen
diff seen - <<'OUT'
header: team=shop,wave=2,zone=
js: team="shop" wave="2"
go: team="shop" wave="2" zone=""
OUT
