import type { NamedPod } from '../../core/alert/subject.js';
import { type Sight, visibleIn } from '../../core/authorization/view.js';
import { controllerOf } from '../../core/cluster/metadata.js';
import { isReady, isTerminal, type Pod } from '../../core/cluster/pod.js';
import { WorkloadKind, type WorkloadRef } from '../../core/cluster/workload.js';
import type { Located } from '../../usecases/alerts/alert-ports.js';
import type { ClusterNames } from '../../usecases/clusters/cluster-names.js';
import type { Unreadable } from '../../usecases/diagnose/cluster-reader.js';
import type { ClusterConnection } from './cluster-connection.js';
import { type NamedOwner, ownerAbove } from './controller-above.js';
import { findWorkload } from './find-workload.js';
import { inTurns } from './in-turns.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';
import { workloadsNamed } from './workload-names.js';

/** Reads at the same time for one answer. */
const atOnce = 6;
/** Pods looked at for who suffers; kubelets hold 110 unless configured. */
const maxPods = 500;

/** What one cluster answers about names, read with the rights of this process. */
export function createClusterNames(connection: ClusterConnection): ClusterNames {
  return {
    cluster: connection.name,
    find: (query, sight, signal) => findWorkload(connection, query, sight, signal),
    named: (query, sight, signal) => workloadsNamed(connection, query, sight, signal).then(located),
    ownerOf: (pod, sight, signal) => ownerIn(connection, pod, sight, signal),
    suffering: (place, sight, signal) =>
      suffering(
        connection,
        'node' in place ? { fieldSelector: `spec.nodeName=${place.node}` } : { namespace: place.namespace },
        sight,
        signal,
      ),
  };
}

/** The pod by name, in all namespaces where none is said, and its controllers up to a workload. */
async function ownerIn(
  connection: ClusterConnection,
  { namespace = '', name }: NamedPod,
  sight: Sight,
  signal: AbortSignal,
): Promise<Located | Unreadable> {
  const read = await listObjects(
    connection.call,
    'Pod',
    {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      max: maxPods,
      reading: namespace === '' ? cachedList : { type: 'one-object' },
    },
    signal,
  );
  return read.type === 'unreadable' ? read : ownersOf(connection, read.value.items, sight, signal);
}

async function suffering(
  connection: ClusterConnection,
  selection: { readonly namespace?: string; readonly fieldSelector?: string },
  sight: Sight,
  signal: AbortSignal,
): Promise<Located | Unreadable> {
  const read = await listObjects(
    connection.call,
    'Pod',
    { ...selection, max: maxPods, reading: cachedList },
    signal,
  );
  if (read.type === 'unreadable') return read;
  const pods = read.value.items.filter((pod) => !isTerminal(pod) && !isReady(pod));
  const found = await ownersOf(connection, pods, sight, signal);
  return found.type === 'unreadable' ? found : { ...found, workloads: movableFirst(found.workloads) };
}

/** A DaemonSet's pod stays on its node: it suffers with it, and no rollout of it is to blame. */
function movableFirst(workloads: readonly WorkloadRef[]): readonly WorkloadRef[] {
  const stays = ({ kind }: WorkloadRef): number => (kind === 'DaemonSet' ? 1 : 0);
  return [...workloads].sort((left, right) => stays(left) - stays(right));
}

async function ownersOf(
  { name: cluster, call }: ClusterConnection,
  pods: readonly Pod[],
  sight: Sight,
  signal: AbortSignal,
): Promise<Located | Unreadable> {
  const visible = pods.filter(
    ({ metadata }) => visibleIn(sight, { cluster, namespace: metadata.namespace }).workload,
  );
  const owners = new Map(
    visible.map((pod): [string, Pod] => {
      const { namespace, name } = pod.metadata;
      const owner = controllerOf(pod) ?? { kind: 'Pod', name };
      return [`${namespace}/${owner.kind}/${owner.name}`, pod];
    }),
  );
  const found = await inTurns(atOnce, [...owners.values()], async (pod): Promise<NamedOwner | Unreadable> => {
    const { namespace, name } = pod.metadata;
    const { kind, name: owner } = controllerOf(pod) ?? { kind: 'Pod', name };
    return (await ownerAbove(call, pod, signal)) ?? { kind, namespace, name: owner };
  });
  const known = found.flatMap((each) => ('type' in each ? [] : [each]));
  const unreadable = found.find((each): each is Unreadable => 'type' in each);
  if (known.length === 0 && unreadable !== undefined) return unreadable;
  const workloads = new Map<string, WorkloadRef>();
  const others = new Map<string, NamedOwner>();
  for (const owner of known) {
    const key = `${owner.namespace}/${owner.kind}/${owner.name}`;
    const kind = WorkloadKind.safeParse(owner.kind);
    if (kind.success) workloads.set(key, { cluster, ...owner, kind: kind.data });
    else others.set(key, owner);
  }
  return { type: 'located', workloads: [...workloads.values()], others: [...others.values()] };
}

function located(found: readonly WorkloadRef[] | Unreadable): Located | Unreadable {
  return 'type' in found ? found : { type: 'located', workloads: found, others: [] };
}
