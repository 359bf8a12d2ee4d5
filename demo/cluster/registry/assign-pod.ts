import { conflict } from '../api/status-error.js';
import { type ApiObject, objectKey } from '../api-object.js';
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
      const labels = topologyLabels(registry, node);
      if (Object.keys(labels).length > 0) {
        setAt(changed, ['metadata', 'labels'], { ...pod.metadata.labels, ...labels });
      }
      const conditions = listAt(pod, 'status', 'conditions').filter(({ type }) => type !== 'PodScheduled');
      setAt(
        changed,
        ['status', 'conditions'],
        [
          ...conditions,
          {
            type: 'PodScheduled',
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

/**
 * The node's zone and region, which a pod gets as labels when it is bound (admission plug-in
 * PodTopologyLabels).
 */
function topologyLabels(registry: Registry, node: string): Readonly<Record<string, string>> {
  const stored = registry.store.get(requireResourceType('', 'nodes').storage, objectKey(undefined, node));
  const labels = Object.entries(stored?.metadata.labels ?? {});
  return Object.fromEntries(
    labels.filter(
      ([key]) => key === 'topology.kubernetes.io/zone' || key === 'topology.kubernetes.io/region',
    ),
  );
}
