#!/usr/bin/env bash
# The share of pods that are not ready, composed with tsqtsq 1.2.0: the difference of two vectors, divided by a third. How Prometheus
# groups the operators is read with the grammar of its own editor (@prometheus-io/lezer-promql 0.315.0).
# Guess: (wanted - ready) / wanted, as the call of `div` has the whole difference as its left side.
# Seen:  the parts are joined as text, without parentheses, so Prometheus computes wanted - (ready / wanted). With 4 wanted and 3
#        ready pods this is 3.25 instead of 0.25: an alert on `> 0.5` always fires. `and` and `or` have no parentheses either.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund tsqtsq@1.2.0 @prometheus-io/lezer-promql@0.315.0 @lezer/lr@1.4.2 @lezer/highlight@1.2.1 @lezer/common@1.2.3 \
  esbuild@0.25.12 >/dev/null 2>&1
cat >query.mjs <<'JS'
import { parser } from '@prometheus-io/lezer-promql';
import { promql } from 'tsqtsq';

const group = (node, text) => {
  const [left, right] = node.getChildren('Expr');
  if (node.name !== 'BinaryExpr') return text.slice(node.from, node.to);
  return `(${group(left, text)}${text.slice(left.to, right.from)}${group(right, text)})`;
};
const { and, div, or, sub } = promql;
const queries = [
  div({ left: sub({ left: 'wanted', right: 'ready' }), right: 'wanted' }),
  and({ left: or({ left: 'stuck', right: 'failed' }), right: 'paged' }),
];
for (const query of queries) console.log(`${query} is read as ${group(parser.parse(query).topNode.firstChild, query)}`);
JS
npx esbuild query.mjs --bundle --platform=node --outfile=query.js --log-level=error
node query.js | tee seen
diff seen - <<'OUT'
wanted - ready / wanted is read as (wanted - (ready / wanted))
stuck or failed and paged is read as (stuck or (failed and paged))
OUT
