import type { Button, KnownBlock, ModalView } from '@slack/types';
import { type GroupRow, isAffected, totalsOf } from '../../../doctor/incidents/group-rows.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { type Prose, say, sentences } from '../../../engine/language/prose.js';
import type { VisibleGroup } from '../../../service/people/read-group.js';
import type { LinkTo } from '../card-link.js';
import { actionIds, groupPageValue, linkActionPrefix, memberValue } from './action-ids.js';
import { actions, button, line, linkButton, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { affectedTitle, groupLine } from './group-card.js';
import { groupText } from './group-text.js';
import { fittedModal, modalFrame, sentenceModal } from './modal.js';

export interface GroupListOptions {
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
    button({
      actionId: `${actionIds.groupPage}.${target}`,
      text,
      value: groupPageValue(id, target),
    });
  return actions([
    ...(page > 0 ? [to(page - 1, texts.previousPage)] : []),
    ...((page + 1) * perPage < rows ? [to(page + 1, texts.nextPage)] : []),
  ]);
}
