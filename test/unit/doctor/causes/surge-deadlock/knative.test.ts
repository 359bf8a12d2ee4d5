import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import {
  type ClusterObjects,
  isResourceKind,
  modelKindOf,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import type { KnativeService } from '#src/engine/objects/knative-service.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { JsonObject } from '#src/engine/objects/wire.js';
import { foundBy, mustFind, snapshotOf, told } from '../run-rule.js';

const recorded = join(
  import.meta.dirname,
  '../../../../scenarios/knative/deadlock-of-two-revisions/objects.json',
);

interface Raw extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string; readonly annotations?: Record<string, string> };
}

/** The recorded Service: revision 1 serves, revision 2 waits for the only GPU. */
function snapshotWith(
  change: (items: readonly Raw[]) => readonly Raw[],
  takenAt = '2026-11-26T21:31:00Z',
): Snapshot {
  const { items }: { readonly items: readonly Raw[] } = JSON.parse(readFileSync(recorded, 'utf8'));
  const objects: Record<string, unknown[]> = {};
  for (const raw of change(items)) {
    const kind = modelKindOf(raw.kind, raw.apiVersion);
    if (!isResourceKind(kind)) throw new Error(kind);
    objects[kind] = [...(objects[kind] ?? []), schemas[kind].parse(raw)];
  }
  const [service] = objects.KnativeService as readonly KnativeService[];
  if (service === undefined) throw new Error('no Service');
  return snapshotOf(service, objects as Partial<ClusterObjects>, { takenAt });
}

/** As Knative 1.23 has them: only Revisions have annotations of the autoscaler. */
const withoutScale = (items: readonly Raw[]): readonly Raw[] =>
  items.map((raw) => {
    const { 'autoscaling.knative.dev/min-scale': _, ...annotations } = raw.metadata.annotations ?? {};
    return raw.kind === 'Service' ? raw : { ...raw, metadata: { ...raw.metadata, annotations } };
  });

const revision = (name: string, annotations: Record<string, string> = {}): Raw => ({
  apiVersion: 'serving.knative.dev/v1',
  kind: 'Revision',
  metadata: { namespace: 'shop', name, annotations, labels: { 'serving.knative.dev/service': 'llm' } },
});
const minScale = (count: number) => ({ 'autoscaling.knative.dev/min-scale': String(count) });

const renamed = (raw: Raw, from: RegExp, to: string): Raw =>
  JSON.parse(JSON.stringify(raw).replace(from, to)) as Raw;

describe('the deadlock of two revisions of a Knative Service', () => {
  it.each<[string, readonly Raw[], object]>([
    [
      'is proven where the Revision that serves keeps its pod',
      [revision('llm-00001', minScale(1)), revision('llm-00002', minScale(1))],
      { confidence: 'proven', doubts: [] },
    ],
    [
      'is likely where the Revision that serves may go to zero, whatever the next one keeps',
      [revision('llm-00001'), revision('llm-00002', minScale(1))],
      { confidence: 'likely', doubts: ['revision-may-shrink'] },
    ],
    [
      'is likely where the Revisions were not read',
      [],
      { confidence: 'likely', doubts: ['revision-may-shrink'] },
    ],
  ])('%s', (_, revisions, expected) => {
    const snapshot = snapshotWith((items) => [...withoutScale(items), ...revisions]);

    expect(told(mustFind(surgeDeadlock, snapshot))).toMatchObject(expected);
  });

  it('states until when a free place helps: the deadline and 30 s of the autoscaler', () => {
    const { steps } = told(
      mustFind(
        surgeDeadlock,
        snapshotWith((items) => items, '2026-11-26T21:31:54Z'),
      ),
    );

    expect(steps).toContainEqual(
      expect.objectContaining({
        key: 'knative-gives-up',
        values: { seconds: 630, isDefault: true, leftSeconds: 450 },
      }),
    );
  });

  it.each([
    ['1m30s', 120],
    ['45s', 75],
    ['1h', 3630],
  ])('reads the progress deadline %s', (text, seconds) => {
    const snapshot = snapshotWith((items) =>
      items.map((raw) =>
        raw.kind === 'Service'
          ? renamed(
              raw,
              /"annotations": ?\{/u,
              `"annotations":{"serving.knative.dev/progress-deadline":"${text}",`,
            )
          : raw,
      ),
    );

    expect(told(mustFind(surgeDeadlock, snapshot)).steps).toContainEqual(
      expect.objectContaining({ values: expect.objectContaining({ seconds, isDefault: false }) }),
    );
  });

  it('offers the traffic as the roll back, which needs no pod', () => {
    const { advice, snippets } = told(
      mustFind(
        surgeDeadlock,
        snapshotWith((items) => items),
      ),
    );

    expect(advice).toContain('advice-knative-back-title');
    expect(snippets).toContain('revisionName: llm-00001');
  });

  it('warns of a revision that a later change replaced and that waits for the same place', () => {
    const snapshot = snapshotWith((items) => {
      const third = items
        .filter(({ kind, metadata }) => kind !== 'Event' && metadata.name.startsWith('llm-00002-'))
        .map((raw) => renamed(raw, /llm-00002/gu, 'llm-00003'));
      const service = (raw: Raw) =>
        raw.kind === 'Service'
          ? renamed(
              raw,
              /"latestCreatedRevisionName": ?"llm-00002"/u,
              '"latestCreatedRevisionName":"llm-00003"',
            )
          : raw;
      return [...items.map(service), ...third];
    });
    const { reasoning, advice, snippets } = told(mustFind(surgeDeadlock, snapshot));

    expect(reasoning).toContain('knative-others-wait');
    expect(advice.indexOf('advice-knative-others-title')).toBeLessThan(
      advice.indexOf('advice-knative-title'),
    );
    expect(snippets).toContain('delete revision llm-00002');
  });
});

/** Both ReplicaSets belong to the Deployment of revision 1, as after `kubectl rollout restart`. */
function restarted(items: readonly Raw[]): readonly Raw[] {
  const deployments = items.filter(({ kind }) => kind === 'Deployment');
  const [first, second] = deployments;
  if (first === undefined || second === undefined) throw new Error('no Deployments');
  const uid = JSON.stringify(first.metadata.uid);
  const spec = renamed({ ...second }, /llm-00002/gu, 'llm-00001').spec as JsonObject;
  const status = second.status as JsonObject;
  const rolled: Raw = {
    ...first,
    spec,
    status: { ...status, replicas: 2, readyReplicas: 1, availableReplicas: 1 },
  };
  return items.flatMap((raw): readonly Raw[] => {
    if (raw === first) return [rolled];
    if (raw === second || raw.kind === 'Event') return [];
    const text = JSON.stringify(raw).replaceAll(JSON.stringify(second.metadata.uid), uid);
    const moved = JSON.parse(text.replaceAll('llm-00002', 'llm-00001')) as Raw;
    if (raw.kind !== 'ReplicaSet' || !raw.metadata.name.startsWith('llm-00002')) return [moved];
    const annotations = { ...moved.metadata.annotations, 'deployment.kubernetes.io/revision': '2' };
    return [{ ...moved, metadata: { ...moved.metadata, annotations } }];
  });
}

describe('the pods of one revision that are being replaced', () => {
  it('are a proven deadlock of its Deployment, with the change that Knative keeps', () => {
    const found = told(mustFind(surgeDeadlock, snapshotWith(restarted)));

    expect(found).toMatchObject({ confidence: 'proven', resource: 'nvidia.com/gpu' });
    expect(found.holders).toEqual([expect.stringContaining('llm-00001-deployment-')]);
    expect(found.becauseOf).toContain('patch-withheld-inside');
    expect(found.advice[0]).toBe('advice-inside-title');
    expect(found.firstSnippet).toContain('patch deployment llm-00001-deployment');
  });

  it('are none where a node has room for the new pod', () => {
    const roomy = (items: readonly Raw[]) =>
      restarted(items).map((raw) =>
        raw.kind === 'Node' ? renamed(raw, /"nvidia.com\/gpu": ?"1"/gu, '"nvidia.com/gpu":"2"') : raw,
      );

    expect(foundBy(surgeDeadlock, snapshotWith(roomy))).toBeUndefined();
  });

  it('are none where the Deployment belongs to another Service', () => {
    const foreign = (items: readonly Raw[]) =>
      restarted(items).map((raw) =>
        raw.kind === 'Deployment'
          ? renamed(raw, /"serving.knative.dev\/service": ?"llm"/gu, '"serving.knative.dev/service":"other"')
          : raw,
      );

    expect(foundBy(surgeDeadlock, snapshotWith(foreign))).toBeUndefined();
  });
});
