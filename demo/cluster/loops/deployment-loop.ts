import type { Deployment } from '#src/engine/objects/workload.js';
import { type DeploymentSync, syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import { type DeploymentAction, revisionAnnotation } from '#src/engine/workloads/deployment-writes.js';
import { deploymentStateIn } from '#src/engine/workloads/rollout-state.js';
import { podTemplateHashLabel, sameTemplate } from '#src/engine/workloads/template-equality.js';
import { type ApiObject, objectKey } from '../api-object.js';
import { copy, type JsonObject, listAt, objectAt, setAt, textAt, textMapAt } from '../json.js';
import { createObject } from '../registry/create-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { parse } from './cluster-view.js';
import {
  attempt,
  conditionsJson,
  controllerReference,
  controllerWriter,
  countsJson,
  remove,
  templateHash,
  writeFields,
  writeStatus,
} from './controller-writes.js';
import type { Loop, LoopContext } from './loop.js';

const deployments = requireResourceType('apps', 'deployments');
const replicaSets = requireResourceType('apps', 'replicasets');

/** The Deployment controller: every decision is `syncDeployment`'s; here it becomes writes and Events. */
export const deploymentLoop: Loop = (context) => {
  for (const deployment of context.view().index.objects.Deployment) {
    attempt(() => sync(context, deployment));
  }
};

function sync(context: LoopContext, deployment: Deployment): void {
  const { registry } = context;
  const stored = context.view().stored(deployment);
  if (stored === undefined) return;
  const outcome = syncDeployment(deploymentStateIn(context.view().index, deployment, context.now()));
  let created: string | undefined;
  for (const action of outcome.actions) created = carryOut(context, stored, action) ?? created;
  if (
    outcome.revision !== undefined &&
    stored.metadata.annotations?.[revisionAnnotation] !== outcome.revision
  ) {
    writeFields(registry, deployments, stored, [
      [['metadata', 'annotations', revisionAnnotation], outcome.revision],
    ]);
  }
  writeStatus(registry, deployments, stored, statusJson(stored, outcome, created));
  wakeForDeadline(context, deployment);
}

/** The name of the ReplicaSet that it created, if it did. */
function carryOut(context: LoopContext, deployment: ApiObject, action: DeploymentAction): string | undefined {
  const { registry, events } = context;
  if (action.kind === 'create-replica-set') {
    const name = createReplicaSet(context, deployment, action.replicas, action.annotations);
    if (action.replicas > 0) scaled(context, deployment, name, 0, action.replicas);
    return name;
  }
  const { namespace } = deployment.metadata;
  const replicaSet = registry.store.get(replicaSets.storage, objectKey(namespace, action.replicaSet));
  if (replicaSet === undefined) return undefined;
  switch (action.kind) {
    case 'scale':
      writeFields(registry, replicaSets, replicaSet, [
        [['spec', 'replicas'], action.to],
        ...Object.entries(action.annotations).map(
          ([key, value]) => [['metadata', 'annotations', key], value] as const,
        ),
      ]);
      if (action.from !== action.to) scaled(context, deployment, action.replicaSet, action.from, action.to);
      return undefined;
    case 'update-replica-set':
      writeFields(registry, replicaSets, replicaSet, [
        [['metadata', 'annotations'], { ...action.annotations }],
        [['spec', 'minReadySeconds'], action.minReadySeconds === 0 ? undefined : action.minReadySeconds],
      ]);
      return undefined;
    case 'delete-replica-set':
      remove(registry, replicaSets, replicaSet);
      events.record(deployment, {
        type: 'Normal',
        reason: 'ReplicaSetDeleted',
        message: `Deleted replica set ${action.replicaSet}`,
        component: 'deployment-controller',
      });
      return undefined;
  }
}

function scaled(context: LoopContext, deployment: ApiObject, name: string, from: number, to: number): void {
  context.events.record(deployment, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`,
    component: 'deployment-controller',
  });
}

function createReplicaSet(
  { registry }: LoopContext,
  deployment: ApiObject,
  replicas: number,
  annotations: Readonly<Record<string, string>>,
): string {
  const { name: deploymentName, namespace = 'default' } = deployment.metadata;
  const template = copy(objectAt(deployment, 'spec', 'template'));
  let hash = templateHash(template);
  for (
    let collisions = 1;
    isTaken(registry.store.get(replicaSets.storage, `${namespace}/${deploymentName}-${hash}`), deployment);
  ) {
    hash = templateHash(template, collisions);
    collisions += 1;
  }
  const name = `${deploymentName}-${hash}`;
  const labels = { ...textMapAt(template, 'metadata', 'labels'), [podTemplateHashLabel]: hash };
  setAt(template, ['metadata', 'labels'], labels);
  const selector = objectAt(deployment, 'spec', 'selector');
  const minReadySeconds = objectAt(deployment, 'spec').minReadySeconds;
  createObject(
    registry,
    replicaSets,
    namespace,
    {
      metadata: {
        name,
        namespace,
        labels,
        annotations: { ...annotations },
        ownerReferences: [controllerReference(deployments, deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: {
          ...selector,
          matchLabels: { ...textMapAt(selector, 'matchLabels'), [podTemplateHashLabel]: hash },
        },
        template,
      },
    },
    controllerWriter,
  );
  return name;
}

/** The name belongs to another template: a hash collision. */
function isTaken(found: ApiObject | undefined, deployment: ApiObject): boolean {
  if (found === undefined) return false;
  const a = parse('ReplicaSet', found);
  const b = parse('Deployment', deployment);
  return a !== undefined && b !== undefined && !sameTemplate(a.spec.template, b.spec.template);
}

function statusJson(
  deployment: ApiObject,
  { status }: DeploymentSync,
  created: string | undefined,
): JsonObject {
  const { conditions, ...counts } = status;
  const kept = objectAt(deployment, 'status').collisionCount;
  return {
    ...countsJson(counts, ['terminatingReplicas']),
    ...conditionsJson(
      conditions.map((condition) =>
        created !== undefined && condition.type === 'Progressing'
          ? {
              ...condition,
              message: condition.message.replace(`"${deployment.metadata.name}"`, `"${created}"`),
            }
          : condition,
      ),
    ),
    ...(kept === undefined ? {} : { collisionCount: kept }),
  };
}

/** The progress deadline is a reason to look again, and so is a pod that becomes available by waiting. */
function wakeForDeadline(context: LoopContext, deployment: Deployment): void {
  const stored = context.registry.store.get(
    deployments.storage,
    objectKey(deployment.metadata.namespace, deployment.metadata.name),
  );
  const progressing = listAt(stored, 'status', 'conditions').find(({ type }) => type === 'Progressing');
  const since = Date.parse(textAt(progressing, 'lastUpdateTime') ?? '');
  if (Number.isNaN(since) || progressing?.reason === 'NewReplicaSetAvailable') return;
  context.wakeAt(since + deployment.spec.progressDeadlineSeconds * 1000 + 1000);
}
