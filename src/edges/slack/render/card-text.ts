import type { Confidence } from '../../../doctor/findings/cause-id.js';
import { type ChangedFields, fieldWords } from '../../../doctor/findings/field-words.js';
import type { ApprovalState } from '../../../doctor/incidents/approval.js';
import type { Origin } from '../../../doctor/incidents/incident.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { code, moment, person, quote, say, strong, word } from '../../../engine/language/prose.js';
import { counted, countedPods, duration, joined, names } from '../../../engine/language/words.js';
import type { UnseenReason } from '../../../engine/objects/snapshot.js';
import { closedWords, confidenceWords, unseenWords } from './kind-words.js';

interface ReadyPods {
  readonly pods: number;
  readonly wanted: number;
  /** Those of a previous revision. */
  readonly old?: number | undefined;
  /** Beside a title that names the old pods. */
  readonly isTerse?: boolean;
}

function askerEn({ by, assistant }: Requester): Prose {
  if (by === undefined) return say`assistant ${code(assistant ?? '')}`;
  return assistant === undefined
    ? say`${person(by)}`
    : say`${person(by)} through assistant ${code(assistant)}`;
}

function askerKo({ by, assistant }: Requester): Prose {
  if (by === undefined) return say`어시스턴트(${code(assistant ?? '')})의`;
  return assistant === undefined
    ? say`${person(by)} 님`
    : say`어시스턴트(${code(assistant)})를 통한 ${person(by)} 님의`;
}

function changedProse(language: Language, changes: ChangedFields): Prose {
  return changes.flatMap(({ path, before, after }, at) => [
    ...(at === 0 ? [] : say`, `),
    ...say`${fieldWords(language, path)} ${code(before ?? '–')} → ${code(after ?? '–')}`,
  ]);
}

const en = {
  diagnosing: ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`Diagnosing ${code(workload)} in cluster ${code(cluster)} …`,
  'diagnosing-again': ({ workload }: { workload: string }) => say`Diagnosing ${code(workload)} again …`,
  'last-known': ({ at }: { at: string }) => say`Last known state (${moment(at)}):`,
  requested: ({ via, by, assistant, at }: Requester & { via: Origin['via']; at: string }) =>
    by === undefined && assistant === undefined
      ? say`${word(via === 'alert' ? 'triggered by an alert' : 'found without an alert')} ${moment(at)}`
      : say`asked by ${askerEn({ by, assistant })} ${moment(at)}`,
  /** On a card that states the time of its diagnosis. */
  assignee: ({ by }: { by: string }) => say`${person(by)} is on it`,
  'requested-by': (asker: Requester) => say`asked by ${askerEn(asker)}`,
  'by-alert': () => say`triggered by an alert`,
  unasked: () => say`found without an alert`,
  'unasked-since': ({ reason, at }: { reason: string; at: string }) =>
    say`found without an alert · first ${code(reason)} ${moment(at)}`,
  occurrences: ({ times }: { times: number }) => say`asked ${word(times === 2 ? 'twice' : `${times} times`)}`,
  confidence: ({ confidence }: { confidence: Confidence }) => say`${word(confidence)}`,
  'confidence-of-cause': ({ confidence }: { confidence: Confidence }) => say`${word(confidence)} cause`,
  'on-cluster': ({ cluster }: { cluster: string }) => say`cluster ${code(cluster)}`,
  served: ({ pods, wanted }: { pods: number; wanted: number }) =>
    wanted === 0
      ? say`The workload is scaled to 0, so it has no pods.`
      : pods === 0
        ? say`No pod is ready (0 of ${wanted}). The service is down.`
        : pods < wanted
          ? say`The service is degraded: ${countedPods(pods, wanted)} ready.`
          : say`The service is up: ${countedPods(pods, wanted)} ready.`,
  /** How many pods are ready, in the fewest words. */
  ready: ({ pods, wanted, old = 0, isTerse = false }: ReadyPods) =>
    wanted === 0
      ? say`scaled to 0`
      : pods === 0
        ? say`${strong(`service down (0/${wanted})`)}`
        : old === 0
          ? say`Ready ${pods}/${wanted}`
          : old === pods
            ? say`Ready ${pods}/${wanted} (${word(isTerse ? 'old' : 'old version')})`
            : say`Ready ${pods}/${wanted} (${old} old)`,
  /** Where no fix of ours applies: what people can do. */
  'no-fix': ({ step, cause }: { step: Prose; cause: string | undefined }) =>
    cause === undefined
      ? say`${strong('No one-click fix.')} ${step}`
      : say`${strong('No one-click fix')} for ${code(cause)}. ${step}`,
  'fix-of-other': ({ cause, fix }: { cause: string; fix: Prose }) =>
    say`${strong('Recommended fix')} for ${code(cause)}: ${fix}`,
  'recommended-fix': ({ fix }: { fix: Prose }) => say`${strong('Recommended fix:')} ${fix}`,
  /** In place of `recommended-fix` before an experiment that decides between two causes. */
  'recommended-step': ({ fix }: { fix: Prose }) => say`${strong('Recommended next step:')} ${fix}`,
  /** In place of them where an owner reverts the best fix before it can help. */
  'not-recommended': ({ fix }: { fix: Prose }) => say`${strong('Not recommended:')} ${fix}`,
  /** Where its pull request is better than a change of the cluster. */
  'recommended-in-git': ({ fix }: { fix: Prose }) =>
    say`${strong('Recommended fix:')} ${fix}, in a pull request`,
  /** Beside that: what a change of the cluster would be. */
  'in-cluster': ({ fix }: { fix: Prose }) => say`${strong('Or now, in the cluster:')} ${fix}`,
  /** After the impact of a change that has no undo. */
  'no-undo': () => say`no undo`,
  'also-found': ({ causes }: { causes: readonly string[] }) =>
    say`Also found: ${joined('en', causes.map(code))}`,
  /** Beside a healthy workload: a note for the future. */
  note: ({ summary, more }: { summary: Prose; more: number }) =>
    say`Note: ${summary}${more === 0 ? [] : say` (and ${more} more)`}`,
  'nothing-found': ({ workload }: { workload: string }) => say`No problem found for ${code(workload)}`,
  'not-all-checked': ({ workload }: { workload: string }) =>
    say`The diagnosis of ${code(workload)} is incomplete. Some objects or checks are missing`,
  /** Everything was read, and the workload is incomplete without a known cause. */
  unexplained: ({ workload, pods, wanted }: { workload: string; pods: number; wanted: number }) =>
    pods < wanted
      ? say`${code(workload)}: ${pods} of ${counted(wanted, 'pod', 'pods')} ready, and no known cause explains it`
      : say`${code(workload)}: the rollout makes no progress, and no known cause explains it`,
  'unexplained-next': () => say`The events and logs of the pods may show the cause.`,
  'checked-in-part': () => say`Missing objects or checks may hide a problem.`,
  checked: ({ kind, revision }: { kind: string; revision: string }) =>
    revision === ''
      ? say`The ${word(kind)}, its pods, nodes and events show no known problem.`
      : say`Revision ${code(revision)} of the ${word(kind)}, its pods, nodes and events show no known problem.`,
  'under-way': ({ updated, wanted }: { updated: number; wanted: number }) =>
    say`The rollout is in progress: ${updated} of ${wanted} pods belong to the new revision.`,
  'logs-hidden': () => say`Log lines are hidden here. The policy does not allow these readers to see them.`,
  'names-hidden': () =>
    say`${code('[hidden]')} replaces names from namespaces that these readers may not see.`,
  /** In place of a card whose readers may not see its workload any more. */
  'not-shown': () => say`The policy no longer allows this channel to show this incident.`,
  /** Kinds of objects of which some could not be read. */
  'not-read': ({ kinds }: { kinds: readonly string[] }) => say`Not read: ${names('en', kinds, 3)}`,
  /** What leaves the question open, the causes that need it, and the command that adds it. */
  missing: (values: { kinds: readonly string[]; causes: number; command: string | undefined }) =>
    say`Missing: ${names('en', values.kinds, 3)}, for ${counted(values.causes, 'cause', 'causes')}.${values.command === undefined ? [] : say` Check with ${code(values.command)}`}`,
  unseen: (values: {
    what: string;
    namespace: string;
    because: UnseenReason;
    object: string;
    weakens: number;
  }) =>
    say`Not read: ${code(values.what)}${values.namespace === '' ? [] : say` in ${code(values.namespace)}`} (${word(unseenWords.en[values.because])}${values.object === '' ? [] : say`: ${quote(values.object)}`})${
      values.weakens === 0 ? [] : say`. ${counted(values.weakens, 'cause', 'causes')} not checked`
    }.`,
  'work-spent': (_: Readonly<Record<never, never>>) =>
    say`The diagnosis reached its work limit. Later checks have no answer, so findings made after that point are less certain.`,
  defects: ({ causes }: { causes: readonly string[] }) =>
    say`The ${word(causes.length === 1 ? 'check' : 'checks')} for ${joined('en', causes.map(code))} failed with an internal error. The rest of this card is valid.`,
  /** What a crashing revision has that the one before has not. */
  changed: ({ revision, changes, more }: { revision: string; changes: ChangedFields; more: number }) =>
    say`Changed in revision ${code(revision)}: ${changedProse('en', changes)}${more === 0 ? [] : say` and ${more} more`}`,
  weakened: ({ by }: { by: Prose }) => say`Not certain: ${by}`,
  'next-attempt': ({ what, at }: { what: Prose; at: string | undefined }) =>
    at === undefined ? what : say`${what} Next: ${moment(at)}.`,
  'diagnosed-at': ({ at }: { at: string }) => say`diagnosed ${moment(at)}`,
  more: ({ count }: { count: number }) => say`… and ${count} more`,
  awaiting: (values: { title: Prose; by: readonly string[]; missing: number; until: string }) =>
    say`${values.title} is approved by ${joined('en', values.by.map(person))}. ${values.missing} more ${word(
      values.missing === 1 ? 'person' : 'people',
    )} must approve by ${moment(values.until)}. Until then, nothing is changed.`,
  'awaiting-closed': ({ title, state }: { title: Prose; state: ApprovalState }) =>
    say`The review of ${title} ${word(closedWords.en[state])}.`,
  'not-made': ({ title, because }: { title: Prose; because: Prose }) =>
    say`${title} was not applied. ${because}`,
  'last-change': ({ title, by }: { title: Prose; by: readonly string[] }) =>
    say`Last change: ${title}, approved by ${joined('en', by.map(person))}.`,
  'undo-of': ({ title }: { title: Prose }) => say`Undo of “${title}”`,
  applying: ({ title, workload }: { title: Prose; workload: string }) =>
    say`Applying to ${code(workload)}: ${title}`,
  'approved-by': ({ by, at }: { by: readonly string[]; at: string }) =>
    say`approved by ${joined('en', by.map(person))}, ${moment(at)}`,
  sending: () => say`Sending the change to the API server …`,
  /** The first of two steps is made. */
  'second-step-next': () => say`Step 1 is applied. Step 2 follows when the controller has observed step 1.`,
  verifying: () => say`The API server accepted the change. Verifying whether it helps …`,
  'verdict-by': ({ until }: { until: string }) => say`Result by ${moment(until)}.`,
  recovered: ({ workload }: { workload: string }) => say`${code(workload)} recovered`,
  /** An experiment is over as soon as its replacement is ready; other pods may fail as before. */
  'replacement-ready': ({ workload }: { workload: string }) =>
    say`${code(workload)}: the replacement pod is ready, but the cause is still found`,
  'step-left': ({ workload }: { workload: string }) =>
    say`${code(workload)} has its previous template again, and one more step is needed`,
  progressing: ({ workload }: { workload: string }) =>
    say`The rollout of ${code(workload)} is progressing but has not finished`,
  unchanged: ({ workload }: { workload: string }) => say`The change did not help ${code(workload)}`,
  worse: ({ workload }: { workload: string }) => say`${code(workload)} is worse than before the change`,
  unknown: ({ workload }: { workload: string }) =>
    say`Could not verify whether the change helped ${code(workload)}`,
  'not-seen-since': ({ at }: { at: string }) =>
    say`The API server accepted the change, but the cluster could not be read afterwards. The state below is from ${moment(at)}.`,
  took: ({ seconds }: { seconds: number }) => say`${duration('en', seconds)} after the change`,
  'cause-gone': ({ cause }: { cause: string }) => say`Verified: ${code(cause)} is gone.`,
  'cause-stays': ({ cause }: { cause: string }) => say`The same check still finds ${code(cause)}.`,
  'cause-unchecked': ({ cause }: { cause: string }) =>
    say`The check for ${code(cause)} failed, so it is unknown whether the cause is gone.`,
  failed: ({ workload }: { workload: string }) => say`${code(workload)} could not be diagnosed`,
  'nothing-changed': () => say`Nothing was changed. Press Diagnose again to retry.`,
};

const ko: typeof en = {
  diagnosing: ({ workload, cluster }) => say`클러스터 ${code(cluster)}의 ${code(workload)} 진단 중 …`,
  'diagnosing-again': ({ workload }) => say`${code(workload)} 다시 진단하는 중 …`,
  'last-known': ({ at }) => say`마지막으로 확인한 상태(${moment(at)}):`,
  requested: ({ via, by, assistant, at }) =>
    by === undefined && assistant === undefined
      ? say`${word(via === 'alert' ? '알림으로 시작됨' : '알림 없이 발견됨')}, ${moment(at)}`
      : say`${askerKo({ by, assistant })} 요청, ${moment(at)}`,
  assignee: ({ by }) => say`${person(by)} 님 담당 중`,
  'requested-by': (asker) => say`${askerKo(asker)} 요청`,
  'by-alert': () => say`알림으로 시작됨`,
  unasked: () => say`알림 없이 발견됨`,
  'unasked-since': ({ reason, at }) => say`알림 없이 발견됨 · 첫 ${code(reason)} ${moment(at)}`,
  occurrences: ({ times }) => say`${times}회 요청`,
  confidence: ({ confidence }) => say`${word(confidenceWords.ko[confidence])}`,
  // The longer word would start a second line on a phone.
  'confidence-of-cause': ({ confidence }) =>
    say`원인 ${word(confidence === 'likely' ? '추정' : confidenceWords.ko[confidence])}`,
  'on-cluster': ({ cluster }) => say`클러스터 ${code(cluster)}`,
  served: ({ pods, wanted }) =>
    wanted === 0
      ? say`0개로 축소되어 있어 파드가 없습니다.`
      : pods === 0
        ? say`준비된 파드가 없어 서비스가 중단된 상태입니다(Ready 0/${wanted}).`
        : pods < wanted
          ? say`일부 파드만 서비스 중입니다(Ready ${pods}/${wanted}).`
          : say`정상적으로 서비스 중입니다(Ready ${pods}/${wanted}).`,
  ready: ({ pods, wanted, old = 0, isTerse = false }) =>
    wanted === 0
      ? say`0개로 축소됨`
      : pods === 0
        ? say`${strong(`서비스 중단(0/${wanted})`)}`
        : old === 0
          ? say`Ready ${pods}/${wanted}`
          : old === pods
            ? say`Ready ${pods}/${wanted}(${word(isTerse ? '이전' : '이전 버전')})`
            : say`Ready ${pods}/${wanted}(이전 ${old}개)`,
  'no-fix': ({ step, cause }) =>
    cause === undefined
      ? say`${strong('원클릭 조치 없음.')} ${step}`
      : say`${code(cause)}: ${strong('원클릭 조치 없음.')} ${step}`,
  'fix-of-other': ({ cause, fix }) => say`${code(cause)} ${strong('권장 조치:')} ${fix}`,
  'recommended-fix': ({ fix }) => say`${strong('권장 조치:')} ${fix}`,
  'recommended-step': ({ fix }) => say`${strong('권장하는 다음 단계:')} ${fix}`,
  'not-recommended': ({ fix }) => say`${strong('권장하지 않음:')} ${fix}`,
  'recommended-in-git': ({ fix }) => say`${strong('권장 조치:')} ${fix}(풀 리퀘스트로 제안)`,
  'in-cluster': ({ fix }) => say`${strong('클러스터에 바로 적용하려면:')} ${fix}`,
  'no-undo': () => say`되돌리기 불가`,
  'also-found': ({ causes }) => say`추가로 발견됨: ${joined('ko', causes.map(code))}`,
  note: ({ summary, more }) => say`참고: ${summary}${more === 0 ? [] : say` (외 ${more}건)`}`,
  'nothing-found': ({ workload }) => say`${code(workload)}에서 문제를 찾지 못했습니다`,
  'not-all-checked': ({ workload }) =>
    say`${code(workload)} 진단이 완전하지 않습니다. 빠진 오브젝트나 검사가 있습니다`,
  unexplained: ({ workload, pods, wanted }) =>
    pods < wanted
      ? say`${code(workload)}: Ready ${pods}/${wanted}이며, 알려진 원인으로는 설명되지 않습니다`
      : say`${code(workload)}: 롤아웃이 진행되지 않으며, 알려진 원인으로는 설명되지 않습니다`,
  'unexplained-next': () => say`파드의 이벤트와 로그에 원인이 나타날 수 있습니다.`,
  'checked-in-part': () => say`빠진 정보에 문제가 숨어 있을 수 있습니다.`,
  checked: ({ kind, revision }) =>
    revision === ''
      ? say`${word(kind)}, 파드, 노드, 이벤트를 확인했으며, 알려진 문제가 없습니다.`
      : say`${word(kind)} 리비전 ${code(revision)}, 파드, 노드, 이벤트를 확인했으며, 알려진 문제가 없습니다.`,
  'under-way': ({ updated, wanted }) =>
    say`롤아웃이 진행 중입니다: 파드 ${wanted}개 중 ${updated}개가 새 리비전입니다.`,
  'logs-hidden': () =>
    say`로그 내용은 표시하지 않습니다. 정책에 따라 이 대화의 참여자에게는 로그를 표시할 수 없습니다.`,
  'names-hidden': () =>
    say`이 대화의 참여자가 볼 수 없는 네임스페이스의 이름은 ${code('[hidden]')} 표시로 바꾸었습니다.`,
  'not-shown': () => say`정책에 따라 이 채널에는 더 이상 이 인시던트를 표시할 수 없습니다.`,
  'not-read': ({ kinds }) => say`읽지 못한 정보: ${names('ko', kinds, 3)}`,
  missing: ({ kinds, causes, command }) =>
    say`빠진 정보: ${names('ko', kinds, 3)}(원인 ${causes}가지 판정에 필요).${command === undefined ? [] : say` 확인: ${code(command)}`}`,
  unseen: ({ what, namespace, because, object, weakens }) =>
    say`${namespace === '' ? [] : say`${code(namespace)}의 `}${code(what)} 정보를 읽지 못했습니다(${word(unseenWords.ko[because])}${object === '' ? [] : say`: ${quote(object)}`})${
      weakens === 0 ? [] : say`. 원인 ${weakens}가지는 확인하지 못했습니다`
    }.`,
  'work-spent': () =>
    say`진단이 작업량 한도에 도달했습니다. 그 이후 항목은 확인하지 못했으므로, 이후 결과는 덜 확실합니다.`,
  defects: ({ causes }) =>
    say`내부 오류로 ${joined('ko', causes.map(code))} 검사에 실패했습니다. 카드의 나머지 내용은 유효합니다.`,
  changed: ({ revision, changes, more }) =>
    say`리비전 ${code(revision)} 변경 내용: ${changedProse('ko', changes)}${more === 0 ? [] : say` 외 ${more}개`}`,
  weakened: ({ by }) => say`확실하지 않은 점: ${by}`,
  'next-attempt': ({ what, at }) => (at === undefined ? what : say`${what} 다음 시도: ${moment(at)}.`),
  'diagnosed-at': ({ at }) => say`${moment(at)} 진단`,
  more: ({ count }) => say`… 외 ${count}개`,
  awaiting: ({ title, by, missing, until }) =>
    say`${joined('ko', by.map(person))} 님이 ${title} 조치를 승인했습니다. ${moment(until)}까지 ${missing}명이 더 승인해야 합니다. 그전에는 아무것도 변경되지 않습니다.`,
  'awaiting-closed': ({ title, state }) => say`${title} 검토 상태: ${word(closedWords.ko[state])}.`,
  'not-made': ({ title, because }) => say`${title} 변경은 적용되지 않았습니다. ${because}`,
  'last-change': ({ title, by }) => say`마지막 변경: ${title}, ${joined('ko', by.map(person))} 승인.`,
  'undo-of': ({ title }) => say`“${title}” 되돌리기`,
  applying: ({ title, workload }) => say`${code(workload)}에 적용 중: ${title}`,
  'approved-by': ({ by, at }) => say`${joined('ko', by.map(person))} 승인, ${moment(at)}`,
  sending: () => say`변경을 API 서버로 보내는 중 …`,
  'second-step-next': () => say`1단계를 적용했습니다. 컨트롤러가 1단계를 반영하면 2단계를 진행합니다.`,
  verifying: () => say`API 서버가 변경을 받아들였습니다. 효과를 확인하는 중 …`,
  'verdict-by': ({ until }) => say`늦어도 ${moment(until)}까지 결과를 알려 드립니다.`,
  recovered: ({ workload }) => say`${code(workload)} 롤아웃이 복구되었습니다`,
  'replacement-ready': ({ workload }) =>
    say`${code(workload)}: 대체 파드는 준비되었지만 원인이 아직 남아 있습니다`,
  'step-left': ({ workload }) =>
    say`${code(workload)} 워크로드가 이전 템플릿으로 돌아왔으며, 한 단계가 더 필요합니다`,
  progressing: ({ workload }) => say`${code(workload)} 롤아웃이 다시 진행 중이며, 아직 끝나지 않았습니다`,
  unchanged: ({ workload }) => say`${code(workload)} 변경이 효과가 없었습니다`,
  worse: ({ workload }) => say`${code(workload)} 상태가 변경 전보다 나빠졌습니다`,
  unknown: ({ workload }) => say`${code(workload)} 변경이 효과가 있었는지 확인하지 못했습니다`,
  'not-seen-since': ({ at }) =>
    say`API 서버는 변경을 받아들였지만, 그 뒤로 클러스터를 읽지 못했습니다. 아래는 ${moment(at)} 기준입니다.`,
  took: ({ seconds }) => say`변경 후 ${duration('ko', seconds)}`,
  'cause-gone': ({ cause }) => say`확인 완료: ${code(cause)} 원인이 해소되었습니다.`,
  'cause-stays': ({ cause }) => say`같은 검사에서 ${code(cause)} 원인이 여전히 발견됩니다.`,
  'cause-unchecked': ({ cause }) =>
    say`${code(cause)} 검사가 실패하여 원인이 사라졌는지 확인할 수 없었습니다.`,
  failed: ({ workload }) => say`${code(workload)} 진단에 실패했습니다`,
  'nothing-changed': () => say`아무것도 변경하지 않았습니다. 다시 시도하려면 다시 진단을 누르세요.`,
};

export const cardText = { en, ko };

/** A person, an assistant, or an assistant for a person. */
type Requester = { readonly by?: string | undefined; readonly assistant?: string | undefined };
