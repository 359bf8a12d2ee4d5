#!/usr/bin/env bash
# Flags of a deploy tool that can also be set by the environment of its container (commander 15.1.0): `--force` with DEPLOY_FORCE
# and `--no-wait` with DEPLOY_WAIT.
# Guess: `DEPLOY_FORCE=false` and `=0` do not force, or end in an error, and `DEPLOY_WAIT=true` waits.
# Seen:  the value of a flag is never read; that the variable exists sets it. "false", "0" and "" force, and
#        `DEPLOY_WAIT=true` turns the wait off. Who writes "false" in a manifest to be sure gets the opposite.
set -euo pipefail
case "$(node --version)" in v20.*) echo "commander 15 needs Node 22, and node is $(node --version)."; exit 0 ;; esac
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund commander@15.1.0 >/dev/null 2>&1
cat >deploy.mjs <<'JS'
import { Command, Option } from 'commander';
const program = new Command()
  .addOption(new Option('--force').env('DEPLOY_FORCE').default(false))
  .addOption(new Option('--no-wait').env('DEPLOY_WAIT'));
const { force, wait } = program.parse().opts();
console.log(`force: ${force}, wait: ${wait}`);
JS
{
  node deploy.mjs
  for value in false 0 ''; do DEPLOY_FORCE="$value" node deploy.mjs; done
  DEPLOY_WAIT=true node deploy.mjs
} | tee seen
diff seen - <<'OUT'
force: false, wait: true
force: true, wait: true
force: true, wait: true
force: true, wait: true
force: false, wait: false
OUT
