import type { DaemonSet } from '#src/engine/objects/workload.js';
import { daemonSetHash, revisionOfTemplate } from '#src/engine/workloads/controller-revisions.js';
import type { DaemonSetAction } from '#src/engine/workloads/daemon-set-model.js';
import { daemonTolerations, syncDaemonSet } from '#src/engine/workloads/daemon-set-model.js';
import { rolloutStateIn } from '#src/engine/workloads/rollout-state.js';
import type { ApiObject } from '../api-object.js';
import { type JsonObject, objectAt, setAt } from '../json.js';
import { createObject } from '../registry/create-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { ensureRevision, revisionLabels } from './controller-revisions.js';
import {
  attempt,
  conditionsJson,
  controllerReference,
  controllerWriter,
  countsJson,
  remove,
  writeStatus,
} from './controller-writes.js';
import type { Loop, LoopContext } from './loop.js';
import { podOfTemplate } from './pod-of-template.js';

const daemonSets = requireResourceType('apps', 'daemonsets');
const pods = requireResourceType('', 'pods');
const component = 'daemonset-controller';

/** Always printed, zero or not (`apps/v1` DaemonSetStatus). */
const alwaysShown = ['currentNumberScheduled', 'desiredNumberScheduled', 'numberMisscheduled', 'numberReady'];

/** The DaemonSet controller: steps are `syncDaemonSet`'s. */
export const daemonSetLoop: Loop = (context) => {
  for (const daemonSet of context.view().index.objects.DaemonSet) attempt(() => sync(context, daemonSet));
};

function sync(context: LoopContext, daemonSet: DaemonSet): void {
  const { registry } = context;
  const stored = context.view().stored(daemonSet);
  if (stored === undefined) return;
  const owned = context.view().index.controllerRevisionsByOwner.get(daemonSet.metadata.uid) ?? [];
  const existing = revisionOfTemplate(daemonSet, owned)?.metadata.name;
  ensureRevision(registry, daemonSets, stored, existing, (_name, hash) => revisionLabels(hash));
  const state = rolloutStateIn(context.view().index, daemonSet, context.now());
  if (state.kind !== 'DaemonSet') return;
  const { actions, status } = syncDaemonSet(state);
  for (const action of actions) carryOut(context, daemonSet, stored, action, daemonSetHash(state) ?? '');
  const { conditions, ...counts } = status;
  const json: JsonObject = { ...countsJson(counts, alwaysShown), ...conditionsJson(conditions) };
  writeStatus(registry, daemonSets, stored, json);
}

function carryOut(
  context: LoopContext,
  daemonSet: DaemonSet,
  stored: ApiObject,
  action: DaemonSetAction,
  hash: string,
): void {
  const { registry, events } = context;
  if (action.kind === 'delete') {
    const pod = context.view().stored(action.pod);
    if (pod === undefined) return;
    remove(registry, pods, pod);
    const message = `Deleted pod: ${action.pod.metadata.name}`;
    events.record(stored, { type: 'Normal', reason: 'SuccessfulDelete', message, component });
    return;
  }
  const { namespace = 'default', name } = stored.metadata;
  const pod = podOfTemplate(
    objectAt(stored, 'spec', 'template'),
    stored,
    controllerReference(daemonSets, stored),
    { generateName: `${name}-` },
    { ...revisionLabels(hash), 'pod-template-generation': String(daemonSet.metadata.generation ?? 1) },
  );
  setAt(pod, ['spec', 'tolerations'], daemonTolerations(daemonSet).map(tolerationJson));
  const byName = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [action.node] }] };
  const path = ['spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'];
  setAt(pod, path, { nodeSelectorTerms: [byName] });
  const refusal = attempt(() => {
    const made = createObject(registry, pods, namespace, pod, controllerWriter);
    const message = `Created pod: ${made.metadata.name}`;
    events.record(stored, { type: 'Normal', reason: 'SuccessfulCreate', message, component });
  });
  if (refusal === undefined) return;
  const message = `Error creating: ${refusal.message}`;
  events.record(stored, { type: 'Warning', reason: 'FailedCreate', message, component });
}

function tolerationJson(toleration: object): JsonObject {
  return Object.fromEntries(
    Object.entries(toleration).filter(([, value]) => value !== undefined && value !== ''),
  );
}
