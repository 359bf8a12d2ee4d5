#!/usr/bin/env bash
# A counter with the attributes `k8s.pod` and `k8s_pod`, and two counters named `http.retries` and `http_retries`, exported by
# @opentelemetry/exporter-prometheus 0.223.0. In Prometheus a label has one value, and the specification of OpenTelemetry joins the values of
# attributes whose names become equal with a semicolon.
# Guess: `k8s_pod="web;api"`, and one of the two counters with a warning.
# Seen:  the line has the label twice, and the second counter repeats the name, the type and the series of the first with another
#        value.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/exporter-prometheus@0.223.0 @opentelemetry/api@1.9.0 >/dev/null 2>&1
cat >export.mjs <<'JS'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

const exporter = new PrometheusExporter({ preventServer: true });
const meter = new MeterProvider({ readers: [exporter] }).getMeter('shop');
meter.createCounter('restarts').add(1, { 'k8s.pod': 'web', k8s_pod: 'api' });
meter.createCounter('http.retries').add(2);
meter.createCounter('http_retries').add(3);
const { resourceMetrics } = await exporter.collect();
const text = new PrometheusSerializer('', false, undefined, true, true).serialize(resourceMetrics);
console.log(text.split('\n').filter((line) => line && !line.startsWith('# HELP')).join('\n'));
JS
node export.mjs | tee seen
diff seen - <<'OUT'
# TYPE restarts_total counter
restarts_total{k8s_pod="web",k8s_pod="api"} 1
# TYPE http_retries_total counter
http_retries_total 2
# TYPE http_retries_total counter
http_retries_total 3
OUT
