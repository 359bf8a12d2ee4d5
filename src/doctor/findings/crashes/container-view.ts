import type { ContainerStatus, Pod } from '../../../engine/objects/pod.js';
import type { Container } from '../../../engine/objects/pod-spec.js';

/** `sidecar`: an init container with `restartPolicy: Always`. */
export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** One container: its specification and the status that the kubelet reports. */
export interface ContainerView {
  readonly name: string;
  readonly role: ContainerRole;
  readonly spec: Container;
  /** Absent until the kubelet reports it. */
  readonly status: ContainerStatus | undefined;
}

/** All containers of a pod in the order the kubelet starts them; those added for debugging come last. */
export function containersOf({ spec, status }: Pod): readonly ContainerView[] {
  return [
    ...viewsOf(spec.initContainers, status.initContainerStatuses, ({ restartPolicy }) =>
      restartPolicy === 'Always' ? 'sidecar' : 'init',
    ),
    ...viewsOf(spec.containers, status.containerStatuses, () => 'main'),
    ...viewsOf(spec.ephemeralContainers, status.ephemeralContainerStatuses, () => 'ephemeral'),
  ];
}

function viewsOf(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
  role: (container: Container) => ContainerRole,
): readonly ContainerView[] {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return containers.map((container) => ({
    name: container.name,
    role: role(container),
    spec: container,
    status: byName.get(container.name),
  }));
}

/**
 * A rule of this container restarts all containers of the pod when it ends in this way (kubernetes
 * `pkg/api/v1/pod/util.go: FindMatchingContainerRestartRule`, since 1.36).
 *
 * @param exitCode left out: in whatever way
 */
export function restartsAll({ spec }: ContainerView, exitCode?: number): boolean {
  const rule = spec.restartPolicyRules.find(
    ({ exitCodes }) =>
      exitCodes !== undefined &&
      exitCode !== undefined &&
      exitCodes.values.includes(exitCode) === (exitCodes.operator === 'In'),
  );
  return exitCode === undefined
    ? spec.restartPolicyRules.some(({ action }) => action === restartAllContainers)
    : rule?.action === restartAllContainers;
}

const restartAllContainers = 'RestartAllContainers';

/** How one run of a container ended, as the runtime reported it. */
export interface EndedRun {
  readonly exitCode: number;
  readonly signal: number | undefined;
  /** `Completed`, `Error`, `OOMKilled`, `StartError`, `ContainerStatusUnknown`, `Unknown`, … */
  readonly reason: string;
  readonly message: string;
  /** RFC3339. */
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** Length of the run in seconds; absent when a time is missing. */
  readonly seconds: number | undefined;
}

/**
 * The latest run that ended: the current state when the container is down, the last state while it runs again
 * or waits. Kubernetes keeps only these two.
 */
export function lastEndedRun(status: ContainerStatus | undefined): EndedRun | undefined {
  const ended = status?.state.terminated ?? status?.lastState.terminated;
  if (ended === undefined) return undefined;
  const { exitCode, signal, reason, message, startedAt, finishedAt } = ended;
  return {
    exitCode,
    signal,
    reason,
    message,
    startedAt,
    finishedAt,
    seconds: lengthOf(startedAt, finishedAt),
  };
}

/** A runtime that lost the container reports the zero time for the start, the end or both. */
function lengthOf(startedAt: string | undefined, finishedAt: string | undefined): number | undefined {
  const start = Date.parse(startedAt ?? '');
  const end = Date.parse(finishedAt ?? '');
  if (Number.isNaN(start) || Number.isNaN(end) || start <= 0 || end < start) return undefined;
  return (end - start) / 1000;
}
