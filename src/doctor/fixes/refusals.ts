import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf, type ValuesOf } from '../../engine/language/statement.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import { type LimitValues, limitValues, limitWords } from '../../engine/workloads/limit-range-defaults.js';
import type { Refusal } from './plan.js';

type OwnerName = { readonly kind: string; readonly owner: string };

export type RefusalShapes = ValuesOf<typeof en>;

export const refusalStatement = statementsOf<typeof en>('refusals');

/** Why the effect of a change is unknown: the simulation reached a limit first. */
export function tooLarge(
  { namespace, name }: { namespace: string; name: string },
  { limit }: Pick<Forecast, 'limit'>,
): Statement {
  return refusalStatement('too-large', { workload: `${namespace}/${name}`, ...limitValues(limit) });
}

/** Why a remediation cannot be done, with the words for it. */
export function refusal<Key extends keyof RefusalShapes>(
  reason: Refusal['reason'],
  key: Key,
  ...values: Parameters<(typeof en)[Key]>
): Refusal {
  return { type: 'refusal', reason, because: refusalStatement(key, ...values) };
}

const en = {
  paused: ({ workload }: { workload: string }) => say`${code(workload)} is paused. Resume it first.`,
  'waits-at-no-pause': ({ workload }: { workload: string }) =>
    say`${code(workload)} does not wait at a pause now. Rollout Doctor ends pauses and skips no step or analysis. ${code('kubectl argo rollouts promote')} can skip them.`,
  'update-over': ({ workload }: { workload: string }) =>
    say`The update of ${code(workload)} is over: its new revision is promoted.`,
  'pauses-again': ({ workload }: { workload: string }) =>
    say`An experiment of ${code(workload)} has no conclusion. The controller would pause the update again right after a promotion.`,
  'already-applied': ({ workload }: { workload: string }) =>
    say`${code(workload)} already has these settings.`,
  drifted: ({ workload, path, found }: { workload: string; path: string; found: string }) =>
    say`${code(workload)} changed in the meantime: ${code(path)} is ${found === '-' ? word('no longer set') : say`now ${code(found)}`}. Restoring the old value would undo that change, so nothing was done.`,
  /** `kind`: of the fix, for records; people read no ids. */
  'not-applicable': ({ workload }: { workload: string; kind: string }) =>
    say`This change does not apply to ${code(workload)}.`,
  'pod-gone': ({ pod }: { pod: string }) => say`Pod ${code(pod)} no longer exists.`,
  'pod-ready': ({ pod }: { pod: string }) => say`Pod ${code(pod)} is ready now.`,
  'pod-protected': ({ pod, budget }: { pod: string; budget: string }) =>
    say`PodDisruptionBudget ${code(budget)} allows no disruption of ${code(pod)} now.`,
  'budgets-unread': ({ pod }: { pod: string }) =>
    say`Pod ${code(pod)} is ready, and the PodDisruptionBudgets that may protect it could not be read.`,
  'node-gone': ({ node, hostname }: { node: string; hostname: string }) =>
    say`Node ${code(node)} with the hostname label ${code(hostname)} no longer exists.`,
  'revision-gone': ({ workload, revision }: { workload: string; revision: number }) =>
    say`Revision ${revision} of ${code(workload)} no longer exists in the cluster.`,
  'template-gone': ({ workload, from }: { workload: string; from: string }) =>
    say`${code(from)}, which holds the previous template of ${code(workload)}, no longer exists in the cluster.`,
  'replica-set-gone': ({ replicaSet }: { replicaSet: string }) =>
    say`ReplicaSet ${code(replicaSet)} no longer exists.`,
  'revision-current': ({ workload, replicaSet }: { workload: string; replicaSet: string }) =>
    say`${code(replicaSet)} is the current ReplicaSet of ${code(workload)}.`,
  'too-large': ({ workload, ...limit }: { readonly workload: string } & LimitValues) =>
    say`The effect of this change on ${code(workload)} is unknown. The simulation stopped because ${word(limitWords(limit, 'en'))}.`,
  /** Of an object that people own above the workload. */
  'owner-unread': ({ kind, owner }: OwnerName) =>
    say`${code(`${kind} ${owner}`)}, in which this change has to be made, could not be read. Its controller would revert the change in the workload.`,
  'owner-has-no-field': ({ kind, owner }: OwnerName) =>
    say`The controller of ${code(`${kind} ${owner}`)} writes this workload, and no field of the ${code(kind)} is known for this change.`,
  'owner-field-not-served': ({ kind, owner, field }: OwnerName & { readonly field: string }) =>
    say`Nothing shows that the installed release of KServe has ${code(field)} of ${code(`${kind} ${owner}`)}. The API server drops an unknown field, and releases up to 0.20 do not have it.`,
  'owner-keeps-no-revision': ({ kind, owner }: OwnerName) =>
    say`${code(`${kind} ${owner}`)} keeps no earlier revision, and its controller would replace a restored one. Apply its former manifest, or revert the change in Git.`,
  'owner-has-no-pause': ({ kind, owner }: OwnerName) =>
    say`No field of ${code(`${kind} ${owner}`)} pauses or resumes a rollout. A pause of the Deployment ends when the controller of the ${code(kind)} next writes it.`,
  'owner-affinity-elsewhere': ({ kind, owner }: OwnerName) =>
    say`The required node affinity of the pods is not the one of ${code(`${kind} ${owner}`)}. Set it where it is declared, such as the ServingRuntime. You can also cordon the nodes.`,
  'owner-affinity-of-groups': ({ kind, owner }: OwnerName) =>
    say`The affinity of leaders and workers is declared in ${code(`${kind} ${owner}`)} for each of them. Rollout Doctor does not change it. Set it there, in ${code('template')} and ${code('worker')}. You can also cordon the nodes.`,
  'scaled-already': ({ replicaSet, replicas }: { replicaSet: string; replicas: number }) =>
    say`The old ReplicaSet ${code(replicaSet)} already has ${word(replicas === 1 ? '1 replica' : `${replicas} replicas`)}.`,
};

const ko: typeof en = {
  paused: ({ workload }) => say`${code(workload)} 롤아웃이 일시 중지되어 있습니다. 먼저 재개하세요.`,
  'waits-at-no-pause': ({ workload }) =>
    say`${code(workload)} 업데이트는 지금 일시 중지에서 기다리는 상태가 아닙니다. Rollout Doctor는 일시 중지만 끝내며 단계나 분석을 건너뛰지 않습니다. 건너뛰려면 ${code('kubectl argo rollouts promote')}를 사용하세요.`,
  'update-over': ({ workload }) =>
    say`${code(workload)} 업데이트가 끝났습니다. 새 리비전이 이미 승격되었습니다.`,
  'pauses-again': ({ workload }) =>
    say`${code(workload)} 업데이트의 실험이 결론을 내지 못했습니다. 승격(promote)해도 컨트롤러가 곧바로 다시 일시 중지합니다.`,
  'already-applied': ({ workload }) => say`${code(workload)} 워크로드에는 이미 이 설정이 적용되어 있습니다.`,
  drifted: ({ workload, path, found }) =>
    say`그사이 ${code(workload)} 워크로드가 변경되었습니다. ${code(path)} 값: ${found === '-' ? word('설정되어 있지 않음') : say`${code(found)}`}. 이전 값으로 되돌리면 그 변경이 사라지므로 아무것도 하지 않았습니다.`,
  'not-applicable': ({ workload }) => say`${code(workload)}에는 이 변경을 적용할 수 없습니다.`,
  'pod-gone': ({ pod }) => say`${code(pod)} 파드가 더 이상 없습니다.`,
  'pod-ready': ({ pod }) => say`${code(pod)} 파드는 지금 준비된 상태입니다.`,
  'pod-protected': ({ pod, budget }) =>
    say`PodDisruptionBudget ${code(budget)} 때문에 지금은 ${code(pod)} 파드를 중단할 수 없습니다.`,
  'budgets-unread': ({ pod }) =>
    say`${code(pod)} 파드가 준비된 상태이며, 이 파드를 보호하는 PodDisruptionBudget이 있는지 읽지 못했습니다.`,
  'node-gone': ({ node, hostname }) =>
    say`${code(node)} 노드(hostname 레이블 ${code(hostname)})가 더 이상 없습니다.`,
  'revision-gone': ({ workload, revision }) =>
    say`${code(workload)}의 리비전(${revision})이 클러스터에 더 이상 없습니다.`,
  'template-gone': ({ workload, from }) =>
    say`${code(workload)}의 이전 템플릿이 담긴 ${code(from)} 오브젝트가 클러스터에 더 이상 없습니다.`,
  'replica-set-gone': ({ replicaSet }) => say`${code(replicaSet)} ReplicaSet이 더 이상 없습니다.`,
  'revision-current': ({ workload, replicaSet }) =>
    say`${code(replicaSet)} ReplicaSet은 ${code(workload)}의 현재 리비전입니다.`,
  'too-large': ({ workload, ...limit }) =>
    say`이 변경이 ${code(workload)}에 미치는 영향을 알 수 없습니다. ${word(limitWords(limit, 'ko'))} 시뮬레이션을 중단했습니다.`,
  'owner-unread': ({ kind, owner }) =>
    say`이 변경은 ${code(`${kind} ${owner}`)}에 해야 하지만 이 오브젝트를 읽지 못했습니다. 워크로드를 직접 바꾸면 컨트롤러가 되돌립니다.`,
  'owner-has-no-field': ({ kind, owner }) =>
    say`${code(`${kind} ${owner}`)}의 컨트롤러가 이 워크로드를 관리하며, 이 변경에 해당하는 ${code(kind)} 필드가 없습니다.`,
  'owner-field-not-served': ({ kind, owner, field }) =>
    say`설치된 KServe 릴리스의 ${code(`${kind} ${owner}`)} 오브젝트에 ${code(field)} 필드가 있는지 확인되지 않았습니다. API 서버는 모르는 필드를 버리며, 0.20까지의 릴리스에는 이 필드가 없습니다.`,
  'owner-keeps-no-revision': ({ kind, owner }) =>
    say`${code(`${kind} ${owner}`)}에는 이전 리비전이 남아 있지 않으며, 워크로드를 복원해도 컨트롤러가 다시 바꿉니다. 이전 매니페스트를 적용하거나 Git에서 변경을 되돌리세요.`,
  'owner-has-no-pause': ({ kind, owner }) =>
    say`${code(`${kind} ${owner}`)}에는 롤아웃을 일시 중지하거나 재개하는 필드가 없습니다. Deployment의 일시 중지는 ${code(kind)} 컨트롤러가 다음에 쓸 때 풀립니다.`,
  'owner-affinity-elsewhere': ({ kind, owner }) =>
    say`파드의 필수 노드 어피니티가 ${code(`${kind} ${owner}`)}의 값과 다릅니다. ServingRuntime처럼 선언된 곳에서 설정하거나 노드를 cordon하세요.`,
  'owner-affinity-of-groups': ({ kind, owner }) =>
    say`리더와 워커의 어피니티는 ${code(`${kind} ${owner}`)}에 각각 선언되며, Rollout Doctor는 이를 변경하지 않습니다. ${code('template')}과 ${code('worker')}에서 설정하거나 노드를 cordon하세요.`,
  'scaled-already': ({ replicaSet, replicas }) =>
    say`이전 ReplicaSet ${code(replicaSet)}의 복제본은 이미 ${replicas}개입니다.`,
};

export const refusalsText = { en, ko };
