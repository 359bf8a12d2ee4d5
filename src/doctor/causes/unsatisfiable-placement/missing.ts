import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import { isActive } from '../../../engine/objects/pod.js';
import { refOf } from '../../../engine/objects/pod-key.js';
import type { NodeSelectorTerm, PodSpec } from '../../../engine/objects/pod-spec.js';
import { nowOf } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import type { Detected, Examination } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import type { Block } from '../../findings/waiting/block.js';
import { waitingFacts } from '../../findings/waiting/facts.js';
import { waiting } from '../../findings/waiting/text.js';
import { state } from './text.js';

/** The nodes that the waiting pods, or their volumes, ask for by name and that do not exist. */
export function missingNodes({ snapshot }: Examination, { pod, evaluation }: Block): readonly MissingNodes[] {
  const { index } = snapshot;
  if (isUnread(snapshot, 'Node')) return [];
  const own = missingForPod(pod.spec, index);
  const reasons = evaluation.nodes.flatMap((node) => [...node.reasons]);
  return [...(own === undefined ? [] : [own]), ...missingForVolumes(reasons, index)];
}

export function missingStatements(missing: readonly MissingNodes[]): readonly Statement[] {
  return missing.map(({ names, field, volume }) =>
    volume === undefined
      ? state('node-missing', { nodes: names, field })
      : state('volume-node-missing', { nodes: names, volume: volume.name, claim: volume.claim }),
  );
}

export function missingEvidence(missing: readonly MissingNodes[], pod: Block['pod']): readonly Evidence[] {
  return missing.map(({ names, field, volume }) => ({
    object:
      volume === undefined ? refOf(pod) : { kind: 'PersistentVolume', namespace: '', name: volume.name },
    field,
    value: names.join(', '),
    says: state('ev-node-missing'),
  }));
}

export function missingAdvice(missing: readonly MissingNodes[]): readonly Advice[] {
  return missing.map(({ names, field, volume }) =>
    volume === undefined
      ? { title: state('advice-pin-title'), text: state('advice-pin', { nodes: names, field }) }
      : {
          title: state('advice-volume-node-title'),
          text: state('advice-volume-node', { nodes: names, volume: volume.name, claim: volume.claim }),
        },
  );
}

/** The kubelet of the node would have taken the pod within seconds. */
const patienceMs = 15_000;

/**
 * The pod template sets `spec.nodeName` to a node that does not exist. No scheduler sees such a pod, and the
 * pod garbage collector deletes it after a minute (kubernetes `podgc/gc_controller.go: gcOrphaned`), so that
 * pods come and go.
 */
export function absentNodeFinding({
  snapshot,
}: Examination): Detected<typeof UnsatisfiablePlacementFacts> | undefined {
  const { workload, index } = snapshot;
  const { spec } = workload;
  const node = spec.template.spec.nodeName ?? '';
  if (node === '' || index.nodes.has(node) || isUnread(snapshot, 'Node')) return undefined;
  const pods = rolloutStateOf(snapshot).pods.filter(
    (pod) =>
      isActive(pod) &&
      pod.spec.nodeName === node &&
      nowOf(snapshot) - Date.parse(pod.metadata.creationTimestamp ?? '') >= patienceMs,
  );
  const [pod] = pods;
  if (pod === undefined) return undefined;
  const missing = [{ names: [node], field: 'spec.nodeName', volume: undefined }];
  return {
    confidence: index.objects.Node.length === 0 ? 'likely' : 'proven',
    nodes: [node],
    facts: {
      waiting: pods.length,
      pods: pods.map((each) => each.metadata.name),
      nodesInAll: 0,
      refusals: [],
      missingNodes: missing,
    },
    summary: state('summary-missing', { workload: workloadName(snapshot), nodes: [node] }),
    reasoning: [...missingStatements(missing), state('collected')],
    evidence: missingEvidence(missing, pod),
    ruledOut: [{ cause: 'insufficient-capacity', because: state('because-no-scheduler') }],
    withheld: [{ kind: 'restart-rollout', because: waiting('restart-withheld') }],
    advice: missingAdvice(missing),
  };
}

/** A pod, or a volume of it, may be used only on nodes of which the cluster has none. */
interface MissingNodes {
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
function missingForPod(spec: PodSpec, index: ClusterIndex): MissingNodes | undefined {
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
function missingForVolumes(reasons: readonly Reason[], index: ClusterIndex): readonly MissingNodes[] {
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

export const UnsatisfiablePlacementFacts = z.strictObject({
  ...waitingFacts,
  missingNodes: z
    .array(
      z.strictObject({
        names: fact.names('Names of the nodes'),
        field: fact.text('Where the pod, or its volume, names them'),
        volume: z
          .strictObject({ name: fact.text('Name of the volume'), claim: fact.text('Name of its claim') })
          .describe('The PersistentVolume that names them; absent where the pod does')
          .optional(),
      }),
    )
    .describe('Nodes that are asked for by name and do not exist'),
});
