import type { Pod } from '../objects/pod.js';
import type { Container, PodSpec } from '../objects/pod-spec.js';
import { containerRequestsOf } from './pod-requests.js';
import { canonicalQuantity, parseQuantity, type Quantity } from './quantity.js';
import { isHugePagesResourceName, isPodLevelResource } from './resource-name.js';

/**
 * The defaults that the API server writes into a Pod but not into a template: requests from limits, pod-level
 * requests, and host ports of a pod on the host network (`pkg/apis/core/v1/defaults.go: SetDefaults_Pod`).
 */
export function withPodDefaults(spec: PodSpec): PodSpec {
  const container = (item: Container): Container => ({
    ...item,
    resources: { ...item.resources, requests: { ...item.resources.limits, ...item.resources.requests } },
    ports: spec.hostNetwork
      ? item.ports.map((port) => ({
          ...port,
          hostPort: port.hostPort === 0 ? port.containerPort : port.hostPort,
        }))
      : item.ports,
  });
  const containers = spec.containers.map(container);
  const initContainers = spec.initContainers.map(container);
  const defaulted = { ...spec, containers, initContainers };
  return { ...defaulted, resources: podLevelDefaults(defaulted) };
}

/** Only where pod-level limits are set; huge pages are never taken from the containers. */
function podLevelDefaults(spec: PodSpec): PodSpec['resources'] {
  const { resources } = spec;
  if (resources === undefined || Object.keys(resources.limits).length === 0) return resources;
  const requests: Record<string, string> = { ...resources.requests };
  for (const [resource, nano] of containerRequestsOf(spec)) {
    if (isPodLevelResource(resource) && !isHugePagesResourceName(resource)) {
      requests[resource] ??= canonicalQuantity(inNotationOf(resource, nano));
    }
  }
  for (const [resource, limit] of Object.entries(resources.limits)) {
    if (isPodLevelResource(resource) && parseQuantity(limit) !== undefined) requests[resource] ??= limit;
  }
  return { ...resources, requests };
}

function inNotationOf(resource: string, nano: bigint): Quantity {
  return { nano, format: resource === 'cpu' ? 'DecimalSI' : 'BinarySI' };
}

/** `component-helpers corev1: PodPriority`. */
export function priorityOf(pod: Pod): number {
  return pod.spec.priority ?? 0;
}
