import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { describeAll, describePod, printedAt } from '#support/descriptions.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotas-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const quota = (used: string, resource = 'requests.cpu', ...scopes: readonly string[]) =>
  [
    'Name:         team',
    'Namespace:    shop',
    ...scopes,
    `${'Resource'.padEnd(12)}  Used  Hard`,
    `${'--------'.padEnd(12)}  ----  ----`,
    `${resource.padEnd(12)}  ${used.padEnd(4)}  4`,
  ].join('\n');

async function selectorOf(...blocks: readonly string[]) {
  writeFileSync(join(folder, 'a.txt'), describeAll(...blocks));
  const { objects } = await readRecording(folder, { at: printedAt });
  return objects.ResourceQuota[0]?.spec.scopeSelector;
}

const running = { name: 'web-1-aaaaa', owner: 'ReplicaSet/web-1', requests: ['cpu:  1'] };

describe('a described quota', () => {
  it.each([
    ['requests.cpu', '0'],
    ['cpu', '0'],
    ['pods', '0'],
  ])(
    'selects pods by something that is not printed where %s counts none of those that run',
    async (resource, used) => {
      expect(await selectorOf(quota(used, resource), describePod(running))).toMatchObject({
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }],
      });
    },
  );

  it.each<[string, readonly string[]]>([
    ['counts them', [quota('1'), describePod(running)]],
    ['counts what none of them requests', [quota('0', 'limits.cpu'), describePod(running)]],
    ['is of another namespace', [quota('0'), describePod({ ...running, namespace: 'other' })]],
    [
      'has only a pod that has not started',
      [quota('0'), describePod({ ...running, node: '<none>', status: 'Pending', state: [], conditions: [] })],
    ],
    ['prints its scopes', [quota('0', 'requests.cpu', 'Scopes:       BestEffort'), describePod(running)]],
  ])('selects all pods where it %s', async (_, blocks) => {
    expect(await selectorOf(...blocks)).toBeUndefined();
  });
});
