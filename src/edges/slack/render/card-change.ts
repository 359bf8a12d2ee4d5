import type { KnownBlock } from '@slack/types';
import type { Confidence } from '../../../doctor/findings/cause-id.js';
import { conclusionOf, isAbsent } from '../../../doctor/findings/main-finding.js';
import { downtime } from '../../../doctor/fixes/impact-text.js';
import type { Remediation } from '../../../doctor/fixes/remediation.js';
import { approversOf, missingApprovers } from '../../../doctor/incidents/approval-transitions.js';
import type { Change, Incident, Reversal } from '../../../doctor/incidents/incident.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, sentences, strong, word } from '../../../engine/language/prose.js';
import { duration, joined } from '../../../engine/language/words.js';
import { actionIds } from './action-ids.js';
import { actions, button, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { type CardContext, type CardParts, titleOf, workloadName } from './card-context.js';
import { diagnosisBlocks, diagnosisTitle, factsLine } from './card-diagnosis.js';
import { cardRevertedText } from './card-reverted-text.js';
import { cardText } from './card-text.js';
import { changeRequestText } from './change-request-text.js';
import { fieldText } from './picture.js';
import { capitalised, emphasised, separated } from './prose.js';

/** The diagnosis, and who has approved what already. */
export function awaitingBlocks(context: CardContext): CardParts {
  const { approval, incident, tell, size } = context;
  const diagnosis = diagnosisBlocks(context);
  if (approval === undefined) return diagnosis;
  const { language } = incident;
  const text = cardText[language];
  const title = emphasised(titleOf(approval, language, tell));
  const by = approversOf(approval);
  const waiting =
    approval.state === 'open'
      ? text.awaiting({ title, by, missing: missingApprovers(approval), until: approval.expiresAt })
      : text['awaiting-closed']({ title, state: approval.state });
  return { ...diagnosis, spoken: [waiting], blocks: [...diagnosis.blocks, paragraph(waiting, size)] };
}

/** A change in progress: the fix, its approvers and the progress. */
export function changeBlocks(context: CardContext): CardParts {
  const { incident, tell, size } = context;
  const { change, language, phase } = incident;
  if (change === undefined) return diagnosisBlocks(context);
  const text = cardText[language];
  const progress =
    phase === 'applying'
      ? text[change.appliedAt === undefined ? 'sending' : 'second-step-next']()
      : change.progress === undefined
        ? text.verifying()
        : tell(change.progress, language);
  const applying = text.applying({
    title: titleOf(change, language, tell),
    workload: workloadName(incident),
  });
  return {
    title: say`${word('🔵')} ${applying}`,
    spoken: [progress],
    blocks: [
      paragraph(progress, size),
      paragraph(text['approved-by']({ by: change.approvedBy, at: change.approvedAt }), size),
      ...(change.verifyUntil === undefined
        ? []
        : [paragraph(text['verdict-by']({ until: change.verifyUntil }), size)]),
      ...(phase === 'applying' ? cancelButton(incident, change) : []),
    ],
  };
}

/** The record of the approval decides whether it is still in time. */
function cancelButton(incident: Incident, { approvalId }: Change): KnownBlock[] {
  const texts = buttonTexts[incident.language];
  const about = workloadName(incident);
  return actions([button({ actionId: actionIds.cancel, text: texts.cancel, about, value: approvalId })]);
}

/** The verdict on a change, what was done, and what is found now. */
export function settledBlocks(context: CardContext): CardParts {
  const { incident, tell, size } = context;
  const { change, diagnosis, language } = incident;
  if (change?.verdict === undefined) return diagnosisBlocks(context);
  const text = cardText[language];
  const detail = outcome(context, change);
  const after = change.undoes ? [] : took(incident, change);
  const title = titleOf(change, language, tell);
  const isFound = diagnosis !== undefined && conclusionOf(diagnosis) === 'found';
  return {
    title: say`${word(symbolOf(incident, change))} ${separated([verdictOf(incident, change), after], ' · ')}`,
    spoken: [detail],
    blocks: [
      ...(detail.length > 0 ? [paragraph(detail, size)] : []),
      ...(change.secondStep?.because === undefined
        ? []
        : [paragraph(tell(change.secondStep.because, language), size)]),
      ...downtimeBlocks(context, change),
      paragraph(text['last-change']({ title, by: change.approvedBy }), size),
      ...(isFound ? [paragraph(emphasised(diagnosisTitle(context, diagnosis)), size)] : []),
      ...(isFound ? diagnosisBlocks(context).blocks : []),
      ...(diagnosis !== undefined && !isFound ? [factsLine(context, diagnosis, undefined)] : []),
    ],
  };
}

function downtimeBlocks({ incident, size }: CardContext, change: Change): KnownBlock[] {
  const says = downtimeOf(incident, change);
  return says.length === 0 ? [] : [paragraph(says, size)];
}

/**
 * What the change promised, beside what the readings show; nothing while no pod is ready, which the card
 * states.
 */
export function downtimeOf({ language }: Pick<Incident, 'language'>, change: Change): Prose {
  const { readings, remediation, undoes } = change;
  if (readings === undefined || !readings.hasReady) return [];
  // One reading shows nothing but the state at its time, which the card states anyway.
  if (readings.atMostMs === 0 && readings.count < 2) return [];
  // No longer than the verdict took, which the title states.
  const atMostSeconds = Math.min(Math.ceil(readings.atMostMs / 1000), secondsTaken(change) ?? Infinity);
  const atLeastSeconds = Math.min(Math.floor(readings.atLeastMs / 1000), atMostSeconds);
  return measuredText[language][readings.atMostMs > 0 ? 'downtime' : 'no-downtime']({
    atLeastSeconds,
    atMostSeconds,
    readings: readings.count,
    longestPauseSeconds: Math.ceil(readings.longestPauseMs / 1000),
    estimate: undoes ? [] : estimateOf(remediation.price, readings.atMostMs > 0, language),
  });
}

/** In as few words as the measurement beside it; an estimate that came true says no more. */
function estimateOf(impact: Remediation['price'], isInterrupted: boolean, language: Language): Prose {
  const { kind, seconds } = impact.downtime;
  if (kind === 'none' && !isInterrupted) return [];
  return kind === 'gap' && seconds !== undefined
    ? measuredText[language]['estimated-length']({ length: duration(language, seconds) })
    : measuredText[language].estimated({ impact: downtime(impact, language) });
}

/** Beside words that say the same. */
function symbolOf(incident: Incident, change: Change): string {
  if (unseenSince(incident, change)) return '⚪';
  if (change.undoes) return '⏪';
  if (isReplacementAlone(incident, change)) return '🔵';
  switch (change.verdict) {
    case 'recovered':
    case 'undone':
      return '🟢';
    case 'progressing':
      return '🔵';
    case 'worse':
      return '🔴';
    case 'unchanged':
    case undefined:
      return '🟠';
  }
}

/** The verdict in one sentence. */
export function verdictOf(incident: Incident, change: Change): Prose {
  const text = cardText[incident.language];
  const workload = workloadName(incident);
  if (unseenSince(incident, change)) return text.unknown({ workload });
  if (change.undoes) return undoneVerdict(incident, change);
  const reversal = reversalIn(change);
  if (reversal !== undefined) return revertedVerdict(incident, reversal);
  if (change.requested !== undefined && change.verdict !== 'worse') {
    const key = change.verdict === 'recovered' ? 'complete' : 'not-complete';
    return changeRequestText[incident.language][key]({ workload });
  }
  if (isReplacementAlone(incident, change)) return text['replacement-ready']({ workload });
  switch (change.verdict) {
    case 'recovered':
    case 'undone':
      return text.recovered({ workload });
    case 'progressing':
      return needsSecondStep(change) ? text['step-left']({ workload }) : text.progressing({ workload });
    case 'worse':
      return text.worse({ workload });
    case 'unchanged':
    case undefined:
      return text.unchanged({ workload });
  }
}

/** What an experiment was to show is seen, and the workload has not recovered by that. */
function isReplacementAlone({ diagnosis }: Incident, { remediation, verdict, cause }: Change): boolean {
  const isExperiment = remediation.kind === 'delete-pod' && remediation.purpose === 'experiment';
  return (
    isExperiment &&
    verdict === 'recovered' &&
    diagnosis !== undefined &&
    cause !== undefined &&
    !isAbsent(cause, diagnosis)
  );
}

/** The second step of its plan was not carried out, or not for every pod. */
function needsSecondStep({ remediation, secondStep }: Change): boolean {
  const isDone = secondStep !== undefined && secondStep.because === undefined;
  return remediation.kind === 'undo-rollout' && remediation.thenDelete !== undefined && !isDone;
}

/** Whether the same check still finds the cause. After a pod was deleted, the state of its replacement. */
export function outcome({ incident, tell }: Pick<CardContext, 'incident' | 'tell'>, change: Change): Prose {
  const { diagnosis, language } = incident;
  const { cause } = change;
  const text = cardText[language];
  if (diagnosis === undefined) return [];
  if (unseenSince(incident, change)) return text['not-seen-since']({ at: diagnosis.takenAt });
  if (change.undoes) return undoneOutcome(incident, change);
  const reversal = reversalIn(change);
  if (reversal !== undefined) {
    return sentences(
      revertedOutcome(incident, reversal),
      cause === undefined ? [] : text['cause-stays']({ cause }),
    );
  }
  if (
    (change.remediation.kind === 'delete-pod' || needsSecondStep(change)) &&
    change.progress !== undefined
  ) {
    return sentenceOf(tell(change.progress, language));
  }
  if (cause === undefined) return requestedOutcome(change, language, tell);
  if (isAbsent(cause, diagnosis)) return text['cause-gone']({ cause });
  const stays = diagnosis.findings.some((finding) => finding.cause === cause);
  return stays ? text['cause-stays']({ cause }) : text['cause-unchecked']({ cause });
}

/** No rule covers a change that a person requested: the last progress, or that no new problem was found. */
function requestedOutcome({ verdict, progress }: Change, language: Language, tell: Tell): Prose {
  if (verdict === 'recovered') return changeRequestText[language]['nothing-new']();
  return progress === undefined ? [] : sentenceOf(tell(progress, language));
}

/** A fragment on its own line. */
function sentenceOf(fragment: Prose): Prose {
  return fragment.length === 0 ? [] : [...capitalised(fragment), word('.')];
}

/** The verdict was due, and no diagnosis after the change succeeded. */
function unseenSince({ diagnosis }: Incident, { appliedAt }: Change): boolean {
  return (
    diagnosis !== undefined &&
    appliedAt !== undefined &&
    Date.parse(diagnosis.takenAt) < Date.parse(appliedAt)
  );
}

function took({ language }: Incident, change: Change): Prose {
  const seconds = secondsTaken(change);
  return seconds === undefined ? [] : cardText[language].took({ seconds });
}

/** Whole seconds from the change to the verdict. */
function secondsTaken({ appliedAt, verdictAt }: Change): number | undefined {
  if (appliedAt === undefined || verdictAt === undefined) return undefined;
  const seconds = Math.ceil((Date.parse(verdictAt) - Date.parse(appliedAt)) / 1000);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The reversal of a change that did not help because another client wrote over it. */
function reversalIn({ verdict, reversal }: Change): Reversal | undefined {
  return verdict === 'unchanged' ? reversal : undefined;
}

function revertedVerdict(incident: Incident, { by, isFormer }: Reversal): Prose {
  return cardRevertedText[incident.language].reverted({ workload: workloadName(incident), by, isFormer });
}

/** Which fields have other values, and which field manager wrote them. */
function revertedOutcome({ language }: Incident, { paths, isFormer, by }: Reversal): Prose {
  const text = cardRevertedText[language];
  return sentences(
    text.fields({ paths, isFormer }),
    by === undefined ? [] : text.written({ manager: by.manager, at: by.at }),
  );
}

interface Measured {
  readonly [value: string]: number | Prose;
  readonly atLeastSeconds: number;
  readonly atMostSeconds: number;
  readonly readings: number;
  readonly longestPauseSeconds: number;
  /** Before the change; empty for an undo, whose impact is not kept. */
  readonly estimate: Prose;
}

/** Downtime after a change, between the bounds that the readings give. */
const measured = {
  estimated: ({ impact }: { impact: Prose }) => say`estimated: ${impact}`,
  'estimated-length': ({ length }: { length: Prose }) => say`estimated ${length}`,
  downtime: ({ atLeastSeconds, atMostSeconds, estimate }: Measured) =>
    say`Downtime: ${
      atLeastSeconds === 0 ? word('at most') : say`${duration('en', atLeastSeconds)} to`
    } ${duration('en', atMostSeconds)}${estimate.length === 0 ? [] : say` (${estimate})`}.`,
  'no-downtime': ({ readings, longestPauseSeconds, estimate }: Measured) =>
    say`No downtime (checked ${word(readings === 2 ? 'twice' : `${readings} times`)}, at most ${duration('en', longestPauseSeconds)} apart${
      estimate.length === 0 ? [] : say`, ${estimate}`
    }).`,
};

const measuredInKorean: typeof measured = {
  estimated: ({ impact }) => say`예상: ${impact}`,
  'estimated-length': ({ length }) => say`예상: ${length}`,
  downtime: ({ atLeastSeconds, atMostSeconds, estimate }) =>
    say`서비스 중단: ${
      atLeastSeconds === 0 ? word('최대 ') : say`${duration('ko', atLeastSeconds)}~`
    }${duration('ko', atMostSeconds)}${estimate.length === 0 ? [] : say`(${estimate})`}.`,
  'no-downtime': ({ readings, longestPauseSeconds, estimate }) =>
    say`서비스 중단 없음(최대 ${duration('ko', longestPauseSeconds)} 간격으로 ${readings}회 확인${
      estimate.length === 0 ? [] : say`, ${estimate}`
    }).`,
};

const measuredText = { en: measured, ko: measuredInKorean };

/**
 * The verdict on an undo: it is undone as soon as the controller has observed it, whatever the rules find
 * then.
 */
function undoneVerdict(incident: Incident, change: Change): Prose {
  const key = isUnobserved(change) ? 'unobserved' : 'undone';
  return cardUndoneText[incident.language][key]({ workload: workloadName(incident) });
}

/**
 * What is true after an undo: which values are back, which revision runs, and whether the next update
 * deadlocks. An older record does not know the values.
 */
function undoneOutcome({ diagnosis, language }: Incident, change: Change): Prose {
  const text = cardUndoneText[language];
  const { restored } = change;
  if (diagnosis === undefined || isUnobserved(change)) return [];
  const fields = (restored ?? []).map(({ path, after }) => ({
    name: path.slice(path.lastIndexOf('.') + 1),
    value: fieldText(after),
  }));
  const { underWay, revision, findings, ready } = diagnosis;
  // A paused or deadlocked rollout is not under way, and has pods of both revisions.
  const isAlone = underWay === undefined && ready.pods > 0 && (ready.old ?? 0) === 0;
  const fragile = findings.find(({ cause }) => cause === 'fragile-strategy');
  return sentences(
    fields.length > 0 ? text['restored-fields']({ fields }) : [],
    restored?.length === 0 ? text['restored-template']() : [],
    fields.length > 0 && isAlone && revision !== '' ? text['keeps-running']({ revision }) : [],
    underWay === undefined ? [] : cardText[language]['under-way'](underWay),
    fragile === undefined ? [] : text['next-update-deadlocks']({ confidence: fragile.confidence }),
  );
}

/** At the deadline. */
function isUnobserved({ verdict }: Change): boolean {
  return verdict === 'unchanged';
}

/** A field that an undo restored; without a value it was not set before the change. */
type RestoredField = { readonly name: string; readonly value: string | undefined };

const en = {
  undone: ({ workload }: { workload: string }) =>
    say`Undone: ${code(workload)} has its previous settings again`,
  /** The API server accepted the undo, and the controller has not observed it. */
  unobserved: ({ workload }: { workload: string }) =>
    say`The undo is sent, but the controller of ${code(workload)} has not observed it`,
  'restored-fields': ({ fields }: { fields: readonly RestoredField[] }) =>
    say`Settings restored: ${listOf('en', fields)}.`,
  'restored-template': () => say`The previous pod template is restored, and a rollout to it has started.`,
  'keeps-running': ({ revision }: { revision: string }) => say`Revision ${code(revision)} keeps running.`,
  'next-update-deadlocks': ({ confidence }: { confidence: Confidence }) =>
    say`${strong(`The next update ${confidence === 'proven' ? 'will' : 'may'} deadlock again.`)}`,
};

const ko: typeof en = {
  undone: ({ workload }) => say`되돌리기 완료: ${code(workload)} 설정이 변경 전 상태입니다`,
  unobserved: ({ workload }) =>
    say`되돌리기를 보냈지만 ${code(workload)} 컨트롤러가 아직 반영하지 않았습니다`,
  'restored-fields': ({ fields }) => say`복원된 설정: ${listOf('ko', fields)}.`,
  'restored-template': () => say`이전 파드 템플릿으로 복원되어 롤아웃이 시작되었습니다.`,
  'keeps-running': ({ revision }) => say`리비전 ${code(revision)} 파드는 계속 실행됩니다.`,
  'next-update-deadlocks': ({ confidence }) =>
    say`${strong(`다음 배포 때 다시 교착 상태가 ${confidence === 'proven' ? '발생합니다' : '발생할 수 있습니다'}.`)}`,
};

const cardUndoneText = { en, ko };

const notSet = { en: 'not set', ko: '설정 없음' } as const;

function listOf(language: Language, fields: readonly RestoredField[]): Prose {
  return joined(
    language,
    fields.map(
      ({ name, value }) => say`${code(name)} ${value === undefined ? word(notSet[language]) : code(value)}`,
    ),
  );
}
