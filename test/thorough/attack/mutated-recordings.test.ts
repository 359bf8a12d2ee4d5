import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { confidences } from '#src/doctor/findings/cause-id.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { sourceOfRecording } from '#src/edges/cli/sources.js';
import { createCollector } from '#src/edges/recordings/collect-objects.js';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import { type Scenario, scenarios } from '../../support/scenarios/expectation.js';
import { seededRandom } from '../../support/seeded-random.js';

const seed = 20_261_126;
const mutations = 600;
/** Larger recordings have more objects, not other fields. */
const maxBytes = 60_000;

type Wire = Record<string, unknown>;
type Path = readonly (string | number)[];

const values: readonly unknown[] = [
  ...[
    null,
    undefined,
    true,
    '',
    'Unheard',
    '__proto__',
    'constructor',
    'a\u0000b',
    'yesterday',
    'x'.repeat(20_000),
  ],
  ...[-1, -9e15, 0.5, 7, 2_147_483_647, 9e15, 1e308, '9'.repeat(100), '1e999', '-3', '99999999999%'],
  ...[[], {}, [null], [[]], '0000-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '275760-09-13T00:00:00Z'],
];

/** Every field of an object, but for those that name it. */
function pathsIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key];
    const names = path.length === 1 ? ['kind', 'apiVersion'] : ['name', 'namespace', 'managedFields'];
    const isName = path.length <= 2 && (path.length === 1 || path[0] === 'metadata') && names.includes(key);
    return isName ? [] : [path, ...pathsIn(inner, path)];
  });
}

function withValue(object: Wire, path: Path, value: unknown): Wire {
  const copy = structuredClone(object);
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Wire)[key], copy) as Wire;
  const last = String(path.at(-1));
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

interface Recorded {
  readonly scenario: Scenario;
  readonly items: readonly Wire[];
}

const engine = createEngine();

/** `undefined` where the workload itself could not be read. */
async function diagnosed({ scenario: { folder, expect: of } }: Recorded, items: readonly Wire[]) {
  const collector = createCollector();
  const place = { type: 'file', file: 'objects.json' } as never;
  for (const item of items) collector.take(item, { shown: 'objects.json', place, isOnlyFile: false });
  const { logs } = await readRecording(folder);
  const recording = { ...collector.finish('objects.json'), logs };
  const { reader, cluster } = sourceOfRecording(recording, 'recorded', of.takenAt);
  const { namespace, name } = of.workload;
  const kind = WorkloadKind.parse(of.workload.kind);
  const read = await reader.snapshot({ cluster, kind, namespace, name }, new Set());
  if (read.type !== 'snapshot') return undefined;
  const { snapshot } = read;
  return { snapshot, diagnosis: engine.diagnose(snapshot), malformed: recording.malformed.length };
}

/**
 * Whether the rule of the cause proves it, also where another finding explains it better and it is not
 * listed.
 */
function isProvenIn(snapshot: Snapshot, cause: string): boolean {
  const { findings } = diagnose(
    snapshot,
    causes.filter(({ id }) => id === cause),
  );
  return findings.some(({ confidence }) => confidence === 'proven');
}

/** Position of the highest confidence with which the cause is found; -1 if it is not. */
function confidenceOf({ findings }: Diagnosis, cause: string): number {
  const found = findings
    .filter((finding) => finding.cause === cause)
    .map(({ confidence }) => confidences.length - confidences.indexOf(confidence));
  return Math.max(-1, ...found);
}

function recordings(): readonly Recorded[] {
  return scenarios().flatMap((scenario) => {
    const text = readFileSync(join(scenario.folder, 'objects.json'), 'utf8');
    return text.length > maxBytes ? [] : [{ scenario, items: (JSON.parse(text) as { items: Wire[] }).items }];
  });
}

describe('a recording with one field of one object changed', () => {
  it('is diagnosed by every rule, and never with more confidence where the object does not parse', async () => {
    const random = seededRandom(seed);
    const pick = <Item>(from: readonly Item[]): Item => from[random(from.length)] as Item;
    const all = recordings();
    const sound = new Map<Recorded, Awaited<ReturnType<typeof diagnosed>>>();
    const wrong: string[] = [];
    let malformed = 0;
    for (let done = 0; done < mutations; done += 1) {
      const one = pick(all);
      if (!sound.has(one)) sound.set(one, await diagnosed(one, one.items));
      const before = sound.get(one);
      // A recording whose header does not parse is refused as a whole.
      const object = pick(one.items.filter(({ kind }) => kind !== 'Recording'));
      const paths = pathsIn(object);
      if (before === undefined || paths.length === 0) continue;
      const path = pick(paths);
      const value = pick(values);
      const what = `${one.scenario.expect.id}: ${String(object.kind)} ${path.join('.')} = ${String(JSON.stringify(value)).slice(0, 40)}`;
      try {
        const items = one.items.map((each) => (each === object ? withValue(object, path, value) : each));
        const after = await diagnosed(one, items);
        if (after === undefined) continue;
        const { findings, defects, unseen } = after.diagnosis;
        for (const { cause, message } of defects) wrong.push(`${what}: ${cause} fails with ${message}`);
        if (after.malformed === before.malformed) continue;
        malformed += 1;
        const raised = findings.filter(
          ({ cause, confidence, severity }) =>
            confidence === 'proven' &&
            severity !== 'info' &&
            confidenceOf(before.diagnosis, cause) < confidenceOf(after.diagnosis, cause) &&
            !isProvenIn(before.snapshot, cause),
        );
        for (const { cause } of raised) wrong.push(`${what}: ${cause} is proven`);
        if (findings.length === 0 && unseen.length === 0)
          wrong.push(`${what}: nothing is reported as unread`);
      } catch (error) {
        wrong.push(`${what}: ${String(error)}`);
      }
    }

    expect(wrong).toEqual([]);
    expect(malformed).toBeGreaterThan(mutations / 10);
  });
});
