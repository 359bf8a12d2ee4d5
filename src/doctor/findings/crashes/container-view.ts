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
