import type { Confidence } from '../../../core/diagnosis/cause-id.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, say, strong, word } from '../../../core/language/prose.js';
import { counted } from '../../../core/language/words.js';
import { type UnseenReason, unseenWords } from './kind-words.js';

type None = Record<string, never>;

/** What a scan says to the one who asked. `where` is the namespace and the cluster. */
export type ScanShapes = {
  readonly where: { readonly cluster: string; readonly namespace: string };
  readonly scanning: { readonly where: Prose };
  readonly 'still-scanning': { readonly where: Prose };
  readonly 'no-cluster': { readonly name: string };
  readonly 'no-namespace': { readonly name: string };
  readonly unreadable: { readonly where: Prose; readonly because: UnseenReason };
  readonly 'failed-inside': { readonly reference: string };
  readonly unwell: { readonly where: Prose; readonly unwell: number; readonly of: number };
  readonly 'all-well': { readonly where: Prose; readonly of: number };
  readonly 'none-found': { readonly where: Prose; readonly of: number };
  readonly empty: { readonly where: Prose };
  readonly line: {
    readonly summary: Prose;
    readonly confidence: Confidence;
    readonly cause: string;
    readonly others: number;
  };
  readonly more: { readonly count: number };
  readonly noted: { readonly count: number };
  readonly 'skipped-time': { readonly count: number };
  readonly 'skipped-number': { readonly count: number };
  readonly unchecked: { readonly count: number };
  readonly unseen: { readonly what: string; readonly namespace: string; readonly because: UnseenReason };
  readonly 'looked-at': { readonly at: string };
  readonly diagnose: None;
};

export const scanText: Catalogue<ScanShapes> = {
  en: {
    where: ({ cluster, namespace }) =>
      namespace === '' ? say`all of ${code(cluster)}` : say`${code(namespace)} in ${code(cluster)}`,
    scanning: ({ where }) =>
      say`Looking at every workload of ${where} … The answer comes here, for you only.`,
    'still-scanning': ({ where }) => say`I am still looking at ${where} for you.`,
    'no-cluster': ({ name }) => say`I have no cluster ${code(name)}.`,
    'no-namespace': ({ name }) => say`There is no namespace ${code(name)}.`,
    unreadable: ({ where, because }) => say`I could not look at ${where}: ${word(unseenWords.en[because])}.`,
    'failed-inside': ({ reference }) =>
      say`The scan failed inside Rollout Doctor. The log has it under ${code(reference)}.`,
    unwell: ({ where, unwell, of }) =>
      say`${strong(`${unwell} of ${of} workloads ${unwell === 1 ? 'is' : 'are'} unwell`)} in ${where}`,
    'all-well': ({ where, of }) =>
      say`I found nothing wrong with ${counted(of, 'workload', 'workloads')} of ${where}.`,
    'none-found': ({ where, of }) =>
      say`I found nothing wrong with the ${counted(of, 'workload', 'workloads')} of ${where} that I could look at.`,
    empty: ({ where }) => say`There is no Deployment, StatefulSet or DaemonSet in ${where}.`,
    line: ({ summary, confidence, cause, others }) =>
      say`${summary} · ${word(confidence)} · ${code(cause)}${others === 0 ? [] : say` and ${counted(others, 'more finding', 'more findings')}`}`,
    more: ({ count }) => say`… and ${count} more`,
    noted: ({ count }) => say`${count} with notes for the future only`,
    'skipped-time': ({ count }) =>
      say`${counted(count, 'workload was', 'workloads were')} not looked at: the time was over.`,
    'skipped-number': ({ count }) =>
      say`${counted(count, 'workload was', 'workloads were')} not looked at: too many for one scan. Those that show missing pods came first.`,
    unchecked: ({ count }) =>
      say`Checks failed in ${counted(count, 'workload', 'workloads')} in which nothing was found.`,
    unseen: ({ what, namespace, because }) =>
      say`Not seen: ${code(what)}${namespace === '' ? [] : say` in ${code(namespace)}`} (${word(unseenWords.en[because])})`,
    'looked-at': ({ at }) => say`looked at ${moment(at)}`,
    diagnose: () => say`Diagnose`,
  },
  ko: {
    where: ({ cluster, namespace }) =>
      namespace === '' ? say`${code(cluster)} 전체` : say`${code(cluster)}의 ${code(namespace)}`,
    scanning: ({ where }) => say`${where} 워크로드를 모두 살펴보는 중 … 결과는 여기에서 본인에게만 보입니다.`,
    'still-scanning': ({ where }) => say`${where} 살펴보기가 아직 진행 중입니다.`,
    'no-cluster': ({ name }) => say`${code(name)} 클러스터는 등록되어 있지 않습니다.`,
    'no-namespace': ({ name }) => say`${code(name)} 네임스페이스가 없습니다.`,
    unreadable: ({ where, because }) =>
      say`${where} — 살펴볼 수 없었습니다: ${word(unseenWords.ko[because])}.`,
    'failed-inside': ({ reference }) =>
      say`Rollout Doctor 안에서 오류가 나 살펴보지 못했습니다. 로그 참조: ${code(reference)}.`,
    unwell: ({ where, unwell, of }) => say`${strong(`워크로드 ${of}개 중 ${unwell}개에 이상`)}: ${where}`,
    'all-well': ({ where, of }) => say`${where} 워크로드 ${of}개에서 이상을 찾지 못했습니다.`,
    'none-found': ({ where, of }) =>
      say`${where} 워크로드 중 확인할 수 있었던 ${of}개에서 이상을 찾지 못했습니다.`,
    empty: ({ where }) => say`${where}에는 Deployment, StatefulSet, DaemonSet이 없습니다.`,
    line: ({ summary, confidence, cause, others }) =>
      say`${summary} · ${word(confidenceWords[confidence])} · ${code(cause)}${others === 0 ? [] : say` 외 ${others}건`}`,
    more: ({ count }) => say`… 외 ${count}개`,
    noted: ({ count }) => say`앞으로를 위한 참고만 있는 워크로드 ${count}개`,
    'skipped-time': ({ count }) => say`시간이 다 되어 워크로드 ${count}개는 보지 못했습니다.`,
    'skipped-number': ({ count }) =>
      say`한 번에 보기에는 너무 많아 워크로드 ${count}개는 보지 않았습니다. 파드가 모자란 것부터 살펴보았습니다.`,
    unchecked: ({ count }) => say`문제가 발견되지 않은 워크로드 중 ${count}개에서 일부 검사가 실패했습니다.`,
    unseen: ({ what, namespace, because }) =>
      say`확인하지 못함: ${namespace === '' ? [] : say`${code(namespace)}의 `}${code(what)} (${word(unseenWords.ko[because])})`,
    'looked-at': ({ at }) => say`확인 시각 ${moment(at)}`,
    diagnose: () => say`진단`,
  },
};

const confidenceWords: Readonly<Record<Confidence, string>> = {
  proven: '증명됨',
  likely: '가능성 높음',
  possible: '가능성 있음',
};
