import type { ApiObject } from '../api-object.js';
import { type JsonObject, listAt, objectAt, textAt, valueAt } from '../json.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { LoopContext } from './loop.js';
import type { PodBehaviour } from './pod-behaviour.js';

/** Why a container is not started at all, as its status says it. */
export interface Hindrance {
  readonly container: string;
  readonly kind: 'pull' | 'config';
  /** Of `state.waiting` at the attempt itself; between two pulls it is `ImagePullBackOff`. */
  readonly reason: 'ErrImagePull' | 'CreateContainerConfigError';
  readonly message: string;
}

const configMaps = requireResourceType('', 'configmaps');

/**
 * What keeps the pod's containers from starting now: an image that cannot be had, or a ConfigMap (or a key of
 * it) that its environment needs and the namespace does not have. Secrets are taken to be there: recordings
 * hold none.
 */
export function hindranceOf(context: LoopContext, pod: ApiObject, how: PodBehaviour): Hindrance | undefined {
  const [first] = listAt(pod, 'spec', 'containers');
  if (how.pullError !== undefined && first !== undefined) {
    const container = textAt(first, 'name') ?? '';
    return { container, kind: 'pull', reason: 'ErrImagePull', message: how.pullError };
  }
  for (const container of listAt(pod, 'spec', 'containers')) {
    const message = missingConfig(context, pod, container);
    if (message !== undefined) {
      const name = textAt(container, 'name') ?? '';
      return { container: name, kind: 'config', reason: 'CreateContainerConfigError', message };
    }
  }
  return undefined;
}

/** In the words of `kubelet_pods.go: makeEnvironmentVariables`. */
function missingConfig({ registry }: LoopContext, pod: ApiObject, container: JsonObject): string | undefined {
  const namespace = pod.metadata.namespace ?? '';
  const stored = (name: string) => registry.store.get(configMaps.storage, `${namespace}/${name}`);
  for (const source of listAt(container, 'envFrom')) {
    const name = textAt(source, 'configMapRef', 'name');
    if (name === undefined || valueAt(source, 'configMapRef', 'optional') === true) continue;
    if (stored(name) === undefined) return `configmap "${name}" not found`;
  }
  for (const variable of listAt(container, 'env')) {
    const reference = objectAt(variable, 'valueFrom', 'configMapKeyRef');
    const name = textAt(reference, 'name');
    const key = textAt(reference, 'key');
    if (name === undefined || key === undefined || reference.optional === true) continue;
    const found = stored(name);
    if (found === undefined) return `configmap "${name}" not found`;
    const keys = [...Object.keys(objectAt(found, 'data')), ...Object.keys(objectAt(found, 'binaryData'))];
    if (!keys.includes(key)) return `couldn't find key ${key} in ConfigMap ${namespace}/${name}`;
  }
  return undefined;
}
