#!/usr/bin/env bash
# Quantities of CPU for `parseQuotaValueCpu` of @prorobotech/openapi-k8s-toolkit 1.2.0-alpha.5, which returns
# cores: 500m, 250000000n (as the metrics server reports usage), 1k and 1e3. All four are quantities of
# Kubernetes. The toolkit loads libraries of the browser, which this function does not use, so the script
# replaces them.
# Guess: 0.5, 0.2 or 0.3, 1000 and 1000.
# Seen:  0.5, 250000000, 1 and 13. The function removes all letters and knows the suffix `m` only, and it
#        removes the `e` of an exponent.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm pack --silent @prorobotech/openapi-k8s-toolkit@1.2.0-alpha.5 >/dev/null 2>&1
tar xzf ./*.tgz
cat >quantities.cjs <<'JS'
const Module = require('node:module');
const load = Module._load;
const values = { [Symbol.toPrimitive]: () => '', [Symbol.iterator]: undefined };
const get = (_target, name) => (name in values ? values[name] : standIn);
const standIn = new Proxy(() => undefined, { get, apply: () => standIn });
Module._load = (name, ...rest) => (name.startsWith('.') || name.startsWith('node:') ? load(name, ...rest) : standIn);
globalThis.self = globalThis;
globalThis.window = globalThis;
const { parseQuotaValueCpu } = require('./package/dist/openapi-k8s-toolkit.umd.js');
for (const quantity of ['500m', '250000000n', '1k', '1e3']) {
  console.log(`${quantity}: ${parseQuotaValueCpu(quantity)} cores`);
}
process.exit(0);
JS
node quantities.cjs | tee seen
diff seen - <<'OUT'
500m: 0.5 cores
250000000n: 250000000 cores
1k: 1 cores
1e3: 13 cores
OUT
