import { isActive } from '../../../cluster/pod.js';
import { nowOf } from '../../../cluster/snapshot.js';
import { isUnread } from '../../../cluster/unread.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { Advice, Evidence } from '../../finding.js';
import type { Detected, Examination } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import type { Block } from '../../waiting/block.js';
import { type MissingNodes, missingForPod, missingForVolumes } from '../../waiting/missing-nodes.js';
import { waiting } from '../../waiting/text.js';
import type { UnsatisfiablePlacementFacts } from './facts.js';
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
