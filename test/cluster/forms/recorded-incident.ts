import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  CoreV1Event,
  KubernetesObject,
  V1ConfigMap,
  V1Deployment,
  V1Node,
  V1Pod,
  V1ReplicaSet,
} from '@kubernetes/client-node';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { type Expectation, scenarios, scenariosFolder } from '../../support/scenarios/expectation.js';
import { diagnosisOf } from '../../support/scenarios/snapshot-of.js';
import type { Cluster } from '../harness/cluster.js';
import type { DiagnosedIncident, Program } from '../harness/program.js';
import { offeredBy } from './applied-fix.js';
import { mistakesInAnswer } from './mistakes-in-form.js';

interface ByKind {
  readonly Node: V1Node;
  readonly Pod: V1Pod;
  readonly Event: CoreV1Event;
  readonly ConfigMap: V1ConfigMap;
  readonly Deployment: V1Deployment;
  readonly ReplicaSet: V1ReplicaSet;
  readonly PodGroup: KubernetesObject & { readonly spec: object; readonly status: object };
}

/** A recorded incident of a Deployment in which fixes are offered. */
export interface RecordedIncident {
  readonly id: string;
  readonly title: string;
  readonly expected: Expectation;
  /** Names of the fixes, as `offeredBy` names them. */
  readonly fixes: readonly string[];
  readonly objects: <Kind extends keyof ByKind>(kind: Kind) => readonly ByKind[Kind][];
}

/** The incidents of a class of `test/scenarios` in which fixes are offered. */
export async function incidentsWithFixes(group: string): Promise<readonly RecordedIncident[]> {
  const all = await Promise.all(
    scenarios(join(scenariosFolder, group)).map(async (scenario): Promise<RecordedIncident> => {
      const { folder, expect } = scenario;
      const { items } = JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8')) as {
        readonly items: readonly KubernetesObject[];
      };
      return {
        id: basename(folder),
        title: expect.title,
        expected: expect,
        fixes: [...offeredBy({ diagnosis: await diagnosisOf(scenario) }).keys()],
        objects: (kind) => items.filter((each) => each.kind === kind) as never,
      };
    }),
  );
  return all.filter(({ fixes }) => fixes.length > 0);
}

/** Seconds between the refusal of the pod that waits and the recorded time of the diagnosis. */
export function secondsAfterRefusal({ objects, expected }: RecordedIncident): number {
  return (Date.parse(expected.takenAt) - refusedAt(objects('Pod'))) / 1_000;
}

/** When the scheduler refused a pod of these, in milliseconds. */
export function refusedAt(pods: readonly V1Pod[]): number {
  const conditions = pods.flatMap(({ status }) => status?.conditions ?? []);
  const refused = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (refused?.lastTransitionTime === undefined) throw new Error('no pod was refused');
  return new Date(refused.lastTransitionTime).getTime();
}

export async function createRecordedNodes(cluster: Cluster, { objects }: RecordedIncident): Promise<void> {
  const nodes = objects('Node').map(({ metadata, status }) => ({
    name: metadata?.name ?? '',
    labels: metadata?.labels ?? {},
    allocatable: status?.allocatable ?? {},
  }));
  await cluster.createNodes(...nodes);
}

/** The Deployment with the template and the annotations of its former revision, which its ReplicaSet has. */
export function formerRevision({ objects }: RecordedIncident, namespace: string): V1Deployment {
  const [deployment] = objects('Deployment');
  const [former] = objects('ReplicaSet').filter((each) => revisionOf(each) < revisionOf(deployment));
  const { spec } = deployment ?? {};
  if (spec === undefined || former?.spec?.template === undefined) throw new Error('no former revision');
  const { [hashLabel]: _, ...labels } = former.spec.template.metadata?.labels ?? {};
  const annotations = Object.fromEntries(
    Object.keys(ownAnnotations(deployment)).flatMap((key) => {
      const value = former.metadata?.annotations?.[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const template = { ...former.spec.template, metadata: { ...former.spec.template.metadata, labels } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: deployment?.metadata?.name ?? '', labels, annotations },
    spec: { ...spec, template },
  };
}

/** Gives the Deployment the recorded template and annotations. */
export async function updateToRecorded(
  cluster: Cluster,
  { objects }: RecordedIncident,
  { namespace, name }: WorkloadRef,
): Promise<void> {
  const [deployment] = objects('Deployment');
  await cluster.patch(
    { kind: 'Deployment', namespace, name },
    { metadata: { annotations: ownAnnotations(deployment) }, spec: { template: deployment?.spec?.template } },
  );
}

const revision = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';
const revisionOf = (object: KubernetesObject | undefined): number =>
  Number(object?.metadata?.annotations?.[revision]);

function ownAnnotations(deployment: V1Deployment | undefined): Readonly<Record<string, string>> {
  const { [revision]: _, ...annotations } = deployment?.metadata?.annotations ?? {};
  return annotations;
}

/**
 * Diagnoses until the answer and the offered fixes are those of the recording.
 *
 * @param holders names of the old pods, which replace the recorded ones
 * @param unreadable kinds that the program has no right to read
 */
export async function diagnosedAsRecorded(
  program: Program,
  workload: WorkloadRef,
  { expected, fixes }: RecordedIncident,
  holders: readonly string[],
  unreadable: readonly string[] = [],
): Promise<DiagnosedIncident> {
  const here: Expectation = {
    ...expected,
    workload,
    ...(expected.holders === undefined ? {} : { holders: [...holders] }),
  };
  const expiry = Date.now() + 30_000;
  let latest = await program.diagnose(workload);
  for (;;) {
    const offered = [...offeredBy(latest).keys()].join(', ');
    const mistakes = [
      ...mistakesInAnswer(latest.diagnosis, here, unreadable),
      ...(offered === fixes.join(', ') ? [] : [`offers ${offered}, not ${fixes.join(', ')}`]),
    ];
    if (mistakes.length === 0) return latest;
    if (Date.now() > expiry)
      throw new Error(`${mistakes.join('\n')}\n${JSON.stringify(latest.diagnosis.findings, undefined, 1)}`);
    latest = await program.diagnoseAgain(latest.incident);
  }
}
