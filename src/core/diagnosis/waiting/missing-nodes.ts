import type { ClusterIndex } from '../../cluster/cluster-index.js';
import type { NodeSelectorTerm, PodSpec } from '../../cluster/pod-spec.js';
import type { Reason } from '../../placement/reason.js';

/** A pod, or a volume of it, may be used only on nodes of which the cluster has none. */
export interface MissingNodes {
  readonly names: readonly string[];
  /** Where that is demanded, as the API spells it. */
  readonly field: string;
  /** The volume that demands it, with its claim; absent where the pod does. */
  readonly volume: { readonly name: string; readonly claim: string } | undefined;
}

const hostname = 'kubernetes.io/hostname';
/**
 * Labels that tell one node from all others: of the kubelet, and of drivers whose volumes stay on one node.
 */
const isOfOneNode = (key: string): boolean =>
  key === hostname ||
  key === 'metadata.name' ||
  (key.startsWith('topology.') && /\/(node|hostname)$/.test(key));

/** Nodes by name that the pod asks for and that the cluster does not have. All nodes must have been read. */
export function missingForPod(spec: PodSpec, index: ClusterIndex): MissingNodes | undefined {
  const { nodeName = '', nodeSelector, affinity } = spec;
  const volume = undefined;
  if (nodeName !== '' && !index.nodes.has(nodeName))
    return { names: [nodeName], field: 'spec.nodeName', volume };
  const selected = nodeSelector[hostname];
  if (selected !== undefined && !hasNode(index, hostname, selected)) {
    return { names: [selected], field: `spec.nodeSelector[${hostname}]`, volume };
  }
  const terms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const names = missingIn(terms, index);
  return names.length === 0 ? undefined : { names, field: 'spec.affinity.nodeAffinity', volume };
}

/** The same for the volumes that nodes refuse a pod for. */
export function missingForVolumes(reasons: readonly Reason[], index: ClusterIndex): readonly MissingNodes[] {
  const volumes = new Map(
    reasons.flatMap((reason) => (reason.id === 'volume-affinity' ? [[reason.volume, reason.claim]] : [])),
  );
  return [...volumes].flatMap(([name, claim]): readonly MissingNodes[] => {
    const found = index.objects.PersistentVolume.find(({ metadata }) => metadata.name === name);
    const names = missingIn(found?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [], index);
    const volume = { name: name ?? '', claim: claim ?? '' };
    return names.length === 0 ? [] : [{ names, field: 'spec.nodeAffinity', volume }];
  });
}

/** Terms are alternatives: each must name nodes, and none of these may exist. */
function missingIn(terms: readonly NodeSelectorTerm[], index: ClusterIndex): readonly string[] {
  const names = terms.map(({ matchExpressions, matchFields }) => {
    const named = [...matchExpressions, ...matchFields].find(
      ({ key, operator }) => operator === 'In' && isOfOneNode(key),
    );
    if (named === undefined) return [];
    return named.values.some((value) => hasNode(index, named.key, value)) ? [] : named.values;
  });
  return names.every((each) => each.length > 0) ? [...new Set(names.flat())] : [];
}

function hasNode({ nodes, objects }: ClusterIndex, key: string, value: string): boolean {
  if (key === 'metadata.name') return nodes.has(value);
  return objects.Node.some(({ metadata }) => metadata.labels[key] === value);
}
