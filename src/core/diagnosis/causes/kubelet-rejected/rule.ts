import type { Pod } from '../../../cluster/pod.js';
import { qualifiedPodNames } from '../../../cluster/pod-key.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { podsOf } from '../../crashes/pod-failures-of.js';
import { crash } from '../../crashes/text.js';
import { type Advice, blamedNode } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { KubeletRejectedFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * The kubelet rejects pods that have its node. It repeats the checks of the scheduler, which did not run at
 * all when `nodeName` is fixed (kubernetes `pkg/kubelet/lifecycle/predicate.go`). The controller creates a
 * new pod each time.
 */
export const kubeletRejected: Rule<typeof KubeletRejectedFacts> = {
  id: 'kubelet-rejected',
  facts: KubeletRejectedFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded', 'scale-up-pending', 'insufficient-capacity'],
  ...detectEach('kubelet-rejected', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (hasRecovered(snapshot, failureGroup)) return undefined;
    const { podFailures, nodes } = failureGroup;
    const [{ pod, reason }] = podFailures;
    const isFixed = isFixedTo(snapshot.workload.spec.template.spec.nodeName, pod);
    const missing = missingOn(examination, pod);
    return crashFinding(examination, failureGroup, {
      confidence: missing.reasons.length > 0 ? 'proven' : 'likely',
      ...(nodeRefusals.test(reason) && !isFixed ? blamedNode(nodes) : {}),
      ...(podRefusals.has(reason) ? { origin: 'template' as const } : {}),
      summary: state('summary', { workload: workloadName(snapshot), nodes, reason }),
      facts: { isNodeFixed: isFixed, schedulerReasons: missing.reasons },
      standing: state('standing', { pods: podFailures.length }),
      holders: missing.holders.map(refOf),
      reasoning: [
        crash('kubelet-says', { node: pod.spec.nodeName ?? '', message: podFailures[0].message }),
        ...(podRefusals.has(reason)
          ? []
          : [
              isFixed ? state('fixed-node', { node: pod.spec.nodeName ?? '' }) : state('scheduler-disagrees'),
            ]),
        ...engineSays(pod, missing),
        ...(reason === 'UnexpectedAdmissionError' ? [state('device-fault')] : []),
        state('keeps-creating', { kind: snapshot.workload.kind, pods: podFailures.length }),
      ],
      evidence: isFixed
        ? [
            {
              object: refOf(pod),
              field: 'spec.nodeName',
              value: pod.spec.nodeName ?? '',
              says: state('ev-node-name'),
            },
          ]
        : [],
      ruledOut: [
        { cause: 'surge-deadlock', because: state('because-has-node') },
        { cause: 'insufficient-capacity', because: state('because-has-node') },
        { cause: 'application-crash', because: crash('because-never-started') },
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: podRefusals.has(reason)
        ? [{ title: state('advice-asks-title'), text: state('advice-asks', { nodes }) }]
        : adviceOf(pod, isFixed, missing),
    });
  }),
};

/**
 * What a kubelet lacks itself; its other refusals are about what the pod asks for (kubernetes
 * `lifecycle/predicate.go`).
 */
const nodeRefusals = /^(?:OutOf|UnexpectedAdmissionError$|TopologyAffinityError$|InvalidNodeInfo$)/;

/**
 * What the kubelet does not allow or support, whatever is free on its node: the template asks for it
 * (kubernetes `pkg/kubelet/sysctl/allowlist.go`, `pkg/kubelet/lifecycle`).
 */
const podRefusals: ReadonlySet<string> = new Set(['SysctlForbidden', 'AppArmor', 'PodOSNotSupported']);

/**
 * Controllers make the next pod within minutes (a DaemonSet's back-off ends at 15 min): without one, it is
 * past.
 */
const repeatsWithinSeconds = 3600;

/**
 * Failed pods stay listed for long. When no other failed pod follows, or a later pod of the revision runs,
 * the failure is past. A DaemonSet's pod on another node is no evidence about this node.
 */
function hasRecovered(snapshot: Snapshot, { podFailures, siblings, nodes }: FailureGroup): boolean {
  const failed = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  const latest = Math.max(
    ...podFailures
      .flatMap(({ pod }) => [pod.metadata.creationTimestamp, pod.status.startTime])
      .map((time) => Date.parse(time ?? '') || 0),
  );
  if (nowOf(snapshot) - latest > repeatsWithinSeconds * 1000) return true;
  const isDaemon = snapshot.workload.kind === 'DaemonSet';
  return siblings.some(
    ({ metadata, spec, status }) =>
      (!isDaemon || nodes.includes(spec.nodeName ?? '')) &&
      !failed.has(metadata.uid) &&
      status.phase === 'Running' &&
      (Date.parse(metadata.creationTimestamp ?? '') || 0) >= latest,
  );
}

function isFixedTo(nodeName: string | undefined, pod: Pod): boolean {
  return nodeName !== undefined && nodeName !== '' && nodeName === pod.spec.nodeName;
}

interface Missing {
  readonly reasons: readonly string[];
  /** Pods that use what this pod lacks; none for what the node can never give. */
  readonly holders: readonly Pod[];
  /** The node is too small for the pod, whatever else runs there. */
  readonly isTooLarge: boolean;
}

/**
 * The result of the scheduler's filters for such a pod on that node: the kubelet runs several of the same
 * checks.
 */
function missingOn({ snapshot, placement }: Examination, pod: Pod): Missing {
  const node = snapshot.index.nodes.get(pod.spec.nodeName ?? '');
  if (node === undefined) return { reasons: [], holders: [], isTooLarge: false };
  const { nodeName: _fixed, ...spec } = pod.spec;
  const asked: Pod = {
    ...pod,
    spec: { ...spec, nodeName: undefined },
    status: { ...pod.status, phase: 'Pending' },
  };
  const { reasons } = placement.check(asked, node);
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const holders = reasons
    .flatMap((reason) => ('holders' in reason && reason.resolvable ? reason.holders : []))
    .filter(({ metadata }) => !own.has(metadata.uid));
  const isTooLarge = reasons.some((reason) => 'allocatable' in reason && !reason.resolvable);
  return {
    reasons: reasons.map(({ text }) => text),
    holders: isTooLarge ? [] : [...new Set(holders)],
    isTooLarge,
  };
}

function engineSays(pod: Pod, { reasons, holders, isTooLarge }: Missing): readonly Statement[] {
  return [
    ...(reasons.length === 0 ? [] : [state('engine', { node: pod.spec.nodeName ?? '', reasons })]),
    ...(isTooLarge ? [state('too-large', { node: pod.spec.nodeName ?? '' })] : []),
    ...(holders.length === 0 ? [] : [state('holders', { pods: qualifiedPodNames(holders) })]),
  ];
}

function adviceOf(pod: Pod, isFixed: boolean, { holders, isTooLarge }: Missing): readonly Advice[] {
  const node = pod.spec.nodeName ?? '';
  // Neither waiting nor the departure of other pods makes a larger node.
  if (isTooLarge) return [{ title: state('advice-smaller-title'), text: state('advice-smaller', { node }) }];
  return [
    ...(isFixed
      ? [
          {
            title: state('advice-node-name-title'),
            text: state('advice-node-name', { node }),
            snippet: `spec:\n  template:\n    spec:\n      nodeName: null\n      nodeSelector:\n        kubernetes.io/hostname: ${node}\n`,
          },
        ]
      : [{ title: state('advice-node-title'), text: state('advice-node', { node }) }]),
    ...(holders.length === 0
      ? []
      : [
          {
            title: state('advice-holder-title'),
            text: state('advice-holder', { pods: qualifiedPodNames(holders) }),
          },
        ]),
  ];
}
