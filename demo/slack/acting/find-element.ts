import { isJson, type Json, jsonList } from '../json.js';
import { optionsOf } from '../workspace/values.js';

/** How a person names what they click: by its words, or a test by its ids. */
export type Aimed =
  | string
  | {
      readonly actionId: string;
      readonly blockId?: string;
      /** Sent in place of the button's own value: a forged click. */
      readonly value?: string;
    };

export interface Found {
  readonly blockId: string;
  readonly element: Json;
  /** The entry of a menu that is meant by its words. */
  readonly entry?: string;
}

/** Everything in the blocks that can be clicked or chosen from. */
export function clickables(blocks: readonly Json[]): readonly Found[] {
  return blocks.flatMap((block): readonly Found[] => {
    const blockId = String(block.block_id);
    const elements = [
      ...(block.type === 'context' ? [] : jsonList(block.elements)),
      ...(block.type === 'card' ? jsonList(block.actions) : []),
      ...[block.accessory, block.element].filter(isJson),
    ].filter((element) => element.action_id !== undefined);
    return [
      ...elements.map((element) => ({ blockId, element })),
      ...clickables(jsonList(block.child_blocks)),
    ];
  });
}

/** The words on an element. */
export function wordsOf(element: Json): string {
  if (isJson(element.text)) return String(element.text.text);
  return isJson(element.placeholder) ? String(element.placeholder.text) : '';
}

/** What a person may call an element: its words, its name, or what the name has after the words. */
function namesOf(element: Json): readonly string[] {
  const words = wordsOf(element);
  const name = String(element.accessibility_label ?? words);
  return [words, name, ...(name.startsWith(`${words}: `) ? [name.slice(words.length + 2)] : [])];
}

/**
 * The element that is meant.
 *
 * @throws with what there is to click when nothing or more than one thing fits
 */
export function findElement(blocks: readonly Json[], aimed: Aimed): Found {
  const all = clickables(blocks);
  const fitting = all.filter(({ blockId, element }) =>
    typeof aimed === 'string'
      ? namesOf(element).includes(aimed)
      : element.action_id === aimed.actionId && (aimed.blockId === undefined || aimed.blockId === blockId),
  );
  const [first = entryOf(all, aimed)] = fitting;
  const wanted = typeof aimed === 'string' ? `"${aimed}"` : JSON.stringify(aimed);
  if (first === undefined) {
    const there = all.map(({ element }) => `"${wordsOf(element)}" (${String(element.action_id)})`).join(', ');
    throw new Error(`There is no ${wanted} to click; there is ${there === '' ? 'nothing' : there}.`);
  }
  if (fitting.length > 1) {
    const ids = fitting.map(({ blockId, element }) => `${blockId}/${String(element.action_id)}`).join(', ');
    throw new Error(`${wanted} means ${fitting.length} elements: ${ids}.`);
  }
  return first;
}

/**
 * A person who aims at words that no button has opens the menu that has them: the whole entry, or its first
 * part.
 */
function entryOf(all: readonly Found[], aimed: Aimed): Found | undefined {
  if (typeof aimed !== 'string') return undefined;
  return all
    .filter(({ element }) => element.type === 'overflow')
    .flatMap(({ blockId, element }) =>
      optionsOf(element)
        .filter((option) => `${wordsOf(option)} · `.startsWith(`${aimed} · `))
        .map((option) => ({ blockId, element, entry: String(option.value) })),
    )[0];
}
