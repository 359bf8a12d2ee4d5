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

const folder = join(import.meta.dirname, '../../../../scenarios/knative');
const api = 'serving.knative.dev/v1';

interface Raw extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string; readonly creationTimestamp: string };
}

interface Shape {
  /** By default revision 1 serves, and revision 2 waits for the only GPU. */
  readonly recording?: string;
  /** Since the newest pod was made. */
  readonly seconds?: number;
  readonly change?: (raw: Raw) => Raw | undefined;
  readonly added?: readonly Raw[];
}

/** A recorded Service. */
function snapshotWith({
  recording = 'deadlock-of-two-revisions',
  seconds = 120,
  change = (raw) => raw,
  added = [],
}: Shape = {}): Snapshot {
  const { items }: { readonly items: readonly Raw[] } = JSON.parse(
    readFileSync(join(folder, recording, 'objects.json'), 'utf8'),
  );
  const objects: Record<string, unknown[]> = {};
  for (const raw of [...items.flatMap((each) => change(each) ?? []), ...added]) {
    const kind = modelKindOf(raw.kind, raw.apiVersion);
    if (isResourceKind(kind)) objects[kind] = [...(objects[kind] ?? []), schemas[kind].parse(raw)];
  }
  const [service] = objects.KnativeService as readonly KnativeService[];
  if (service === undefined) throw new Error('no Service');
  const made = items.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.creationTimestamp);
  const newest = Date.parse(made.sort().at(-1) ?? '');
  const takenAt = new Date(newest + seconds * 1000).toISOString();
  return snapshotOf(service, objects as Partial<ClusterObjects>, { takenAt });
}

const withoutRevisions = (raw: Raw): Raw | undefined => (raw.kind === 'Revision' ? undefined : raw);
const revision = (name: string, annotations: Record<string, string> = {}): Raw => ({
  apiVersion: api,
  kind: 'Revision',
  metadata: {
    namespace: 'shop',
    name,
    annotations,
    labels: { 'serving.knative.dev/service': 'llm' },
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
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
    const snapshot = snapshotWith({ change: withoutRevisions, added: revisions });

    expect(told(mustFind(surgeDeadlock, snapshot))).toMatchObject(expected);
  });

  it('states until when a free place helps: the deadline and 30 s of the autoscaler', () => {
    const { steps } = told(mustFind(surgeDeadlock, snapshotWith({ seconds: 180 })));

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
    const annotation = `"serving.knative.dev/progress-deadline":"${text}",`;
    const snapshot = snapshotWith({
      change: (raw) =>
        raw.apiVersion === api && raw.kind === 'Service'
          ? renamed(raw, /(?="autoscaling\.knative\.dev\/min-scale":"1")/u, annotation)
          : raw,
    });

    expect(told(mustFind(surgeDeadlock, snapshot)).steps).toContainEqual(
      expect.objectContaining({ values: expect.objectContaining({ seconds, isDefault: false }) }),
    );
  });

  it('offers the traffic as the roll back, which needs no pod', () => {
    const { advice, snippets } = told(mustFind(surgeDeadlock, snapshotWith()));

    expect(advice).toContain('advice-knative-back-title');
    expect(snippets).toContain('revisionName: llm-00001');
  });

  it('warns of a revision that a later change replaced and that waits for the same place', () => {
    const snapshot = snapshotWith({ recording: 'deadlock-beside-a-superseded-revision' });
    const { reasoning, advice, snippets } = told(mustFind(surgeDeadlock, snapshot));

    expect(reasoning).toContain('knative-others-wait');
    expect(advice.indexOf('advice-knative-others-title')).toBeLessThan(
      advice.indexOf('advice-knative-title'),
    );
    expect(snippets).toContain('delete revision llm-00002');
  });
});

/** After `kubectl rollout restart`. */
const inside = (change: (raw: Raw) => Raw = (raw) => raw) =>
  snapshotWith({ recording: 'deadlock-inside-one-revision', change });

describe('the pods of one revision that are being replaced', () => {
  it('are a proven deadlock of its Deployment, with the change that Knative keeps', () => {
    const found = told(mustFind(surgeDeadlock, inside()));

    expect(found).toMatchObject({ confidence: 'proven', resource: 'nvidia.com/gpu' });
    expect(found.holders).toEqual([expect.stringContaining('llm-00001-deployment-')]);
    expect(found.becauseOf).toContain('patch-withheld-inside');
    expect(found.advice[0]).toBe('advice-inside-title');
    expect(found.firstSnippet).toContain('patch deployment llm-00001-deployment');
  });

  it('are none where a node has room for the new pod', () => {
    const roomy = (raw: Raw) =>
      raw.kind === 'Node' ? renamed(raw, /"nvidia.com\/gpu": ?"1"/gu, '"nvidia.com/gpu":"2"') : raw;

    expect(foundBy(surgeDeadlock, inside(roomy))).toBeUndefined();
  });

  it('are none where the Deployment belongs to another Service', () => {
    const foreign = (raw: Raw) =>
      raw.kind === 'Deployment'
        ? renamed(raw, /"serving.knative.dev\/service": ?"llm"/gu, '"serving.knative.dev/service":"other"')
        : raw;

    expect(foundBy(surgeDeadlock, inside(foreign))).toBeUndefined();
  });
});
