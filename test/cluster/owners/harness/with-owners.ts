import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../harness/cluster.js';
import { grantClusterWide, type Program, startProgram } from '../../harness/program.js';
import { excludedNode } from './changes.js';
import type { WorkloadOwner } from './owner.js';
import { expectedFates, type OwnerCase, type PlayDeps, play } from './play.js';
import { judge, startTally } from './tally.js';

/**
 * A cluster and the shipped program for all cases of a file; each case has a namespace of its own.
 *
 * @param ready starts what the file needs besides, and returns how to stop it
 */
export function withOwners(ready: (deps: PlayDeps) => Promise<(() => Promise<void>) | void> | void): void {
  let cluster: Cluster | undefined;
  let program: Program | undefined;
  let stopOwners: (() => Promise<void>) | void;
  beforeAll(async () => {
    cluster = await startCluster();
    await grantClusterWide(cluster);
    program = await startProgram(cluster);
    await cluster.createNodes(
      { name: excludedNode, allocatable: { 'nvidia.com/gpu': '1' } },
      { name: 'node-b' },
    );
    stopOwners = await ready({ cluster, program });
  });
  afterAll(async () => {
    await stopOwners?.();
    await program?.stop();
    await cluster?.stop();
  });
}

/** One test a case and owner: what the fields really are, and whether the prediction said so. */
export function testOwners(
  rows: readonly { readonly owner: WorkloadOwner; readonly cases: readonly OwnerCase[] }[],
  deps: () => PlayDeps,
): void {
  const tally = startTally();
  for (const { owner, cases } of rows) {
    it.for(cases)(`${owner.name}: $title`, async (one) => {
      const { fields, report } = await play(one, owner, deps());
      const fates = Object.fromEntries(fields.map(({ path, fate }) => [path, fate]));
      expect(fates, report).toEqual(expectedFates(one, fields));
      tally.count(owner, one.title, fields);
      const wrong = fields.filter((field) => judge(field, owner) === 'wrong');
      expect(wrong, 'wrong predictions').toEqual([]);
    });
  }
}
