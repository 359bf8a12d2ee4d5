import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  'title-in-place': () => say`Replace in place`,
  'title-recreate': () => say`Stop all, then start all`,
  'stops-first': ({
    pods,
    graceSeconds,
  }: {
    readonly pods: readonly string[];
    readonly graceSeconds: number;
  }) => say`The controller stops ${names('en', pods)} (up to ${duration('en', graceSeconds)}).`,
  /** No rule of the ReplicaSet controller tells these apart from those named. */
  'or-else': ({ pods }: { readonly pods: readonly string[] }) =>
    say`It may as well begin with ${names('en', pods)}: no rule tells them apart.`,
  'then-one-by-one': ({ replicas }: { readonly replicas: number }) =>
    say`The other old pods follow one at a time, until all ${replicas} are replaced.`,
  'then-node-by-node': ({ nodes }: { readonly nodes: number }) =>
    say`The other nodes follow one at a time, until all ${nodes} have the new version.`,
  stays: ({ maxSurge, maxUnavailable }: { readonly maxSurge: string; readonly maxUnavailable: string }) =>
    say`The strategy stays at maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)} until somebody changes it; every later update then has the same gap.`,
};

const ko: SameSentences<typeof en> = {
  'title-in-place': () => say`제자리에서 교체`,
  'title-recreate': () => say`모두 내린 뒤 모두 시작`,
  'stops-first': ({ pods, graceSeconds }) =>
    say`컨트롤러가 ${names('ko', pods)} 파드를 내립니다(최대 ${duration('ko', graceSeconds)}).`,
  'or-else': ({ pods }) =>
    say`대신 ${names('ko', pods)} 파드부터 내릴 수도 있습니다. 어느 쪽인지 정하는 규칙이 없습니다.`,
  'then-one-by-one': ({ replicas }) => say`나머지 이전 파드도 하나씩 바뀌어 ${replicas}개 모두 교체됩니다.`,
  'then-node-by-node': ({ nodes }) => say`나머지 노드도 하나씩 바뀌어 ${nodes}개 모두 새 버전이 됩니다.`,
  stays: ({ maxSurge, maxUnavailable }) =>
    say`전략은 누군가 바꿀 때까지 maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}로 남으며, 이후 업데이트마다 같은 공백이 생깁니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('patch-strategy');
