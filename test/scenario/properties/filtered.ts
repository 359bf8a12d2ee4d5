import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { conclusionOf, openQuestionOf } from '#src/doctor/findings/main-finding.js';
import { missingIn } from '#src/doctor/findings/missing.js';
import { sourceOfRecording } from '#src/edges/cli/sources.js';
import { createCollector } from '#src/edges/recordings/collect-objects.js';
import { usualCases } from '../../support/at-night.js';
import type { Scenario } from '../../support/scenarios/expectation.js';
import type { Property } from '../property.js';
import { diagnosisOf, engine, type Recorded, snapshotOf, workloadIn } from '../recorded.js';

export interface RawObject {
  readonly kind: string;
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  readonly [field: string]: unknown;
}
export type Objects = readonly RawObject[];

/** The diagnosis of a recording whose objects somebody changed before they sent it. */
export async function filteredDiagnosis(
  scenario: Scenario,
  change: (objects: Objects) => Objects,
  at: string | undefined = scenario.expect.takenAt,
): Promise<Diagnosis> {
  const text = readFileSync(join(scenario.folder, 'objects.json'), 'utf8');
  const { items } = JSON.parse(text) as { readonly items: Objects };
  const collector = createCollector();
  for (const object of change(items)) {
    collector.take(object, { shown: 'a', place: undefined, isOnlyFile: false });
  }
  const source = sourceOfRecording({ ...collector.finish('a'), logs: [] }, 'a', at);
  return engine.diagnose(await workloadIn(source, scenario));
}

export const isReady = ({ status }: RawObject): boolean =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;

/** Walks all fields: what `value` gives for a name takes its place, and `undefined` leaves it out. */
function rewritten(objects: Objects, value: (name: string, value: unknown) => unknown): Objects {
  return JSON.parse(JSON.stringify(objects, value)) as Objects;
}

export function withoutField(name: RegExp, objects: Objects): Objects {
  return rewritten(objects, (key, value) => (name.test(key) ? undefined : value));
}

/** Each object without these fields at its top, or in its metadata, of all kinds or of some. */
function lacking(part: 'object' | 'metadata' | 'spec', name: RegExp, kinds?: RegExp) {
  return (objects: Objects): Objects =>
    objects.map((object) => {
      if (kinds !== undefined && !kinds.test(object.kind)) return object;
      const of = (part === 'object' ? object : object[part]) as object | undefined;
      const kept = Object.fromEntries(Object.entries(of ?? {}).filter(([key]) => !name.test(key)));
      return (part === 'object' ? kept : { ...object, [part]: kept }) as RawObject;
    });
}

const only = (keep: (object: RawObject) => boolean) => (objects: Objects) => objects.filter(keep);
const time = /^(?:creationTimestamp|\w*(?:Time|Timestamp|At))$/u;
const workloads = /Set$|^Deployment$|^Rollout$/u;

/** What programs and people do to objects before they send them. */
const filters: Readonly<Record<string, (objects: Objects) => Objects>> = {
  'kubectl neat': (objects) =>
    lacking(
      'spec',
      /^nodeName$/u,
    )(
      lacking(
        'object',
        /^status$/u,
      )(lacking('metadata', /^(?!name$|namespace$|labels$|annotations$)/u)(objects)),
    ),
  'yq del(.status)': lacking('object', /^status$/u),
  'an empty status': (objects) => objects.map((each) => ({ ...each, status: {} })),
  'yq del(.status) of workloads': lacking('object', /^status$/u, workloads),
  'yq del(.status) of pods': lacking('object', /^status$/u, /^Pod$/u),
  'yq del(.status) of nodes': lacking('object', /^status$/u, /^Node$/u),
  'yq del(.status) of claims and quotas': lacking('object', /^status$/u, /Claim$|Quota$/u),
  'a backup': (objects) =>
    lacking(
      'metadata',
      /^(?:uid|resourceVersion|creationTimestamp|generation|ownerReferences)$/u,
    )(lacking('object', /^status$/u)(only(({ kind }) => kind !== 'Event' && kind !== 'Node')(objects))),
  'metadata reduced to names': lacking('metadata', /^(?!name$|namespace$)/u),
  'no owners': lacking('metadata', /^ownerReferences$/u),
  'no labels': lacking('metadata', /^labels$/u),
  'no generations': (objects) => withoutField(/^(?:observedG|g)eneration$/u, objects),
  'grep -v observedGeneration': (objects) => withoutField(/^observedGeneration$/u, objects),
  'grep -v uid': (objects) => withoutField(/^uid$/u, objects),
  'one text in place of each uid': (objects) =>
    rewritten(objects, (key, value) => (key === 'uid' ? 'REDACTED' : value)),
  'grep -v of times': (objects) => withoutField(time, objects),
  'null in place of times': (objects) =>
    rewritten(objects, (key, value) => (time.test(key) && typeof value === 'string' ? null : value)),
  'no spec.replicas': lacking('spec', /^replicas$/u),
  'no strategy': lacking('spec', /^(?:strategy|updateStrategy)$/u),
  'no conditions': (objects) => withoutField(/^conditions$/u, objects),
  'no states of containers': (objects) => withoutField(/^(?:initC|c)ontainerStatuses$/u, objects),
  'no former runs': (objects) => withoutField(/^lastState$/u, objects),
  'no messages': (objects) => withoutField(/^message$/u, objects),
  'no node of pods': lacking('spec', /^nodeName$/u, /^Pod$/u),
  'no volume of claims': lacking('spec', /^volumeName$/u),
  'no requests': (objects) => withoutField(/^resources$/u, objects),
  'no events': only(({ kind }) => kind !== 'Event'),
  'no nodes': only(({ kind }) => kind !== 'Node'),
  'no pods': only(({ kind }) => kind !== 'Pod'),
  'ready pods only': only((each) => each.kind !== 'Pod' || isReady(each)),
  'unready pods only': only((each) => each.kind !== 'Pod' || !isReady(each)),
  'running pods only': only(({ kind, status }) => kind !== 'Pod' || status?.phase === 'Running'),
  'kubectl get all': only(
    ({ kind }) => workloads.test(kind) || ['Pod', 'Service', 'Job', 'HorizontalPodAutoscaler'].includes(kind),
  ),
};
const names = Object.keys(filters);

/** Whole objects are missing after these: the properties of unread kinds and of removed objects ask for them. */
const ofObjects = /^no (?:events|nodes|pods)$|pods only$|get all$/u;

/** Filters of one recording, at night and in the usual run. All recordings together meet each of them often. */
const filtersOfOne = Math.max(...usualCases([4, 2], (each) => each < 4));

function filtersFor({ name }: Recorded): readonly string[] {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 99_991;
  return Array.from({ length: filtersOfOne }, (_, at) => names[(hash + at * 7) % names.length] ?? '');
}

export function gravelyProven({ findings }: Diagnosis): readonly string[] {
  return findings
    .filter(({ severity, confidence }) => severity !== 'info' && confidence === 'proven')
    .map(({ cause }) => cause);
}

export const filtered: readonly Property[] = [
  {
    name: 'is no healthier and proves nothing more after fields of its objects were taken away',
    // The release of a cluster is in a file of its own, which such programs leave alone.
    of: ({ folder, expect: { workload } }) =>
      ['Deployment', 'StatefulSet', 'DaemonSet'].includes(workload.kind) &&
      !existsSync(join(folder, 'version.json')),
    async check(recorded, saw) {
      const full = await diagnosisOf(recorded);
      const snapshot = await snapshotOf(recorded);
      const wrong: string[] = [];
      for (const filter of filtersFor(recorded)) {
        saw(filter);
        const change = filters[filter];
        if (change === undefined || ofObjects.test(filter)) continue;
        const answer = await filteredDiagnosis(recorded, change).catch(() => undefined);
        // Where nothing is left of the workload, the command says so.
        if (answer === undefined) continue;
        const [before, after] = [conclusionOf(full), conclusionOf(answer)];
        if (after === 'nothing' && before !== 'nothing') wrong.push(`${filter}: healthy`);
        const fresh = gravelyProven(answer).filter((cause) => {
          const alone = causes.filter(({ id }) => id === cause);
          return (
            !gravelyProven(full).includes(cause) && !gravelyProven(diagnose(snapshot, alone)).includes(cause)
          );
        });
        for (const cause of fresh) wrong.push(`${filter}: ${cause} is proven`);
        const isExplained = missingIn(answer).length > 0 || openQuestionOf(answer)?.kind !== 'unread';
        if (before === 'found' && after === 'unchecked' && !isExplained) {
          wrong.push(`${filter}: does not name what is missing`);
        }
        for (const { cause } of answer.defects) wrong.push(`${filter}: the rule ${cause} fails`);
      }
      expect(wrong).toEqual([]);
    },
    whole(seen) {
      expect([...seen.keys()].sort()).toEqual([...names].sort());
    },
  },
];
