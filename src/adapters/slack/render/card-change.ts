import type { KnownBlock } from '@slack/types';
import { conclusionOf, isAbsent } from '../../../core/diagnosis/main-finding.js';
import { approversOf, missingApprovers } from '../../../core/incident/approval-transitions.js';
import type { Change, Incident } from '../../../core/incident/incident.js';
import type { Tell } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { type Prose, say, sentences, word } from '../../../core/language/prose.js';
import { downtime } from '../../../core/remediation/price-text.js';
import { actionIds } from './action-ids.js';
import { actions, button, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { type CardContext, type CardParts, titleOf, workloadName } from './card-context.js';
import { diagnosisBlocks, diagnosisTitle, factsLine } from './card-diagnosis.js';
import { reversalIn, revertedOutcome, revertedVerdict } from './card-reverted.js';
import { cardText } from './card-text.js';
import { undoneOutcome, undoneVerdict } from './card-undone.js';
import { changeRequestText } from './change-request-text.js';
import { capitalised, emphasised, separated } from './fragments.js';
import { measuredText } from './measured-text.js';

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
      ? text[change.appliedAt === undefined ? 'sending' : 'second-step-next']({})
      : change.progress === undefined
        ? text.verifying({})
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
  const label = texts.cancelLabel(workloadName(incident));
  return actions([button({ actionId: actionIds.cancel, text: texts.cancel, label, value: approvalId })]);
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
  return measuredText[language][readings.atMostMs > 0 ? 'downtime' : 'no-downtime']({
    atLeastSeconds: Math.floor(readings.atLeastMs / 1000),
    atMostSeconds: Math.ceil(readings.atMostMs / 1000),
    readings: readings.count,
    longestPauseSeconds: Math.ceil(readings.longestPauseMs / 1000),
    estimate: undoes ? [] : downtime(remediation.price, language),
  });
}

/** Beside words that say the same. */
function symbolOf(incident: Incident, change: Change): string {
  if (unseenSince(incident, change)) return '⚪';
  if (change.undoes) return '⏪';
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
  if (verdict === 'recovered') return changeRequestText[language]['nothing-new']({});
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

function took({ language }: Incident, { appliedAt, verdictAt }: Change): Prose {
  if (appliedAt === undefined || verdictAt === undefined) return [];
  const seconds = (Date.parse(verdictAt) - Date.parse(appliedAt)) / 1000;
  return Number.isFinite(seconds) ? cardText[language].took({ seconds }) : [];
}
