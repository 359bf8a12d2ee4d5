import type { Button, KnownBlock } from '@slack/types';
import { commandText } from '../../../doctor/commands/command.js';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import { impactInShort } from '../../../doctor/fixes/impact-text.js';
import { isIrreversible, type Remediation } from '../../../doctor/fixes/remediation.js';
import { isSameChange } from '../../../doctor/fixes/requested-change.js';
import { byRecommendation } from '../../../doctor/fixes/with-drift.js';
import type { Approval } from '../../../doctor/incidents/approval.js';
import { assigneeOf, hasFixResult, isAssignable } from '../../../doctor/incidents/incident-transitions.js';
import { isPullRequestUnderWay } from '../../../doctor/incidents/pull-request-transitions.js';
import { columnsOf } from '../../../doctor/pictures/columns.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { type Prose, word } from '../../../engine/language/prose.js';
import { driftInShort } from '../../../engine/owners/drift-text.js';
import { actionIds, menuValue, remediationValue } from './action-ids.js';
import type { MenuEntry } from './blocks.js';
import { actions, button, lineWithButton, maxMenuEntries, maxOptionText, menu, plainText } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { type CardContext, titleOf, workloadName } from './card-context.js';
import { fixesOf, leadingFix, pullRequestButton, viewButton } from './card-pull-request.js';
import { cardText } from './card-text.js';
import { postMortemFrame } from './post-mortem-text.js';
import { separated, toPlainText } from './prose.js';

/** A fix with its impact and what becomes of it, in one line. */
export function shortFix(
  remediation: Remediation,
  { language, tell }: Words,
  maxImpacts = Infinity,
  maxNamed = 1,
): Prose {
  const { title, price, prediction, survival } = remediation;
  const noUndo = isIrreversible(remediation) ? [cardText[language]['no-undo']()] : [];
  const impacts = impactInShort(price, prediction, language, maxNamed).slice(0, maxImpacts);
  const lasts = driftInShort(survival, language) ?? [];
  return separated([tell(title, language), ...noUndo, ...impacts, lasts], ' · ');
}

/** What three rows of a phone take, beside the words before it. */
const maxFixColumns = 115;

/**
 * The same as the recommended fix of a card: with a count in place of a competitor's name, and without the
 * further impacts, where that takes too many rows. A last `…` says that the review states more.
 */
export function fixInRows(remediation: Remediation, words: Words): Prose {
  const whole = shortFix(remediation, words);
  if (columnsOf(toPlainText(whole)) <= maxFixColumns) return whole;
  return separated([shortFix(remediation, words, 1, 0), [word('…')]], ' · ');
}

type Words = { readonly language: Language; readonly tell: Tell };

/**
 * The whole line, or as many impacts as an entry of a menu has room for, so that no word is cut. A last `…`
 * says that the review states more.
 */
function menuText(remediation: Remediation, words: Words): string {
  const whole = toPlainText(shortFix(remediation, words));
  if (whole.length <= maxOptionText) return whole;
  const title = toPlainText(words.tell(remediation.title, words.language));
  const shorter = [...[2, 1, 0].map((impacts) => toPlainText(shortFix(remediation, words, impacts))), title];
  const most = maxOptionText - ' · …'.length;
  const found = shorter.find((line) => line !== whole && line.length <= most);
  return found === undefined ? whole : `${found} · …`;
}

/** A fix in one line, with the button that opens its review. */
export function fixLine(
  { incident, tell, size }: Pick<CardContext, 'incident' | 'tell' | 'size'>,
  remediation: Remediation,
): KnownBlock {
  const { language } = incident;
  const texts = buttonTexts[language];
  return lineWithButton(
    shortFix(remediation, { language, tell }),
    reviewButton({ incident, tell }, remediation, texts.review),
    size,
  );
}

/**
 * What people can press: the recommended fix, the proof, and a menu with the other fixes and further actions.
 * Fixes that the menu does not take follow in lines of their own.
 */
export function cardActions(context: CardContext): KnownBlock[] {
  const { incident, approval } = context;
  const { phase, successor } = incident;
  if (successor !== undefined || phase === 'applying' || phase === 'verifying' || phase === 'diagnosing') {
    return [];
  }
  if (phase === 'failed') return actions([againButton(context)]);
  const isDeciding = phase === 'awaiting' && approval !== undefined;
  const isInGit = isPullRequestUnderWay(incident);
  const fixes = byRecommendation(isDeciding ? [] : fixesOf(context));
  const leading = isDeciding || isInGit ? undefined : leadingFix(context);
  const helpful = fixes.lead === undefined ? fixes.others : [fixes.lead, ...fixes.others];
  const asked = incident.diagnosis?.requested;
  const others = [...helpful.filter((each) => each !== leading?.fix), ...fixes.reverted].filter(
    (each) => asked?.type !== 'possible' || !isSameChange(each, asked.remediation),
  );
  const { kept, left } = menuFixes(context, others);
  const again = menuValue(actionIds.diagnoseAgain, incident.id);
  const entries = [
    ...kept,
    ...postMortemEntry(context),
    ...assignEntry(context),
    ...(again === undefined ? [] : [{ text: buttonTexts[incident.language].diagnoseAgain, value: again }]),
    ...silenceEntry(context),
  ];
  const { fix, forGit, leadsInGit = false } = leading ?? {};
  const inGit = forGit === undefined ? [] : [pullRequestButton(context, forGit)];
  const first = firstButtons(context, fix, { leadsInGit, ...(isDeciding ? { approval } : {}) });
  // A menu with one entry is a button.
  const last = entries.length > 1 ? menu(actionIds.menu, entries) : [againButton(context)];
  return [
    ...actions([
      ...(isInGit ? viewButton(incident, isDeciding ? undefined : 'primary') : []),
      ...(leadsInGit ? [...inGit, ...first] : [...first, ...inGit]),
      ...shareButton(context),
      ...proofButton(context),
      ...last,
    ]),
    // While a pull request waits, nothing else is one tap away.
    ...(isInGit ? [] : left.map((remediation) => fixLine(context, remediation))),
  ];
}

/** Fixes come first: where there are many, two further actions remain, and the last one gives way. */
const maxFixes = maxMenuEntries - 2;

function menuFixes({ incident, tell }: CardContext, fixes: readonly Remediation[]) {
  const { language } = incident;
  const most = hasFixResult(incident) ? maxFixes - 1 : maxFixes;
  const kept: MenuEntry[] = [];
  const left: Remediation[] = [];
  for (const remediation of fixes) {
    const value = menuValue(actionIds.review, remediationValue(incident.id, remediation.id));
    if (value === undefined || kept.length >= most) left.push(remediation);
    else kept.push({ text: menuText(remediation, { language, tell }), value });
  }
  return { kept, left };
}

function postMortemEntry({ incident }: CardContext): readonly MenuEntry[] {
  const value = hasFixResult(incident) ? menuValue(actionIds.postMortem, incident.id) : undefined;
  return value === undefined ? [] : [{ text: postMortemFrame[incident.language].title, value }];
}

/** I'm on it, or the way to change who is. */
function assignEntry({ incident }: CardContext): readonly MenuEntry[] {
  const texts = buttonTexts[incident.language];
  const value = isAssignable(incident) ? menuValue(actionIds.assign, incident.id) : undefined;
  const text = assigneeOf(incident) === undefined ? texts.assign : texts.reassign;
  return value === undefined ? [] : [{ text, value }];
}

/** For two hours: as somebody would type it. Left out where it is too long for a menu. */
function silenceEntry({ incident }: CardContext): readonly MenuEntry[] {
  const { diagnosis, workload, language } = incident;
  if (diagnosis === undefined || mainFindingOf(diagnosis).main === undefined) return [];
  const value = menuValue(actionIds.makeRequest, commandText('silence', workload, '2h'));
  return value === undefined ? [] : [{ text: buttonTexts[language].silence, value }];
}

function firstButtons(
  context: CardContext,
  recommended: Remediation | undefined,
  { approval, leadsInGit }: { approval?: Approval; leadsInGit: boolean },
): readonly Button[] {
  if (approval !== undefined) return approval.state === 'open' ? decisionButtons(context, approval) : [];
  const undo = undoButton(context);
  if (recommended === undefined) return undo;
  const texts = buttonTexts[context.incident.language];
  const text = leadsInGit ? texts.reviewNow : texts.reviewFix;
  const usual = leadsInGit ? undefined : 'primary';
  const style = isIrreversible(recommended) ? 'danger' : usual;
  return [reviewButton(context, recommended, text, style), ...undo];
}

function reviewButton(
  { incident, tell }: Pick<CardContext, 'incident' | 'tell'>,
  remediation: Remediation,
  text: string,
  style?: 'primary' | 'danger',
): Button {
  const title = toPlainText(tell(remediation.title, incident.language));
  return button({
    actionId: actionIds.review,
    text,
    about: `${workloadName(incident)}, ${title}`,
    value: remediationValue(incident.id, remediation.id),
    ...(style === undefined ? {} : { style }),
  });
}

function decisionButtons({ incident, tell }: CardContext, approval: Approval): readonly Button[] {
  const { language } = incident;
  const texts = buttonTexts[language];
  const workload = workloadName(incident);
  const title = toPlainText(titleOf(approval, language, tell));
  return [
    button({
      actionId: approval.gitTarget === undefined ? actionIds.review : actionIds.reviewInGit,
      text: texts.review,
      about: `${workload}, ${title}`,
      value: remediationValue(incident.id, approval.undoes ? 'undo' : approval.remediation.id),
      style: 'primary',
    }),
    button({
      actionId: actionIds.reject,
      text: texts.reject,
      about: workload,
      value: approval.id,
      confirm: {
        title: plainText(texts.rejectTitle, 100),
        text: plainText(texts.rejectText, 300),
        confirm: plainText(texts.reject, 30),
        deny: plainText(texts.keepOpen, 30),
      },
    }),
  ];
}

function undoButton({ incident }: CardContext): readonly Button[] {
  const { change, language } = incident;
  if (change?.verdict === undefined || change.undo === undefined || change.undoes) return [];
  // Its values are gone already.
  if (change.reversal !== undefined) return [];
  const texts = buttonTexts[language];
  return [
    button({ actionId: actionIds.undo, text: texts.undo, about: workloadName(incident), value: incident.id }),
  ];
}

function shareButton({ incident, isPrivate = false }: CardContext): readonly Button[] {
  const texts = buttonTexts[incident.language];
  if (!isPrivate) return [];
  const about = workloadName(incident);
  return [button({ actionId: actionIds.share, text: texts.share, about, value: incident.id })];
}

function proofButton({ incident }: CardContext): readonly Button[] {
  const texts = buttonTexts[incident.language];
  if (incident.diagnosis === undefined) return [];
  const about = workloadName(incident);
  return [button({ actionId: actionIds.proof, text: texts.proof, about, value: incident.id })];
}

function againButton({ incident }: CardContext): Button {
  const texts = buttonTexts[incident.language];
  const about = workloadName(incident);
  return button({ actionId: actionIds.diagnoseAgain, text: texts.diagnoseAgain, about, value: incident.id });
}
