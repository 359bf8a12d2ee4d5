import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';
import type { PullRefusal } from './refusal.js';

type Words = Readonly<Record<PullRefusal, string>>;

const short = {
  en: {
    'not-found': 'does not exist in its registry',
    'not-authorised': 'is refused to this cluster by its registry',
    'rate-limited': 'is held back: the registry limits how often it may be pulled',
    tls: 'cannot be pulled: the registry is not trusted over TLS',
    'name-not-resolved': 'cannot be pulled: the name of its registry is not known',
    unreachable: 'cannot be pulled: its registry does not answer',
    architecture: "does not exist for the node's architecture",
    'invalid-name': 'is not a valid image name',
    'never-pull': 'is not on the node, and pulling is forbidden',
    'no-space': 'does not fit on the disk of the node',
    unknown: 'cannot be pulled',
  },
  ko: {
    'not-found': '레지스트리에 없습니다',
    'not-authorised': '레지스트리가 이 클러스터의 접근을 거부합니다',
    'rate-limited': '레지스트리의 요청 횟수 제한에 걸렸습니다',
    tls: '레지스트리의 TLS 인증서를 신뢰할 수 없어 가져오지 못합니다',
    'name-not-resolved': '레지스트리 이름을 찾을 수 없어 가져오지 못합니다',
    unreachable: '레지스트리가 응답하지 않아 가져오지 못합니다',
    architecture: '노드의 아키텍처용이 없습니다',
    'invalid-name': '올바른 이미지 이름이 아닙니다',
    'never-pull': '노드에 없고, 가져오기도 금지되어 있습니다',
    'no-space': '노드 디스크에 들어갈 공간이 없습니다',
    unknown: '가져오지 못합니다',
  },
} as const satisfies Record<string, Words>;

const meaning = {
  en: {
    'not-found': 'The registry answers, and has no such tag or repository: mistyped, not pushed, or deleted.',
    'not-authorised':
      'The registry wants other credentials. Registries answer the same for an image that does not exist, so check its name too.',
    'rate-limited': 'It passes by itself once the limit allows it again.',
    tls: "The node does not trust the registry's certificate, or the registry speaks plain HTTP.",
    'name-not-resolved': "The node's DNS does not know the registry's name.",
    unreachable: 'Network, proxy or the registry itself; pulls of other images there would fail too.',
    architecture: 'The tag exists, but not for the architecture of the node that pulls it.',
    'invalid-name': 'The kubelet does not even ask a registry.',
    'never-pull': 'With imagePullPolicy Never the image has to be on the node already.',
    'no-space': "The node's image file system is full.",
    unknown: 'The message fits none of the usual reasons.',
  },
  ko: {
    'not-found':
      '레지스트리는 응답하지만 그런 태그나 저장소가 없습니다. 오타이거나, 올리지 않았거나, 삭제되었습니다.',
    'not-authorised':
      '레지스트리가 다른 자격 증명을 요구합니다. 없는 이미지에도 같은 응답을 하므로 이름도 확인하세요.',
    'rate-limited': '제한이 풀리면 스스로 해결됩니다.',
    tls: '노드가 레지스트리 인증서를 신뢰하지 않거나, 레지스트리가 일반 HTTP를 씁니다.',
    'name-not-resolved': '노드의 DNS가 레지스트리 이름을 모릅니다.',
    unreachable: '네트워크, 프록시 또는 레지스트리 자체의 문제입니다. 그곳의 다른 이미지도 실패합니다.',
    architecture: '태그는 있지만 가져오는 노드의 아키텍처용이 아닙니다.',
    'invalid-name': 'kubelet이 레지스트리에 묻지도 않습니다.',
    'never-pull': 'imagePullPolicy가 Never이면 이미지가 이미 노드에 있어야 합니다.',
    'no-space': '노드의 이미지 파일 시스템이 가득 찼습니다.',
    unknown: '메시지가 흔한 이유 중 어느 것에도 맞지 않습니다.',
  },
} as const satisfies Record<string, Words>;

const todo = {
  en: {
    'not-found': 'Push the tag, or correct it',
    'not-authorised': 'Give the pods credentials for that registry',
    'rate-limited': 'Pull with an account, or through a mirror',
    tls: "Install the registry's certificate on the nodes",
    'name-not-resolved': "Correct the registry's name or the node's DNS",
    unreachable: 'Look at the way from the node to the registry',
    architecture: 'Build the image for that architecture, or keep the pods on nodes that match',
    'invalid-name': 'Correct the image name',
    'never-pull': 'Load the image onto the node, or allow pulling',
    'no-space': "Free the node's disk",
    unknown: 'Try to pull it on the node',
  },
  ko: {
    'not-found': '태그를 올리거나 고치세요',
    'not-authorised': '파드에 그 레지스트리의 자격 증명을 주세요',
    'rate-limited': '계정으로 또는 미러를 통해 가져오세요',
    tls: '노드에 레지스트리 인증서를 설치하세요',
    'name-not-resolved': '레지스트리 이름이나 노드의 DNS를 고치세요',
    unreachable: '노드에서 레지스트리까지의 경로를 확인하세요',
    architecture: '그 아키텍처용 이미지를 만들거나, 맞는 노드에만 배치하세요',
    'invalid-name': '이미지 이름을 고치세요',
    'never-pull': '이미지를 노드에 올리거나 가져오기를 허용하세요',
    'no-space': '노드 디스크를 비우세요',
    unknown: '노드에서 직접 가져와 보세요',
  },
} as const satisfies Record<string, Words>;

const en = {
  summary: ({
    workload,
    image,
    refusal,
    node,
  }: {
    readonly workload: string;
    readonly image: string;
    readonly refusal: PullRefusal;
    /** The only node that fails, where the revision runs on others. */
    readonly node: string | undefined;
  }) =>
    node === undefined
      ? say`${code(workload)}: image ${code(image)} ${word(short.en[refusal])}`
      : say`${code(workload)}: on ${code(node)} alone, image ${code(image)} ${word(short.en[refusal])}`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`${failing} of ${of} pods never start.`,
  says: ({ container, message }: { readonly container: string; readonly message: string }) =>
    say`For ${code(container)} the node was told: ${quote(message)}`,
  means: ({ refusal }: { readonly refusal: PullRefusal; readonly image: string }) =>
    say`${word(meaning.en[refusal])}`,
  credentials: ({
    secrets,
    serviceAccount,
  }: {
    readonly secrets: readonly string[];
    readonly serviceAccount: string | undefined;
  }) =>
    sentences(
      secrets.length === 0
        ? say`The pod names no imagePullSecrets.`
        : say`The pod names the imagePullSecrets ${names('en', secrets)}.`,
      serviceAccount === undefined ? [] : say`Its ServiceAccount is ${code(serviceAccount)}.`,
    ),
  'former-image': ({ image }: { readonly image: string }) => say`The former revision runs ${code(image)}.`,
  'some-have-it': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Other pods of this revision have it: ${names('en', pods)}.`,
  'restart-withheld': () => say`New pods ask for the same image.`,
  'advice-title': ({ refusal }: { readonly refusal: PullRefusal }) => say`${word(todo.en[refusal])}`,
  advice: ({ image }: { readonly refusal: PullRefusal; readonly image: string }) =>
    say`The image is ${code(image)}.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, image, refusal, node }) =>
    node === undefined
      ? say`${code(workload)}: ${code(image)} 이미지: ${word(short.ko[refusal])}`
      : say`${code(workload)}: ${code(node)} 노드에서만 ${code(image)} 이미지: ${word(short.ko[refusal])}`,
  standing: ({ failing, of }) => say`파드 ${of}개 중 ${failing}개가 시작되지 못합니다.`,
  says: ({ container, message }) => say`${code(container)} 이미지에 대해 노드가 받은 응답: ${quote(message)}`,
  means: ({ refusal }) => say`${word(meaning.ko[refusal])}`,
  credentials: ({ secrets, serviceAccount }) =>
    sentences(
      secrets.length === 0
        ? say`파드에 imagePullSecrets가 없습니다.`
        : say`파드의 imagePullSecrets: ${names('ko', secrets)}.`,
      serviceAccount === undefined ? [] : say`ServiceAccount: ${code(serviceAccount)}.`,
    ),
  'former-image': ({ image }) => say`이전 리비전은 ${code(image)} 이미지로 실행 중입니다.`,
  'some-have-it': ({ pods }) => say`이 리비전의 다른 파드에는 있습니다: ${names('ko', pods)}.`,
  'restart-withheld': () => say`새 파드도 같은 이미지를 요청합니다.`,
  'advice-title': ({ refusal }) => say`${word(todo.ko[refusal])}`,
  advice: ({ image }) => say`이미지: ${code(image)}.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('image-pull-failure');
