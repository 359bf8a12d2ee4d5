#!/usr/bin/env bash
# Quantities of memory for `parseQuotaValue` of @prorobotech/openapi-k8s-toolkit 1.2.0-alpha.5, which returns
# gigabytes with one decimal: 512M, 512Mi, 2G and 2Gi. The toolkit loads libraries of the browser, which this
# function does not use, so the script replaces them.
# Guess: 0.5, 0.5, 2 and 2.1.
# Seen:  512Mi is 0, and 2Gi is refused as an invalid value. The function divides mebibytes by a million and has
#        no `Gi`. `parseQuotaValueMemoryAndStorage` beside it reads 2Gi, and it returns 0.4 for 512Mi, because
#        it divides where it should multiply.
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
const { parseQuotaValue, parseQuotaValueMemoryAndStorage } = require('./package/dist/openapi-k8s-toolkit.umd.js');
const read = (parse, quantity) => {
  try {
    return parse(quantity);
  } catch (error) {
    return error.message;
  }
};
for (const quantity of ['512M', '512Mi', '2G', '2Gi']) {
  const first = read((text) => parseQuotaValue('memory', text), quantity);
  console.log(`${quantity}: ${first}, beside it: ${read(parseQuotaValueMemoryAndStorage, quantity)}`);
}
process.exit(0);
JS
node quantities.cjs | tee seen
diff seen - <<'OUT'
512M: 0.5, beside it: 0.5
512Mi: 0, beside it: 0.4
2G: 2, beside it: 2
2Gi: Invalid value, beside it: 2.1
OUT
