import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { edgeTests } from '../../scripts/edge-tests.mjs';

const chosen = edgeTests();

it.each([
  ['HTTP servers', 'test/integration/http/early-answer.test.ts'],
  ['TLS', 'test/integration/kubernetes/rotated-certificates.test.ts'],
  ['threads', 'test/unit/attack/thread-pool.test.ts'],
  ['streams', 'test/unit/edges/kubernetes/read-answer.test.ts'],
  ["README's demo", 'test/system/readme/demo.test.ts'],
])('the tests of %s run on Node 20, too', (_, file) => {
  expect(chosen).toContain(file);
});

it('tests that only compute do not run again on Node 20', () => {
  expect(chosen.filter((file) => /^test\/(?:scenario|thorough|unit\/core)\//.test(file))).toEqual([]);
});

it('each test that is chosen exists', () => {
  expect(chosen.filter((file) => !existsSync(file))).toEqual([]);
});
