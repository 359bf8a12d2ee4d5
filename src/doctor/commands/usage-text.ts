import { code, type Prose, say, sentences, word } from '../../engine/language/prose.js';
import type { ValuesOf } from '../../engine/language/statement.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import type { AskedInstead, OtherKind } from './workload-kind.js';

/** The problems of a command's text. */
export type UsageShapes = ValuesOf<typeof en>;

const insteadWords: Readonly<Record<'en' | 'ko', Readonly<Record<AskedInstead, Prose>>>> = {
  en: {
    'message-of-pod': say`Paste a message from the events of its pod: ${code('explain "0/3 nodes are available: …"')}.`,
    'workload-that-uses-it': say`Enter the workload that uses it, such as ${code('ml/inference')}.`,
    scan: say`${code('scan -A')} diagnoses the workloads of all namespaces.`,
  },
  ko: {
    'message-of-pod': say`파드의 이벤트 메시지를 붙여 넣으면 설명합니다: ${code('explain "0/3 nodes are available: …"')}.`,
    'workload-that-uses-it': say`대신 ${code('ml/inference')}처럼 이를 사용하는 워크로드를 입력하세요.`,
    scan: say`모든 네임스페이스의 워크로드는 ${code('scan -A')} 명령으로 진단합니다.`,
  },
};

const en = {
  'name-missing': () => say`The workload is missing. Enter it as ${code('namespace/name')}.`,
  'name-invalid': ({ name }: { name: string }) =>
    say`${code(name)} is not a valid workload name: Kubernetes allows up to 253 lower-case letters, digits, dots and ${code('-')}. Enter it as ${code('namespace/name')}.`,
  'namespace-invalid': ({ name }: { name: string }) =>
    say`${code(name)} is not a valid namespace name: Kubernetes allows up to 63 lower-case letters, digits and ${code('-')}. Enter the workload as ${code('namespace/name')}.`,
  'cluster-invalid': ({ name }: { name: string }) =>
    say`${code(name)} is not a valid cluster name. Enter the workload as ${code('namespace/name')} or ${code('cluster/namespace/name')}.`,
  'namespace-missing': () =>
    say`The namespace is missing. Use ${code('scan NAMESPACE')}, or ${code('scan -A')} for all namespaces.`,
  'kind-not-diagnosed': ({ kind }: { kind: string }) =>
    say`Rollout Doctor diagnoses Deployments, StatefulSets, DaemonSets, Rollouts, LeaderWorkerSets, Knative Services, RayServices and DynamoGraphDeployments only. Name the one that owns the ${code(kind)}.`,
  'kind-not-supported': ({ kinds, ask }: OtherKind) =>
    sentences(
      say`${code(kinds)} are not supported yet.`,
      insteadWords.en[ask],
      say`Rollout Doctor diagnoses Deployments, StatefulSets, DaemonSets, Rollouts, LeaderWorkerSets, Knative Services, RayServices and DynamoGraphDeployments.`,
    ),
  'kind-twice': ({ first, second }: { first: string; second: string }) =>
    say`The kind has two values: ${code(first)} and ${code(second)}. Enter only one.`,
  /** `meant`: the whole request with the verb spelt right. */
  'verb-misspelt': ({ verb, meant }: { verb: string; meant: string }) =>
    say`${code(verb)} is not a command. Did you mean ${code(meant)}?`,
  /** What only a button does. */
  'verb-on-card': ({ verb }: { verb: string }) =>
    say`${code(verb)} is not a command. Changes are reviewed, applied and undone with the buttons of their card. ${code('ml/inference')} shows the card of that workload.`,
  'kind-misspelt': ({ word, meant }: { word: string; meant: string }) =>
    say`${code(word)} is not a kind. Did you mean ${code(meant)}?`,
  /** `meant`: the diagnosis of that workload. */
  'scan-of-workload': ({ meant }: { meant: string }) =>
    say`${code('scan')} diagnoses a whole namespace. For one workload, enter ${code(meant)}.`,
  /** Somebody entered the form of a request. */
  'form-given': () =>
    say`${code('namespace/name')} stands for the names of your workload, such as ${code('ml/inference')}.`,
  /** A word that can be neither a verb nor a name, before others. */
  'verb-unknown': ({ verb }: { verb: string }) => say`${code(verb)} is not a command.`,
  'given-twice': ({ option, first, second }: { option: string; first: string; second: string }) =>
    say`The ${code(option)} has two values: ${code(first)} and ${code(second)}. Enter only one.`,
  'option-unknown': ({ option }: { option: string }) =>
    say`Unknown option ${code(option)}. The options are ${code('-n NAMESPACE')} and ${code('--cluster NAME')}.`,
  'option-empty': ({ option }: { option: string }) => say`The option ${code(option)} needs a value.`,
  'too-many-words': ({ words }: { words: readonly string[] }) =>
    say`Unexpected: ${code(words.join(' '))}. Enter one workload, such as ${code('ml/inference')}.`,
  /** `meant`: what may be meant without these words. */
  'further-words': ({ words, meant }: { words: readonly string[]; meant: string }) =>
    words.length === 0
      ? say`Did you mean ${code(meant)}?`
      : say`Unexpected: ${code(words.join(' '))}. Enter only ${code(meant)}.`,
  'address-given': () =>
    say`An address of a page names no workload. Enter the workload, such as ${code('ml/inference')}.`,
  'sentence-missing': () =>
    say`The scheduler message is missing. Paste it after the command: ${code('explain "0/3 nodes are available: …"')}.`,
  'reason-missing': () =>
    say`The reason is missing. Add it to the command: ${code('changes stop network outage in zone b')}.`,
  'duration-missing': () => say`The duration is missing. For example: ${code('silence ml/inference 2h')}.`,
  'duration-invalid': ({ text }: { text: string }) =>
    say`${code(text)} is not a valid duration. Use ${code('30m')}, ${code('2h')} or ${code('1d')}.`,
  'nodes-missing': () =>
    say`The nodes are missing. Add them after the workload: ${code('exclude ml/inference node-a node-b')}.`,
  'nodes-too-many': ({ max }: { max: number }) => say`One request can exclude at most ${max} nodes.`,
  'node-invalid': ({ name }: { name: string }) =>
    say`${code(name)} is not a valid node name. Enter the workload first, then its nodes: ${code('exclude ml/inference node-a')}.`,
};

const ko: typeof en = {
  'name-missing': () => say`워크로드를 입력하지 않았습니다. ${code('namespace/name')} 형식으로 입력하세요.`,
  'name-invalid': ({ name }) =>
    say`${code(name)}: 워크로드 이름으로 쓸 수 없습니다. 영문 소문자, 숫자, ${code('-')}, ${code('.')}만 최대 253자까지 사용할 수 있습니다. ${code('namespace/name')} 형식으로 입력하세요.`,
  'namespace-invalid': ({ name }) =>
    say`${code(name)}: 네임스페이스 이름으로 쓸 수 없습니다. 영문 소문자, 숫자, ${code('-')}만 최대 63자까지 사용할 수 있습니다. 워크로드를 ${code('namespace/name')} 형식으로 입력하세요.`,
  'cluster-invalid': ({ name }) =>
    say`${code(name)}: 클러스터 이름으로 쓸 수 없습니다. 워크로드를 ${code('namespace/name')} 또는 ${code('cluster/namespace/name')} 형식으로 입력하세요.`,
  'namespace-missing': () =>
    say`네임스페이스를 입력하지 않았습니다. ${code('scan NAMESPACE')} 명령을 사용하세요. 전체 네임스페이스는 ${code('scan -A')} 명령으로 스캔합니다.`,
  'kind-not-diagnosed': ({ kind }) =>
    say`Rollout Doctor는 ${word(workloadKinds.join(', '))}만 진단합니다. ${code(kind)} 대신 이를 소유한 워크로드를 입력하세요.`,
  'kind-not-supported': ({ kinds, ask }) =>
    sentences(
      say`${code(singular(kinds))} 진단은 아직 지원하지 않습니다.`,
      insteadWords.ko[ask],
      say`진단 대상은 ${word(workloadKinds.join(', '))}입니다.`,
    ),
  'kind-twice': ({ first, second }) =>
    say`종류 값이 두 개입니다: ${code(first)}, ${code(second)}. 하나만 입력하세요.`,
  'verb-misspelt': ({ verb, meant }) =>
    say`${code(verb)} 명령은 없습니다. 이렇게 입력하려고 하셨나요? ${code(meant)}`,
  'verb-on-card': ({ verb }) =>
    say`${code(verb)} 명령은 없습니다. 변경은 카드의 버튼으로 검토, 적용, 취소합니다. ${code('ml/inference')}처럼 입력하면 해당 워크로드의 카드가 표시됩니다.`,
  'kind-misspelt': ({ word, meant }) =>
    say`${code(word)} 종류는 없습니다. 이렇게 입력하려고 하셨나요? ${code(meant)}`,
  'scan-of-workload': ({ meant }) =>
    say`${code('scan')} 명령은 네임스페이스 전체를 진단합니다. 워크로드 하나는 이렇게 입력하세요: ${code(meant)}.`,
  'form-given': () =>
    say`${code('namespace/name')} 자리에는 ${code('ml/inference')}처럼 실제 이름을 입력하세요.`,
  'verb-unknown': ({ verb }) => say`${code(verb)} 명령은 없습니다.`,
  'given-twice': ({ option, first, second }) =>
    say`${code(option)} 값이 두 개입니다: ${code(first)}, ${code(second)}. 하나만 입력하세요.`,
  'option-unknown': ({ option }) =>
    say`알 수 없는 옵션입니다: ${code(option)}. 사용할 수 있는 옵션: ${code('-n NAMESPACE')}, ${code('--cluster NAME')}.`,
  'option-empty': ({ option }) => say`${code(option)} 옵션에 값이 필요합니다.`,
  'too-many-words': ({ words }) =>
    say`예상하지 못한 입력입니다: ${code(words.join(' '))}. ${code('ml/inference')}처럼 워크로드 하나만 입력하세요.`,
  'further-words': ({ words, meant }) =>
    words.length === 0
      ? say`이렇게 입력하려고 하셨나요? ${code(meant)}`
      : say`예상하지 못한 입력입니다: ${code(words.join(' '))}. ${code(meant)}만 입력하세요.`,
  'address-given': () =>
    say`페이지 주소로는 워크로드를 찾을 수 없습니다. ${code('ml/inference')}처럼 워크로드를 입력하세요.`,
  'sentence-missing': () =>
    say`스케줄러 메시지를 입력하지 않았습니다. 명령 뒤에 붙여 넣으세요: ${code('explain "0/3 nodes are available: …"')}.`,
  'reason-missing': () =>
    say`이유를 입력하지 않았습니다. 명령에 추가하세요: ${code('changes stop zone b 네트워크 장애')}.`,
  'duration-missing': () => say`기간을 입력하지 않았습니다. 예: ${code('silence ml/inference 2h')}.`,
  'duration-invalid': ({ text }) =>
    say`${code(text)} 값은 올바른 기간이 아닙니다. ${code('30m')}, ${code('2h')}, ${code('1d')} 형식으로 입력하세요.`,
  'nodes-missing': () =>
    say`노드를 입력하지 않았습니다. 워크로드 뒤에 추가하세요: ${code('exclude ml/inference node-a node-b')}.`,
  'nodes-too-many': ({ max }) => say`한 번에 노드 ${max}개까지 제외할 수 있습니다.`,
  'node-invalid': ({ name }) =>
    say`${code(name)}: 노드 이름으로 쓸 수 없습니다. 워크로드를 먼저, 그 뒤에 노드를 입력하세요: ${code('exclude ml/inference node-a')}.`,
};

export const usageText = { en, ko };

/** Korean has no plural: `Ingresses` is `Ingress`. */
function singular(kinds: string): string {
  return kinds.replace(/(?:(?<=ss)es|s)$/, '');
}
