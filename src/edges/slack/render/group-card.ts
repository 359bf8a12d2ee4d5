import type { Button, KnownBlock, ModalView } from '@slack/types';
import { mainFindingOf, sharedFailure } from '../../../doctor/findings/main-finding.js';
import { type GroupRow, groupRows, isAffected, totalsOf } from '../../../doctor/incidents/group-rows.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { causePage, noPages } from '../../../doctor/incidents/page-links.js';
import type { SharedRoot } from '../../../doctor/incidents/shared-root.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import type { VisibleGroup } from '../../../service/people/read-group.js';
import type { LinkTo } from '../card-link.js';
import { actionIds, groupPageValue, linkActionPrefix, memberValue } from './action-ids.js';
import { actions, button, footer, line, linkButton, paragraph, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import type { CardContext, CardParts } from './card-context.js';
import { cardText } from './card-text.js';
import { groupText } from './group-text.js';
import { severitySymbols, severityWords } from './kind-words.js';
import { fittedModal, modalFrame, sentenceModal } from './modal.js';
import { separated } from './prose.js';

/** Workloads that the card names; the list has all. */
const worst = 5;

/**
 * A group in place of a card of its own for each workload: what they share, how many they are, and the worst
 * of them.
 */
export function groupCard(context: CardContext): CardParts {
  const { incident, size, pages = noPages } = context;
  const { language } = incident;
  const rows = groupRows(incident);
  const cause = causeOf(incident);
  const page = cause === undefined ? undefined : causePage(pages, cause);
  const named = rows.slice(0, Math.min(worst, size.items));
  const hidden = rows.length - named.length;
  return {
    title: groupTitle(context),
    spoken: [separated(groupFacts(rows, language), ' · ')],
    blocks: [
      footer(
        [...groupFacts(rows, language), onCluster(incident), ...(cause === undefined ? [] : [[code(cause)]])],
        size,
        new Map(cause === undefined || page === undefined ? [] : [[cause, page]]),
      ),
      ...steps(
        [
          ...named.map((row) => shortLine(row, language)),
          ...(hidden > 0 ? [groupText[language].more({ count: hidden })] : []),
        ],
        { ...size, items: worst + 1 },
        (count) => groupText[language].more({ count }),
        'bullet',
      ),
      ...listButton(incident, 'primary'),
    ],
  };
}

/** What the workloads of a group share, and how many they are. */
export function groupTitle({ incident, tell }: Pick<CardContext, 'incident' | 'tell'>): Prose {
  const { group, language } = incident;
  if (group?.role !== 'leads') return [];
  const { affected, workloads, severity } = totalsOf(groupRows(incident));
  const text = groupText[language];
  if (affected === 0) return say`${word('🟢')} ${text.recovered({ root: group.root, count: workloads })}`;
  const says = affectedTitle(group.root, affected, { language, tell });
  if (severity === undefined) return say`${word('⚪')} ${says}`;
  return say`${word(severitySymbols[severity])} ${word(severityWords[language][severity])}: ${says}`;
}

/** How many workloads are affected, and by what. */
export function affectedTitle(
  root: SharedRoot,
  count: number,
  { language, tell }: { language: Language; tell: Tell },
): Prose {
  const failure = root.kind === 'Cause' ? tell(sharedFailure(root.cause), language) : [];
  return groupText[language].affected({ root, failure, count });
}

function groupFacts(rows: readonly GroupRow[], language: Language): readonly Prose[] {
  const { ready, namespaces, alerts, affected, workloads } = totalsOf(rows);
  const text = groupText[language];
  return [
    ...(ready.wanted === 0 ? [] : [cardText[language].ready(ready)]),
    text.namespaces({ count: namespaces }),
    ...(alerts === 0 ? [] : [text.alerts({ count: alerts })]),
    ...(affected === 0 || affected === workloads
      ? []
      : [text['some-recovered']({ count: workloads - affected })]),
  ];
}

function onCluster({ workload, language }: Incident): Prose {
  return cardText[language]['on-cluster']({ cluster: workload.cluster });
}

/** By its id, under which the docs describe it: of the workload that was first. */
function causeOf({ diagnosis }: Incident): string | undefined {
  return diagnosis && mainFindingOf(diagnosis).main?.cause;
}

/** One workload of a group, in a line. */
function groupLine(row: GroupRow, language: Language): Prose {
  const { ready, alerts } = row;
  const facts = [
    nameOf(row),
    ...(ready === undefined ? [] : [cardText[language].ready(ready)]),
    ...(alerts === undefined ? [] : [groupText[language].alerts({ count: alerts })]),
  ];
  return separated(facts, ' · ');
}

/** The same in one line of a phone. */
function shortLine(row: GroupRow, language: Language): Prose {
  const { ready } = row;
  return separated([nameOf(row), ...(ready === undefined ? [] : [groupText[language].ready(ready)])], ' · ');
}

function nameOf(row: GroupRow): Prose {
  const { workload, severity } = row;
  const symbol = !isAffected(row) ? '🟢' : severity === undefined ? '⚪' : severitySymbols[severity];
  return say`${word(symbol)} ${code(`${workload.namespace}/${workload.name}`)}`;
}

/** Opens the whole list, for the one who presses. */
export function listButton(incident: Incident, style?: 'primary'): KnownBlock[] {
  return actions(showAllButtons(incident, style));
}

/** The same as one of several buttons; none where there is no further workload. */
export function showAllButtons(incident: Incident, style?: 'primary'): readonly Button[] {
  const { length } = groupRows(incident);
  if (length < 2) return [];
  const text = buttonTexts[incident.language].showGroup(length);
  const styled = style === undefined ? {} : { style };
  return [button({ actionId: actionIds.group, text, value: incident.id, ...styled })];
}

interface GroupListOptions {
  /** The reader's. */
  readonly language: Language;
  readonly linkTo?: LinkTo | undefined;
  readonly tell: Tell;
  /** From 0; one that does not exist is the last one. */
  readonly page: number;
  /** The outcome of the last press. */
  readonly done?: Prose;
}

/** Slack takes 100 blocks, and long names need room. */
const perPage = 15;

/** Shown at once, while the group is read: Slack's trigger lasts three seconds only. */
export function renderGroupLoading(language: Language): ModalView {
  return renderGroupOutcome(language, groupText[language].loading({}));
}

/** In place of a list: why there is none. */
export function renderGroupOutcome(language: Language, says: Prose): ModalView {
  const { groupTitle: title, groupClose: close } = buttonTexts[language];
  return sentenceModal({ title, close }, says);
}

/**
 * All workloads of a group, the worst first, each with the way to its card or to a diagnosis that makes one.
 * Only the reader sees it.
 */
export function renderGroupList(
  group: VisibleGroup,
  { language, linkTo, tell, page, done }: GroupListOptions,
): ModalView {
  const { root, rows } = group;
  const at = Math.max(0, Math.min(page, Math.ceil(rows.length / perPage) - 1));
  const shown = rows.slice(at * perPage, (at + 1) * perPage);
  const text = groupText[language];
  const { affected } = totalsOf(rows);
  const title = affectedTitle(root, affected, { language, tell });
  const from = at * perPage + 1;
  const blocks = fittedModal((size) => [
    ...(done === undefined ? [] : [paragraph(done, size)]),
    paragraph(
      sentences(say`${title}.`, text.page({ from, to: from + shown.length - 1, of: rows.length })),
      size,
    ),
    ...shown.map((row) =>
      line(groupLine(row, language), rowButton(group, row, at, { language, linkTo }), size),
    ),
    ...pageButtons(group, at, rows.length, language),
  ]);
  return { ...frame(language), blocks };
}

function frame(language: Language) {
  const { groupTitle, groupClose } = buttonTexts[language];
  return modalFrame(groupTitle, groupClose);
}

function rowButton(
  { id, channel }: VisibleGroup,
  row: GroupRow,
  page: number,
  { language, linkTo }: Pick<GroupListOptions, 'language' | 'linkTo'>,
): Button | undefined {
  const texts = buttonTexts[language];
  const { card, workload } = row;
  const name = `${workload.namespace}/${workload.name}`;
  const url = card === undefined ? undefined : linkTo?.({ channel, ts: card.ts }, card.threadTs);
  if (url !== undefined) {
    return linkButton({ actionId: `${linkActionPrefix}${row.id}`, text: texts.open, about: name, url });
  }
  if (!isAffected(row)) return undefined;
  return button({
    actionId: actionIds.member,
    text: texts.diagnose,
    about: name,
    value: memberValue(id, row.id, page),
  });
}

function pageButtons({ id }: VisibleGroup, page: number, rows: number, language: Language): KnownBlock[] {
  const texts = buttonTexts[language];
  const to = (target: number, text: string): Button =>
    button({ actionId: `${actionIds.groupPage}.${target}`, text, value: groupPageValue(id, target) });
  return actions([
    ...(page > 0 ? [to(page - 1, texts.previousPage)] : []),
    ...((page + 1) * perPage < rows ? [to(page + 1, texts.nextPage)] : []),
  ]);
}
