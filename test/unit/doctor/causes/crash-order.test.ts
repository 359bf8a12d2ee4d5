import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import {
  backingOff,
  crashSnapshot,
  ended,
  failingPod,
  kubeletEvent,
  readyFor,
} from '../findings/crashes/build.js';

const crashing = (name: string, node: string, exitCode: number) =>
  failingPod({
    name,
    node,
    containers: [
      { state: backingOff, lastState: ended({ exitCode }), ready: false },
      {
        name: 'proxy',
        state: backingOff,
        lastState: ended({ exitCode: 137, reason: 'OOMKilled' }),
        ready: false,
      },
    ],
  });

const snapshot = crashSnapshot({
  pods: [
    crashing('web-1-a', 'n-a', 1),
    crashing('web-1-b', 'n-b', 127),
    crashing('web-1-c', 'n-b', 0),
    ...['d', 'e', 'f'].map((name) =>
      failingPod({ name: `web-1-${name}`, node: 'n-c', status: readyFor(7200) }),
    ),
  ],
  events: [
    kubeletEvent('Unhealthy', 'Liveness probe failed: one', { container: 'app', last: 60 }),
    { ...kubeletEvent('Unhealthy', 'Liveness probe failed: other', { container: 'app', last: 60 }) },
    kubeletEvent('BackOff', 'Back-off restarting failed container', { container: 'app', last: 60 }),
  ].map((event, at) => ({ ...event, metadata: { ...event.metadata, name: `event-${at}` } })),
});

function shuffled(seed: number): Snapshot {
  const turned = (items: readonly unknown[]) =>
    fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), { seed, numRuns: 1 })[0] ?? [];
  const objects = Object.fromEntries(
    Object.entries(snapshot.index.objects).map(([kind, items]) => [kind, turned(items)]),
  ) as unknown as ClusterObjects;
  return { ...snapshot, index: indexObjects(objects) };
}

describe('crash findings', () => {
  const rules = [...causes];

  it('are the same bytes in any order of the objects', () => {
    const expected = JSON.stringify(diagnose(snapshot, rules));

    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(JSON.stringify(diagnose(shuffled(seed), rules))).toBe(expected);
      }),
      { numRuns: 25 },
    );
  });
});
