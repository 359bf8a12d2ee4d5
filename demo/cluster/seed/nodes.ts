import { apiTime } from '../api-time.js';
import type { JsonObject } from '../json.js';

export interface NodeShape {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  /** Extended resources, such as `nvidia.com/gpu`. */
  readonly extended?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly JsonObject[];
  readonly kernelVersion?: string;
  /** Last number of its address. */
  readonly number: number;
}

/** A node that is ready since `createdAt` (epoch milliseconds), as its kubelet registers it. */
export function readyNode(shape: NodeShape, createdAt: number): JsonObject {
  const {
    name,
    cpu,
    memory,
    extended = {},
    labels = {},
    number,
    taints,
    kernelVersion = '6.1.0-28-amd64',
  } = shape;
  const time = apiTime(createdAt);
  const amounts = { cpu, memory, 'ephemeral-storage': '100Gi', pods: '110', ...extended };
  const condition = (type: string, status: string, reason: string, message: string): JsonObject => ({
    type,
    status,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      creationTimestamp: time,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
    },
    spec: { providerID: `local://${name}`, ...(taints === undefined ? {} : { taints: [...taints] }) },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [
        condition(
          'MemoryPressure',
          'False',
          'KubeletHasSufficientMemory',
          'kubelet has sufficient memory available',
        ),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      addresses: [
        { type: 'InternalIP', address: `10.1.0.${number}` },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        machineID: name,
        systemUUID: name,
        bootID: name,
        kernelVersion,
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        containerRuntimeVersion: 'containerd://2.0.2',
        kubeletVersion: 'v1.36.3',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}
