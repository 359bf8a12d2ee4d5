import type { Language } from '../language/language.js';
import { code, type Prose, say } from '../language/prose.js';

interface PullRequestWords {
  readonly why: string;
  readonly price: string;
  readonly checked: string;
  readonly direct: string;
  readonly change: string;
  readonly undo: () => Prose;
  readonly undoOf: (title: Prose) => Prose;
  readonly footer: (about: { readonly workload: string; readonly cluster: string }) => Prose;
}

export const pullRequestText: Readonly<Record<Language, PullRequestWords>> = {
  en: {
    why: 'Why',
    price: 'Cost of this change',
    checked: 'Check of the changed manifest',
    direct: 'If the cluster is changed directly',
    change: 'Change',
    undoOf: (title) => say`Undo of “${title}”`,
    undo: () => say`To undo this change, revert its commit.`,
    footer: ({ workload, cluster }) =>
      say`Rollout Doctor opened this pull request for ${code(workload)} in ${code(cluster)} after an approval in Slack. It never merges.`,
  },
  ko: {
    why: '원인',
    price: '이 변경의 비용',
    checked: '변경된 매니페스트 검사',
    direct: '클러스터만 직접 변경할 경우',
    change: '변경 내용',
    undoOf: (title) => say`“${title}” 되돌리기`,
    undo: () => say`이 변경을 되돌리려면 커밋을 되돌리세요(revert).`,
    footer: ({ workload, cluster }) =>
      say`Rollout Doctor가 Slack에서 승인을 받아 ${code(cluster)}의 ${code(workload)}에 대해 연 풀 리퀘스트입니다. 직접 병합하지 않습니다.`,
  },
};
