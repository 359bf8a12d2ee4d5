import { code, moment, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { counted, elapsed, isAtLeastOneSecond, joined, names } from '../../../engine/language/words.js';
import type { CloudRefusalKind } from './cloud-refusal.js';
import type { Refusal, RefusalGroup } from './facts.js';
import { refusalsInFull, refusalsInShort } from './refusal-words.js';

/** The words that all causes about waiting pods share; each spreads them into its own text. */
export const en = {
  standing: (values: { waiting: number; forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(values.forSeconds)
      ? say`${counted(values.waiting, 'pod is', 'pods are')} pending.`
      : say`${counted(values.waiting, 'pod has', 'pods have')} been pending for ${elapsed('en', values.forSeconds)}.`,
  /** Every node in exactly one group. */
  tally: ({ nodesInAll, groups }: { nodesInAll: number; groups: readonly RefusalGroup[] }) =>
    sentences(
      ...groups.map(
        ({ nodes, refusals }) =>
          say`${nodes.length} of ${counted(nodesInAll, 'node', 'nodes')} (${names('en', nodes, 3)}) cannot run the pod: ${refusalsInShort('en', refusals)}.`,
      ),
    ),
  'node-lacks': ({ node, refusals }: { node: string; refusals: readonly Refusal[] }) =>
    say`${code(node)}: ${refusalsInFull('en', refusals)}.`,
  'summary-cloud': ({ workload, kind, group }: CloudValues & { readonly workload: string }) =>
    group === ''
      ? say`${code(workload)} waits for a node that the cloud refuses: ${word(cloudWords.en[kind].because)}`
      : say`${code(workload)} waits for a node of ${code(group)} that the cloud refuses: ${word(cloudWords.en[kind].because)}`,
  'cloud-refused': ({ by, group, said }: { by: string; group: string; said: string }) =>
    group === ''
      ? say`${code(by)} asked for a node, and the cloud refused it: ${quote(said)}`
      : say`${code(by)} asked for a node of ${code(group)}, and the cloud refused it: ${quote(said)}`,
  'cloud-advice-title': ({ kind }: Pick<CloudValues, 'kind'>) => say`${word(cloudWords.en[kind].title)}`,
  'cloud-advice': ({ kind, group }: CloudValues) =>
    group === ''
      ? say`${word(cloudWords.en[kind].advice)}`
      : say`Node group ${code(group)}: ${word(cloudWords.en[kind].advice)}`,
  'ev-cloud': ({ by }: { by: string }) => say`${code(by)} reports why the cloud gave no node`,
  'autoscaler-declined': ({ by, said }: { by: string; said: string }) =>
    say`${code(by)} does not add a node for this pod: ${code(said)}.`,
  'autoscaler-expired': ({ by, since }: { by: string; since: string }) =>
    say`${code(by)} ordered a node ${moment(since)}. The pod is still pending after 15 minutes, so the order counts as failed.`,
  'pool-limit': (values: { pool: string; resource: string; limit: string; left: string }) =>
    say`The NodePool ${code(values.pool)} cannot add a node for this pod: its limit of ${code(values.limit)} ${code(values.resource)} leaves ${code(values.left)}.`,
  'pool-not-ready': ({ pool, reason }: { pool: string; reason: string }) =>
    say`The NodePool ${code(pool)} is not ready (${code(reason)}), so Karpenter adds no node of it.`,
  'pool-static': ({ pool }: { pool: string }) => say`The NodePool ${code(pool)} has a fixed number of nodes.`,
  'pool-deleted': ({ pool }: { pool: string }) => say`The NodePool ${code(pool)} is being deleted.`,
  'pool-changing': ({ pool }: { pool: string }) =>
    say`The limit of the NodePool ${code(pool)} is reached, but one of its nodes is being deleted.`,
  'pool-launched': ({ pool }: { pool: string }) =>
    say`Karpenter has launched a node of the NodePool ${code(pool)}. The node has not joined yet.`,
  'pool-below-replicas': ({ pool }: { pool: string }) =>
    say`The static NodePool ${code(pool)} has fewer nodes than its ${code('replicas')}, so Karpenter adds one.`,
  'pool-open': ({ pool }: { pool: string }) =>
    say`The limits of the NodePool ${code(pool)} allow another node for this pod.`,
  'pools-shut': () => say`Waiting does not help: no NodePool that admits this pod can add a node.`,
  'autoscaler-failed': ({ by, since }: { by: string; since: string }) =>
    say`${code(by)} ordered a node ${moment(since)}. The scale-up failed, and its node group is in backoff.`,
  'group-full': ({ group, nodes, max }: { group: string; nodes: number; max: number }) =>
    say`The node group ${code(group)} has ${nodes} of at most ${counted(max, 'node', 'nodes')}.`,
  'group-backoff': ({ group, errorCode }: { group: string; errorCode: string }) =>
    errorCode === ''
      ? say`A scale-up of the node group ${code(group)} failed, so cluster-autoscaler does not try it for some time.`
      : say`A scale-up of the node group ${code(group)} failed (${code(errorCode)}), so cluster-autoscaler does not try it for some time.`,
  'group-open': ({ group, nodes, max }: { group: string; nodes: number; max: number }) =>
    max === 0
      ? say`The node group ${code(group)} has ${counted(nodes, 'node', 'nodes')}, and cluster-autoscaler reports no maximum.`
      : say`The node group ${code(group)} has ${nodes} of at most ${counted(max, 'node', 'nodes')}, so it can grow if its nodes suit the pod.`,
  'groups-full': () => say`Waiting does not help: every node group of cluster-autoscaler is at its maximum.`,
  'groups-shut': () =>
    say`No node group of cluster-autoscaler can grow now. It retries those in backoff later, and the same error may come again.`,
  'pools-admit-not': () => say`Waiting does not help: no NodePool admits this pod.`,
  'unhealthy-device': (values: { pod: string; node: string; resource: string; device: string }) =>
    say`${code(values.pod)} holds the device ${code(values.device)} of ${code(values.resource)} on ${code(values.node)}, and its device plugin reports the device as unhealthy. A new pod cannot get this device.`,
  'devices-lost': (values: { node: string; resource: string; had: number; offered: number }) =>
    say`${code(values.node)} offers only ${values.offered} of its ${values.had} ${code(values.resource)}: the device plugin reports the others as unhealthy, or does not report them.`,
  'devices-may-return': ({ node }: { node: string }) =>
    say`If the devices of ${code(node)} that it does not offer become healthy, a new pod fits there without a change.`,
  'advice-devices-lost-title': ({ nodes }: { nodes: readonly string[] }) =>
    say`Bring back the devices of ${names('en', nodes)}`,
  'advice-devices-lost': () =>
    say`Check the log of the device plugin's pod on the node, and the devices with the tool of their vendor. A device counts again as soon as the plugin reports it as healthy.`,
  'ev-unhealthy-device': ({ pod, device }: { pod: string; device: string }) =>
    say`${code(device)}, which ${code(pod)} holds, is unhealthy`,
  'ev-unschedulable': ({ pod }: { pod: string }) => say`the scheduler finds no node for ${code(pod)}`,
  'ev-declined': ({ by }: { by: string }) => say`${code(by)} does not add a node for the pod`,
  'ev-ordered': ({ by }: { by: string }) => say`${code(by)} ordered a node`,
  'plugin-words': ({ said }: { said: string }) =>
    say`The scheduler also reports a reason that the simulation does not cover: ${quote(said)}`,
  'not-simulated': ({ parts }: { parts: readonly string[] }) =>
    say`The simulation does not cover ${names('en', parts)}. The scheduler may also refuse the pod for these.`,
  'neighbours-unread': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`${names('en', neighbours, 3)} could not be read in full. A rollout there may still stop old pods, and the pod may fit then.`,
  unread: ({ what, because }: { what: string; because: string }) =>
    say`Some objects of kind ${code(what)} could not be read (${code(because)}), so free capacity there is not ruled out.`,
  'revisions-unread': ({ what, because }: { what: string; because: string }) =>
    say`Objects of kind ${code(what)} could not be read (${code(because)}), so it is not known which pods are of an old revision.`,
  malformed: ({ what }: { what: string }) =>
    say`An object of kind ${code(what)} could not be read. This finding may depend on it.`,
  'better-unread': ({ causes, kinds }: { causes: readonly string[]; kinds: readonly string[] }) =>
    say`Another cause may explain this better: ${names('en', causes, 3)}. It could not be checked without ${names('en', kinds)}.`,
  'assumed-apart': () =>
    say`${code('spec.affinity')} was not read. The scheduler's counts fit anti-affinity between the pods of this workload, so this finding assumes it.`,
  'assumed-surge': () =>
    say`${code('spec.updateStrategy')} was not read. The pods and events of the DaemonSet fit a surge, so this finding assumes one.`,
  'partly-recorded': ({ what, fields }: { what: string; fields: readonly string[] }) =>
    say`Some fields of the ${code(what)} objects are not in the recording (${names('en', fields, 3)}). This finding may depend on them.`,
  'owner-unread': ({ what, because }: { what: string; because: string }) =>
    say`The ${code(what)} above this workload could not be read (${code(because)}). This finding may depend on it.`,
  disagrees: ({ said, found }: { said: string; found: readonly RefusalGroup[] }) =>
    sentences(
      say`The scheduler's message differs from the simulation. Scheduler: ${quote(said)}`,
      say`Simulation: ${joined(
        'en',
        found.map(
          ({ nodes, refusals }) =>
            say`${counted(nodes.length, 'node', 'nodes')}: ${refusalsInShort('en', refusals)}`,
        ),
      )}.`,
    ),
  'next-attempt': () => say`The scheduler retries when a node or pod changes, and at least every 5 minutes.`,
  'because-no-predecessor': () => say`no pod of an older revision is left that could hold resources`,
  'because-kept': ({ pods }: { pods: readonly string[] }) =>
    say`the traffic names the revision of ${names('en', pods, 3)}, so that it stays in any case`,
  'because-no-surge-group': () => say`no new group was created beside the old groups to wait for them`,
  'because-predecessors-useless': ({ pods }: { pods: readonly string[] }) =>
    say`the pod would not fit even without the old ${names('en', pods, 3)}`,
  'because-no-order': () => say`no autoscaler has ordered a node for the pod`,
  'because-in-service': () => say`no node that could run the pod is cordoned or unhealthy`,
  'because-out-of-service': ({ nodes }: { nodes: readonly string[] }) =>
    say`only the state of ${names('en', nodes, 3)} keeps the pod from running there`,
  'because-could-fit': ({ node }: { node: string }) =>
    say`${code(node)} could run the pod if other pods left`,
  'because-never': ({ nodes }: { nodes: number }) =>
    say`none of the ${counted(nodes, 'node', 'nodes')} could run the pod, even without other pods`,
  'because-no-gates': () => say`the pod has no scheduling gates`,
  'because-tried': () => say`the scheduler has tried the pod`,
  'because-claims-bound': () => say`no volume claim of the pod is unbound or unusable`,
  'because-never-started': ({ pod }: { pod: string }) =>
    say`${code(pod)} has no node, so no container of it was ever started`,
  'restart-withheld': () => say`A restart only replaces one pending pod with another.`,
  'patch-unknown': () =>
    say`The objects that were read do not show whether stopping an old pod makes room for the new one.`,
  'patch-withheld': () =>
    say`Stopping old pods first does not make room on any node, and it reduces the number of ready pods.`,
  /** Domains that set the minimum, though no pod of the workload may ever go there. */
  'spread-counts': (values: {
    topologyKey: string;
    domains: readonly string[];
    minimum: number;
    maxSkew: number;
  }) =>
    say`The topology spread over ${code(values.topologyKey)} also counts ${names('en', values.domains)}, where these pods can never run. With ${counted(values.minimum, 'matching pod', 'matching pods')} there and maxSkew ${values.maxSkew}, no other domain may have more than ${values.minimum + values.maxSkew}.`,
  'advice-spread-title': () => say`Exclude nodes that the pods cannot use from the spread`,
  'advice-spread': ({ nodes }: { nodes: readonly string[] }) =>
    say`With ${code('nodeTaintsPolicy: Honor')} the constraint no longer counts ${names('en', nodes)}. The change of the pod template starts a rollout.`,
  'advice-requests-title': ({ resource }: { resource: string }) => say`Request less ${code(resource)}`,
  'advice-requests': ({ resource, free, node }: { resource: string; free: string; node: string }) =>
    say`With a request of at most ${code(free)} of ${code(resource)}, the pod fits on ${code(node)} now.`,
  'advice-node-title': () => say`Add a node`,
  'advice-node': ({ resource, requested }: { resource: string; requested: string }) =>
    say`A node with ${code(requested)} of ${code(resource)} free that meets the other requirements of these pods can run them.`,
  'advice-preference-title': () => say`Make the anti-affinity a preference`,
  'advice-preference': ({ topologyKey }: { topologyKey: string }) =>
    say`Required anti-affinity allows one pod per ${code(topologyKey)}. As a preference, it spreads the pods as far as capacity allows.`,
  'advice-backoff-title': () => say`Find out why the last node did not come`,
  'advice-backoff': ({ by }: { by: string }) =>
    say`${code(by)} tried to add a node, and the attempt failed. It waits before it tries again. Its status and its log name the reason, for example a quota or machines that the cloud has no more of.`,
  'advice-limits-title': () => say`Raise the limit of the autoscaler`,
  'advice-limits': ({ by }: { by: string }) =>
    say`${code(by)} has reached a configured limit. Raise the limit if you accept the cost.`,
  'advice-pool-limit': ({ pool, resource, needed }: { pool: string; resource: string; needed: string }) =>
    say`The NodePool ${code(pool)} needs a limit of at least ${code(needed)} ${code(resource)} for this pod, more where its instances are larger. Raise it if you accept the cost.`,
  'advice-pool-replicas-title': () => say`Add a node to the static NodePool`,
  'advice-pool-replicas': ({ pool }: { pool: string }) =>
    say`Karpenter adds no node to ${code(pool)} for a pod. Raise its ${code('spec.replicas')} if you accept the cost.`,
  unconfirmed: ({ said }: { said: string }) =>
    sentences(
      say`The scheduler reports: ${quote(said)}`,
      say`The objects that were read neither confirm nor refute this.`,
    ),
  counterfactual: ({ pod, without, node }: { pod: string; without: readonly string[]; node: string }) =>
    say`Without ${names('en', without)}, the pod ${code(pod)} fits on ${code(node)}.`,
  'ev-finalizers': () => say`remaining finalizers`,
  'advice-uncordon-title': () => say`Uncordon the node when the maintenance is done`,
};

/** What the sentences about a refusal of the cloud need. */
interface CloudValues {
  readonly kind: CloudRefusalKind;
  /** '' where nothing names it. */
  readonly group: string;
}

type Words = Readonly<Record<'because' | 'title' | 'advice', string>>;

/** Each kind of refusal: the clause of the headline, and what helps. */
export const cloudWords: Readonly<Record<'en' | 'ko', Readonly<Record<CloudRefusalKind, Words>>>> = {
  en: {
    quota: {
      because: 'its quota is used up',
      title: 'Raise the quota of the cloud account',
      advice:
        'Ask the cloud provider for a higher quota of this kind of machine in this region, or delete machines that are not needed. A node group with another kind of machine has a quota of its own.',
    },
    'stock-out': {
      because: 'it has no such machine left now',
      title: 'Allow other machines or zones',
      advice:
        'Add more instance types, zones or on-demand capacity to the group, or reserve capacity. The autoscaler retries later, and succeeds when the cloud has a machine.',
    },
    unauthorised: {
      because: 'the autoscaler is not permitted to create it',
      title: 'Give the autoscaler the permission',
      advice:
        'Add the missing permission to the role or service account of the autoscaler, or renew its credentials. The reason above names the action.',
    },
    unsupported: {
      because: 'this kind of machine does not exist there',
      title: 'Correct the machine type or the zone',
      advice:
        'The region or zone does not offer this machine. Choose another machine type, or a zone that has it. Trying again does not help.',
    },
    addresses: {
      because: 'its subnet has no free address',
      title: 'Give the node group more addresses',
      advice: 'Add a subnet or a larger address range to the group, or release unused addresses.',
    },
    other: {
      because: 'the reason is in its message',
      title: 'Read the reason of the cloud',
      advice: 'The message above is the answer of the cloud provider. Its console shows the same request.',
    },
  },
  ko: {
    quota: {
      because: '클라우드 할당량 소진',
      title: '클라우드 계정 할당량 늘리기',
      advice:
        '이 리전에서 이 종류의 머신 할당량을 늘려 달라고 클라우드에 요청하거나, 쓰지 않는 머신을 삭제하세요. 다른 종류의 머신을 쓰는 노드 그룹에는 별도의 할당량이 있습니다.',
    },
    'stock-out': {
      because: '지금 남은 머신이 없음',
      title: '다른 머신이나 영역 허용하기',
      advice:
        '노드 그룹에 인스턴스 유형, 영역, 온디맨드 용량을 추가하거나 용량을 예약하세요. 오토스케일러가 나중에 다시 시도하며, 클라우드에 머신이 생기면 성공합니다.',
    },
    unauthorised: {
      because: '오토스케일러에 생성 권한이 없음',
      title: '오토스케일러에 권한 부여하기',
      advice:
        '오토스케일러의 역할이나 서비스 계정에 없는 권한을 추가하거나 자격 증명을 갱신하세요. 필요한 작업은 위 이유에 나와 있습니다.',
    },
    unsupported: {
      because: '그곳에 없는 머신 유형',
      title: '머신 유형이나 영역 바로잡기',
      advice:
        '이 리전이나 영역에서는 이 머신을 제공하지 않습니다. 다른 머신 유형이나 이 머신이 있는 영역을 선택하세요. 다시 시도해도 해결되지 않습니다.',
    },
    addresses: {
      because: '서브넷에 남은 주소가 없음',
      title: '노드 그룹에 주소 추가하기',
      advice: '노드 그룹에 서브넷이나 더 큰 주소 범위를 추가하거나, 쓰지 않는 주소를 해제하세요.',
    },
    other: {
      because: '이유는 메시지 참고',
      title: '클라우드가 보고한 이유 확인하기',
      advice: '위 메시지가 클라우드의 응답입니다. 클라우드 콘솔에서도 같은 요청을 확인할 수 있습니다.',
    },
  },
};
