import type { Catalogue } from '../language/catalogue.js';
import { code, say, word } from '../language/prose.js';
import { limitWords } from '../rollout/limit-words.js';
import type { RefusalShapes } from './refusals.js';

export const refusalsText: Catalogue<RefusalShapes> = {
  en: {
    paused: ({ workload }) => say`${code(workload)} is paused; resume it first.`,
    'already-applied': ({ workload }) => say`${code(workload)} is that way already.`,
    drifted: ({ workload, path, found }) =>
      say`Somebody changed ${code(workload)} since: ${code(path)} is now ${code(found)}. Putting the old value back would undo their change, so nothing was done.`,
    'not-applicable': ({ workload, kind }) => say`${code(kind)} does not apply to ${code(workload)}.`,
    'pod-gone': ({ pod }) => say`The pod ${code(pod)} is gone already.`,
    'pod-ready': ({ pod }) => say`The pod ${code(pod)} is ready now.`,
    'pod-protected': ({ pod, budget }) =>
      say`PodDisruptionBudget ${code(budget)} allows no disruption of ${code(pod)} now.`,
    'budgets-unread': ({ pod }) =>
      say`${code(pod)} is ready, and whether a PodDisruptionBudget protects it could not be read.`,
    'node-gone': ({ node, hostname }) =>
      say`There is no node ${code(node)} with the hostname label ${code(hostname)} any more.`,
    'revision-gone': ({ workload, revision }) =>
      say`Revision ${revision} of ${code(workload)} is no longer kept in the cluster.`,
    'template-gone': ({ workload, from }) =>
      say`${code(from)}, which kept the former template of ${code(workload)}, is no longer in the cluster.`,
    'replica-set-gone': ({ replicaSet }) => say`The ReplicaSet ${code(replicaSet)} is gone already.`,
    'revision-current': ({ workload, replicaSet }) =>
      say`${code(replicaSet)} is what ${code(workload)} wants now.`,
    'too-large': ({ workload, ...limit }) =>
      say`The effect of this change on ${code(workload)} is unknown. The simulation stopped because ${word(limitWords(limit, 'en'))}.`,
    'scaled-already': ({ replicaSet, replicas }) =>
      say`The old ReplicaSet ${code(replicaSet)} has ${replicas} replicas already.`,
  },
  ko: {
    paused: ({ workload }) => say`${code(workload)}이(가) 일시 중지되어 있습니다. 먼저 재개하세요.`,
    'already-applied': ({ workload }) => say`${code(workload)}은(는) 이미 그 상태입니다.`,
    drifted: ({ workload, path, found }) =>
      say`그 사이 누군가 ${code(workload)}을(를) 바꿨습니다: ${code(path)} 값이 지금 ${code(found)}입니다. 예전 값으로 되돌리면 그 변경이 사라지므로 아무것도 하지 않았습니다.`,
    'not-applicable': ({ workload, kind }) => say`${code(workload)}에는 ${code(kind)} 방법을 쓸 수 없습니다.`,
    'pod-gone': ({ pod }) => say`파드 ${code(pod)}은(는) 이미 없습니다.`,
    'pod-ready': ({ pod }) => say`파드 ${code(pod)}은(는) 지금 준비된 상태입니다.`,
    'pod-protected': ({ pod, budget }) =>
      say`PodDisruptionBudget ${code(budget)}이(가) 지금 ${code(pod)}의 중단을 허용하지 않습니다.`,
    'budgets-unread': ({ pod }) =>
      say`${code(pod)}은(는) 준비된 상태이고, PodDisruptionBudget이 보호하는지 읽지 못했습니다.`,
    'node-gone': ({ node, hostname }) =>
      say`hostname 레이블이 ${code(hostname)}인 ${code(node)} 노드가 더 이상 없습니다.`,
    'revision-gone': ({ workload, revision }) =>
      say`${code(workload)}의 리비전 ${revision}은(는) 클러스터에 더 이상 없습니다.`,
    'template-gone': ({ workload, from }) =>
      say`${code(workload)}의 이전 템플릿이 담긴 ${code(from)}이(가) 클러스터에 더 이상 없습니다.`,
    'replica-set-gone': ({ replicaSet }) => say`ReplicaSet ${code(replicaSet)}은(는) 이미 없습니다.`,
    'revision-current': ({ workload, replicaSet }) =>
      say`${code(replicaSet)}은(는) 지금 ${code(workload)}이(가) 원하는 리비전입니다.`,
    'too-large': ({ workload, ...limit }) =>
      say`이 변경이 ${code(workload)}에 미치는 영향을 알 수 없습니다. ${word(limitWords(limit, 'ko'))} 시뮬레이션을 중단했습니다.`,
    'scaled-already': ({ replicaSet, replicas }) =>
      say`이전 ReplicaSet ${code(replicaSet)}의 복제본은 이미 ${replicas}개입니다.`,
  },
};
