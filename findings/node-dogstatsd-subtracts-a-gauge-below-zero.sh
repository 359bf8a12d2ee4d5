#!/usr/bin/env bash
# Two values of a gauge, sent by node-dogstatsd 0.0.7 over UDP to the loopback address and read by the parser of the
# StatsD exporter (github.com/prometheus/statsd_exporter v0.31.0): a temperature of 4 and one of -3.
# Guess: the gauge is set to 4 and then to -3.
# Seen:  for the reader a sign makes the value a change, so it subtracts 3 and the gauge is 1. The client sends no
#        zero in front of a value below zero, which would set it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-dogstatsd@0.0.7 >/dev/null 2>&1
cat >write.js <<'JS'
const { StatsD } = require('node-dogstatsd');
const server = require('dgram').createSocket('udp4');
let count = 0;
server.on('message', (line) => {
  console.log(String(line));
  count += 1;
  if (count === 2) {
    server.close();
    client.close();
  }
});
let client;
server.bind(0, '127.0.0.1', () => {
  client = new StatsD('127.0.0.1', server.address().port);
  client.gauge('temperature', 4);
  client.gauge('temperature', -3);
});
JS
cat >main.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/statsd_exporter/pkg/event"
	"github.com/prometheus/statsd_exporter/pkg/line"
)

func main() {
	parser := line.NewParser()
	parser.EnableDogstatsdParsing()
	errors := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "errors"}, []string{"reason"})
	count := prometheus.NewCounter(prometheus.CounterOpts{Name: "count"})
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		for _, e := range parser.LineToEvents(lines.Text(), *errors, count, count, count, logger) {
			gauge := e.(*event.GaugeEvent)
			fmt.Printf("value %v, relative %v\n", gauge.GValue, gauge.GRelative)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/prometheus/statsd_exporter@v0.31.0 >/dev/null 2>&1
node --no-deprecation write.js >written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
temperature:4|g
temperature:-3|g
value 4, relative false
value -3, relative true
OUT
