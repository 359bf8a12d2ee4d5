import { describe, expect, it } from 'vitest';
import { certainShapes } from '#src/core/check/certain-shapes.js';
import { checkSnapshot } from '#src/core/check/check-snapshot.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import type { Workload } from '#src/core/cluster/workload.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { snapshotOf } from '#support/scenarios/snapshot-of.js';

/** What `check` answers for a new image, with the changes of `edit`. */
function nextUpdate(snapshot: Snapshot, workload: Workload, edit: (spec: EditedSpec) => void = () => {}) {
  const { metadata, kind, spec } = workload;
  const { raw: template } = spec.template;
  const raw = structuredClone({ ...spec, template }) as unknown as EditedSpec;
  for (const container of raw.template.spec.containers) container.image = 'registry.example/next:1';
  edit(raw);
  const { namespace, name } = metadata;
  return checkSnapshot(
    { kind, namespace, name, raw: { kind, metadata: { name, namespace }, spec: raw } },
    snapshot,
  );
}

interface EditedSpec {
  updateStrategy?: object;
  template: { spec: { nodeSelector?: Record<string, string>; containers: { image: string }[] } };
}

function workloadsIn({ index: { objects } }: Snapshot): readonly Workload[] {
  return [...objects.Deployment, ...objects.DaemonSet];
}

describe('a shape that is said to deadlock on every cluster', () => {
  it('never completes an update in a recorded cluster', async () => {
    const outcomes: string[] = [];
    let looked = 0;
    for (const scenario of scenarios()) {
      const snapshot = await snapshotOf(scenario);
      for (const workload of workloadsIn(snapshot)) {
        looked += 1;
        const shape = certainShapes.find(({ matches }) => matches(workload));
        if (shape === undefined) continue;
        const outcome = nextUpdate(snapshot, workload)?.outcome;
        outcomes.push(`${shape.id} ${outcome}`);
        expect([scenario.expect.id, workload.metadata.name, outcome]).not.toContain('completes');
      }
    }
    expect(looked).toBeGreaterThan(500);
    expect(new Set(outcomes)).toContain('surge-with-host-port deadlock');
  });

  async function recorded(id: string): Promise<Snapshot> {
    const found = scenarios().find(({ expect: { id: each } }) => each === id);
    if (found === undefined) throw new Error(`${id} is gone`);
    return snapshotOf(found);
  }

  it('is a deadlock of a healthy DaemonSet, and ends with the advice', async () => {
    const snapshot = await recorded('before-daemon-set-surge');
    const { workload } = snapshot;
    expect(nextUpdate(snapshot, workload)?.outcome).toBe('deadlock');
    const inPlace = nextUpdate(snapshot, workload, (spec) => {
      spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    });
    expect(inPlace?.outcome).toBe('completes');
  });

  it('is a deadlock of a Deployment on the one node that it names', async () => {
    const snapshot = await recorded('before-surge-host-port');
    const pinned = nextUpdate(snapshot, snapshot.workload, (spec) => {
      spec.template.spec.nodeSelector = { 'kubernetes.io/hostname': 'edge-a' };
    });
    expect(pinned?.outcome).toBe('deadlock');
  });
});
