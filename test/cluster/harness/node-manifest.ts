import type { V1Node, V1Taint } from '@kubernetes/client-node';

export interface NodeOptions {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly V1Taint[];
  readonly unschedulable?: boolean;
  /** Over the defaults of 8 cpu, 32Gi memory, 100Gi ephemeral-storage and 110 pods. */
  readonly allocatable?: Readonly<Record<string, string>>;
}

/**
 * A Linux node as its kubelet would register it. Tests without kubelets create it Ready.
 *
 * @param kubeletPort from which the API server reads logs
 */
export function nodeManifest(options: NodeOptions, ready: boolean, kubeletPort: number): V1Node {
  const { name, labels = {}, taints, unschedulable } = options;
  const resources = {
    cpu: '8',
    memory: '32Gi',
    'ephemeral-storage': '100Gi',
    pods: '110',
    ...options.allocatable,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      // A kubelet reports this; without it no volume is attached to the node.
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: {
      ...(taints === undefined ? {} : { taints: [...taints] }),
      ...(unschedulable === undefined ? {} : { unschedulable }),
    },
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
      nodeInfo: {
        architecture: 'amd64',
        bootID: `boot-${name}`,
        containerRuntimeVersion: 'containerd://2.0.2',
        kernelVersion: '6.1.0-28-amd64',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: name,
        operatingSystem: 'linux',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        systemUUID: name,
      },
      ...(ready ? { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] } : {}),
    },
  };
}
