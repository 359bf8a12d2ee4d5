#!/usr/bin/env bash
# A line of the application "web", written by github.com/RackSec/srslog 0.0.0-20180709174129-a4725f04ec91 with its
# RFC 5424 formatter and read by github.com/leodido/go-syslog/v4 4.6.0.
# Guess: "web" as the name of the application, as in the RFC 3164 form of the same writer.
# Seen:  the name is the path of the program, and "web" is the kind of the message.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/RackSec/srslog"
	"github.com/leodido/go-syslog/v4/rfc3164"
	"github.com/leodido/go-syslog/v4/rfc5424"
)

func main() {
	os.Args[0] = "/srv/bin/server"
	old, err := rfc3164.NewParser().Parse([]byte(srslog.RFC3164Formatter(srslog.LOG_INFO, "node-1", "web", "ready")))
	if err != nil {
		panic(err)
	}
	first := old.(*rfc3164.SyslogMessage)
	fmt.Printf("RFC 3164: application %q, message %q\n", *first.Appname, *first.Message)
	line := srslog.RFC5424Formatter(srslog.LOG_INFO, "node-1", "web", "ready")
	recent, err := rfc5424.NewParser().Parse([]byte(line))
	if err != nil {
		panic(err)
	}
	second := recent.(*rfc5424.SyslogMessage)
	fmt.Printf("RFC 5424: application %q, kind %q, message %q\n", *second.Appname, *second.MsgID, *second.Message)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/RackSec/srslog@v0.0.0-20180709174129-a4725f04ec91 github.com/leodido/go-syslog/v4@v4.6.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
RFC 3164: application "web", message "ready"
RFC 5424: application "/srv/bin/server", kind "web", message "ready"
OUT
