import { conflict } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { copy, type JsonObject, listAt, setAt, textAt } from '../json.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { Registry, WriteOptions } from './registry.js';
import { updateObject } from './update-object.js';

/**
 * Binds a pod to a node and notes PodScheduled=True, as the registry does for a Binding.
 *
 * @throws StatusError 404, 409 when the pod has a node already
 */
export function assignPod(
  registry: Registry,
  namespace: string,
  name: string,
  node: string,
  options: WriteOptions,
): ApiObject {
  const pods = requireResourceType('', 'pods');
  const lastTransitionTime = apiTime(registry.clock.now());
  return updateObject(
    registry,
    pods,
    namespace,
    name,
    (pod) => {
      const bound = textAt(pod, 'spec', 'nodeName') ?? '';
      if (bound !== '') {
        throw conflict(
          { ...pods, plural: 'pods/binding' },
          name,
          `pod ${name} is already assigned to node "${bound}"`,
        );
      }
      const changed = copy<JsonObject>(pod);
      setAt(changed, ['spec', 'nodeName'], node);
      const conditions = listAt(pod, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
      setAt(
        changed,
        ['status', 'conditions'],
        [
          ...conditions,
          {
            type: 'PodScheduled',
            observedGeneration: (pod.metadata.generation ?? 0) + 1,
            status: 'True',
            lastProbeTime: null,
            lastTransitionTime,
          },
        ],
      );
      return changed;
    },
    { ...options, subresource: 'binding', replaces: false },
  );
}
