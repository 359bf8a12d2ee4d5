import { greatestOf, leastOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import {
  type ConfigReference,
  type DataChange,
  keptReferences,
  lastDataChange,
} from '../../../engine/objects/config-references.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { state } from '../../fixes/kinds/restart-rollout/text.js';
import type { FailureGroup } from '../crashes/failure-group.js';
import type { RestartCase } from './failing-run.js';
import { type FailingRun, failingRuns, readySiblings } from './failing-run.js';

/** The start is by the node's clock, the write by the API server's. */
const skewMs = 30_000;
/** A program that fails for what was changed does so soon: an hour later it is something else. */
const relatedMs = 3_600_000;

interface Outdated {
  readonly run: FailingRun;
  readonly reference: ConfigReference;
  readonly change: DataChange;
  readonly changedAt: number;
}

/**
 * Containers that run, fail, and started before the ConfigMap or Secret was written from which they took
 * their environment or a file when they started. They failed before it was written, or began to within an
 * hour. `undefined` where a pod that is ready has the same old configuration: then the failure has another
 * reason.
 */
export function outdatedConfig(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const runs = failingRuns(snapshot, failureGroup);
  const outdated = runs.flatMap((run) => outdatedOf(snapshot, run) ?? []);
  const [first] = outdated;
  if (first === undefined || outdated.some((each) => !isRelated(each))) return undefined;
  const { kind, name, as } = first.reference;
  const isSame = ({ reference }: Outdated): boolean => reference.kind === kind && reference.name === name;
  if (!outdated.every(isSame)) return undefined;
  if (outdated.length < runs.length) {
    const newer = runs.filter((run) => !outdated.some((each) => each.run === run));
    const pods = newer.map(({ pod }) => pod.metadata.name);
    return { kind: 'in-vain', because: state('withheld-new-config', { pods, kind, name }) };
  }
  const last = greatestOf(outdated.map(({ changedAt }) => changedAt));
  if (readySiblings(failureGroup).some(({ startedAt }) => !(startedAt > last))) return undefined;
  const says = state('outdated-config', {
    pods: outdated.map(({ run }) => run.pod.metadata.name),
    container: failureGroup.container,
    kind,
    name,
    olderSeconds: leastOf(outdated.map(({ run, changedAt }) => (changedAt - run.startedAt) / 1000)),
  });
  return {
    kind: 'helps',
    reasoning: [says, state('kept-as', { as })],
    because: [says, state('config-not-proven', { manager: first.change.manager })],
    evidence: [
      {
        object: { kind, namespace: snapshot.workload.metadata.namespace, name },
        field: first.change.manager === '' ? 'metadata.creationTimestamp' : 'metadata.managedFields',
        value: first.change.manager === '' ? first.change.at : first.change.manager,
        at: first.change.at,
        says: state('ev-config-written'),
      },
    ],
  };
}

/** For each ConfigMap and Secret of which a failing run keeps data, and which was not read. */
export function unreadConfig(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  const [run] = failingRuns(snapshot, failureGroup);
  if (run === undefined) return [];
  const unread = keptReferences(run.pod, run.container.spec)
    .filter((reference) => objectOf(snapshot, reference) === undefined)
    .map(({ kind, name }) => ({ kind, name }));
  const names = new Map(unread.map((each) => [`${each.kind}/${each.name}`, each]));
  return names.size === 0
    ? []
    : [state('config-unread', { container: failureGroup.container, objects: [...names.values()] })];
}

/** The newest write after the start of the run. */
function outdatedOf(snapshot: Snapshot, run: FailingRun): Outdated | undefined {
  return keptReferences(run.pod, run.container.spec)
    .flatMap((reference) => {
      const object = objectOf(snapshot, reference);
      const change = object && lastDataChange(object.metadata, reference.key);
      return change === undefined ? [] : [{ run, reference, change, changedAt: Date.parse(change.at) }];
    })
    .filter(({ changedAt }) => changedAt - run.startedAt > skewMs)
    .sort((a, b) => b.changedAt - a.changedAt)[0];
}

function objectOf({ index, workload }: Snapshot, { kind, name }: ConfigReference) {
  const { namespace } = workload.metadata;
  return index.objects[kind].find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
}

function isRelated({ run, changedAt }: Outdated): boolean {
  return run.failingSince - changedAt <= relatedMs;
}
