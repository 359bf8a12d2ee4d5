import * as z from 'zod';
import type { SameSentences } from '../../engine/language/catalogue.js';
import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, names } from '../../engine/language/words.js';
import type { Pod } from '../../engine/objects/pod.js';
import { isReady, podKey, podNames, qualifiedPodNames, refOf } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasPodPerNode, hasReplicaSets, workloadKinds } from '../../engine/objects/workload.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { revisionOfPod } from '../findings/crashes/classify-pod.js';
import { crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts } from '../findings/crashes/facts.js';
import { detectEach } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { podsOf } from '../findings/crashes/failure-group.js';
import { agentAdvice, troubledDevicePlugins } from '../findings/crashes/node-agents.js';
import type { PodFailure } from '../findings/crashes/pod-failure.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { type Advice, blamedNode } from '../findings/finding.js';
import { podSimulatorOf } from '../findings/pod-simulator-of.js';
import type { Examination, Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { unofferedDevices } from '../findings/waiting/unhealthy-devices.js';
import type { PatchStrategy } from '../fixes/kinds/patch-strategy/forms.js';
import { proposePatchStrategy } from '../fixes/kinds/patch-strategy/propose.js';
import { nothingOffered, type Offer } from '../fixes/offered-fields.js';

const en = {
  'shared-failure': () => say`the kubelet rejects pods`,
  summary: ({ workload, nodes, reason }: { workload: string; nodes: readonly string[]; reason: string }) =>
    say`${code(workload)}: the kubelet on ${names('en', nodes)} rejects its pods (${code(reason)})`,
  standing: ({ pods }: { pods: number }) =>
    say`Each pod fails immediately and the controller creates another one. ${counted(pods, 'failed pod is', 'failed pods are')} still listed.`,
  'fixed-node': ({ node }: { node: string }) =>
    say`The template sets ${code('nodeName')} to ${code(node)}, so no scheduler checked the node.`,
  'scheduler-disagrees': () =>
    say`The scheduler chose the node from the data in the API. The kubelet knows what is actually on the node.`,
  engine: ({ node, reasons }: { node: string; reasons: readonly string[] }) =>
    say`According to the API objects, ${code(node)} does not fit the pod: ${names('en', reasons)}.`,
  'too-large': ({ node }: { node: string }) =>
    say`The pod requests more than ${code(node)} can ever give, whatever else runs there.`,
  holders: ({ pods }: { pods: readonly string[] }) =>
    say`The resource is in use on this node by ${names('en', pods)}.`,
  'old-pods-hold': ({ pods }: { pods: readonly string[] }) =>
    say`On this node, ${names('en', pods)} of the previous revision ${word(pods.length === 1 ? 'uses' : 'use')} what the new pod needs. The controller stops no old pod before a new one is ready.`,
  'device-fault': () =>
    say`The message is about devices of the node. Their plugin, a device or its driver fails there.`,
  'not-preempted': ({ node }: { node: string }) =>
    say`The pod is critical. The kubelet found no pods on ${code(node)} that it may evict to make room for it.`,
  'keeps-creating': ({ kind, pods }: { kind: string; pods: number }) =>
    say`${code(kind)} creates a new pod for each rejected one. ${counted(pods, 'pod remains', 'pods remain')} in phase Failed.`,
  'ev-node-name': () => say`set in the pod template`,
  'because-has-node': () => say`the pod has a node, so the kubelet rejects it, not the scheduler`,
  'restart-withheld': () => say`New pods would go to the same node and be rejected too.`,
  'advice-node-name-title': () => say`Let the scheduler choose the node`,
  'advice-node-name': ({ node }: { node: string }) =>
    say`Use a node selector instead of ${code('nodeName')}. The pod then waits until ${code(node)} has room instead of failing again and again.`,
  'advice-selector-title': () => say`Remove ${code('nodeName')}, or change the selector`,
  'advice-selector': ({ node }: { node: string }) =>
    say`The node selector or affinity of the template excludes ${code(node)}, which its ${code('nodeName')} names. Waiting does not help.`,
  'advice-holder-title': () => say`Or decide which workload uses the resource`,
  'advice-holder': ({ pods }: { pods: readonly string[] }) =>
    say`Only one of them can use the resource on this node: ${names('en', pods)} or this workload.`,
  'advice-smaller-title': () => say`Lower the request, or use a larger node`,
  'advice-smaller': ({ node }: { node: string }) =>
    say`No other pod has to leave ${code(node)}: the node is too small for this request.`,
  'advice-asks-title': () => say`Ask only for what the kubelet allows`,
  'advice-asks': ({ nodes }: { nodes: readonly string[] }) =>
    say`Remove the setting that the message names from the pod template, or allow it in the kubelet of ${names('en', nodes)}.`,
  'advice-sysctl': ({ nodes }: { nodes: readonly string[] }) =>
    say`Remove the sysctl that the message names from ${code('spec.securityContext')}, or list it in ${code('allowedUnsafeSysctls')} of the kubelet configuration of ${names('en', nodes)} and restart the kubelet. Managed node pools have a setting for this list.`,
  'attach-limit': () =>
    say`The storage driver attaches no further volume to this node. The limit that it reports to the scheduler is higher, or volumes are attached outside Kubernetes.`,
  'advice-volumes-title': () => say`Compare the limit with the attached volumes`,
  'advice-volumes': ({ node }: { node: string }) =>
    say`Compare ${code('allocatable.count')} in the CSINode of ${code(node)} with the volumes that the storage provider has attached. Detach the others.`,
  'advice-node-title': () => say`Check the node`,
  'advice-node': ({ node }: { node: string }) =>
    say`The resources that ${code(node)} reports differ from what the kubelet can provide.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`kubelet이 파드를 거부함`,
  summary: ({ workload, nodes, reason }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 kubelet이 파드를 거부합니다(${code(reason)})`,
  standing: ({ pods }) =>
    say`파드가 바로 실패하고 컨트롤러가 새 파드를 만드는 일이 반복됩니다. 실패한 파드 ${pods}개가 남아 있습니다.`,
  'fixed-node': ({ node }) =>
    say`템플릿의 ${code('nodeName')} 값이 ${code(node)}이므로 스케줄러가 노드를 확인하지 않습니다.`,
  'scheduler-disagrees': () =>
    say`스케줄러는 API에 있는 정보로 노드를 골랐지만, 노드의 실제 상태는 kubelet이 압니다.`,
  engine: ({ node, reasons }) =>
    say`API 오브젝트에 따르면 ${code(node)} 노드에 파드를 배치할 수 없는 이유: ${names('ko', reasons)}.`,
  'too-large': ({ node }) =>
    say`파드가 요청하는 양은 다른 파드와 관계없이 ${code(node)} 노드가 줄 수 있는 양보다 많습니다.`,
  holders: ({ pods }) => say`이 노드에서 그 리소스를 사용 중인 파드: ${names('ko', pods)}.`,
  'old-pods-hold': ({ pods }) =>
    say`새 파드에 필요한 것을 이 노드에서 이전 리비전의 ${names('ko', pods)} 파드가 사용 중입니다. 컨트롤러는 새 파드가 준비되기 전에 이전 파드를 중지하지 않습니다.`,
  'device-fault': () =>
    say`노드의 장치에 관한 메시지입니다. 디바이스 플러그인, 장치 또는 드라이버에 문제가 있습니다.`,
  'not-preempted': ({ node }) =>
    say`중요(critical) 파드이지만, 자리를 내기 위해 kubelet이 축출할 수 있는 파드가 ${code(node)} 노드에 없습니다.`,
  'keeps-creating': ({ kind, pods }) =>
    say`${code(kind)} 컨트롤러가 거부될 때마다 새 파드를 만듭니다. 실패한 파드 ${pods}개가 남아 있습니다.`,
  'ev-node-name': () => say`파드 템플릿에 지정됨`,
  'because-has-node': () => say`파드에 노드가 지정되어 있어, 거부한 것은 스케줄러가 아니라 kubelet`,
  'restart-withheld': () => say`새 파드도 같은 노드로 가서 다시 거부됩니다.`,
  'advice-node-name-title': () => say`스케줄러가 노드를 고르게 하기`,
  'advice-node-name': ({ node }) =>
    say`${code('nodeName')} 대신 nodeSelector를 사용하세요. 그러면 파드가 계속 실패하지 않고 ${code(node)} 노드에 자리가 날 때까지 기다립니다.`,
  'advice-selector-title': () => say`${code('nodeName')}을 제거하거나 선택 조건 바꾸기`,
  'advice-selector': ({ node }) =>
    say`템플릿의 nodeSelector나 affinity가 ${code('nodeName')}에 적힌 ${code(node)} 노드를 제외합니다. 기다려도 해결되지 않습니다.`,
  'advice-holder-title': () => say`또는 리소스를 사용할 워크로드 정하기`,
  'advice-holder': ({ pods }) =>
    say`그 노드에서는 둘 중 하나만 리소스를 쓸 수 있습니다: ${names('ko', pods)} 또는 이 워크로드.`,
  'advice-smaller-title': () => say`요청을 줄이거나 더 큰 노드 사용하기`,
  'advice-smaller': ({ node }) =>
    say`${code(node)} 노드에서 다른 파드를 비울 필요는 없습니다. 이 요청에는 노드가 너무 작습니다.`,
  'advice-asks-title': () => say`kubelet이 허용하는 설정만 요청하기`,
  'advice-asks': ({ nodes }) =>
    say`메시지에 나온 설정을 파드 템플릿에서 제거하거나 ${names('ko', nodes)} 노드의 kubelet에서 허용하세요.`,
  'advice-sysctl': ({ nodes }) =>
    say`메시지에 나온 sysctl을 ${code('spec.securityContext')}에서 제거하거나, ${names('ko', nodes)} 노드의 kubelet 설정 ${code('allowedUnsafeSysctls')}에 추가하고 kubelet을 다시 시작하세요. 관리형 노드 풀에는 이 목록을 정하는 설정이 있습니다.`,
  'attach-limit': () =>
    say`스토리지 드라이버가 이 노드에 볼륨을 더 연결하지 못합니다. 스케줄러에 보고한 한도가 실제보다 높거나, Kubernetes 밖에서 연결된 볼륨이 있습니다.`,
  'advice-volumes-title': () => say`한도와 연결된 볼륨 비교하기`,
  'advice-volumes': ({ node }) =>
    say`${code(node)} 노드 CSINode의 ${code('allocatable.count')} 값을 스토리지 제공업체에서 실제로 연결된 볼륨과 비교하고, 그 밖의 볼륨은 분리하세요.`,
  'advice-node-title': () => say`노드 확인하기`,
  'advice-node': ({ node }) =>
    say`${code(node)} 노드가 보고한 리소스와 kubelet이 실제로 제공할 수 있는 리소스가 다릅니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('kubelet-rejected');

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
    const plugins = isDevice ? troubledDevicePlugins(snapshot, nodes) : [];
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
        ...(fix.remediations.length === 0 ? [] : [state('old-pods-hold', { pods: podNames(old) })]),
        ...(isDevice ? [state('device-fault')] : []),
        ...(isPreemptionRefused(podFailures[0])
          ? [state('not-preempted', { node: pod.spec.nodeName ?? '' })]
          : []),
        ...plugins.map((each) => crash('agent', { ...each })),
        ...(reason === attachLimit ? [state('attach-limit')] : []),
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
