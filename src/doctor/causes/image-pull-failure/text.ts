import { code, moment, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { names } from '../../../engine/language/words.js';
import { type FailingPods, failingPods } from '../../findings/crashes/failing-pods.js';
import type { PullRefusal } from './refusal.js';

type Words = Readonly<Record<PullRefusal, string>>;

const short = {
  en: {
    'not-found': 'does not exist in the registry',
    'not-authorised': 'cannot be pulled: the registry denies access',
    'rate-limited': 'cannot be pulled: the registry applies a rate limit',
    'no-tls': 'cannot be pulled: the registry answers without TLS',
    tls: 'cannot be pulled: the TLS connection to the registry fails',
    'name-not-resolved': 'cannot be pulled: the registry name does not resolve',
    unreachable: 'cannot be pulled: the registry is unreachable',
    'registry-error': 'cannot be pulled: the registry answers with a server error',
    'no-answer': 'is still being pulled: the pull has reported no end',
    architecture: "does not exist for the node's architecture",
    'invalid-name': 'is not a valid image name',
    'never-pull': 'is not on the node, and imagePullPolicy Never forbids pulling it',
    'not-for-this-pod': 'is on the node, but not for this pod (imagePullPolicy Never)',
    'no-space': 'cannot be pulled: the node disk is full',
    'other-content': 'cannot be pulled: its content does not match its digest',
    unknown: 'cannot be pulled',
  },
  ko: {
    'not-found': '이미지가 레지스트리에 없습니다',
    'not-authorised': '이미지를 가져오지 못합니다: 레지스트리가 접근을 거부합니다',
    'rate-limited': '이미지를 가져오지 못합니다: 레지스트리의 요청 횟수 제한(rate limit)에 도달했습니다',
    'no-tls': '이미지를 가져오지 못합니다: 레지스트리가 TLS 없이 응답합니다',
    tls: '이미지를 가져오지 못합니다: 레지스트리와의 TLS 연결에 실패했습니다',
    'name-not-resolved': '이미지를 가져오지 못합니다: 레지스트리 이름을 DNS에서 찾을 수 없습니다',
    unreachable: '이미지를 가져오지 못합니다: 레지스트리에 연결할 수 없습니다',
    'registry-error': '이미지를 가져오지 못합니다: 레지스트리가 서버 오류로 응답합니다',
    'no-answer': '이미지를 아직 가져오는 중입니다: 끝났다는 보고가 없습니다',
    architecture: '이미지에 노드의 아키텍처용 버전이 없습니다',
    'invalid-name': '값은 올바른 이미지 이름이 아닙니다',
    'never-pull': '이미지가 노드에 없고, imagePullPolicy가 Never라 가져올 수 없습니다',
    'not-for-this-pod': '이미지는 노드에 있지만 이 파드는 쓸 수 없습니다(imagePullPolicy Never)',
    'no-space': '이미지를 가져오지 못합니다: 디스크가 가득 찼습니다',
    'other-content': '이미지를 가져오지 못합니다: 내용이 다이제스트와 다릅니다',
    unknown: '이미지를 가져오지 못합니다',
  },
} as const satisfies Record<string, Words>;

const meaning = {
  en: {
    'not-found': 'The registry has no such tag or repository: a typo, not pushed yet, or deleted.',
    'not-authorised':
      'The registry requires other credentials. Many registries return the same error for an image that does not exist, so check the name too.',
    'rate-limited': 'The pull succeeds on its own once the rate limit allows it again.',
    'no-tls':
      'The node connects with HTTPS, and what answers at this address and port uses plain HTTP. A runtime uses plain HTTP only for registries that its settings name.',
    tls: "The node does not trust the registry's certificate.",
    'name-not-resolved': "The node's DNS server cannot resolve the registry name.",
    unreachable:
      'The network, a proxy or the registry itself fails. Pulls of other images from this registry would fail too.',
    'registry-error':
      'The network path works, and the registry answers each request with an error of its own. The kubelet retries until the registry recovers.',
    'no-answer':
      'The reason may be a registry that never answers, or a very large image. The kubelet pulls one image at a time by default, so the pull of another image on the node can hold this one up as well.',
    architecture: 'The tag exists, but not for the architecture of this node.',
    'invalid-name': 'The kubelet rejects the name before it contacts a registry.',
    'never-pull': 'With imagePullPolicy Never the image must already be on the node.',
    'not-for-this-pod':
      'The kubelet reports that the image is not present. It means that the pod has not shown credentials that pulled it.',
    'no-space': "The node's image file system is full.",
    'other-content':
      'The registry, or a proxy or mirror before it, sends other bytes than the manifest of the image names. The node refuses them.',
    unknown: 'The error message matches none of the common reasons.',
  },
  ko: {
    'not-found':
      '레지스트리에 그런 태그나 저장소가 없습니다. 오타이거나, 아직 푸시하지 않았거나, 삭제되었습니다.',
    'not-authorised':
      '레지스트리에 다른 자격 증명이 필요합니다. 이미지가 없을 때도 같은 오류를 반환하는 레지스트리가 많으므로 이름도 확인하세요.',
    'rate-limited': '제한이 풀리면 자동으로 다시 가져옵니다.',
    'no-tls':
      '노드는 HTTPS로 연결하는데 이 주소와 포트에서는 일반 HTTP로 응답합니다. 컨테이너 런타임은 설정에 지정된 레지스트리에만 일반 HTTP를 사용합니다.',
    tls: '노드가 레지스트리 인증서를 신뢰하지 않습니다.',
    'name-not-resolved': '노드의 DNS 서버가 레지스트리 이름을 찾지 못합니다.',
    unreachable:
      '네트워크, 프록시 또는 레지스트리 자체의 문제입니다. 이 레지스트리의 다른 이미지도 가져오지 못합니다.',
    'registry-error':
      '네트워크 연결은 되지만 레지스트리가 요청마다 자체 오류를 반환합니다. 레지스트리가 복구될 때까지 kubelet이 다시 시도합니다.',
    'no-answer':
      '레지스트리가 응답하지 않을 때 이렇게 되며, 아주 큰 이미지도 마찬가지입니다. kubelet은 기본적으로 이미지를 하나씩 가져오므로 노드에서 다른 이미지를 가져오느라 늦어질 수도 있습니다.',
    architecture: '태그는 있지만 이 노드의 아키텍처용 이미지가 없습니다.',
    'invalid-name': 'kubelet이 레지스트리에 연결하기 전에 이름을 거부합니다.',
    'never-pull': 'imagePullPolicy가 Never이면 이미지가 이미 노드에 있어야 합니다.',
    'not-for-this-pod':
      'kubelet은 이미지가 없다고 알리지만, 실제로는 이미지를 가져올 때 쓴 자격 증명이 이 파드에 없다는 뜻입니다.',
    'no-space': '노드의 이미지 파일 시스템이 가득 찼습니다.',
    'other-content':
      '레지스트리나 그 앞의 프록시, 미러가 이미지 매니페스트와 다른 내용을 보냅니다. 노드는 이를 거부합니다.',
    unknown: '오류 메시지가 알려진 이유와 일치하지 않습니다.',
  },
} as const satisfies Record<string, Words>;

const todo = {
  en: {
    'not-found': 'Push the image, or correct the tag',
    'not-authorised': 'Give the pods credentials for the registry',
    'rate-limited': 'Pull with an account or through a mirror',
    'no-tls': 'Serve the registry with HTTPS, or name it in the runtime settings of the nodes',
    tls: "Install the registry's certificate on the nodes",
    'name-not-resolved': "Correct the registry name or the node's DNS",
    unreachable: 'Check the network path from the node to the registry',
    'registry-error': 'Check the state of the registry',
    'no-answer': 'Pull the image on the node to see whether data arrives',
    architecture: 'Build the image for this architecture, or schedule the pods to matching nodes',
    'invalid-name': 'Correct the image name',
    'never-pull': 'Load the image onto the node, or change imagePullPolicy',
    'not-for-this-pod': 'Give the pods the credentials that pulled the image',
    'no-space': 'Free disk space on the node',
    'other-content': 'Push the image again, or bypass the proxy or mirror',
    unknown: 'Pull the image on the node to see the error',
  },
  ko: {
    'not-found': '이미지를 푸시하거나 태그를 고치기',
    'not-authorised': '파드에 이 레지스트리의 자격 증명 설정하기',
    'rate-limited': '계정으로 인증하거나 미러를 통해 가져오기',
    'no-tls': '레지스트리를 HTTPS로 제공하거나 노드의 런타임 설정에 지정하기',
    tls: '노드에 레지스트리 인증서 설치하기',
    'name-not-resolved': '레지스트리 이름이나 노드의 DNS를 고치기',
    unreachable: '노드에서 레지스트리까지의 네트워크 경로 확인하기',
    'registry-error': '레지스트리 상태 확인하기',
    'no-answer': '노드에서 이미지를 직접 가져와 데이터가 오는지 확인하기',
    architecture: '이 아키텍처용 이미지를 빌드하거나, 아키텍처가 맞는 노드에 배치하기',
    'invalid-name': '이미지 이름을 고치기',
    'never-pull': '이미지를 노드에 올리거나 imagePullPolicy를 바꾸기',
    'not-for-this-pod': '이미지를 가져올 때 쓴 자격 증명을 파드에 설정하기',
    'no-space': '노드 디스크 공간 확보하기',
    'other-content': '이미지를 다시 푸시하거나 프록시나 미러를 거치지 않기',
    unknown: '노드에서 이미지를 직접 가져와 오류 확인하기',
  },
} as const satisfies Record<string, Words>;

const en = {
  'shared-failure': () => say`images cannot be pulled`,
  summary: ({
    workload,
    image,
    refusal,
    nodes,
  }: {
    workload: string;
    image: string;
    refusal: PullRefusal;
    /** The only nodes that fail, where the revision runs on others. */
    nodes: readonly string[];
  }) =>
    nodes.length === 0
      ? say`${code(workload)}: image ${code(image)} ${word(short.en[refusal])}`
      : say`${code(workload)}: only on ${names('en', nodes, 3)}, image ${code(image)} ${word(short.en[refusal])}`,
  standing: (pods: FailingPods) => say`${failingPods('en', pods)} cannot start.`,
  says: ({ container, message }: { container: string; message: string }) =>
    say`Error for container ${code(container)}: ${quote(shortPullError(message))}`,
  'of-volume': ({ volume, container }: { volume: string; container: string }) =>
    say`The image is that of volume ${code(volume)}, which ${code(container)} mounts. The program of ${code(container)} has an image of its own.`,
  means: ({ refusal }: { refusal: PullRefusal; image: string }) => say`${word(meaning.en[refusal])}`,
  credentials: (values: { secrets: readonly string[]; serviceAccount: string | undefined }) =>
    sentences(
      values.secrets.length === 0
        ? say`The pod has no imagePullSecrets.`
        : say`The pod uses imagePullSecrets ${names('en', values.secrets)}.`,
      values.serviceAccount === undefined ? [] : say`Its ServiceAccount is ${code(values.serviceAccount)}.`,
    ),
  'on-the-node': ({ node, pods }: { node: string; pods: readonly string[] }) =>
    sentences(
      say`The image is on ${code(node)}, where ${names('en', pods, 3)} ${word(pods.length === 1 ? 'runs' : 'run')} it.`,
      say`Since Kubernetes 1.35 the kubelet lets another pod use it only with credentials that have pulled it.`,
    ),
  'secrets-of-holders': ({ pods, secrets }: { pods: readonly string[]; secrets: readonly string[] }) =>
    say`Unlike this pod, ${names('en', pods, 3)} ${word(pods.length === 1 ? 'has' : 'have')} imagePullSecrets ${names('en', secrets)}.`,
  /** A pull without an end. */
  'pulls-since': ({ node, since }: { node: string; since: string }) =>
    say`The kubelet of ${code(node)} began to pull it ${moment(since)} and has reported no end since.`,
  /** The container ran with this image before. */
  'ran-before': (values: { container: string; restarts: number; exitCode: number; reason: string }) =>
    say`${code(values.container)} ran with this image before, restarted ${word(values.restarts === 1 ? 'once' : `${values.restarts} times`)} and last ended with exit code ${values.exitCode} (${code(values.reason)}). It ends again once the image can be pulled, unless the program is corrected too.`,
  'pulls-again': ({ policy }: { policy: string }) =>
    policy === 'Always'
      ? say`${code('imagePullPolicy: Always')} asks the registry at each start.`
      : say`Since Kubernetes 1.35 the kubelet may ask the registry again although the image is on the node and ${code('imagePullPolicy')} is ${code(policy)}.`,
  'former-image': ({ image }: { image: string }) => say`The previous revision runs ${code(image)}.`,
  'former-volume-image': ({ image }: { image: string }) => say`The previous revision mounts ${code(image)}.`,
  'some-have-it': ({ pods }: { pods: readonly string[] }) =>
    say`Other pods of this revision have pulled the image: ${names('en', pods)}.`,
  'operating-system': ({ nodes, system }: { nodes: readonly string[]; system: string }) =>
    say`${names('en', nodes, 3)} ${word(nodes.length === 1 ? 'runs' : 'run')} ${code(system)}, and the image has no version for it. A pod without a selector may get such a node.`,
  architecture: ({ nodes, architecture }: { nodes: readonly string[]; architecture: string }) =>
    say`The architecture of ${names('en', nodes, 3)} is ${code(architecture)}.`,
  'disk-pressure': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes, 3)} ${word(nodes.length === 1 ? 'reports' : 'report')} the condition ${code('DiskPressure')}. The kubelet removes unused images there and may evict pods.`,
  'secrets-unread': ({ message }: { message: string }) =>
    say`The kubelet cannot read every pull Secret of the pod: ${quote(message)}`,
  'advice-secret-title': ({ secrets }: { secrets: readonly string[] }) =>
    say`Create the Secret ${names('en', secrets)}, or correct the reference`,
  'advice-secret': () => say`The kubelet asks the registry without it. The image may then be refused.`,
  'same-credentials': ({ nodes }: { nodes: readonly string[] }) =>
    say`Pods on other nodes have the same imagePullSecrets and the image. Credentials or an image cache of ${names('en', nodes, 3)} differ from theirs.`,
  'advice-node-title': ({ nodes }: { nodes: readonly string[] }) =>
    say`Compare the registry settings of ${names('en', nodes, 3)}`,
  'advice-node': ({ nodes }: { nodes: readonly string[] }) =>
    say`Compare the credential provider of the kubelet and the registry configuration of the container runtime on ${names('en', nodes, 3)} with a node that has the image.`,
  'restart-withheld': () => say`New pods would pull the same image.`,
  'advice-title': ({ refusal }: { refusal: PullRefusal }) => say`${word(todo.en[refusal])}`,
  advice: ({ image }: { refusal: PullRefusal; image: string }) => say`The image is ${code(image)}.`,
};

const ko: typeof en = {
  'shared-failure': () => say`이미지를 가져올 수 없음`,
  summary: ({ workload, image, refusal, nodes }) =>
    nodes.length === 0
      ? say`${code(workload)}: ${code(image)} ${word(short.ko[refusal])}`
      : say`${code(workload)}: ${names('ko', nodes, 3)} 노드에서만 ${code(image)} ${word(short.ko[refusal])}`,
  standing: (pods) => say`${failingPods('ko', pods)}가 시작되지 못합니다.`,
  says: ({ container, message }) =>
    say`${code(container)} 컨테이너의 오류: ${quote(shortPullError(message))}`,
  'of-volume': ({ volume, container }) =>
    say`${code(container)} 컨테이너가 마운트하는 ${code(volume)} 볼륨의 이미지입니다. 컨테이너의 프로그램 이미지와는 다릅니다.`,
  means: ({ refusal }) => say`${word(meaning.ko[refusal])}`,
  credentials: ({ secrets, serviceAccount }) =>
    sentences(
      secrets.length === 0
        ? say`파드에 imagePullSecrets가 없습니다.`
        : say`파드의 imagePullSecrets: ${names('ko', secrets)}.`,
      serviceAccount === undefined ? [] : say`ServiceAccount: ${code(serviceAccount)}.`,
    ),
  'on-the-node': ({ node, pods }) =>
    sentences(
      say`이미지는 ${code(node)} 노드에 있고 ${names('ko', pods, 3)} 파드가 사용 중입니다.`,
      say`Kubernetes 1.35부터 다른 파드는 이미지를 가져올 때 쓴 자격 증명이 있어야 이 이미지를 쓸 수 있습니다.`,
    ),
  'secrets-of-holders': ({ pods, secrets }) =>
    say`이 파드와 달리 ${names('ko', pods, 3)} 파드에는 imagePullSecrets ${names('ko', secrets)} 설정이 있습니다.`,
  'pulls-since': ({ node, since }) =>
    say`${code(node)} 노드의 kubelet이 ${moment(since)}에 가져오기를 시작했고, 그 뒤로 끝났다는 보고가 없습니다.`,
  'ran-before': ({ container, restarts, exitCode, reason }) =>
    say`${code(container)} 컨테이너는 전에 이 이미지로 실행되어 ${restarts}번 재시작했고, 마지막에 종료 코드 ${exitCode}(${code(reason)})로 끝났습니다. 프로그램을 고치지 않으면 이미지를 가져와도 다시 끝납니다.`,
  'pulls-again': ({ policy }) =>
    policy === 'Always'
      ? say`${code('imagePullPolicy: Always')} 설정은 시작할 때마다 레지스트리에 확인합니다.`
      : say`Kubernetes 1.35부터는 이미지가 노드에 있고 ${code('imagePullPolicy')} 값이 ${code(policy)}여도 kubelet이 레지스트리에 다시 확인할 수 있습니다.`,
  'former-image': ({ image }) => say`이전 리비전은 ${code(image)} 이미지를 사용합니다.`,
  'former-volume-image': ({ image }) => say`이전 리비전은 ${code(image)} 이미지를 마운트합니다.`,
  'some-have-it': ({ pods }) => say`이 리비전의 다른 파드는 이미지를 가져왔습니다: ${names('ko', pods)}.`,
  'operating-system': ({ nodes, system }) =>
    say`${names('ko', nodes, 3)} 노드의 운영체제: ${code(system)}. 이미지에 이 운영체제용 버전이 없습니다. 노드 선택 조건이 없는 파드는 이런 노드에 배치될 수 있습니다.`,
  architecture: ({ nodes, architecture }) =>
    say`${names('ko', nodes, 3)} 노드의 아키텍처: ${code(architecture)}.`,
  'disk-pressure': ({ nodes }) =>
    say`${names('ko', nodes, 3)} 노드가 ${code('DiskPressure')} 상태입니다. kubelet이 사용하지 않는 이미지를 삭제하고 파드를 축출할 수 있습니다.`,
  'secrets-unread': ({ message }) =>
    say`kubelet이 파드의 imagePullSecrets 중 일부를 읽지 못합니다: ${quote(message)}`,
  'advice-secret-title': ({ secrets }) => say`${names('ko', secrets)} 시크릿을 만들거나 참조 고치기`,
  'advice-secret': () =>
    say`kubelet은 그 시크릿 없이 레지스트리에 요청하므로 이미지를 받지 못할 수 있습니다.`,
  'same-credentials': ({ nodes }) =>
    say`다른 노드의 파드는 같은 imagePullSecrets를 사용하고 이미지도 있습니다. ${names('ko', nodes, 3)} 노드의 자격 증명이나 이미지 캐시가 다른 노드와 다릅니다.`,
  'advice-node-title': ({ nodes }) => say`${names('ko', nodes, 3)} 노드의 레지스트리 설정 비교하기`,
  'advice-node': ({ nodes }) =>
    say`${names('ko', nodes, 3)} 노드에서 kubelet의 자격 증명 공급자와 컨테이너 런타임의 레지스트리 설정을, 이미지가 있는 노드와 비교하세요.`,
  'restart-withheld': () => say`새 파드도 같은 이미지를 가져와야 합니다.`,
  'advice-title': ({ refusal }) => say`${word(todo.ko[refusal])}`,
  advice: ({ image }) => say`이미지: ${code(image)}.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('image-pull-failure');

/**
 * What the kubelet, gRPC and containerd put in front of the reason, each with the name of the image once
 * more.
 */
const wrappers = [
  /^Failed to pull image "[^"]*": /,
  /^Back-off pulling image "[^"]*": /,
  /^(?:ErrImagePull|ImagePullBackOff): /,
  /^rpc error: code = \w+ desc = /,
  /^failed to pull and unpack image "[^"]*": /,
  /^failed to resolve (?:reference|image) "[^"]*": /,
];

/** Each level of a client adds one or two. */
const maxWrappers = 10;

/** The part of an error message that states the reason: `web:1.1: not found`. The evidence has all of it. */
export function shortPullError(message: string): string {
  let short = message;
  for (let removed = 0; removed < maxWrappers; removed += 1) {
    const wrapper = wrappers.find((each) => each.test(short));
    const rest = wrapper === undefined ? '' : short.replace(wrapper, '');
    if (rest === '') break;
    short = rest;
  }
  return short;
}
