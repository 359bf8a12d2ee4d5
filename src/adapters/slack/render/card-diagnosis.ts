import type { KnownBlock } from '@slack/types';
import type { Diagnosis, UnseenInDiagnosis } from '../../../core/diagnosis/diagnosis.js';
import type { Finding } from '../../../core/diagnosis/finding.js';
import { conclusionOf, mainFindingOf } from '../../../core/diagnosis/main-finding.js';
import type { Incident } from '../../../core/incident/incident.js';
import type { Tell } from '../../../core/language/catalogue.js';
import { type Prose, say, sentences, strong, word } from '../../../core/language/prose.js';
import type { StatementRole } from '../../../core/language/statement.js';
import { priceInShort } from '../../../core/remediation/price-text.js';
import { isExperiment, type Remediation } from '../../../core/remediation/remediation.js';
import { actionIds, remediationValue } from './action-ids.js';
import { button, lines, lineWithButton, paragraph, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { type CardContext, type CardParts, titleOf, workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { unseenReason } from './kind-words.js';
import { toPlainText } from './prose.js';

/** The verdict of a diagnosis: its first finding, or that there is none. */
export function diagnosisHeadline(
  incident: Incident,
  diagnosis: Diagnosis,
  tell: Tell,
): { readonly verdict: Prose; readonly qualifier: Prose } {
  const { language } = incident;
  const text = cardText[language];
  const { main: first } = mainFindingOf(diagnosis);
  if (first === undefined) {
    const key = conclusionOf(diagnosis) === 'unchecked' ? 'not-all-checked' : 'nothing-found';
    return { verdict: text[key]({ workload: workloadName(incident) }), qualifier: [] };
  }
  return {
    verdict: tell(first.summary, language),
    qualifier: text.confidence({ confidence: first.confidence }),
  };
}

/**
 * The result of a diagnosis: why, whether pods are ready, fixes, what is not recommended, other findings, what could not be read.
 *
 * @param withReviews false while people decide on one remediation already
 */
export function diagnosisBlocks(context: CardContext, options: { readonly withReviews: boolean }): CardParts {
  const { incident, tell, size } = context;
  const { diagnosis, language, change } = incident;
  const text = cardText[language];
  if (diagnosis === undefined) {
    const verdict = text.diagnosing({ workload: workloadName(incident), cluster: incident.workload.cluster });
    return { verdict, qualifier: [], spoken: [], blocks: [] };
  }
  const { main: first, others } = mainFindingOf(diagnosis);
  const notMade =
    change?.failure === undefined
      ? []
      : text['not-made']({
          title: titleOf(change, language, tell),
          because: tell(change.failure, language),
        });
  const lastChange =
    change?.verdict === undefined || incident.phase === 'settled'
      ? []
      : text['last-change']({
          title: titleOf(change, language, tell),
          by: change.approvedBy,
        });
  const blocks: KnownBlock[] = [
    ...(notMade.length > 0 ? [paragraph(notMade, size)] : []),
    ...(first === undefined ? calm(context, diagnosis) : findingBlocks(context, diagnosis, first)),
    ...((first === undefined && incident.requested === undefined) || incident.brake === undefined
      ? []
      : [paragraph(tell(incident.brake, language), size)]),
    ...(first !== undefined && options.withReviews ? fixBlocks(context, first) : []),
    ...also(context, others, options),
    ...limits(context, diagnosis),
    ...leftOutBlocks(context, diagnosis),
    ...(lastChange.length > 0 ? [paragraph(lastChange, size)] : []),
  ];
  return { ...diagnosisHeadline(incident, diagnosis, tell), spoken: spoken(context, first), blocks };
}

function spoken({ incident, tell }: CardContext, first: Finding | undefined): Prose[] {
  const { language } = incident;
  if (first === undefined) return [];
  const titles = first.remediations.map(({ title }) => tell(title, language));
  return [
    ...(first.standing === undefined ? [] : [tell(first.standing, language)]),
    ...(titles.length === 0 ? [] : [say`${cardText[language].fixes({})}: ${separated(titles, ' / ')}`]),
  ];
}

function calm({ incident, size }: CardContext, diagnosis: Diagnosis): KnownBlock[] {
  const text = cardText[incident.language];
  const { kind } = diagnosis.workload;
  const { underWay } = diagnosis;
  return [
    conclusionOf(diagnosis) === 'unchecked'
      ? paragraph(text['checked-in-part']({}), size)
      : paragraph(text.checked({ kind, revision: diagnosis.revision }), size),
    ...(underWay === undefined ? [] : [paragraph(text['under-way'](underWay), size)]),
    paragraph(text.served(diagnosis.ready), size),
  ];
}

function findingBlocks(
  { incident, tell, size }: CardContext,
  diagnosis: Diagnosis,
  finding: Finding,
): KnownBlock[] {
  const { language } = incident;
  const text = cardText[language];
  const more = (count: number) => text.more({ count });
  const inRole = (role: StatementRole | undefined) =>
    finding.reasoning.filter((each) => each.role === role).map((reason) => tell(reason, language));
  const conclusion = sentences(...inRole('conclusion'));
  const [served = text.served(diagnosis.ready)] = inRole('readiness');
  return [
    ...(finding.standing === undefined ? [] : [paragraph(tell(finding.standing, language), size)]),
    ...steps(inRole(undefined), size, more),
    ...(conclusion.length > 0 ? [paragraph(conclusion, size)] : []),
    paragraph(served, size),
    ...finding.weakenedBy
      .slice(0, size.items)
      .map((weakness) => paragraph(text.weakened({ by: tell(weakness, language) }), size)),
  ];
}

function fixBlocks(context: CardContext, finding: Finding): KnownBlock[] {
  const { incident, tell, size } = context;
  const { language } = incident;
  const text = cardText[language];
  const { remediations, withheld, advice } = finding;
  const shown = remediations.slice(0, Math.max(3, size.items));
  const withheldLines = withheld
    .slice(0, size.items)
    .map(({ kind, because }) =>
      paragraph(text['not-recommended']({ kind, because: tell(because, language) }), size),
    );
  if (remediations.length === 0) {
    const helps = advice.map(
      ({ title, text: advised }) =>
        say`${strong(toPlainText(tell(title, language)))}: ${tell(advised, language)}`,
    );
    return [...lines(text['no-fix']({}), helps, size, (count) => text.more({ count })), ...withheldLines];
  }
  const hidden = remediations.length - shown.length;
  return [
    ...shown.flatMap((remediation, position) => [
      ...(position > 1 ? [] : [paragraph(text[headingKey(remediation, position)]({}), size)]),
      remediationBlock(context, remediation),
    ]),
    ...(hidden > 0 ? [paragraph(text.more({ count: hidden }), size)] : []),
    ...withheldLines,
  ];
}

function headingKey(remediation: Remediation, position: number) {
  if (position > 0) return 'other-options';
  return isExperiment(remediation) ? 'recommended-step' : 'recommended-fix';
}

/** A remediation with its price, and the button that opens its review. */
export function remediationBlock(
  { incident, tell, size }: Pick<CardContext, 'incident' | 'tell' | 'size'>,
  remediation: Remediation,
): KnownBlock {
  const { language } = incident;
  const texts = buttonTexts[language];
  const title = tell(remediation.title, language);
  const price = priceInShort(remediation.price, remediation.prediction, language);
  return lineWithButton(
    separated([emphasised(title), ...price], ' · '),
    button({
      actionId: actionIds.review,
      text: texts.review,
      label: texts.reviewLabel(toPlainText(title), workloadName(incident)),
      value: remediationValue(incident.id, remediation.id),
    }),
    size,
  );
}

function also(
  context: CardContext,
  findings: readonly Finding[],
  { withReviews }: { readonly withReviews: boolean },
): KnownBlock[] {
  const { incident, tell, size } = context;
  const { language } = incident;
  const text = cardText[language];
  if (findings.length === 0) return [];
  const shown = findings.slice(0, Math.min(size.items, 6));
  const hidden = findings.length - shown.length;
  return [
    paragraph(text['other-findings']({}), size),
    ...shown.flatMap((finding): KnownBlock[] => [
      paragraph(
        text['also-found']({ summary: tell(finding.summary, language), confidence: finding.confidence }),
        size,
      ),
      ...(withReviews ? finding.remediations.slice(0, 2).map((each) => remediationBlock(context, each)) : []),
    ]),
    ...(hidden > 0 ? [paragraph(text.more({ count: hidden }), size)] : []),
  ];
}

/** What could not be seen, and which of our own checks failed: it belongs on the card, since it weakens the verdict. */
function limits({ incident, size }: CardContext, diagnosis: Diagnosis): KnownBlock[] {
  const { unseen, defects, workload, workSpent } = diagnosis;
  const text = cardText[incident.language];
  const shown = unseen.slice(0, Math.min(3, size.items));
  const hidden = unseen.length - shown.length;
  return [
    ...shown.map((each) => paragraph(text.unseen(unseenValues(each, workload)), size)),
    ...(hidden > 0 ? [paragraph(text.more({ count: hidden }), size)] : []),
    ...(workSpent ? [paragraph(text['work-spent']({}), size)] : []),
    ...(defects.length > 0
      ? [paragraph(text.defects({ causes: defects.map(({ cause }) => cause) }), size)]
      : []),
  ];
}

/** Which object does not parse is shown in its own namespace only: names of others are not for every reader. */
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
  { incident, size }: Pick<CardContext, 'incident' | 'size'>,
  { leftOut }: Diagnosis,
): KnownBlock[] {
  const text = cardText[incident.language];
  return [
    ...(leftOut?.logs === true ? [paragraph(text['logs-hidden']({}), size)] : []),
    ...(leftOut?.names === true ? [paragraph(text['names-hidden']({}), size)] : []),
  ];
}

/** Our own words in bold; names keep their own mark. */
export function emphasised(prose: Prose): Prose {
  return prose.flatMap((span) =>
    span.kind === 'text' && span.text.trim() !== '' ? bold(span.text) : [span],
  );
}

function bold(text: string): Prose {
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  const before = text.slice(0, start);
  const after = text.slice(start + inner.length);
  return [...(before === '' ? [] : [word(before)]), strong(inner), ...(after === '' ? [] : [word(after)])];
}

export function separated(parts: readonly Prose[], separator: string): Prose {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, position) => (position === 0 ? part : [word(separator), ...part]));
}
