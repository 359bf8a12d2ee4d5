import type { StatefulSet } from '#src/engine/objects/workload.js';
import { revisionOfTemplate, storedTemplate } from '#src/engine/workloads/controller-revisions.js';
import { rolloutStateIn } from '#src/engine/workloads/rollout-state.js';
import { type StatefulSetAction, syncStatefulSet } from '#src/engine/workloads/stateful-set-model.js';
import type { ApiObject } from '../api-object.js';
import { type JsonObject, listAt, numberAt, objectAt, textAt } from '../json.js';
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

const statefulSets = requireResourceType('apps', 'statefulsets');
const revisions = requireResourceType('apps', 'controllerrevisions');
const claims = requireResourceType('', 'persistentvolumeclaims');
const pods = requireResourceType('', 'pods');
const component = 'statefulset-controller';

/** As 1.36 is shipped: the gate MaxUnavailableStatefulSet is off. */
const rule = 'ignored';

/**
 * The StatefulSet controller: steps are `syncStatefulSet`'s. Claims are made and stay unbound: nothing
 * provisions.
 */
export const statefulSetLoop: Loop = (context) => {
  for (const statefulSet of context.view().index.objects.StatefulSet)
    attempt(() => sync(context, statefulSet));
};

function sync(context: LoopContext, statefulSet: StatefulSet): void {
  const { registry } = context;
  const stored = context.view().stored(statefulSet);
  if (stored === undefined) return;
  const owned = context.view().index.controllerRevisionsByOwner.get(statefulSet.metadata.uid) ?? [];
  const existing = revisionOfTemplate(statefulSet, owned)?.metadata.name;
  ensureRevision(registry, statefulSets, stored, existing, (_name, hash) => revisionLabels(hash));
  const state = rolloutStateIn(context.view().index, statefulSet, context.now());
  if (state.kind !== 'StatefulSet') return;
  const { actions, status } = syncStatefulSet(state, rule);
  for (const action of actions) carryOut(context, stored, action);
  const { conditions, currentRevision, updateRevision, ...counts } = status;
  const json: JsonObject = {
    ...countsJson(counts, ['replicas', 'availableReplicas']),
    ...(currentRevision === '' ? {} : { currentRevision }),
    ...(updateRevision === '' ? {} : { updateRevision }),
    ...conditionsJson(conditions),
    ...collisions(stored),
  };
  writeStatus(registry, statefulSets, stored, json);
}

function collisions(stored: ApiObject): JsonObject {
  return { collisionCount: numberAt(stored, 'status', 'collisionCount') ?? 0 };
}

function carryOut(context: LoopContext, statefulSet: ApiObject, action: StatefulSetAction): void {
  const { registry, events } = context;
  const { name } = statefulSet.metadata;
  if (action.kind === 'delete') {
    const stored = context.view().stored(action.pod);
    if (stored === undefined) return;
    remove(registry, pods, stored);
    const message = `delete Pod ${action.pod.metadata.name} in StatefulSet ${name} successful`;
    events.record(statefulSet, { type: 'Normal', reason: 'SuccessfulDelete', message, component });
    return;
  }
  const refusal = attempt(() => createPod(context, statefulSet, action));
  events.record(
    statefulSet,
    refusal === undefined
      ? {
          type: 'Normal',
          reason: 'SuccessfulCreate',
          message: `create Pod ${action.pod} in StatefulSet ${name} successful`,
          component,
        }
      : {
          type: 'Warning',
          reason: 'FailedCreate',
          message: `create Pod ${action.pod} in StatefulSet ${name} failed error: ${refusal.message}`,
          component,
        },
  );
}

function createPod(
  { registry, view }: LoopContext,
  statefulSet: ApiObject,
  { pod: name, ordinal, revision }: Extract<StatefulSetAction, { readonly kind: 'create' }>,
): void {
  const { namespace = 'default' } = statefulSet.metadata;
  const stored = registry.store.get(revisions.storage, `${namespace}/${revision}`);
  const known = view().index.objects.ControllerRevision.find(
    ({ metadata }) => metadata.uid === stored?.metadata.uid,
  );
  const template = (known && storedTemplate(known)) ?? objectAt(statefulSet, 'spec', 'template');
  const claimNames = createClaims(registry, statefulSet, name);
  const labels = {
    ...revisionLabels(revision),
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  };
  const pod = podOfTemplate(
    { ...template },
    statefulSet,
    controllerReference(statefulSets, statefulSet),
    { name },
    labels,
  );
  const spec = objectAt(pod, 'spec');
  spec.hostname = name;
  if (textAt(statefulSet, 'spec', 'serviceName')) spec.subdomain = textAt(statefulSet, 'spec', 'serviceName');
  if (claimNames.length > 0) {
    spec.volumes = [
      ...listAt(spec, 'volumes'),
      ...claimNames.map(({ volume, claimName }) => ({ name: volume, persistentVolumeClaim: { claimName } })),
    ];
  }
  createObject(registry, pods, namespace, pod, controllerWriter);
}

function createClaims(registry: LoopContext['registry'], statefulSet: ApiObject, pod: string) {
  const { namespace = 'default' } = statefulSet.metadata;
  return listAt(statefulSet, 'spec', 'volumeClaimTemplates').map((template) => {
    const volume = textAt(template, 'metadata', 'name') ?? '';
    const claimName = `${volume}-${pod}`;
    if (registry.store.get(claims.storage, `${namespace}/${claimName}`) === undefined) {
      const body = { metadata: { name: claimName }, spec: objectAt(template, 'spec') };
      createObject(registry, claims, namespace, body, controllerWriter);
    }
    return { volume, claimName };
  });
}
