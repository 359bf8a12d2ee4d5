import type { ContainerStatus, Pod } from '../../cluster/pod.js';
import type { Container } from '../../cluster/pod-spec.js';

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
  const view =
    (role: (container: Container) => ContainerRole, statuses: readonly ContainerStatus[]) =>
    (container: Container): ContainerView => ({
      name: container.name,
      role: role(container),
      spec: container,
      status: statuses.find(({ name }) => name === container.name),
    });
  return [
    ...spec.initContainers.map(
      view(
        ({ restartPolicy }) => (restartPolicy === 'Always' ? 'sidecar' : 'init'),
        status.initContainerStatuses,
      ),
    ),
    ...spec.containers.map(view(() => 'main', status.containerStatuses)),
    ...spec.ephemeralContainers.map(view(() => 'ephemeral', status.ephemeralContainerStatuses)),
  ];
}
