#!/usr/bin/env bash
# @sndwrks/lumberjack 0.3.0, "logger powered by winston with a loki integration", configured to write to files only: `logToConsole.enabled`,
# "is logging to console enabled?", is false for all loggers and for this one.
# Guess: the line is in the file, and nothing is printed.
# Seen:  the line is in the file and is printed. The two settings are joined with `or` to a default of true, so no value turns the
#        console off. With the collector of the cluster beside it, each line is stored twice.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @sndwrks/lumberjack@0.3.0 >/dev/null 2>&1
cat >log.mjs <<'JS'
import { beginLogging, configureLogger } from '@sndwrks/lumberjack';

const logToConsole = { enabled: false, type: 'string' };
configureLogger({ logLevel: 'info', logToConsole, logToFiles: true, service: 'web' });
beginLogging({ name: 'web', logToConsole }).info('rollout is stuck');
JS
node log.mjs >console
{ sed 's/^/console: /' console; sed 's/^/file: /' combined.log; } | tee seen
diff seen - <<'OUT'
console: {"level":"info","message":"rollout is stuck","service":"web"}
file: {"level":"info","message":"rollout is stuck","service":"web"}
OUT
