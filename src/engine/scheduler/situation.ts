import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import type { ContainerPort } from '../objects/pod-spec.js';
import { type AffinityState, affinityState } from './affinity-state.js';
import type { Amounts } from './amounts.js';
import { lazy, perPod } from './cluster-facts.js';
import { type DeviceState, deviceState, isDeviceBacked } from './device-state.js';
import { isSidecar, podRequests } from './pod-requests.js';
import type { Objection } from './reason.js';
import { type SpreadState, spreadState } from './spread-state.js';
import { type VolumeState, volumeState } from './volume-state.js';
import type { World } from './world.js';

/** One pod to be placed into one world, with what the filters work out once for all nodes. */
export interface Situation {
  readonly world: World;
  readonly pod: Pod;
  readonly requests: () => Amounts;
  /**
   * Resources that a node must offer, or nothing there can make up for it: it is too small without a further
   * read.
   */
  readonly indispensable: () => readonly string[];
  readonly ports: () => readonly HostPort[];
  readonly volumes: () => VolumeState;
  readonly spread: () => SpreadState;
  readonly affinity: () => AffinityState;
  readonly devices: () => DeviceState;
}

/**
 * A scheduler plugin's Filter: every objection it has to this node, the one the scheduler would name first.
 */
export type Filter = (situation: Situation, node: Node) => readonly Objection[];

export function situationOf(world: World, pod: Pod): Situation {
  return {
    world,
    pod,
    requests: () => requestsOf(world.facts, pod),
    indispensable: () => indispensableOf(world.facts, pod),
    ports: lazy(() => hostPorts(pod)),
    volumes: lazy(() => volumeState(world, pod)),
    spread: lazy(() => {
      const { length } = pod.spec.topologySpreadConstraints;
      if (length > 0) world.work?.spend(length * world.facts.assigned().length);
      return spreadState(world, pod);
    }),
    affinity: lazy(() => {
      const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
      const terms =
        (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution.length ?? 0) +
        (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution.length ?? 0);
      if (terms > 0) world.work?.spend(terms * world.facts.assigned().length);
      return affinityState(world, pod);
    }),
    devices: lazy(() => deviceState(world, pod)),
  };
}

const requestsOf = perPod((_facts, pod) => podRequests(pod, false));

const indispensableOf = perPod((facts, pod) =>
  [...requestsOf(facts, pod)]
    .filter(([resource, amount]) => amount > 0n && !isDeviceBacked(facts, nothing, resource))
    .map(([resource]) => resource),
);

const nothing: Amounts = new Map();

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
