import * as z from 'zod';
import { leastOf } from '../../engine/collections/collections.js';
import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { names } from '../../engine/language/words.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, crashFactsOf, sameFailureFact, timesFact } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf, verbOf } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { podFailuresIn, podsOf } from '../findings/crashes/failure-group.js';
import { agentAdvice, troubledAgents } from '../findings/crashes/node-agents.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { blamedNode } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { endingOf } from '../log-lines/ending-kinds.js';

type Words = Readonly<Record<SandboxPart, string>>;

const failed = {
  en: {
    network: 'cannot set up the pod network',
    addresses: 'ran out of pod IP addresses',
    runtime: 'cannot start pods: the container runtime fails',
    driver: 'has a driver that the image of the pod does not accept',
    device: 'cannot prepare a device for the pod',
    handler: 'has no runtime handler of the name that the RuntimeClass of the pod gives',
    image: 'cannot get the image of the pod sandbox',
    unknown: 'cannot start pods',
  },
  ko: {
    network: '노드에서 파드 네트워크를 설정하지 못합니다',
    addresses: '노드에 파드에 할당할 IP 주소가 없습니다',
    runtime: '노드의 컨테이너 런타임 오류로 파드를 시작하지 못합니다',
    driver: '노드의 드라이버를 파드의 이미지가 받아들이지 않습니다',
    device: '노드에서 파드의 장치를 준비하지 못합니다',
    handler: '노드의 컨테이너 런타임에 파드의 RuntimeClass가 지정한 핸들러가 없습니다',
    image: '노드에서 파드 샌드박스 이미지를 가져오지 못합니다',
    unknown: '노드에서 파드를 시작하지 못합니다',
  },
} as const satisfies Record<string, Words>;

const meaning = {
  en: {
    network:
      'The network plugin (CNI) returns an error or is not running. The program itself is not involved.',
    addresses:
      'The addresses that the network plugin may give to pods of this node are in use: of the range of the node, its interfaces or its subnet. Or the addresses of deleted pods were not released.',
    runtime: 'The container runtime on the node fails before the program starts.',
    driver: 'The runtime compares the driver of the node with what the image requires.',
    device: 'The device driver does not respond or returns an error.',
    handler:
      'The container runtime of the node is not configured for this handler. The program itself is not involved.',
    image:
      'The container runtime needs its own small image (pause) for each pod. The image of the program is not involved.',
    unknown: 'The failure happens before the program starts, so the program is not involved.',
  },
  ko: {
    network: '네트워크 플러그인(CNI)이 오류를 반환하거나 실행 중이 아닙니다. 프로그램과는 무관합니다.',
    addresses:
      '네트워크 플러그인이 이 노드의 파드에 줄 수 있는 주소(노드 대역, 네트워크 인터페이스, 서브넷)가 모두 사용 중이거나, 삭제된 파드의 주소가 반환되지 않았습니다.',
    runtime: '프로그램이 시작되기 전에 노드의 컨테이너 런타임에서 오류가 발생합니다.',
    driver: '런타임이 노드의 드라이버를 이미지가 요구하는 것과 비교합니다.',
    device: '장치 드라이버가 응답하지 않거나 오류를 반환합니다.',
    handler: '이 노드의 컨테이너 런타임에는 이 핸들러가 설정되어 있지 않습니다. 프로그램과는 무관합니다.',
    image: '컨테이너 런타임은 파드마다 자체 이미지(pause)를 사용합니다. 프로그램의 이미지와는 무관합니다.',
    unknown: '프로그램이 시작되기 전에 실패하므로 프로그램과는 무관합니다.',
  },
} as const satisfies Record<string, Words>;

const todo = {
  en: {
    network: "Check the network plugin's pod on the node.",
    addresses:
      "Compare the node's podCIDR, or the free addresses of its interfaces and subnet, with the number of pods on it. Check for addresses that the IPAM plugin did not release.",
    runtime: 'Check the logs of the container runtime and the kubelet on the node.',
    driver: 'Install the driver that the image requires, or use an image for the driver of the node.',
    device: "Check the device driver's pod on the node.",
    handler:
      'Configure the handler on the node, or restrict the RuntimeClass to nodes that have it (scheduling.nodeSelector).',
    image:
      'Check the path from the node to the registry of the sandbox image, and the name of that image in the configuration of the container runtime.',
    unknown: 'Check the kubelet log on the node.',
  },
  ko: {
    network: '이 노드의 네트워크 플러그인 파드를 확인하세요.',
    addresses:
      '노드의 podCIDR 또는 인터페이스와 서브넷의 남은 주소를 파드 수와 비교하고, IPAM 플러그인이 반환하지 않은 주소가 있는지 확인하세요.',
    runtime: '노드에서 컨테이너 런타임과 kubelet 로그를 확인하세요.',
    driver: '이미지가 요구하는 드라이버를 설치하거나, 노드의 드라이버에 맞는 이미지를 사용하세요.',
    device: '이 노드의 장치 드라이버 파드를 확인하세요.',
    handler:
      '노드의 컨테이너 런타임에 핸들러를 설정하거나, RuntimeClass를 핸들러가 있는 노드로 제한하세요(scheduling.nodeSelector).',
    image:
      '노드에서 샌드박스 이미지의 레지스트리까지의 경로와, 컨테이너 런타임 설정의 이미지 이름을 확인하세요.',
    unknown: '노드에서 kubelet 로그를 확인하세요.',
  },
} as const satisfies Record<string, Words>;
/** Which part of the node failed to make the pod's sandbox. */
const sandboxParts = [
  'network',
  'addresses',
  'handler',
  'image',
  'driver',
  'runtime',
  'device',
  'unknown',
] as const;
type SandboxPart = (typeof sandboxParts)[number];

const en = {
  'shared-failure': () => say`the pod sandbox cannot be created`,
  summary: ({ workload, nodes, part }: { workload: string; nodes: readonly string[]; part: SandboxPart }) =>
    say`${code(workload)}: ${names('en', nodes)} ${word(failed.en[part])}`,
  'summary-profile': ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`${code(workload)}: ${names('en', nodes)} ${word(nodes.length === 1 ? 'lacks' : 'lack')} a security profile that its pod requires`,
  'profile-missing': () =>
    say`The security context of the pod names a profile of seccomp or AppArmor, and the runtime does not find it on the node.`,
  'advice-profile-title': () => say`Install the profile on the nodes, or name another one`,
  'advice-profile': () =>
    say`A profile of type ${code('Localhost')} has to be on each node before the pod starts. ${code('RuntimeDefault')} is on every node.`,
  standing: (pods: FailingPods) => say`${failingPods('en', pods)} ${verbOf(pods, 'does', 'do')} not start.`,
  means: ({ part }: { part: SandboxPart }) => say`${word(meaning.en[part])}`,
  handler: ({ handler, runtimeClass }: { handler: string; runtimeClass: string | undefined }) =>
    runtimeClass === undefined
      ? say`The runtime has no handler ${code(handler)}. The pod names no RuntimeClass, so this is the default of the node.`
      : say`The runtime has no handler ${code(handler)}, which RuntimeClass ${code(runtimeClass)} of the pod names.`,
  neighbours: ({ pods }: { pods: readonly string[] }) =>
    say`Pods of other workloads on the node fail in the same way: ${names('en', pods)}.`,
  'node-not-ready': ({ node }: { node: string }) => say`${code(node)} is not Ready.`,
  'because-never-started': () => say`the program never started`,
  'restart-withheld': () => say`New pods could be scheduled to the same node.`,
  'advice-title': ({ nodes }: { nodes: readonly string[] }) => say`Check ${names('en', nodes)}`,
  advice: ({ part }: { part: SandboxPart }) => say`${word(todo.en[part])}`,
};

const ko: typeof en = {
  'shared-failure': () => say`파드 샌드박스를 만들 수 없음`,
  summary: ({ workload, nodes, part }) =>
    say`${code(workload)}: ${names('ko', nodes)} ${word(failed.ko[part])}`,
  'summary-profile': ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에 파드가 요구하는 보안 프로필이 없습니다`,
  'profile-missing': () =>
    say`파드의 securityContext가 seccomp 또는 AppArmor 프로필을 지정하는데, 노드에서 런타임이 이 프로필을 찾지 못합니다.`,
  'advice-profile-title': () => say`노드에 프로필을 설치하거나 다른 프로필 지정하기`,
  'advice-profile': () =>
    say`${code('Localhost')} 유형의 프로필은 파드가 시작되기 전에 모든 노드에 있어야 합니다. ${code('RuntimeDefault')}는 모든 노드에 있습니다.`,
  standing: (pods) => say`${failingPods('ko', pods)}가 시작되지 않습니다.`,
  means: ({ part }) => say`${word(meaning.ko[part])}`,
  handler: ({ handler, runtimeClass }) =>
    runtimeClass === undefined
      ? say`런타임에 ${code(handler)} 핸들러가 없습니다. 파드에 RuntimeClass가 없으므로 노드의 기본값입니다.`
      : say`런타임에 파드의 RuntimeClass(${code(runtimeClass)})가 지정한 ${code(handler)} 핸들러가 없습니다.`,
  neighbours: ({ pods }) =>
    say`이 노드에 있는 다른 워크로드의 파드도 같은 방식으로 실패합니다: ${names('ko', pods)}.`,
  'node-not-ready': ({ node }) => say`${code(node)} 노드가 Ready 상태가 아닙니다.`,
  'because-never-started': () => say`프로그램이 한 번도 시작되지 않음`,
  'restart-withheld': () => say`새 파드도 같은 노드에 배치될 수 있습니다.`,
  'advice-title': ({ nodes }) => say`${names('ko', nodes)} 노드 확인하기`,
  advice: ({ part }) => say`${word(todo.ko[part])}`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('sandbox-failure');

const SandboxFailureFacts = z.strictObject({
  ...crashFacts,
  part: fact.oneOf(sandboxParts, 'What fails on the node, by the message'),
  times: timesFact,
  neighbours: sameFailureFact,
  nodesNotReady: fact.names('Which of the nodes are not ready'),
});

/** Network plugins fail now and then while they start; the kubelet tries again within seconds. */
const patienceSeconds = 60;

/**
 * The node cannot make the pod's sandbox: network, addresses, runtime or a device. It happens before any
 * container exists, so that neither program nor template is the reason.
 */
export const sandboxFailure: Rule<typeof SandboxFailureFacts> = {
  id: 'sandbox-failure',
  facts: SandboxFailureFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('sandbox-failure', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (isFresh(snapshot, failureGroup)) return undefined;
    const { podFailures, nodes } = failureGroup;
    const base = crashFactsOf(failureGroup);
    const [{ message, events, reason }] = podFailures;
    const part = partOf(reason, message);
    const lacksProfile = missingProfile.test(message.slice(0, 4096));
    const agents = troubledAgents(snapshot, nodes, message);
    const facts = {
      part,
      times: events.reduce((sum, { count }) => sum + count, 0),
      ...aboutNodes(snapshot, failureGroup),
    };
    return crashFinding(examination, failureGroup, {
      confidence: part === 'unknown' ? 'possible' : 'likely',
      // Another image may accept the same driver, and another template may name no profile.
      ...(part === 'driver' || lacksProfile ? { origin: 'template' as const } : {}),
      ...(lacksProfile ? {} : blamedNode(nodes)),
      facts,
      summary: lacksProfile
        ? state('summary-profile', { workload: workloadName(snapshot), nodes })
        : state('summary', { workload: workloadName(snapshot), nodes, part }),
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        crash('where', { pods: base.pods, nodes }),
        crash('event-says', { message, times: facts.times }),
        lacksProfile ? state('profile-missing') : state('means', { part }),
        ...(part === 'handler' ? [handlerSays(failureGroup)] : []),
        ...agents.map((each) => crash('agent', { ...each })),
        ...(facts.neighbours.length === 0 ? [] : [state('neighbours', { pods: facts.neighbours })]),
        ...facts.nodesNotReady.map((node) => state('node-not-ready', { node })),
      ],
      ruledOut: [
        { cause: 'unsatisfiable-placement', because: crash('because-has-node') },
        { cause: 'application-crash', because: state('because-never-started') },
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...agentAdvice(agents),
        ...(lacksProfile ? [{ title: state('advice-profile-title'), text: state('advice-profile') }] : []),
        {
          title: state('advice-title', { nodes }),
          text: state('advice', { part }),
          snippet: nodes
            .slice(0, 3)
            .map((node) => `kubectl get pods -A --field-selector spec.nodeName=${node}\n`)
            .join(''),
        },
      ],
    });
  }),
};

function handlerSays({ podFailures: [{ pod, message }] }: FailureGroup): Statement {
  const [, ofContainerd, ofCrio] = missingHandler.exec(message.slice(0, 4096)) ?? [];
  return state('handler', { handler: ofContainerd ?? ofCrio ?? '', runtimeClass: pod.spec.runtimeClassName });
}

function isFresh(snapshot: Snapshot, { podFailures }: FailureGroup): boolean {
  const times = podFailures
    .flatMap(({ events }) => events)
    .map(({ firstSeen }) => Date.parse(firstSeen ?? ''))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 && nowOf(snapshot) - leastOf(times) < patienceSeconds * 1000;
}

/**
 * The runtime has no handler of the name that the RuntimeClass gives (containerd
 * `config.go: GetSandboxRuntime`, CRI-O `oci.go: ValidateRuntimeHandler`).
 */
const missingHandler =
  /no runtime for "([^"]{0,253})" is configured|failed to find runtime handler (\S{1,253})/;

/**
 * containerd `sandbox_run.go`: the image of the sandbox itself; CRI-O and dockershim name the pause image.
 */
const sandboxImage =
  /failed to get sandbox image|creating pod sandbox .{0,80}pause image|unable to pull sandbox image/;

/**
 * A profile of seccomp or AppArmor that the node does not have (containerd `container_create_linux.go`, CRI-O
 * `internal/config/seccomp`, runc `libcontainer/apparmor`).
 */
const missingProfile =
  /\b(?:cannot|unable to|failed to) (?:load|open)\b.{0,24}\bprofile "|\bapparmor profile\b.{0,120}\bnot (?:found|loaded)\b|\bapparmor profile not found\b|\bapparmor failed to apply profile\b/i;

/** Of IPAM plug-ins with ranges of nodes, and of those that take addresses from a subnet of a cloud. */
const noAddress =
  /no (?:IP|ip) addresses available|IPAM|ipam|address range|failed to allocate for range|(?:assign|allocate|obtain|acquire) (?:an? )?IP address|(?:addresses|address pool) (?:are |is )?(?:exhausted|depleted|used up)|InsufficientFreeAddresses/;

function partOf(reason: string, message: string): SandboxPart {
  const said = message.slice(0, 4096);
  if (missingHandler.test(said)) return 'handler';
  if (sandboxImage.test(said)) return 'image';
  if (endingOf(said) === 'library-mismatch') return 'driver';
  if (reason === 'FailedPrepareDynamicResources' || /nvidia-container|\bCDI\b|device/i.test(said)) {
    return 'device';
  }
  if (noAddress.test(said)) return 'addresses';
  if (reason === 'NetworkNotReady' || /\bcni\b|network plugin|networkPlugin|setup network|CNI/.test(said))
    return 'network';
  if (/runtime|runc|containerd|shim|cgroup|OCI|is reserved|in use|deadline exceeded/i.test(said))
    return 'runtime';
  return 'unknown';
}

function aboutNodes(snapshot: Snapshot, { nodes }: FailureGroup) {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const neighbours = nodes
    .flatMap((name) => snapshot.index.podsByNode.get(name) ?? [])
    .filter((pod) => !own.has(pod.metadata.uid))
    .filter((pod) => podFailuresIn(snapshot, pod).some(({ cause }) => cause === 'sandbox-failure'))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
  const nodesNotReady = nodes.filter((name) => {
    const node = snapshot.index.nodes.get(name);
    return node !== undefined && conditionOf(node.status, 'Ready')?.status !== 'True';
  });
  return { neighbours, nodesNotReady };
}
