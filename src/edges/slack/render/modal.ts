import type { KnownBlock, ModalView } from '@slack/types';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { paragraph, plainText } from './blocks.js';
import { type Message, type Size, sizes } from './message.js';

/** Characters of a modal's title and of its buttons. source: docs.slack.dev/reference/views/modal-views */
export const maxModalLabel = 24;
/** Slack takes 100 blocks; some are left for inputs. */
const maxBlocks = 90;
const maxCharacters = 14_000;

/** What every modal has: its title and the button that closes it. */
export function modalFrame(title: string, close: string): Pick<ModalView, 'type' | 'title' | 'close'> {
  return { type: 'modal', title: plainText(title, maxModalLabel), close: plainText(close, maxModalLabel) };
}

const closeWords: Readonly<Record<Language, string>> = { en: 'Close', ko: '닫기' };

/** An answer to somebody who pressed a button of a view. */
export function answerModal(language: Language, { blocks, withoutTable = blocks }: Message): ModalView {
  return { ...modalFrame('Rollout Doctor', closeWords[language]), blocks: withoutTable };
}

/** A modal of one sentence, in place of what it was opened for. */
export function sentenceModal(
  frame: { readonly title: string; readonly close: string },
  says: Prose,
): ModalView {
  return { ...modalFrame(frame.title, frame.close), blocks: fittedModal((size) => [paragraph(says, size)]) };
}

/** The most generous rendering that a modal takes. */
export function fittedModal(render: (size: Size) => KnownBlock[]): KnownBlock[] {
  return fittedView(render, maxBlocks, maxCharacters);
}

/** The most generous rendering that a Home page takes: 100 blocks and 250 kB. */
export function fittedHome(render: (size: Size) => KnownBlock[]): KnownBlock[] {
  return fittedView(render, 100, 60_000);
}

function fittedView(
  render: (size: Size) => KnownBlock[],
  most: number,
  mostCharacters: number,
): KnownBlock[] {
  let smallest: KnownBlock[] = [];
  for (const size of sizes) {
    smallest = render(size);
    if (smallest.length <= most && JSON.stringify(smallest).length <= mostCharacters) return smallest;
  }
  return smallest.slice(0, most);
}
