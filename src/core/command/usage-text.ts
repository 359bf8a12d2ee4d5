import type { Catalogue } from '../language/catalogue.js';
import { code, say } from '../language/prose.js';

/** What can be wrong with a command's text. */
export type UsageShapes = {
  readonly 'name-missing': Record<string, never>;
  readonly 'name-invalid': { readonly name: string };
  readonly 'namespace-invalid': { readonly name: string };
  readonly 'cluster-invalid': { readonly name: string };
  readonly 'namespace-missing': Record<string, never>;
  readonly 'kind-not-diagnosed': { readonly kind: string };
  readonly 'said-twice': { readonly option: string; readonly first: string; readonly second: string };
  readonly 'option-unknown': { readonly option: string };
  readonly 'option-empty': { readonly option: string };
  readonly 'too-many-words': { readonly words: readonly string[] };
  readonly 'sentence-missing': Record<string, never>;
  readonly 'reason-missing': Record<string, never>;
  readonly 'duration-missing': Record<string, never>;
  readonly 'duration-invalid': { readonly text: string };
  readonly 'nodes-missing': Record<string, never>;
  readonly 'nodes-too-many': { readonly most: number };
  readonly 'node-invalid': { readonly name: string };
};

export const usageText: Catalogue<UsageShapes> = {
  en: {
    'name-missing': () => say`Which workload? Write it as ${code('namespace/name')}.`,
    'name-invalid': ({ name }) =>
      say`${code(name)} cannot be the name of a workload: Kubernetes takes lower-case letters, digits, ${code('-')} and ${code('.')}, at most 253.`,
    'namespace-invalid': ({ name }) =>
      say`${code(name)} cannot be the name of a namespace: Kubernetes takes lower-case letters, digits and ${code('-')}, at most 63.`,
    'cluster-invalid': ({ name }) => say`${code(name)} cannot be the name of a cluster.`,
    'namespace-missing': () =>
      say`Which namespace? Write ${code('scan NAMESPACE')}, or ${code('scan -A')} for all.`,
    'kind-not-diagnosed': ({ kind }) =>
      say`I look at Deployments, StatefulSets and DaemonSets. Name the one that owns the ${code(kind)}.`,
    'said-twice': ({ option, first, second }) =>
      say`You named two values for the ${code(option)}: ${code(first)} and ${code(second)}. Which one?`,
    'option-unknown': ({ option }) =>
      say`I do not know the option ${code(option)}. I take ${code('-n NAMESPACE')} and ${code('--cluster NAME')}.`,
    'option-empty': ({ option }) => say`The option ${code(option)} needs a value after it.`,
    'too-many-words': ({ words }) =>
      say`One workload at a time, please. I cannot tell what ${code(words.join(' '))} means here.`,
    'sentence-missing': () =>
      say`Which sentence? Paste what the scheduler said: ${code('explain "0/3 nodes are available: …"')}.`,
    'reason-missing': () =>
      say`Why? Write the reason after it: ${code('changes stop network outage in zone b')}.`,
    'duration-missing': () => say`For how long? Write, for example, ${code('silence ml/inference 2h')}.`,
    'duration-invalid': ({ text }) =>
      say`${code(text)} is no length of time I know. Write ${code('30m')}, ${code('2h')} or ${code('1d')}, at most 30 days.`,
    'nodes-missing': () =>
      say`Which nodes? Write them after the workload: ${code('exclude ml/inference node-a node-b')}.`,
    'nodes-too-many': ({ most }) => say`At most ${most} nodes can be excluded with one request.`,
    'node-invalid': ({ name }) => say`${code(name)} cannot be the name of a node.`,
  },
  ko: {
    'name-missing': () => say`어떤 워크로드인가요? ${code('namespace/name')} 형식으로 적어 주세요.`,
    'name-invalid': ({ name }) =>
      say`${code(name)} — 워크로드 이름으로 쓸 수 없습니다. Kubernetes 이름은 영문 소문자, 숫자, ${code('-')}, ${code('.')}만 253자까지 쓸 수 있습니다.`,
    'namespace-invalid': ({ name }) =>
      say`${code(name)} — 네임스페이스 이름으로 쓸 수 없습니다. 영문 소문자, 숫자, ${code('-')}만 63자까지 쓸 수 있습니다.`,
    'cluster-invalid': ({ name }) => say`${code(name)} — 클러스터 이름으로 쓸 수 없습니다.`,
    'namespace-missing': () =>
      say`어떤 네임스페이스인가요? ${code('scan NAMESPACE')}, 전체는 ${code('scan -A')}로 적어 주세요.`,
    'kind-not-diagnosed': ({ kind }) =>
      say`Deployment, StatefulSet, DaemonSet만 진단합니다. ${code(kind)} 대신 그것을 소유한 워크로드를 적어 주세요.`,
    'said-twice': ({ option, first, second }) =>
      say`${code(option)} 값이 두 개입니다: ${code(first)}, ${code(second)}. 어느 쪽인가요?`,
    'option-unknown': ({ option }) =>
      say`${code(option)} 옵션은 알지 못합니다. 쓸 수 있는 옵션은 ${code('-n NAMESPACE')}, ${code('--cluster NAME')}입니다.`,
    'option-empty': ({ option }) => say`${code(option)} 옵션 뒤에 값이 필요합니다.`,
    'too-many-words': ({ words }) =>
      say`한 번에 워크로드 하나만 적어 주세요. ${code(words.join(' '))} 부분을 이해하지 못했습니다.`,
    'sentence-missing': () =>
      say`어떤 문장인가요? 스케줄러 메시지를 붙여 주세요: ${code('explain "0/3 nodes are available: …"')}.`,
    'reason-missing': () => say`이유를 함께 적어 주세요: ${code('changes stop zone b 네트워크 장애')}.`,
    'duration-missing': () => say`얼마 동안인가요? 예: ${code('silence ml/inference 2h')}.`,
    'duration-invalid': ({ text }) =>
      say`${code(text)} — 알 수 없는 기간입니다. ${code('30m')}, ${code('2h')}, ${code('1d')}처럼 적어 주세요(최대 30일).`,
    'nodes-missing': () =>
      say`어떤 노드인가요? 워크로드 뒤에 적어 주세요: ${code('exclude ml/inference node-a node-b')}.`,
    'nodes-too-many': ({ most }) => say`한 번에 노드 ${most}개까지 제외할 수 있습니다.`,
    'node-invalid': ({ name }) => say`${code(name)} — 노드 이름으로 쓸 수 없습니다.`,
  },
};
