import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const listed = [
  ...readFileSync(join(root, 'docs/faults.md'), 'utf8').matchAll(/`(test\/[\w/-]+\.test\.ts)`/g),
].map(([, path = '']) => path);

it('docs/faults.md names tests that exist, and every test of a fault', () => {
  const folder = 'test/system/faults';
  const tests = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'));

  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(tests.filter((name) => !listed.includes(`${folder}/${name}`))).toEqual([]);
});
