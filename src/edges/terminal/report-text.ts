import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { openQuestionOf } from '../../doctor/findings/main-finding.js';
import { isExperiment, type Remediation } from '../../doctor/fixes/remediation.js';
import { groupBy } from '../../engine/collections/collections.js';
import type { Language } from '../../engine/language/language.js';
import { code, moment, type Prose, quote, say, sentences, word } from '../../engine/language/prose.js';
import { counted, names } from '../../engine/language/words.js';
import { isLasting } from '../../engine/owners/field-drift.js';

/** The heading above the first remediation of a finding. */
export function fixHeadingKey(remediation: Remediation): 'recommended-fix' | 'recommended-step' {
  return isExperiment(remediation) ? 'recommended-step' : 'recommended-fix';
}

/**
 * Which object does not parse, and that text leaves fields out; for all other reasons the reason is enough.
 */
const unseenLine =
  (language: Language, inPart: Prose) =>
  ({ what, because, message, namespaces }: UnseenLine): Prose => {
    const which =
      namespaces.length === 0 ? say`${code(what)}` : say`${code(what)} (${names(language, namespaces, 3)})`;
    if (because === 'partly-recorded') return say`${which}: ${inPart}`;
    return because !== 'malformed' || message === ''
      ? say`${which}: ${code(because)}`
      : say`${which}: ${code(because)} (${quote(message)})`;
  };

/** One kind that could not be read. */
interface UnseenLine {
  readonly what: string;
  readonly because: string;
  readonly message: string;
  /** Empty where it concerns no namespace, or the one of the report. */
  readonly namespaces: readonly string[];
}

interface Unread {
  readonly workload: string;
  readonly pods: number;
  readonly wanted: number;
  readonly kinds: readonly string[];
  readonly causes: number;
}

/** The texts of a report around the findings, for terminal and Markdown. */
const en = {
  nothing: ({ workload }: { workload: string }) => say`No problem found for ${code(workload)}.`,
  unchecked: ({ workload }: { workload: string }) =>
    say`The diagnosis of ${code(workload)} is incomplete. Some checks could not be completed.`,
  /** Everything was read, and the workload is incomplete without a known cause. */
  unexplained: ({ workload, pods, wanted }: { workload: string; pods: number; wanted: number }) =>
    pods < wanted
      ? say`${code(workload)}: ${pods} of ${counted(wanted, 'pod', 'pods')} ready, and no known cause explains it.`
      : say`${code(workload)}: the rollout makes no progress, and no known cause explains it.`,
  /** Kinds that may explain why pods are missing, or that show how they do, were not read. */
  unread: ({ workload, pods, wanted, kinds, causes }: Unread) =>
    sentences(
      say`${code(workload)}: ${pods} of ${counted(wanted, 'pod', 'pods')} ready.`,
      say`The diagnosis is incomplete because these objects were not read: ${names('en', kinds)}.`,
      causes === 0 ? [] : say`This affects ${counted(causes, 'cause', 'causes')}.`,
    ),
  /** The same of several workloads of a scan. */
  'unread-several': ({ workloads, kinds }: { workloads: readonly string[]; kinds: readonly string[] }) =>
    say`The diagnosis of ${workloads.length} workloads is incomplete because these objects were not read: ${names('en', kinds)}. The workloads are ${names('en', workloads, 3)}.`,
  /** Nothing was found in objects of these kinds, of which some fields were not recorded. */
  'in-part': ({ workload, pods, wanted, kinds, causes }: Unread) =>
    say`${code(workload)}: ${pods} of ${counted(wanted, 'pod', 'pods')} ready. The recording shows no problem, but it lacks fields of ${names('en', kinds)}. This affects ${counted(causes, 'cause', 'causes')}.`,
  /** The same of a workload that is not complete: its objects show that something is missing. */
  'in-part-incomplete': ({ workload, pods, wanted, kinds, causes }: Unread) =>
    say`${code(workload)}: ${pods} of ${counted(wanted, 'pod', 'pods')} ready, and the rollout is not complete. The recording shows no cause, and it lacks fields of ${names('en', kinds)}. This affects ${counted(causes, 'cause', 'causes')}.`,
  'to-add': () => say`These commands show what is missing`,
  'to-add-first': ({ shown, all }: { shown: number; all: number }) =>
    say`${shown} of the ${all} commands that show what is missing`,
  'at-least': () =>
    say`All durations are at least as long as stated. The recording does not contain the time when it was made. State it with ${code('--at')}.`,
  'diagnosed-at': ({ cluster, at }: { cluster: string; at: string }) =>
    say`${code(cluster)}, as of ${moment(at)}`,
  why: () => say`Why`,
  'recommended-fix': () => say`Recommended fix`,
  /** In place of `recommended-fix` before an experiment that decides between two causes. */
  'recommended-step': () => say`Recommended next step`,
  'other-options': () => say`Other options`,
  'not-recommended': () => say`Not recommended`,
  'ruled-out': () => say`Ruled out`,
  advice: () => say`More advice`,
  evidence: () => say`Evidence`,
  unseen: () => say`Could not be read`,
  'unseen-line': unseenLine('en', say`read without all its fields`),
  'also-found': () => say`Other findings`,
  proven: () => say`proven`,
  likely: () => say`likely`,
  possible: () => say`possible`,
  owner: ({ by, kind, name }: { by: string; kind: string; name: string }) =>
    say`${code(by)} (${code(kind)} ${code(name)}) manages this object and may restore the old values.`,
  'owner-operator': ({ kind, name }: { kind: string; name: string }) =>
    sentences(
      say`The controller of ${code(kind)} ${code(name)} may restore fields of the objects that it creates.`,
      say`It does not restore the ${code(kind)} itself.`,
    ),
  'owner-autoscaler': ({ kind, name }: { kind: string; name: string }) =>
    say`${code(kind)} ${code(name)} sets the number of replicas.`,
  'work-spent': () =>
    say`The diagnosis reached its work limit. Later checks have no answer, so findings made after that point are less certain.`,
  defect: ({ cause }: { cause: string }) =>
    say`The check for ${code(cause)} failed with an internal error. Its cause is neither found nor ruled out.`,
  'with-problems': ({ problems, workloads }: { problems: number; workloads: number }) =>
    say`${problems} of ${counted(workloads, 'workload', 'workloads')} ${word(problems === 1 ? 'has' : 'have')} a problem.`,
  'no-findings': ({ workloads }: { workloads: number }) =>
    say`No problem found in ${counted(workloads, 'workload', 'workloads')}.`,
  'not-all-checked': ({ workloads }: { workloads: number }) =>
    say`Some checks could not be completed in ${counted(workloads, 'workload', 'workloads')} without findings.`,
  notes: ({ workloads }: { workloads: number }) =>
    say`Notes on ${counted(workloads, 'workload', 'workloads')}`,
  'how-to-see-more': ({ command }: { command: string }) => say`Details of one workload: ${code(command)}`,
  'standard-input': () => say`standard input`,
  configuration: () => say`Configuration`,
  /** Pods, as kubectl counts them. */
  ready: ({ pods, wanted, old = 0 }: Diagnosis['ready']) =>
    wanted === 0
      ? say`scaled to 0`
      : say`Ready ${pods}/${wanted}${old === 0 ? [] : old === pods ? word(' (old version)') : say` (${old} old)`}`,
  critical: () => say`critical`,
  warning: () => say`warning`,
};

const ko: typeof en = {
  nothing: ({ workload }) => say`${code(workload)}에서 문제를 찾지 못했습니다.`,
  unchecked: ({ workload }) =>
    say`${code(workload)} 진단이 완전하지 않습니다. 완료하지 못한 검사가 있습니다.`,
  unexplained: ({ workload, pods, wanted }) =>
    pods < wanted
      ? say`${code(workload)}: Ready ${pods}/${wanted}이며, 알려진 원인으로는 설명되지 않습니다.`
      : say`${code(workload)}: 롤아웃이 진행되지 않으며, 알려진 원인으로는 설명되지 않습니다.`,
  unread: ({ workload, pods, wanted, kinds, causes }) =>
    sentences(
      say`${code(workload)}: Ready ${pods}/${wanted}입니다.`,
      say`다음 오브젝트를 읽지 못해 진단이 완전하지 않습니다: ${names('ko', kinds)}.`,
      causes === 0 ? [] : say`원인 ${causes}가지의 판정에 영향을 줍니다.`,
    ),
  'unread-several': ({ workloads, kinds }) =>
    say`다음 오브젝트를 읽지 못해 워크로드 ${workloads.length}개의 진단이 완전하지 않습니다: ${names('ko', kinds)}. 해당 워크로드: ${names('ko', workloads, 3)}.`,
  'in-part': ({ workload, pods, wanted, kinds, causes }) =>
    say`${code(workload)}: Ready ${pods}/${wanted}입니다. 기록에는 문제가 나타나지 않지만 다음 오브젝트의 일부 필드가 빠져 있습니다: ${names('ko', kinds)}. 원인 ${causes}가지의 판정에 영향을 줍니다.`,
  'in-part-incomplete': ({ workload, pods, wanted, kinds, causes }) =>
    say`${code(workload)}: Ready ${pods}/${wanted}이고 롤아웃이 완료되지 않았습니다. 기록에서 원인을 찾지 못했으며 다음 오브젝트의 일부 필드가 빠져 있습니다: ${names('ko', kinds)}. 원인 ${causes}가지의 판정에 영향을 줍니다.`,
  'to-add': () => say`빠진 정보를 보여 주는 명령`,
  'to-add-first': ({ shown, all }) => say`빠진 정보를 보여 주는 명령 ${all}개 중 ${shown}개`,
  'at-least': () =>
    say`표시된 모든 시간은 최소값입니다. 기록에 기록 시각이 없습니다. ${code('--at')}으로 지정하세요.`,
  'diagnosed-at': ({ cluster, at }) => say`${code(cluster)}, ${moment(at)} 기준`,
  why: () => say`이유`,
  'recommended-fix': () => say`권장 조치`,
  'recommended-step': () => say`권장하는 다음 단계`,
  'other-options': () => say`다른 방법`,
  'not-recommended': () => say`권장하지 않음`,
  'ruled-out': () => say`배제된 원인`,
  advice: () => say`추가 조치`,
  evidence: () => say`증거`,
  unseen: () => say`읽지 못한 정보`,
  'unseen-line': unseenLine('ko', say`일부 필드 없이 읽음`),
  'also-found': () => say`그 밖의 진단 결과`,
  proven: () => say`증명됨`,
  likely: () => say`가능성 높음`,
  possible: () => say`가능성 있음`,
  owner: ({ by, kind, name }) =>
    say`이 오브젝트는 ${code(by)}(${code(kind)} ${code(name)})에서 관리하므로 이전 값으로 되돌려질 수 있습니다.`,
  'owner-operator': ({ kind, name }) =>
    sentences(
      say`${code(kind)} ${code(name)}의 컨트롤러는 자신이 만든 오브젝트의 필드를 되돌릴 수 있습니다.`,
      say`${code(kind)} 자체는 되돌리지 않습니다.`,
    ),
  'owner-autoscaler': ({ kind, name }) => say`${code(kind)} ${code(name)}에서 복제본 수를 조정합니다.`,
  'work-spent': () =>
    say`진단이 작업량 한도에 도달했습니다. 그 이후 항목은 확인하지 못했으므로, 이후 결과는 덜 확실합니다.`,
  defect: ({ cause }) =>
    say`내부 오류로 ${code(cause)} 검사에 실패했습니다. 이 원인은 확인되지도 배제되지도 않았습니다.`,
  'with-problems': ({ problems, workloads }) =>
    say`워크로드 ${workloads}개 중 ${problems}개에 문제가 있습니다.`,
  'no-findings': ({ workloads }) => say`워크로드 ${workloads}개에서 문제를 찾지 못했습니다.`,
  'not-all-checked': ({ workloads }) =>
    say`문제가 발견되지 않은 워크로드 중 ${workloads}개에서 일부 검사를 완료하지 못했습니다.`,
  notes: ({ workloads }) => say`참고 사항(워크로드 ${workloads}개)`,
  'how-to-see-more': ({ command }) => say`워크로드 하나의 상세 정보: ${code(command)}`,
  'standard-input': () => say`표준 입력`,
  configuration: () => say`설정`,
  ready: ({ pods, wanted, old = 0 }) =>
    wanted === 0
      ? say`0개로 축소됨`
      : say`Ready ${pods}/${wanted}${old === 0 ? [] : old === pods ? word('(이전 버전)') : say`(이전 ${old}개)`}`,
  critical: () => say`심각`,
  warning: () => say`주의`,
};

export const reportText = { en, ko };

/**
 * What the owners of the workload may do to changes of people. Nothing where fixes are offered and all of
 * them last: what becomes of each other fix stands beside it.
 */
export function ownerSentences({ owners, remediations }: Finding, language: Language): readonly Prose[] {
  const words = reportText[language];
  const isSettled = remediations.every((each) => each.survival === undefined || isLasting([each.survival]));
  if (remediations.length > 0 && isSettled) return [];
  return owners.map(({ by, kind, name }) => {
    if (by === 'operator') return words['owner-operator']({ kind, name });
    return by === 'HorizontalPodAutoscaler'
      ? words['owner-autoscaler']({ kind, name })
      : words.owner({ by, kind, name });
  });
}

/**
 * What is open in a scan, a sentence for each workload; one for all of them where more than two lack the same
 * kinds.
 */
export function openSentences(diagnoses: readonly Diagnosis[], language: Language): readonly Prose[] {
  const groups = groupBy(diagnoses, (diagnosis) => {
    const open = openQuestionOf(diagnosis);
    return open?.kind === 'unread' ? kindsIn(open.unread).join(' ') : diagnosis.uid;
  });
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    const open = first && openQuestionOf(first);
    if (alike.length <= 2 || open?.kind !== 'unread')
      return alike.flatMap((each) => {
        const sentence = openSentence(each, language);
        return sentence === undefined ? [] : [sentence];
      });
    const workloads = alike.map(({ workload }) => `${workload.namespace}/${workload.name}`);
    return [reportText[language]['unread-several']({ workloads, kinds: kindsIn(open.unread) })];
  });
}

function kindsIn(unread: readonly { readonly what: string }[]): readonly string[] {
  return [...new Set(unread.map(({ what }) => what))];
}

/** What is open, in one sentence; `undefined` where a finding answers, or nothing is open. */
export function openSentence(diagnosis: Diagnosis, language: Language): Prose | undefined {
  const words = reportText[language];
  const { workload, ready } = diagnosis;
  const named = { workload: `${workload.namespace}/${workload.name}` };
  const open = openQuestionOf(diagnosis);
  switch (open?.kind) {
    case undefined:
      return undefined;
    case 'unchecked':
      return words.unchecked(named);
    case 'unexplained':
      return words.unexplained({ ...named, ...ready });
    case 'in-part':
    case 'unread': {
      const causes = new Set(open.unread.flatMap(({ weakens }) => weakens));
      const isIncomplete = open.kind === 'in-part' && (diagnosis.completion ?? 'complete') !== 'complete';
      const key = isIncomplete ? 'in-part-incomplete' : open.kind;
      return words[key]({ ...named, ...ready, kinds: kindsIn(open.unread), causes: causes.size });
    }
  }
}
