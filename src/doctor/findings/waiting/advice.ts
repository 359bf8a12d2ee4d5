import type { Statement } from '../../../engine/language/statement.js';
import { hasInOrder } from '../../../engine/language/text-scanning.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { parseQuantity } from '../../../engine/scheduler/quantity.js';
import type {
  PodAffinityReason,
  Reason,
  ResourceReason,
  TopologySpreadReason,
} from '../../../engine/scheduler/reason.js';
import type { Advice } from '../finding.js';
import type { Examination } from '../rule.js';
import type { Block } from './block.js';
import { cloudRefusalOf } from './cloud-refusal.js';
import { ownPods } from './holding.js';
import { poolLimitAdvice } from './node-pool-statements.js';
import type { RefusingNode } from './refusal.js';
import { autoscalerAnswer } from './scale-up.js';
import { waiting } from './text.js';
import { lostAdvice, lostDevicesOn } from './unhealthy-devices.js';

/**
 * What ends a shortage without taking anything from anybody: a spread that counts too much, a smaller
 * request, a higher limit of the autoscaler, one more node; with YAML where there is some.
 */
export function capacityAdvice(examination: Examination, block: Block): readonly Advice[] {
  const poolLimits = poolLimitAdvice(examination.snapshot, block);
  return [
    ...lostAdvice(examination.snapshot, lostDevicesOn(examination.snapshot.index, block.nodes)),
    ...spreadAdvice(examination, block),
    ...preferenceAdvice(examination, block),
    ...requestAdvice(block),
    ...(poolLimits.length > 0 ? poolLimits : limitAdvice(examination, block)),
    ...nodeAdvice(block),
  ];
}

/** A constraint whose minimum is set by domains that the pods may never use. */
type FutileSpread = { readonly reason: TopologySpreadReason; readonly nodes: readonly string[] };

function futileSpread(
  { snapshot }: Examination,
  { nodes }: Block,
  isOut: (node: RefusingNode) => boolean,
): FutileSpread | undefined {
  const reason = nodes
    .flatMap(({ refusal, reasons }) => (refusal === 'never' ? [] : reasons))
    .find((each): each is TopologySpreadReason => each.id === 'topology-spread' && each.domain !== undefined);
  if (reason === undefined || reason.minimumDomains.length === 0) return undefined;
  const inMinimum = nodes.filter(({ name }) => {
    const domain = snapshot.index.nodes.get(name)?.metadata.labels[reason.topologyKey];
    return domain !== undefined && reason.minimumDomains.includes(domain);
  });
  const isFutile = inMinimum.length > 0 && inMinimum.every(isOut);
  return isFutile ? { reason, nodes: inMinimum.map(({ name }) => name) } : undefined;
}

function isTainted({ refusal, reasons }: RefusingNode): boolean {
  return refusal === 'never' && reasons.some(({ id }) => id === 'taint');
}

/** Says so where the spread counts domains in vain; empty otherwise. */
export function spreadStatements(examination: Examination, block: Block): readonly Statement[] {
  const futile = futileSpread(examination, block, isTainted);
  if (futile === undefined) return [];
  const { topologyKey, minimumDomains, minimum, maxSkew } = futile.reason;
  return [waiting('spread-counts', { topologyKey, domains: minimumDomains, minimum, maxSkew })];
}

/** A cordoned node has a taint too, so that the policy leaves it out of the spread. */
export function cordonedSpreadAdvice(examination: Examination, block: Block): readonly Advice[] {
  return spreadAdvice(examination, block, (node) => node.refusal === 'cordoned');
}

function spreadAdvice(
  examination: Examination,
  block: Block,
  isOut: (node: RefusingNode) => boolean = isTainted,
): readonly Advice[] {
  const futile = futileSpread(examination, block, isOut);
  if (futile === undefined) return [];
  const { topologyKey, maxSkew } = futile.reason;
  return [
    {
      title: waiting('advice-spread-title'),
      text: waiting('advice-spread', { nodes: futile.nodes }),
      snippet: `spec:
  template:
    spec:
      topologySpreadConstraints:
        - topologyKey: ${topologyKey}
          maxSkew: ${maxSkew}
          whenUnsatisfiable: DoNotSchedule
          nodeTaintsPolicy: Honor
          # labelSelector as before
`,
    },
  ];
}

/** Only where the workload's own rule is what keeps its pods apart. */
function preferenceAdvice({ snapshot }: Examination, { nodes, pod }: Block): readonly Advice[] {
  const { predecessors, others } = ownPods(snapshot);
  const own = new Set([...predecessors, ...others]);
  const reason = nodes
    .filter(({ refusal }) => refusal === 'held')
    .flatMap(({ reasons }) => reasons)
    .find(
      (each): each is PodAffinityReason =>
        each.id === 'pod-affinity' &&
        each.rule === 'anti-affinity' &&
        each.holders.some((holder) => own.has(holder)),
    );
  if (reason === undefined) return [];
  const labels = Object.entries(pod.metadata.labels).filter(([key]) => !ofOnePod.has(key));
  return [
    {
      title: waiting('advice-preference-title'),
      text: waiting('advice-preference', { topologyKey: reason.topologyKey }),
      snippet: `spec:
  template:
    spec:
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: ${reason.topologyKey}
                labelSelector:
                  matchLabels:
${labels.map(([key, value]) => `                    ${key}: "${value}"\n`).join('')}`,
    },
  ];
}

/** Labels that a controller gives to one revision or one pod: no other pod would be kept apart by them. */
const ofOnePod: ReadonlySet<string> = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
]);

function requestAdvice({ nodes, pod }: Block): readonly Advice[] {
  const lone = nodes.flatMap(({ name, refusal, reasons }) => {
    const [reason, ...others] = reasons;
    if (refusal !== 'held' || reason === undefined || others.length > 0) return [];
    if (!isScarce(reason) || !isAmount(reason)) return [];
    return [{ node: name, reason, free: parseQuantity(reason.free)?.nano ?? 0n }];
  });
  const [roomiest] = lone.filter(({ free }) => free > 0n).sort((a, b) => (a.free < b.free ? 1 : -1));
  if (roomiest === undefined) return [];
  const { resource, free } = roomiest.reason;
  return [
    {
      title: waiting('advice-requests-title', { resource }),
      text: waiting('advice-requests', { resource, free, node: roomiest.node }),
      ...(pod.spec.containers.length === 1 ? { snippet: requestSnippet(pod, resource, free) } : {}),
    },
  ];
}

/** What a smaller request would help with. */
function isAmount({ id }: Reason): boolean {
  return id === 'cpu' || id === 'memory' || id === 'ephemeral-storage';
}

function isScarce(reason: Reason): reason is ResourceReason {
  return isAmount(reason) || reason.id === 'extended-resource';
}

function requestSnippet({ spec }: Pod, resource: string, free: string): string {
  return `spec:
  template:
    spec:
      containers:
        - name: ${spec.containers[0]?.name ?? ''}
          resources:
            requests:
              ${resource}: ${free}
`;
}

const nodePoolSnippet = `# Karpenter NodePool: all its nodes together stay below this
spec:
  limits:
    cpu: "200"
    memory: 800Gi
`;

const nodeGroupSnippet = `# cluster-autoscaler: <min>:<max>:<node group>
--nodes=1:5:my-node-group
`;

/** The autoscaler has declined: what a person has set is reached, or its last attempt failed. */
export function limitAdvice({ snapshot }: Examination, { pods }: Block): readonly Advice[] {
  const answer = autoscalerAnswer(snapshot, pods);
  if (answer.kind !== 'declined') return [];
  const { message, component } = answer.event;
  const by = component || 'cluster-autoscaler';
  return [
    // Where an event names what the cloud refused, its own advice says more.
    ...(backsOff.test(message) && cloudRefusalOf(snapshot, pods) === undefined
      ? [
          {
            title: waiting('advice-backoff-title'),
            text: waiting('advice-backoff', { by }),
            snippet: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml\n',
          },
        ]
      : []),
    ...(isLimitReached(message)
      ? [
          {
            title: waiting('advice-limits-title'),
            text: waiting('advice-limits', { by }),
            snippet: component.startsWith('karpenter') ? nodePoolSnippet : nodeGroupSnippet,
          },
        ]
      : []),
  ];
}

/** cluster-autoscaler `core/scaleup/orchestrator/skippedreasons.go: BackoffReason`. */
const backsOff = /\bin backoff after failed scale-up\b/i;

function isLimitReached(message: string): boolean {
  const said = message.toLowerCase();
  return (
    /max node group size reached|max total nodes/.test(said) ||
    hasInOrder(said, 'max cluster ', ' limit') ||
    hasInOrder(said, 'exceed', 'limit')
  );
}

function nodeAdvice({ nodes }: Block): readonly Advice[] {
  const reason = nodes
    .filter(({ refusal }) => refusal === 'held')
    .flatMap(({ reasons }) => reasons)
    .find(isScarce);
  if (reason === undefined) return [];
  const { resource, requested } = reason;
  return [{ title: waiting('advice-node-title'), text: waiting('advice-node', { resource, requested }) }];
}
