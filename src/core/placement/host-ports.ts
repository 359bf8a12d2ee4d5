import type { Pod } from '../cluster/pod.js';
import type { ContainerPort } from '../cluster/pod-spec.js';
import { isSidecar } from './pod-requests.js';

export interface HostPort {
  readonly port: number;
  readonly protocol: string;
  readonly hostIP: string;
}

const ANY_ADDRESS = '0.0.0.0';

/** Ports that the pod takes on its node: containers and sidecars only (`scheduler/util: GetHostPorts`). */
export function hostPorts(pod: Pod): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of pod.spec.initContainers) {
    if (isSidecar(container)) collect(ports, container.ports);
  }
  for (const container of pod.spec.containers) collect(ports, container.ports);
  return ports;
}

function collect(into: HostPort[], ports: readonly ContainerPort[]): void {
  for (const { hostPort, protocol, hostIP } of ports) {
    if (hostPort <= 0) continue;
    into.push({ port: hostPort, protocol: protocol || 'TCP', hostIP: hostIP || ANY_ADDRESS });
  }
}

/**
 * Same protocol and port, and the same address or one of them all addresses (`HostPortInfo.CheckConflict`).
 */
export function portsConflict(a: HostPort, b: HostPort): boolean {
  return (
    a.port === b.port &&
    a.protocol === b.protocol &&
    (a.hostIP === b.hostIP || a.hostIP === ANY_ADDRESS || b.hostIP === ANY_ADDRESS)
  );
}
