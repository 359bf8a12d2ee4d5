import { KubeConfig } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { startControlPlane } from '../../test/cluster/harness/control-plane.js';
import { type DeadlockShape, gpuDeadlock } from '../generated-cluster/deadlock.js';
import type { Row, Table } from '../report/table.js';
import { fill } from './fill.js';
import { measuredRows, type Version } from './measured-rows.js';

const deadlocks: readonly DeadlockShape[] = [
  gpuDeadlock(64),
  { namespace: 'media', name: 'encoder', resource: 'xilinx.com/fpga', candidates: 1, replicas: 1 },
  { namespace: 'search', name: 'ranking', resource: 'amd.com/gpu', candidates: 512, replicas: 1 },
];
const shape = { seed: 1, nodes: 5_000, pods: 50_000, zones: 3, deadlocks };

export interface KubeApiserverOptions {
  readonly nodes?: number;
  readonly pods?: number;
  /** `old`: Debian's etcd 3.4, of which the API server cannot learn how far its cache is behind. */
  readonly etcd: 'current' | 'old';
  /** Folder of another version with its `dist`, measured in turns with this one. */
  readonly beside?: string;
  /** How often the command line of each version runs; 3 when absent. */
  readonly commands?: number;
  /** An API server that holds the generated cluster already; absent: one is started and filled. */
  readonly kubeconfig?: string;
}

/** Deadlocks in a real kube-apiserver: what looking at each costs the one who looks. */
export async function measureKubeApiserver(
  { etcd, beside, kubeconfig, commands = 3, ...size }: KubeApiserverOptions,
  say: (line: string) => void,
): Promise<Table> {
  const filled = { ...shape, ...size };
  const versions: readonly Version[] = [
    ...(beside === undefined ? [] : [{ name: 'before', root: beside }]),
    { name: 'now', root: process.cwd() },
  ];
  const rowsFrom = (path: string): Promise<readonly Row[]> =>
    measuredRows(path, deadlocks, versions, commands, say);
  if (kubeconfig !== undefined) return tableOf(etcd, filled, await rowsFrom(kubeconfig));
  const controlPlane = await startControlPlane({ controllers: 'none', etcd });
  try {
    const config = new KubeConfig();
    config.loadFromFile(controlPlane.adminKubeconfig);
    await fill(createApiCall(config), filled, (written) => say(`${written} objects written`));
    return tableOf(etcd, filled, await rowsFrom(controlPlane.adminKubeconfig));
  } finally {
    await controlPlane.stop();
  }
}

function tableOf(etcd: string, { nodes, pods }: typeof shape, rows: readonly Row[]): Table {
  return {
    id: `kube-apiserver-${etcd}`,
    title: `One deadlock in a real kube-apiserver, etcd: ${etcd}`,
    about: `${nodes.toLocaleString('en')} nodes, ${pods.toLocaleString('en')} pods; candidates are the nodes that could run the waiting pod. A worker's looks go over connections that stand already, and its watches of nodes and pods are in step, while ten pods and ten nodes of the cluster change each second; medians without the first look. The watch of the pods is not counted on the wire. The command line is measured from its start to its end, the median of its runs. The versions take turns. Bytes are counted on the way, TLS and all, in both directions.`,
    columns: [
      'worker: time',
      'of it diagnosing',
      'processor',
      'on the wire',
      'requests',
      'cache of nodes',
      'of pods',
      'command line: time',
      'processor',
      'memory at most',
      'on the wire',
      'requests',
      'proven',
    ],
    rows,
  };
}
