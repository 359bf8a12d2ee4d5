import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import config from '../../vitest.config.js';

const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
const tiers = (config.test?.projects ?? []).map((project) =>
  typeof project === 'object' && 'test' in project ? project.test?.name : undefined,
);

it('docs/testing.md has a row for each tier, and no other', () => {
  expect([...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, tier]) => tier).toSorted()).toEqual(
    tiers.toSorted(),
  );
});

it('docs/testing.md runs one test of each tier, in a file that exists', () => {
  const lines = [...page.matchAll(/^(?:npx vitest run --project ([\w-]+)|npm run test:cluster --) (\S+)$/gm)];
  const ofCluster = (file = ''): string => (file.includes('.nightly.') ? 'nightly' : 'cluster');
  expect(lines.map(([, tier, file]) => tier ?? ofCluster(file)).toSorted()).toEqual(tiers.toSorted());
  expect(lines.map(([, , file]) => file ?? '').filter((file) => !existsSync(file))).toEqual([]);
});

it('.ci/run runs each tier that docs/testing.md promises of it, and npm test', () => {
  const script = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
  const promised = [...page.matchAll(/^\| `(\w+)` \|.*\| `\.ci\/run` \|$/gm)].map(([, tier = '']) => tier);
  expect(promised.length).toBeGreaterThan(3);
  expect(promised.filter((tier) => !new RegExp(`npm (?:test|run) .*\\b${tier}\\b`).test(script))).toEqual([]);
  expect(script).toMatch(/^ +'npm test --silent' \\$/m);
});
