import { LabelSelector, matchesSelector } from '#src/engine/objects/label-selector.js';
import { objectKey } from '../api-object.js';
import { numberAt, objectAt, textAt, valueAt } from '../json.js';
import { assignPod } from '../registry/assign-pod.js';
import { deleteObject } from '../registry/delete-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { type ApiAnswer, type ApiRequest, objectBody, writeOptionsOf } from './api-request.js';
import { badRequest, notFound, tooManyRequests } from './status-error.js';

/**
 * `…/eviction`: a deletion that PodDisruptionBudgets may refuse.
 *
 * @throws StatusError 429 when a budget allows no disruption
 */
export function evictPod(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, name } = request;
  const pod = registry.store.get(type.storage, objectKey(namespace, name));
  if (pod === undefined) throw notFound(type, name);
  const body = objectBody(request);
  const budgets = registry.store
    .list(requireResourceType('policy', 'poddisruptionbudgets').storage)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .filter((budget) => {
      const selector = LabelSelector.safeParse(objectAt(budget, 'spec', 'selector'));
      return selector.success && matchesSelector(selector.data, pod.metadata.labels ?? {});
    });
  const blocking = budgets.find((budget) => (numberAt(budget, 'status', 'disruptionsAllowed') ?? 0) <= 0);
  if (blocking !== undefined) {
    throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0, {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${blocking.metadata.name} needs ${numberAt(blocking, 'status', 'desiredHealthy') ?? 0} healthy pods and has ${numberAt(blocking, 'status', 'currentHealthy') ?? 0} currently`,
        },
      ],
    });
  }
  deleteObject(registry, type, namespace, name, {
    ...writeOptionsOf(request, { dryRun: valueAt(body, 'deleteOptions', 'dryRun') }),
    gracePeriodSeconds: numberAt(body, 'deleteOptions', 'gracePeriodSeconds'),
    uid: textAt(body, 'deleteOptions', 'preconditions', 'uid'),
  });
  return {
    status: 201,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  };
}

/** `…/binding`: what a scheduler sends. */
export function bindPod(request: ApiRequest): ApiAnswer {
  const { registry, namespace, name } = request;
  const target = textAt(objectBody(request), 'target', 'name') ?? '';
  if (target === '') throw badRequest('target.name: Required value');
  assignPod(registry, namespace, name, target, writeOptionsOf(request));
  return {
    status: 201,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  };
}
