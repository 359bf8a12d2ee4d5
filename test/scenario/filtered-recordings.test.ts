import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { conclusionOf, mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { createCollector } from '#src/edges/recordings/collect-objects.js';
import { createRecordedClusterReader } from '#src/edges/recordings/recorded-cluster-reader.js';
import { createEngine } from '#src/service/create-engine.js';
import { Expectation, scenariosFolder } from '../support/scenarios/expectation.js';

interface RecordedObject {
  readonly kind: string;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The diagnosis of a recording whose objects somebody changed before they sent it. */
async function diagnosisOf(
  incident: string,
  change: (objects: readonly RecordedObject[]) => readonly RecordedObject[],
): Promise<Diagnosis> {
  const read = (file: string): string => readFileSync(join(scenariosFolder, incident, file), 'utf8');
  const { workload, takenAt } = Expectation.parse(JSON.parse(read('expect.json')));
  const { items } = JSON.parse(read('objects.json')) as { readonly items: readonly RecordedObject[] };
  const collector = createCollector();
  for (const object of change(items))
    collector.take(object, { shown: 'a', place: undefined as never, isOnlyFile: false });
  const reader = createRecordedClusterReader({ ...collector.finish('a'), logs: [] }, takenAt, 'a');
  const ref = { cluster: 'a', ...workload } as Parameters<typeof reader.snapshot>[0];
  const snapshot = await reader.snapshot(ref, new Set());
  if (snapshot.type !== 'snapshot') throw new Error(`${incident} holds no ${workload.name}`);
  return createEngine().diagnose(snapshot.snapshot);
}

const isReady = ({ status }: RecordedObject): boolean =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;

function without(field: RegExp, object: unknown): unknown {
  if (Array.isArray(object)) return object.map((each) => without(field, each));
  if (typeof object !== 'object' || object === null) return object;
  const kept = Object.entries(object).filter(([name]) => !field.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, without(field, value)]));
}

describe('a recording from which somebody removed', () => {
  it.each(['daemon-set-surge-host-port', 'daemon-set-surge-memory'])(
    'the pods that are not ready is not healthy: %s',
    async (incident) => {
      const diagnosis = await diagnosisOf(incident, (objects) =>
        objects.filter((each) => each.kind !== 'Pod' || isReady(each)),
      );
      expect(conclusionOf(diagnosis)).not.toBe('nothing');
    },
  );

  it('the events is not healthy while a DaemonSet does not get the pods of its surge', async () => {
    const diagnosis = await diagnosisOf('daemon-set-surge-quota', (objects) =>
      objects.filter(({ kind }) => kind !== 'Event'),
    );
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
  });

  it.each(['daemon-set-surge-quota', 'crash-on-node-intermittent', 'gpu-one-node'])(
    'the uids has the same cause: %s',
    async (incident) => {
      const whole = await diagnosisOf(incident, (objects) => objects);
      const reduced = await diagnosisOf(
        incident,
        (objects) => without(/^uid$/, objects) as readonly RecordedObject[],
      );
      const { main } = mainFindingOf(reduced);
      expect(main?.cause).toBe(mainFindingOf(whole).main?.cause);
      expect(main?.cause).toBeDefined();
    },
  );

  it('the times is not healthy while a new pod is not ready', async () => {
    const diagnosis = await diagnosisOf(
      'locks/lease-named-and-readiness-waits-for-it',
      (objects) => without(/(?:^creationTimestamp|Time|At)$/, objects) as readonly RecordedObject[],
    );
    expect(conclusionOf(diagnosis)).not.toBe('nothing');
  });
});
