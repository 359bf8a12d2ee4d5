import { type ApiObject, objectKey } from '../api-object.js';
import { type JsonObject, listAt, textAt, valueAt } from '../json.js';
import type { ApiAnswer, ApiRequest } from './api-request.js';
import { isTrue } from './list-options.js';
import { badRequest, notFound } from './status-error.js';

/** Text that containers have written. */
export interface ContainerLogs {
  /** `undefined`: nothing was kept of that run. */
  read(pod: ApiObject, container: string, previous: boolean): string | undefined;
}

/**
 * `…/log` with `container`, `previous`, `tailLines` and `limitBytes`. Lines carry no times, so `sinceSeconds`
 * and `sinceTime` select everything; `follow` gives what there is and ends.
 *
 * @throws StatusError 400 where the kubelet would refuse, 404
 */
export function podLog(request: ApiRequest, logs: ContainerLogs): ApiAnswer {
  const { registry, type, namespace, name, query } = request;
  const pod = registry.store.get(type.storage, objectKey(namespace, name));
  if (pod === undefined) throw notFound(type, name);
  const container = containerOf(pod, query.get('container') ?? '');
  if (!textAt(pod, 'spec', 'nodeName')) throw badRequest(`pod ${name} does not have a host assigned`);
  const previous = isTrue(query.get('previous'));
  const text = logs.read(pod, container, previous);
  if (text === undefined) {
    const problem = problemOf(pod, container, previous);
    if (problem !== undefined) throw badRequest(problem);
  }
  return { status: 200, body: cut(text ?? '', query) };
}

function containerOf(pod: ApiObject, asked: string): string {
  const names = (...fields: readonly string[]) =>
    fields.flatMap((field) => listAt(pod, 'spec', field).map((container) => textAt(container, 'name') ?? ''));
  const containers = names('containers');
  const { name } = pod.metadata;
  if (asked !== '') {
    const all = [...containers, ...names('initContainers', 'ephemeralContainers')];
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const [only, ...others] = containers;
  if (only !== undefined && others.length === 0) return only;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]`,
  );
}

/** Why there is no log; `undefined` for a container that has simply written nothing. */
function problemOf(pod: ApiObject, container: string, previous: boolean): string | undefined {
  const { name } = pod.metadata;
  const status = [
    ...listAt(pod, 'status', 'containerStatuses'),
    ...listAt(pod, 'status', 'initContainerStatuses'),
  ].find((each: JsonObject) => each.name === container);
  if (previous && valueAt(status, 'lastState', 'terminated') === undefined) {
    return `previous terminated container "${container}" in pod "${name}" not found`;
  }
  const waiting =
    textAt(status, 'state', 'waiting', 'reason') ?? (status === undefined ? 'ContainerCreating' : undefined);
  const ranBefore = valueAt(status, 'lastState', 'terminated') !== undefined;
  if (waiting === undefined || ranBefore) return undefined;
  return `container "${container}" in pod "${name}" is waiting to start: ${waiting}`;
}

function cut(text: string, query: URLSearchParams): string {
  const tail = query.get('tailLines');
  const limit = query.get('limitBytes');
  let result = text;
  if (tail !== null && /^\d+$/.test(tail)) {
    const ends = result.endsWith('\n');
    const lines = (ends ? result.slice(0, -1) : result).split('\n');
    const kept = Number(tail) === 0 ? [] : lines.slice(-Number(tail));
    result = kept.join('\n') + (ends && kept.length > 0 ? '\n' : '');
  }
  if (limit !== null && /^\d+$/.test(limit))
    result = Buffer.from(result).subarray(0, Number(limit)).toString();
  return result;
}
