import { expect } from 'vitest';
import { certainShapes as shapes } from '#src/doctor/forecasts/certain-shapes.js';
import { checkSnapshot } from '#src/doctor/forecasts/check-manifests.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import type { Property } from '../property.js';
import { snapshotOf } from '../recorded.js';

/** What `check` answers for a new image, with the changes of `edit`. */
export function nextUpdate(
  snapshot: Snapshot,
  workload: Workload,
  edit: (spec: EditedSpec) => void = () => {},
) {
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

export const certainShapes: readonly Property[] = [
  {
    name: 'completes no update of a shape that is said to deadlock on every cluster',
    async check(recorded, saw) {
      const snapshot = await snapshotOf(recorded);
      for (const workload of workloadsIn(snapshot)) {
        saw('a workload');
        const shape = shapes.find(({ matches }) => matches(workload));
        if (shape === undefined) continue;
        const outcome = nextUpdate(snapshot, workload)?.outcome;
        saw(`${shape.id} ${outcome}`);
        expect([workload.metadata.name, outcome]).not.toContain('completes');
      }
    },
    whole(seen) {
      expect(seen.get('a workload')).toBeGreaterThan(500);
      expect([...seen.keys()]).toContain('surge-with-host-port deadlock');
    },
  },
];
