import type { KnownBlock } from '@slack/types';
import type { Diagnosis, UnseenInDiagnosis } from '../../../doctor/findings/diagnosis.js';
import { changedFieldsOf } from '../../../doctor/findings/field-words.js';
import type { Finding } from '../../../doctor/findings/finding.js';
import {
  answeringNoteOf,
  conclusionOf,
  mainFindingOf,
  openQuestionOf,
} from '../../../doctor/findings/main-finding.js';
import { commandsToAdd, missingIn } from '../../../doctor/findings/missing.js';
import { isExperiment, type Remediation } from '../../../doctor/fixes/remediation.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { isPullRequestUnderWay } from '../../../doctor/incidents/pull-request-transitions.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { moment, type Prose, say, word } from '../../../engine/language/prose.js';
import { footer, paragraph } from './blocks.js';
import { fixInRows, shortFix } from './card-actions.js';
import { type CardContext, type CardParts, titleOf, workloadName } from './card-context.js';
import { excerptBlocks } from './card-excerpt.js';
import { leadingFix } from './card-pull-request.js';
import { cardText } from './card-text.js';
import { type ChangeRequestShapes, changeRequestText } from './change-request-text.js';
import { severitySymbols, severityWords, unseenReason } from './kind-words.js';

/** What a diagnosis found, in one sentence: its main finding, or that there is none. */
export function diagnosisVerdict(
  { incident, tell, language }: { incident: Incident; tell: Tell; language: Language },
  diagnosis: Diagnosis,
): Prose {
  const { main } = mainFindingOf(diagnosis);
  if (main !== undefined) return tell(main.summary, language);
  const text = cardText[language];
  const workload = workloadName(incident);
  if (hasRecoveredByGit(incident, diagnosis)) return text.recovered({ workload });
  const answer = answeringNoteOf(diagnosis);
  if (answer !== undefined) return tell(answer.summary, language);
  return calmVerdict(diagnosis, workload, language);
}

/** The verdict where no finding is above informational. */
export function calmVerdict(diagnosis: Diagnosis, workload: string, language: Language): Prose {
  const text = cardText[language];
  switch (openQuestionOf(diagnosis)?.kind) {
    case undefined:
      return text['nothing-found']({ workload });
    case 'unexplained':
      return text.unexplained({ workload, ...diagnosis.ready });
    case 'unread':
    case 'in-part':
    case 'unchecked':
      return text['not-all-checked']({ workload });
  }
}

/** The cause went away with a merged pull request; the line about the pull request has the rest. */
function hasRecoveredByGit({ pullRequest }: Incident, diagnosis: Diagnosis): boolean {
  return pullRequest?.state === 'recovered' && conclusionOf(diagnosis) === 'nothing';
}

/** What the title states of a requested change: where nothing is found, why it should not be made. */
export function titledOutcome(
  { requested }: Pick<Incident, 'requested'>,
  diagnosis: Diagnosis,
): ChangeRequestShapes['outcome']['outcome'] | undefined {
  const forecast = diagnosis.requested;
  if (requested === undefined || forecast === undefined || conclusionOf(diagnosis) !== 'nothing')
    return undefined;
  if (forecast.type === 'impossible') return 'impossible';
  return forecast.stops ?? (forecast.remediation.price.downtime.kind === 'gap' ? 'outage' : undefined);
}

function refusedTitle(incident: Incident, diagnosis: Diagnosis): Prose | undefined {
  const { requested, language } = incident;
  const outcome = titledOutcome(incident, diagnosis);
  if (requested === undefined || outcome === undefined) return undefined;
  const { kind: change } = requested.change;
  const workload = workloadName(incident);
  return say`${word('🟠')} ${changeRequestText[language].outcome({ change, workload, outcome })}`;
}

/** The title of a card with a diagnosis: how severe, and what was found. */
export function diagnosisTitle(context: Pick<CardContext, 'incident' | 'tell'>, diagnosis: Diagnosis): Prose {
  const { language } = context.incident;
  const verdict = diagnosisVerdict({ ...context, language }, diagnosis);
  const { main } = mainFindingOf(diagnosis);
  if (main === undefined) {
    const isOpen = conclusionOf(diagnosis) === 'unchecked';
    return refusedTitle(context.incident, diagnosis) ?? say`${word(isOpen ? '⚪' : '🟢')} ${verdict}`;
  }
  return say`${word(severitySymbols[main.severity])} ${word(severityWords[language][main.severity])}: ${verdict}`;
}

/**
 * The result of a diagnosis in the fewest words that an on-call person needs; **Show proof** has the rest.
 */
export function diagnosisBlocks(context: CardContext): CardParts {
  const { incident, tell, size } = context;
  const { diagnosis, language, change } = incident;
  const text = cardText[language];
  if (diagnosis === undefined) {
    const title = text.diagnosing({ workload: workloadName(incident), cluster: incident.workload.cluster });
    return { title, spoken: [], blocks: [] };
  }
  const { main, others } = mainFindingOf(diagnosis);
  // The title states it.
  const answer = answeringNoteOf(diagnosis);
  const notMade =
    change?.failure === undefined
      ? []
      : text['not-made']({ title: titleOf(change, language, tell), because: tell(change.failure, language) });
  const lastChange =
    change?.verdict === undefined || incident.phase === 'settled'
      ? []
      : text['last-change']({ title: titleOf(change, language, tell), by: change.approvedBy });
  const isBrakeRelevant = main !== undefined || incident.requested !== undefined;
  return {
    title: diagnosisTitle(context, diagnosis),
    spoken: spoken(context, diagnosis, main),
    blocks: [
      factsLine(context, diagnosis, main),
      ...said(notMade, size),
      ...(main === undefined ? calm(context, diagnosis) : findingBlocks(context, diagnosis, main)),
      ...(isBrakeRelevant && incident.brake !== undefined
        ? [paragraph(tell(incident.brake, language), size)]
        : []),
      ...(main === undefined || isDecided(incident) ? [] : fixBlocks(context, main, others)),
      ...alsoBlocks(
        context,
        main,
        others.filter((each) => each !== answer),
      ),
      ...limits(context, diagnosis),
      ...leftOutBlocks({ language, size }, diagnosis),
      ...said(lastChange, size),
    ],
  };
}

/** People decide, or have decided, about one fix: no other one is recommended beside it. */
function isDecided(incident: Incident): boolean {
  return incident.phase === 'awaiting' || isPullRequestUnderWay(incident);
}

function said(prose: Prose, size: CardContext['size']): KnownBlock[] {
  return prose.length === 0 ? [] : [paragraph(prose, size)];
}

/** What people ask first: how many pods are ready, how certain the finding is, where, and as of when. */
export function factsLine(
  { incident, size, terseness = 'none' }: CardContext,
  { ready, takenAt }: Diagnosis,
  main: Finding | undefined,
): KnownBlock {
  const isTerse = terseness !== 'none';
  const text = cardText[incident.language];
  const { cluster } = incident.workload;
  // The title of a deadlock names the old pods as well.
  const namesOldPods = isTerse && main?.waitCycle !== undefined;
  const { old: _, ...counts } = ready;
  return footer(
    [
      text.ready(!namesOldPods ? ready : terseness === 'short' ? { ...ready, isTerse } : counts),
      ...(main === undefined ? [] : [text['confidence-of-cause']({ confidence: main.confidence })]),
      text['on-cluster']({ cluster }),
      // Slack shows beside the message when it was posted.
      ...(isTerse ? [] : [[moment(takenAt)]]),
    ],
    size,
  );
}

/** For those who hear or read only the notification. */
function spoken(context: CardContext, { ready }: Diagnosis, main: Finding | undefined): Prose[] {
  const { incident, tell } = context;
  const { language } = incident;
  if (main === undefined) return [];
  const recommended = isDecided(incident) ? undefined : recommendedOf(context, main);
  return [
    cardText[language].ready(ready),
    ...(main.standing === undefined ? [] : [tell(main.standing, language)]),
    ...(recommended === undefined
      ? []
      : [cardText[language]['recommended-fix']({ fix: tell(recommended.title, language) })]),
  ];
}

function calm({ incident, size, tell }: CardContext, diagnosis: Diagnosis): KnownBlock[] {
  const { language } = incident;
  const text = cardText[language];
  const answer = answeringNoteOf(diagnosis);
  if (answer?.standing !== undefined) return [paragraph(tell(answer.standing, language), size)];
  const { kind } = diagnosis.workload;
  const { underWay } = diagnosis;
  const moving = underWay === undefined ? [] : [paragraph(text['under-way'](underWay), size)];
  if (conclusionOf(diagnosis) === 'unchecked') {
    const isRead = openQuestionOf(diagnosis)?.kind === 'unexplained';
    const missing = missingBlocks({ incident, size }, diagnosis);
    return [
      ...(missing.length > 0
        ? missing
        : [paragraph(text[isRead ? 'unexplained-next' : 'checked-in-part'](), size)]),
      ...moving,
    ];
  }
  if (underWay !== undefined) return moving;
  if (hasRecoveredByGit(incident, diagnosis)) return [];
  return [paragraph(text.checked({ kind, revision: diagnosis.revision }), size)];
}

/** What is missing, how many causes that weakens, and the first command that adds it. */
function missingBlocks(
  { incident, size }: Pick<CardContext, 'incident' | 'size'>,
  diagnosis: Diagnosis,
): KnownBlock[] {
  const text = cardText[incident.language];
  const missing = missingIn(diagnosis);
  const [command] = commandsToAdd(missing);
  if (missing.length === 0) return [];
  const kinds = [...new Set(missing.map(({ what }) => what))];
  const causes = new Set(missing.flatMap((each) => each.causes)).size;
  return [paragraph(text.missing({ kinds, causes, command }), size)];
}

/**
 * What it means while nobody acts, or where a picture says that, the picture; then what the container logged
 * last.
 */
function findingBlocks(context: CardContext, diagnosis: Diagnosis, finding: Finding): KnownBlock[] {
  const { incident, tell, size } = context;
  const { language } = incident;
  const excerpt = excerptBlocks(context, diagnosis, finding);
  const changes = changedBlocks(context, diagnosis, finding);
  // The facts above state the ready pods as well.
  const givesWay = context.terseness === 'short' && changes.length > 0;
  return [
    ...(finding.standing === undefined || excerpt.replacesStatusLine || givesWay
      ? []
      : [paragraph(tell(finding.standing, language), size)]),
    ...excerpt.blocks,
    ...changes,
  ];
}

/** Changes that a card names; the proof has the others. */
const maxChanges = 2;

/** The second question at night: what is new in this revision. */
function changedBlocks(
  { incident, size, terseness = 'none' }: CardContext,
  { revision }: Diagnosis,
  finding: Finding,
): KnownBlock[] {
  const changes = changedFieldsOf(finding);
  if (changes.length === 0 || terseness === 'shortest') return [];
  const shown = changes.slice(0, terseness === 'none' ? maxChanges : 1);
  const more = changes.length - shown.length;
  return [paragraph(cardText[incident.language].changed({ revision, changes: shown, more }), size)];
}

/** The fix of this finding that the card puts forward. */
function recommendedOf(context: CardContext, { remediations }: Finding): Remediation | undefined {
  const { fix } = leadingFix(context);
  return remediations.find((each) => each === fix);
}

/**
 * The one fix that is recommended, or what people can do where no change of ours helps. Where only another
 * finding has a fix, both are stated, each with its cause: the button belongs to the other.
 */
function fixBlocks(context: CardContext, finding: Finding, others: readonly Finding[]): KnownBlock[] {
  const { incident, tell, size } = context;
  const { language } = incident;
  const text = cardText[language];
  const { fix, forGit, leadsInGit } = leadingFix(context);
  const pressed = leadsInGit ? forGit : fix;
  const other = others.find(({ remediations }) => remediations.some((each) => each === pressed));
  if (pressed !== undefined && other !== undefined && !finding.remediations.includes(pressed)) {
    const fixText = leadsInGit ? tell(pressed.title, language) : shortFix(pressed, { language, tell });
    return [
      ...adviceBlocks(context, finding, finding.cause),
      paragraph(text['fix-of-other']({ cause: other.cause, fix: fixText }), size),
    ];
  }
  const recommended = recommendedOf(context, finding);
  if (leadsInGit && forGit !== undefined) {
    // One line for each of the two buttons.
    return [
      paragraph(text['recommended-in-git']({ fix: tell(forGit.title, language) }), size),
      ...(recommended === undefined
        ? []
        : [paragraph(text['in-cluster']({ fix: shortFix(recommended, { language, tell }) }), size)]),
    ];
  }
  if (recommended === undefined) return adviceBlocks(context, finding, undefined);
  const key = isExperiment(recommended) ? 'recommended-step' : 'recommended-fix';
  return [paragraph(text[key]({ fix: fixInRows(recommended, { language, tell }) }), size)];
}

/** @param cause given where the card has a fix for another cause */
function adviceBlocks(
  { incident, tell, size }: CardContext,
  { remediations: [reverted], advice: [advice] }: Finding,
  cause: string | undefined,
): KnownBlock[] {
  const { language } = incident;
  const text = cardText[language];
  return [
    ...(reverted === undefined
      ? []
      : [paragraph(text['not-recommended']({ fix: shortFix(reverted, { language, tell }) }), size)]),
    ...(advice === undefined
      ? []
      : [paragraph(text['no-fix']({ step: tell(advice.title, language), cause }), size)]),
  ];
}

/**
 * Other failures by the id of their cause; the proof describes them. Findings of severity `info` are shown on
 * the card of a healthy workload only: beside a failure they would take its room.
 */
function alsoBlocks(
  { incident, tell, size }: CardContext,
  main: Finding | undefined,
  others: readonly Finding[],
): KnownBlock[] {
  const { language } = incident;
  const text = cardText[language];
  const [first, ...rest] = others;
  if (main === undefined) {
    if (first === undefined) return [];
    return [paragraph(text.note({ summary: tell(first.summary, language), more: rest.length }), size)];
  }
  const causes = others.filter(({ severity }) => severity !== 'info').map(({ cause }) => cause);
  return causes.length === 0 ? [] : [paragraph(text['also-found']({ causes: [...new Set(causes)] }), size)];
}

/**
 * What could not be read, and which of our own checks failed: it belongs on the card, since it weakens the
 * verdict. The proof states why.
 */
function limits({ incident, size }: CardContext, diagnosis: Diagnosis): KnownBlock[] {
  const { unseen, defects, workSpent } = diagnosis;
  const text = cardText[incident.language];
  const kinds = [...new Set(unseen.map(({ what }) => what))];
  // Where nothing was found, the sentence about what is missing names them.
  const isSaid = openQuestionOf(diagnosis) !== undefined && missingIn(diagnosis).length > 0;
  return [
    ...(kinds.length === 0 || isSaid ? [] : [paragraph(text['not-read']({ kinds }), size)]),
    ...(workSpent ? [paragraph(text['work-spent']({}), size)] : []),
    ...(defects.length > 0
      ? [paragraph(text.defects({ causes: defects.map(({ cause }) => cause) }), size)]
      : []),
  ];
}

/**
 * Which object does not parse is shown in its own namespace only: names of others are not for every reader.
 */
export function unseenValues(
  { what, namespace, because, message, weakens }: UnseenInDiagnosis,
  workload: Diagnosis['workload'],
) {
  const isOwn = because === 'malformed' && namespace === workload.namespace;
  const object = isOwn ? message : '';
  return { what, namespace, because: unseenReason(because), object, weakens: weakens.length };
}

/** That something is left out for those who read here; what it is, is not said. */
export function leftOutBlocks(
  { language, size }: { language: Language; size: CardContext['size'] },
  { leftOut }: Diagnosis,
): KnownBlock[] {
  const text = cardText[language];
  return [
    ...(leftOut?.logs === true ? [paragraph(text['logs-hidden'](), size)] : []),
    ...(leftOut?.names === true ? [paragraph(text['names-hidden'](), size)] : []),
  ];
}
