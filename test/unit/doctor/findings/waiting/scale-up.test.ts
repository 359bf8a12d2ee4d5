import { describe, expect, it } from 'vitest';
import { growthOf } from '#src/doctor/findings/waiting/scale-up.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { StatefulSet } from '#src/engine/objects/workload.js';
import { buildPod, buildTemplate } from '../../../../support/rollout-builders.js';
import { ago, buildExamination } from './build.js';

interface Revisions {
  readonly current: string;
  readonly update: string;
}

function buildSet(revisions: Revisions): StatefulSet {
  return StatefulSet.parse({
    metadata: { name: 'db', namespace: 'shop', uid: 'db-uid', generation: 2 },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: buildTemplate('db:1') },
    status: { observedGeneration: 2, currentRevision: revisions.current, updateRevision: revisions.update },
  });
}

/** Made, and where it runs ready, so many seconds ago. */
function ordinal(number: number, node: string | undefined, age: number, readyFor = age): Pod {
  return buildPod({
    name: `db-${number}`,
    owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' },
    node,
    age,
    readyFor,
  });
}

const same: Revisions = { current: 'db-1', update: 'db-1' };
const updating: Revisions = { current: 'db-1', update: 'db-2' };

describe('a StatefulSet is scaled up', () => {
  const cases: readonly (readonly [string, readonly Pod[], Revisions, boolean])[] = [
    [
      'when the next ordinal was created long after the others were ready',
      [ordinal(0, 'n-a', 5000), ordinal(1, undefined, 600)],
      same,
      true,
    ],
    [
      'but not when it was created as soon as the one below was ready',
      [ordinal(0, 'n-a', 5000, 620), ordinal(1, undefined, 600)],
      same,
      false,
    ],
    [
      'but not when a higher ordinal runs: a lost pod is replaced',
      [ordinal(0, undefined, 600), ordinal(1, 'n-a', 5000)],
      same,
      false,
    ],
    [
      'but not while an update is in progress',
      [ordinal(0, 'n-a', 5000), ordinal(1, undefined, 600)],
      updating,
      false,
    ],
    ['but not when no ordinal runs', [ordinal(0, undefined, 600)], same, false],
  ];

  it.each(cases)('%s', (_, pods, revisions, expected) => {
    const { snapshot } = buildExamination({ workload: buildSet(revisions), Pod: pods });
    const waiting = pods.filter(({ spec }) => spec.nodeName === undefined);
    const growth = growthOf(snapshot, waiting);

    expect(growth !== undefined).toBe(expected);
    if (expected) expect(growth).toMatchObject({ to: 3, at: `${ago(600).slice(0, 19)}.000Z` });
  });
});
