import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';

type Words = Readonly<Record<SandboxPart, string>>;

const failed = {
  en: {
    network: 'cannot give its pods a network',
    addresses: 'has no address left for its pods',
    runtime: 'cannot start its pods: the container runtime fails',
    device: 'cannot prepare a device for its pods',
    unknown: 'cannot start its pods',
  },
  ko: {
    network: '노드가 파드에 네트워크를 만들어 주지 못합니다',
    addresses: '노드에 파드에 줄 주소가 남아 있지 않습니다',
    runtime: '노드의 컨테이너 런타임이 실패해 파드를 시작하지 못합니다',
    device: '노드가 파드의 장치를 준비하지 못합니다',
    unknown: '노드가 파드를 시작하지 못합니다',
  },
} as const satisfies Record<string, Words>;

const meaning = {
  en: {
    network: 'The network plugin (CNI) refuses or is not up; the program has no part in it.',
    addresses:
      "The node's range of pod addresses is used up, or addresses of former pods were not given back.",
    runtime: 'The runtime on the node fails before the program starts.',
    device: 'The driver that hands out the device does not answer or refuses.',
    unknown: 'It fails before the program starts, which has no part in it.',
  },
  ko: {
    network: '네트워크 플러그인(CNI)이 거부하거나 떠 있지 않습니다. 프로그램과는 무관합니다.',
    addresses: '노드의 파드 주소 범위를 다 썼거나, 이전 파드의 주소가 반납되지 않았습니다.',
    runtime: '프로그램이 시작되기도 전에 노드의 런타임이 실패합니다.',
    device: '장치를 나눠 주는 드라이버가 응답하지 않거나 거부합니다.',
    unknown: '프로그램이 시작되기도 전에 실패합니다. 프로그램과는 무관합니다.',
  },
} as const satisfies Record<string, Words>;

const todo = {
  en: {
    network: "Look at the network plugin's pod on that node.",
    addresses:
      "Compare the node's podCIDR with the pods on it, and look for leftovers of the address plugin.",
    runtime: "Look at the runtime's and the kubelet's log on the node.",
    device: "Look at the device driver's pod on that node.",
    unknown: "Look at the kubelet's log on the node.",
  },
  ko: {
    network: '그 노드의 네트워크 플러그인 파드를 확인하세요.',
    addresses: '노드의 podCIDR과 노드의 파드 수를 비교하고, 주소 플러그인에 남은 것이 있는지 확인하세요.',
    runtime: '노드에서 런타임과 kubelet 로그를 확인하세요.',
    device: '그 노드의 장치 드라이버 파드를 확인하세요.',
    unknown: '노드에서 kubelet 로그를 확인하세요.',
  },
} as const satisfies Record<string, Words>;
/** Which part of the node failed to make the pod's sandbox. */
export type SandboxPart = 'network' | 'addresses' | 'runtime' | 'device' | 'unknown';

const en = {
  summary: ({
    workload,
    nodes,
    part,
  }: {
    readonly workload: string;
    readonly nodes: readonly string[];
    readonly part: SandboxPart;
  }) => say`${code(workload)}: ${names('en', nodes)} ${word(failed.en[part])}`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`${failing} of ${of} pods do not start.`,
  means: ({ part }: { readonly part: SandboxPart }) => say`${word(meaning.en[part])}`,
  neighbours: ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods of others on that node fail alike: ${names('en', pods)}.`,
  'node-not-ready': ({ node }: { readonly node: string }) => say`${code(node)} itself is not Ready.`,
  'because-never-started': () => say`the program was never started`,
  'restart-withheld': () => say`New pods may come to the same node.`,
  'advice-title': ({ nodes }: { readonly nodes: readonly string[] }) => say`Look at ${names('en', nodes)}`,
  advice: ({ part }: { readonly part: SandboxPart }) => say`${word(todo.en[part])}`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodes, part }) =>
    say`${code(workload)}: ${names('ko', nodes)} ${word(failed.ko[part])}`,
  standing: ({ failing, of }) => say`파드 ${of}개 중 ${failing}개가 시작되지 않습니다.`,
  means: ({ part }) => say`${word(meaning.ko[part])}`,
  neighbours: ({ pods }) => say`그 노드의 다른 파드도 똑같이 실패합니다: ${names('ko', pods)}.`,
  'node-not-ready': ({ node }) => say`${code(node)} 노드 자체가 Ready 상태가 아닙니다.`,
  'because-never-started': () => say`프로그램이 시작된 적 없음`,
  'restart-withheld': () => say`새 파드도 같은 노드로 갈 수 있습니다.`,
  'advice-title': ({ nodes }) => say`${names('ko', nodes)} 노드를 확인하세요`,
  advice: ({ part }) => say`${word(todo.ko[part])}`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('sandbox-failure');
