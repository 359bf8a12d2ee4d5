import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { conclusionOf } from '#src/doctor/findings/main-finding.js';
import { headerKind, headerVersion } from '#src/edges/recordings/collect-objects.js';
import { usualCases } from '../../support/at-night.js';
import type { Expectation, Scenario } from '../../support/scenarios/expectation.js';
import type { Property } from '../property.js';
import { diagnosisOf, type Recorded, snapshotOf } from '../recorded.js';
import { filteredDiagnosis, gravelyProven, isReady, type Objects, type RawObject } from './filtered.js';

type Asked = Expectation['workload'];
type Removal = (objects: Objects, workload: Asked) => Objects;

const isHeader = ({ kind }: RawObject): boolean => kind === headerKind;
const isPod = ({ kind }: RawObject): boolean => kind === 'Pod';

/** The same objects below a header that states that all of the cluster was read. */
function headed(objects: Objects, takenAt: string): Objects {
  if (objects.some(isHeader)) return objects;
  const header = {
    apiVersion: headerVersion,
    kind: headerKind,
    metadata: { name: '' },
    takenAt: new Date(takenAt).toISOString(),
    cluster: 'a',
    namespace: '',
    salt: 'salt',
    unread: [],
  };
  return [header, ...objects];
}

/** As `kubectl get -o json` prints them, and as `rollout-doctor record` writes them. */
const forms = {
  plain: (objects: Objects) => objects.filter((each) => !isHeader(each)),
  headed,
} as const;
export type Form = keyof typeof forms;

function controllerUidOf({ metadata }: RawObject): string {
  return metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? '';
}

/** Whether an object is below the workload, by its owners. */
function isBelow(objects: Objects, { kind, namespace, name }: Asked): (object: RawObject) => boolean {
  const top = objects.find(
    ({ kind: each, metadata }) =>
      each === kind && metadata?.namespace === namespace && metadata.name === name,
  );
  const uids = new Set([top?.metadata.uid]);
  for (let before = 0; before < uids.size; ) {
    before = uids.size;
    for (const each of objects) if (uids.has(controllerUidOf(each))) uids.add(each.metadata.uid);
  }
  return (object) => object !== top && uids.has(controllerUidOf(object));
}

const all =
  (isRemoved: (object: RawObject) => boolean): Removal =>
  (objects) =>
    objects.filter((each) => !isRemoved(each));

function eachSecond(kind: string, from: number): Removal {
  return (objects) => {
    const chosen = objects.filter((each) => each.kind === kind).filter((_, at) => at % 2 === from);
    return objects.filter((each) => !chosen.includes(each));
  };
}

const revisionKeys = ['deployment.kubernetes.io/revision', 'rollout.argoproj.io/revision'] as const;

function revisionsOf(objects: Objects, workload: Asked): Objects {
  const below = isBelow(objects, workload);
  const numberOf = ({ revision, metadata }: RawObject): number =>
    Number(revision ?? revisionKeys.map((key) => metadata.annotations?.[key]).find(Boolean) ?? 0);
  return objects
    .filter((each) => /^(?:ReplicaSet|ControllerRevision)$/u.test(each.kind) && below(each))
    .sort((a, b) => numberOf(b) - numberOf(a));
}

/** What people leave out of a file, as whole objects. */
const removals: Readonly<Record<string, Removal>> = {
  'the unready pods of one owner': (objects, workload) => {
    const unready = objects.filter((each) => isPod(each) && !isReady(each));
    const chosen = unready.find(isBelow(objects, workload)) ?? unready[0];
    return objects.filter(
      (each) =>
        chosen === undefined || !unready.includes(each) || controllerUidOf(each) !== controllerUidOf(chosen),
    );
  },
  'the unready pods': all((each) => isPod(each) && !isReady(each)),
  'the pods that do not run': all((each) => isPod(each) && each.status?.phase !== 'Running'),
  'the ready pods': all((each) => isPod(each) && isReady(each)),
  'each second pod': eachSecond('Pod', 0),
  'each second pod but the first': eachSecond('Pod', 1),
  'the pods': all(isPod),
  'each second node': eachSecond('Node', 0),
  'each second node but the first': eachSecond('Node', 1),
  'the nodes': all(({ kind }) => kind === 'Node'),
  'the newest revision': (objects, workload) => {
    const [newest] = revisionsOf(objects, workload);
    return objects.filter((each) => each !== newest);
  },
  'the older revisions': (objects, workload) => {
    const older = revisionsOf(objects, workload).slice(1);
    return objects.filter((each) => !older.includes(each));
  },
  'the ReplicaSets': all(({ kind }) => kind === 'ReplicaSet'),
  'the claims': all(({ kind }) => kind === 'PersistentVolumeClaim'),
  'the volumes': all(({ kind }) => kind === 'PersistentVolume'),
};
const names = Object.keys(removals);

/** The diagnosis of a recording from which somebody removed whole objects. */
export function diagnosisWithout(
  scenario: Scenario,
  removal: string,
  form: Form,
): ReturnType<typeof filteredDiagnosis> {
  const { workload, takenAt } = scenario.expect;
  const remove = removals[removal] ?? all(() => false);
  return filteredDiagnosis(scenario, (objects) => forms[form](remove(objects, workload), takenAt));
}

/** Removals from one recording at night. All recordings together meet each of them often in the usual run, too. */
const allRemovals = 2;
const removalsOfOne = Math.max(...usualCases([allRemovals, 1], (each) => each < allRemovals));

function removalsFrom({ name }: Recorded): readonly string[] {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 99_991;
  return Array.from({ length: removalsOfOne }, (_, at) => names[(hash + at * 7) % names.length] ?? '');
}

/** Recordings, by their folder, in which nothing that is left states that the removed objects exist. */
const withoutTrace: Readonly<Record<string, string>> = {
  'reported/devices-unhealthy-on-a-node':
    'Rejected pods are in no status, and the last change was seconds ago.',
  'real-node/finalizer-keeps-the-old-pod': 'Terminating pods are in no status.',
  'leavers/quota-of-a-job': 'No object names the pod of a Job that uses the quota.',
  'ray-services/quota-for-the-second-worker':
    'The status of the RayService does not count pods of its pending RayCluster.',
  'ray-services/quota-used-by-another-team':
    'The status of the RayService does not count pods of its pending RayCluster.',
  'room-since-a-second-ago': 'The condition of the waiting pod does not count the nodes.',
};

const pathOf = ({ group, name }: Recorded): string => (group === undefined ? name : `${group}/${name}`);

export const removed: readonly Property[] = [
  {
    name: 'is no healthier and proves nothing more after whole objects were taken away',
    // The release of a cluster is in a file of its own.
    of: ({ folder }) => !existsSync(join(folder, 'version.json')),
    async check(recorded, saw) {
      const full = await diagnosisOf(recorded);
      const snapshot = await snapshotOf(recorded);
      const wrong: string[] = [];
      for (const removal of removalsFrom(recorded)) {
        for (const form of ['plain', 'headed'] as const) {
          saw(`${form} ${removal}`);
          const answer = await diagnosisWithout(recorded, removal, form).catch(() => undefined);
          // Where nothing is left of the workload, the command says so.
          if (answer === undefined) continue;
          if (conclusionOf(answer) === 'nothing' && conclusionOf(full) !== 'nothing') {
            wrong.push(`${form}, without ${removal}: healthy`);
          }
          for (const cause of gravelyProven(answer)) {
            const alone = causes.filter(({ id }) => id === cause);
            const before = [...gravelyProven(full), ...gravelyProven(diagnose(snapshot, alone))];
            if (!before.includes(cause)) wrong.push(`${form}, without ${removal}: ${cause} is proven`);
          }
        }
      }
      if (withoutTrace[pathOf(recorded)] === undefined) return expect(wrong).toEqual([]);
      // The usual run may not try the removal that leaves no trace.
      if (removalsOfOne < allRemovals) return;
      expect(wrong, 'a trace was found: take the recording off the list').not.toEqual([]);
    },
    whole(seen) {
      const wanted = names.flatMap((name) => [`headed ${name}`, `plain ${name}`]);
      expect([...seen.keys()].sort()).toEqual(wanted.sort());
    },
  },
];
