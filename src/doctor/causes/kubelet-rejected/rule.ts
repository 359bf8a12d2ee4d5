import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { isReady, podKey, podNames, qualifiedPodNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasPodPerNode, hasReplicaSets, workloadKinds } from '../../../engine/objects/workload.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { revisionOfPod } from '../../findings/crashes/classify-pod.js';
import { crashFinding } from '../../findings/crashes/crash-finding.js';
import { crashFacts } from '../../findings/crashes/facts.js';
import { detectEach } from '../../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../../findings/crashes/failure-group.js';
import { healthyPredecessors, podsOf } from '../../findings/crashes/failure-group.js';
import { agentAdvice, troubledDevicePlugins } from '../../findings/crashes/node-agents.js';
import type { PodFailure } from '../../findings/crashes/pod-failure.js';
import { crash } from '../../findings/crashes/text.js';
import { fact } from '../../findings/facts.js';
import { type Advice, blamedNode } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import type { Examination, Rule } from '../../findings/rule.js';
import { podNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { unofferedDevices } from '../../findings/waiting/unhealthy-devices.js';
import type { PatchStrategy } from '../../fixes/kinds/patch-strategy/forms.js';
import { proposePatchStrategy } from '../../fixes/kinds/patch-strategy/propose.js';
import { nothingOffered, type Offer } from '../../fixes/offered-fields.js';
import { canonicalJson } from '../../fixes/plan.js';
import { state, text } from './text.js';

const KubeletRejectedFacts = z.strictObject({
  ...crashFacts,
  isNodeFixed: fact.flag('The pod template names the node, so that no scheduler was asked'),
  schedulerReasons: fact.names('Why the filters of the scheduler refuse the pod there as well'),
});

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
    const old = oldHoldersOf(examination, failureGroup, missing);
    const fix = old.length === 0 ? nothingOffered : stopFirst(examination, old);
    const isDevice = isDeviceFault(podFailures[0]);
    const isOfTemplate = podRefusals.has(reason) || asksForMore(snapshot, failureGroup);
    const plugins = isDevice ? troubledDevicePlugins(snapshot, nodes) : [];
    return crashFinding(examination, failureGroup, {
      confidence: missing.reasons.length > 0 ? 'proven' : 'likely',
      ...(nodeRefusals.test(reason) && !isFixed && !isOfTemplate ? blamedNode(nodes) : {}),
      ...(isOfTemplate ? { origin: 'template' as const } : {}),
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
        ...(fix.remediations.length === 0 ? [] : [state('old-pods-hold', { pods: podNames(old) })]),
        ...(isDevice ? [state('device-fault')] : []),
        ...(isPreemptionRefused(podFailures[0])
          ? [state('not-preempted', { node: pod.spec.nodeName ?? '' })]
          : []),
        ...plugins.map((each) => crash('agent', { ...each })),
        ...(reason === attachLimit ? [state('attach-limit')] : []),
        ...(reason === notAligned ? [state('not-aligned', { node: pod.spec.nodeName ?? '' })] : []),
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
      remediations: fix.remediations,
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }, ...fix.withheld],
      advice: podRefusals.has(reason)
        ? [
            {
              title: state('advice-asks-title'),
              text: state(reason === sysctlRefused ? 'advice-sysctl' : 'advice-asks', { nodes }),
            },
          ]
        : [...agentAdvice(plugins), ...adviceOf(podFailures[0], isFixed, missing)],
    });
  }),
};

/**
 * What a kubelet lacks itself; its other refusals are about what the pod asks for (kubernetes
 * `lifecycle/predicate.go`).
 */
const nodeRefusals =
  /^(?:OutOf|(?:UnexpectedAdmissionError|TopologyAffinityError|InvalidNodeInfo|VolumeAttachmentLimitExceeded)$)/;

const sysctlRefused = 'SysctlForbidden';

/**
 * What the kubelet does not allow or support, whatever is free on its node: the template asks for it
 * (kubernetes `pkg/kubelet/sysctl/allowlist.go`, `pkg/kubelet/lifecycle`).
 */
const podRefusals: ReadonlySet<string> = new Set([
  sysctlRefused,
  'AppArmor',
  'PodOSNotSupported',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodFeatureUnsupported',
  'PodLevelResourcesNotSupported',
  'SupplementalGroupsPolicyNotSupported',
  'InitContainerRestartPolicyForbidden',
  // Whole cores alone are handed out (`cm/cpumanager/policy_static.go: ErrorSMTAlignment`).
  'SMTAlignmentError',
]);

/**
 * The kubelet's words for a device that it cannot hand out (kubernetes `pkg/kubelet/cm/devicemanager`), and
 * for any other error while it admits a pod.
 */
const unexpected = 'UnexpectedAdmissionError';

/** For a critical pod, the kubelet evicts others (kubernetes `pkg/kubelet/preemption`). */
function isPreemptionRefused({ reason, message }: PodFailure): boolean {
  return reason === unexpected && /\bpods to preempt\b/.test(message.slice(0, 4096));
}

/** The CPU and memory managers hand out cores and memory in the same words (`cm/cpumanager`). */
const ofManagers = /\bnot enough (?:cpus?|memory|hugepages)\b|\binsufficient (?:cpus?|memory)\b/i;

function isDeviceFault(failure: PodFailure): boolean {
  const isManager = ofManagers.test(failure.message.slice(0, 4096));
  return failure.reason === unexpected && !isPreemptionRefused(failure) && !isManager;
}

/** A driver reports while it attaches a volume that its node takes no more (`volumemanager`, since 1.35). */
const attachLimit = 'VolumeAttachmentLimitExceeded';

/**
 * The kubelet gives a pod its cores, memory and devices from the NUMA nodes that its policy allows
 * (`cm/topologymanager/scope.go: ErrorTopologyAffinity`); no scheduler plugin of Kubernetes knows them.
 */
const notAligned = 'TopologyAffinityError';

/** Whether the refused pods ask for something else than those of the former revision. */
function asksForMore(snapshot: Snapshot, failureGroup: FailureGroup): boolean {
  const [{ pod, reason }] = failureGroup.podFailures;
  const former = healthyPredecessors(snapshot, failureGroup);
  const resourcesOf = ({ spec }: Pod) => canonicalJson(spec.containers.map(({ resources }) => resources));
  return (
    reason === notAligned &&
    former.length > 0 &&
    former.every((each) => resourcesOf(each) !== resourcesOf(pod))
  );
}

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
  const isDaemon = hasPodPerNode(snapshot.workload);
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

/**
 * Ready pods of a former revision that alone use what the rejected pod lacks. Each new pod is rejected while
 * the controller keeps them until a new one is ready.
 */
function oldHoldersOf(
  { snapshot }: Examination,
  { revision }: FailureGroup,
  { holders, own }: Missing,
): readonly Pod[] {
  const isOld = (pod: Pod) => isReady(pod) && revisionOfPod(pod) !== revision;
  return hasReplicaSets(snapshot.workload) && holders.length === 0 && own.every(isOld) ? own : [];
}

function stopFirst(examination: Examination, old: readonly Pod[]): Offer<PatchStrategy> {
  const state = rolloutStateOf(examination.snapshot);
  if (state.kind !== 'Deployment') return nothingOffered;
  const simulator = podSimulatorOf(examination, (_pod, _node, { gone }) => {
    const left = new Set(gone.map(podKey));
    return old.every((pod) => left.has(podKey(pod)));
  });
  return proposePatchStrategy({ state, simulator });
}

interface Missing {
  readonly reasons: readonly string[];
  /** Pods that use what this pod lacks; none for what the node can never give. */
  readonly holders: readonly Pod[];
  /** Pods of this workload among them, which `holders` leaves out. */
  readonly own: readonly Pod[];
  /** The node is too small for the pod, whatever else runs there. */
  readonly isTooLarge: boolean;
}

/**
 * The result of the scheduler's filters for such a pod on that node: the kubelet runs several of the same
 * checks.
 */
function missingOn({ snapshot, placement }: Examination, pod: Pod): Missing {
  const node = snapshot.index.nodes.get(pod.spec.nodeName ?? '');
  if (node === undefined) return { reasons: [], holders: [], own: [], isTooLarge: false };
  const { nodeName: _fixed, ...spec } = pod.spec;
  const asked: Pod = {
    ...pod,
    spec: { ...spec, nodeName: undefined },
    status: { ...pod.status, phase: 'Pending' },
  };
  const { reasons } = placement.check(asked, node);
  const ownUids = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const using = reasons.flatMap((reason) => ('holders' in reason && reason.resolvable ? reason.holders : []));
  const isOwn = ({ metadata }: Pod) => ownUids.has(metadata.uid);
  const isTooLarge = reasons.some(
    (reason) => 'allocatable' in reason && !reason.resolvable && unofferedDevices(node, reason) === undefined,
  );
  return {
    reasons: reasons.map(({ text }) => text),
    holders: isTooLarge ? [] : [...new Set(using)].filter((each) => !isOwn(each)),
    own: isTooLarge ? [] : [...new Set(using)].filter(isOwn),
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

function adviceOf(
  failure: PodFailure,
  isFixed: boolean,
  { holders, isTooLarge }: Missing,
): readonly Advice[] {
  const { pod, reason } = failure;
  const node = pod.spec.nodeName ?? '';
  // Neither waiting nor the departure of other pods makes a larger node.
  if (isTooLarge) return [{ title: state('advice-smaller-title'), text: state('advice-smaller', { node }) }];
  if (reason === attachLimit) {
    return [
      {
        title: state('advice-volumes-title'),
        text: state('advice-volumes', { node }),
        snippet: `kubectl get csinode ${node} -o yaml\n`,
      },
    ];
  }
  if (reason === notAligned)
    return [{ title: state('advice-aligned-title'), text: state('advice-aligned', { node }) }];
  // Another placement of the pod mends no device.
  if (isDeviceFault(failure))
    return [{ title: state('advice-node-title'), text: state('advice-node', { node }) }];
  if (isFixed && reason === 'NodeAffinity')
    return [{ title: state('advice-selector-title'), text: state('advice-selector', { node }) }];
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
