import type { FailedConnection } from '../../cluster/failed-connection.js';
import { conditionOf } from '../../cluster/metadata.js';
import { type Service, serviceNameLabel } from '../../cluster/service.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import { leastOf } from '../../collections/collections.js';

/** The Services that were read and that a failed connection names. */
export function servicesNamedIn({ index }: Snapshot, failed: FailedConnection): readonly Service[] {
  return index.objects.Service.filter(
    ({ metadata: { namespace, name }, spec: { clusterIP } }) =>
      failed.services.some((each) => each.namespace === namespace && each.name === name) ||
      failed.addresses.includes(clusterIP),
  );
}

/** Since when a Service has a ready endpoint, as far as its pods show it. Times are epoch milliseconds. */
export type ReadyEndpoints =
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly since: number; readonly pods: readonly string[] }
  | { readonly kind: 'unknown' };

/**
 * EndpointSlices hold no times: an endpoint is ready since its pod is. The controller keeps a slice for each
 * Service with a selector, also an empty one, so a Service without a slice is not known.
 */
export function readyEndpointsOf({ index }: Snapshot, { metadata }: Service): ReadyEndpoints {
  const { namespace, name } = metadata;
  const slices = index.objects.EndpointSlice.filter(
    (slice) => slice.metadata.namespace === namespace && slice.metadata.labels[serviceNameLabel] === name,
  );
  if (slices.length === 0) return { kind: 'unknown' };
  const ready = slices.flatMap(({ endpoints }) => endpoints.filter(({ conditions }) => conditions.ready));
  if (ready.length === 0) return { kind: 'none' };
  const pods = [
    ...new Set(ready.map(({ targetRef }) => (targetRef?.kind === 'Pod' ? targetRef.name : ''))),
  ].sort();
  const since = pods.map((pod) => readySince({ index }, namespace, pod));
  return since.some(Number.isNaN) ? { kind: 'unknown' } : { kind: 'ready', since: leastOf(since), pods };
}

/** NaN for a pod that was not read or is not ready. */
function readySince({ index }: Pick<Snapshot, 'index'>, namespace: string, name: string): number {
  const pod = index.objects.Pod.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  const ready = pod && conditionOf(pod.status, 'Ready');
  return Date.parse(ready?.status === 'True' ? (ready.lastTransitionTime ?? '') : '');
}
