import type {
  V1Affinity,
  V1Container,
  V1Pod,
  V1ResourceRequirements,
  V1TopologySpreadConstraint,
} from '@kubernetes/client-node';
import type { Draw } from './draw.js';
import { nodeTerm, podTerm, spreadConstraint, toleration } from './pod-terms.js';
import {
  apps,
  cpuAmounts,
  diskAmounts,
  extendedResources,
  memoryAmounts,
  namespaces,
  priorityClasses,
  runtimeClasses,
} from './vocabulary.js';

/**
 * A pod with random values in every field that the scheduler reads. The API server rejects some of them.
 * The caller then draws another one.
 *
 * @param nodes names that its affinity may choose from
 */
export function randomPod(draw: Draw, name: string, nodes: readonly string[]): V1Pod {
  const affinity = randomAffinity(draw, nodes);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: draw.pick(namespaces),
      labels: {
        app: draw.pick(apps),
        rev: draw.pick(['r1', 'r2']),
        ...draw.maybe(30, () => ({ tier: 'x' })),
      },
    },
    spec: {
      containers: draw.some(1, 2, (index) => container(draw, `c${index}`)),
      ...draw.maybe(20, () => ({
        initContainers: draw.some(1, 3, (index) => initContainer(draw, `i${index}`)),
      })),
      ...draw.maybe(15, () => ({ runtimeClassName: draw.pick(runtimeClasses) })),
      ...draw.maybe(8, () => ({ resources: podLevelResources(draw) })),
      ...draw.maybe(25, () => ({
        nodeSelector: { [draw.pick(['disk', 'rack'])]: draw.pick(['ssd', 'r1']) },
      })),
      ...(affinity === undefined ? {} : { affinity }),
      ...draw.maybe(40, () => ({ tolerations: draw.some(1, 2, () => toleration(draw)) })),
      ...draw.maybe(30, () => ({ topologySpreadConstraints: constraints(draw) })),
      ...draw.maybe(50, () => ({ priorityClassName: draw.pick(priorityClasses) })),
    },
  };
}

function randomAffinity(draw: Draw, nodes: readonly string[]): V1Affinity | undefined {
  const affinity: V1Affinity = {
    ...draw.maybe(20, () => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: draw.some(1, 2, () => nodeTerm(draw, nodes)),
        },
      },
    })),
    ...draw.maybe(15, () => ({
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: draw.some(1, 2, () => podTerm(draw)) },
    })),
    ...draw.maybe(20, () => ({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: draw.some(1, 2, () => podTerm(draw)),
      },
    })),
  };
  return Object.keys(affinity).length === 0 ? undefined : affinity;
}

/** The API takes one constraint for each pair of key and reaction. */
function constraints(draw: Draw): V1TopologySpreadConstraint[] {
  const drawn = draw.some(1, 2, () => spreadConstraint(draw));
  const pair = (one: V1TopologySpreadConstraint): string => `${one.topologyKey} ${one.whenUnsatisfiable}`;
  return drawn.filter((one, index) => drawn.findIndex((other) => pair(other) === pair(one)) === index);
}

function container(draw: Draw, name: string): V1Container {
  return {
    name,
    image: 'registry.example/random:1',
    resources: resources(draw),
    ...draw.maybe(20, () => ({
      ports: [
        {
          containerPort: 80,
          hostPort: draw.pick([8080, 8081]),
          ...draw.maybe(40, () => ({ protocol: 'UDP' })),
          ...draw.maybe(40, () => ({ hostIP: draw.pick(['10.0.0.1', '127.0.0.1', '0.0.0.0']) })),
        },
      ],
    })),
  };
}

/** Half of them are sidecars, which keep running and count together with the containers. */
function initContainer(draw: Draw, name: string): V1Container {
  const { ports: _none, ...rest } = container(draw, name);
  return { ...rest, ...draw.maybe(50, () => ({ restartPolicy: 'Always' })) };
}

function resources(draw: Draw): V1ResourceRequirements {
  const requests = {
    ...draw.maybe(60, () => ({ cpu: draw.pick(cpuAmounts) })),
    ...draw.maybe(60, () => ({ memory: draw.pick(memoryAmounts) })),
    ...draw.maybe(10, () => ({ 'ephemeral-storage': draw.pick(diskAmounts) })),
  };
  // What cannot be overcommitted has a limit of the same size.
  const exact = {
    ...draw.maybe(15, () => ({ [draw.pick(extendedResources)]: draw.pick(['0', '1', '2']) })),
    ...('cpu' in requests ? draw.maybe(10, () => ({ 'hugepages-2Mi': draw.pick(['2Mi', '4Mi']) })) : {}),
  };
  // A limit without a request becomes the request.
  const limits = 'memory' in requests ? {} : draw.maybe(20, () => ({ memory: draw.pick(memoryAmounts) }));
  return { requests: { ...requests, ...exact }, limits: { ...limits, ...exact } };
}

function podLevelResources(draw: Draw): V1ResourceRequirements {
  return {
    requests: {
      ...draw.maybe(70, () => ({ cpu: draw.pick(['4', '6', '3500m']) })),
      memory: draw.pick(['2Gi', '3Gi', '4e9']),
    },
  };
}

/** What a kubelet states of containers that it has resized in part. */
export interface Resize {
  readonly containerStatuses?: readonly object[];
  readonly initContainerStatuses?: readonly object[];
  readonly conditions?: readonly object[];
}

export function randomResize(draw: Draw, { spec }: V1Pod): Resize {
  const stated = ({ name, image }: V1Container): object => ({
    ...{ name, image, imageID: '', ready: false, restartCount: 0 },
    ...draw.maybe(70, () => ({ allocatedResources: { cpu: draw.pick(cpuAmounts) } })),
    ...draw.maybe(70, () => ({
      resources: {
        requests: {
          ...draw.maybe(80, () => ({ cpu: draw.pick(cpuAmounts) })),
          ...draw.maybe(50, () => ({ memory: draw.pick(memoryAmounts) })),
        },
      },
    })),
  });
  return {
    containerStatuses: (spec?.containers ?? []).map(stated),
    initContainerStatuses: (spec?.initContainers ?? []).map(stated),
    ...draw.maybe(15, () => ({
      conditions: [
        {
          type: 'PodResizePending',
          status: 'True',
          reason: draw.pick(['Infeasible', 'Deferred']),
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    })),
  };
}
