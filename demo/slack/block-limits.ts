import type { z } from 'zod';
import { blockKinds, nestedShape, type Surface } from './block-kit/blocks.js';
import { shapeProblems } from './block-kit/shape-problems.js';
import { uniquenessProblems } from './block-kit/uniqueness.js';

export type { Surface } from './block-kit/blocks.js';

/** Why Slack would refuse blocks. */
export interface Problem {
  /** The error the Web API would answer with. */
  readonly error: 'invalid_blocks' | 'msg_blocks_too_long' | 'only_one_table_allowed';
  /** JSON pointer into the payload, such as `/blocks/0/text/text`. */
  readonly pointer: string;
  readonly message: string;
}

/** Most blocks of one message; of a modal or Home tab (docs.slack.dev/reference/block-kit/blocks). */
const blockCounts: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };

/**
 * Characters over all blocks of a message from which on `chat.postMessage` refuses (slackapi/bolt-js#2509).
 */
const messageCharacters = 13_200;

/** Markdown blocks of one payload together. */
const markdownCharacters = 12_000;

/** All cells of one table together. */
const tableCharacters = 10_000;

/**
 * Judges blocks as Slack does before it accepts them: known types and fields, lengths, counts, unique ids,
 * and what the surface allows.
 *
 * @param blocks what would be sent as `blocks`, of any shape
 * @returns every problem found; empty when Slack would accept them
 */
export function checkBlocks(blocks: unknown, surface: Surface): readonly Problem[] {
  if (!Array.isArray(blocks)) return [invalid('/blocks', 'must provide an array')];
  const problems: Problem[] = [];
  if (blocks.length > blockCounts[surface]) {
    problems.push(invalid('/blocks', `no more than ${blockCounts[surface]} items allowed`));
  }
  blocks.forEach((block: unknown, index) => {
    problems.push(...blockProblems(block, `/blocks/${index}`, surface));
  });
  problems.push(...uniquenessProblems(blocks).map(({ pointer, message }) => invalid(pointer, message)));
  if (surface === 'message') problems.push(...messageProblems(blocks));
  return problems;
}

function invalid(pointer: string, message: string): Problem {
  return { error: 'invalid_blocks', pointer, message };
}

function blockProblems(block: unknown, pointer: string, surface: Surface): readonly Problem[] {
  if (!isRecord(block)) return [invalid(pointer, 'must provide an object')];
  if (typeof block.type !== 'string') return [invalid(`${pointer}`, 'missing required field: type')];
  const kind = Object.hasOwn(blockKinds, block.type) ? blockKinds[block.type] : undefined;
  if (kind === undefined) return [invalid(`${pointer}/type`, `unsupported type: ${block.type}`)];
  if (!kind.surfaces.includes(surface)) {
    return [invalid(`${pointer}/type`, `unsupported type in a ${surface}: ${block.type}`)];
  }
  return [...judged(block, kind.shape, pointer), ...unshapedProblems(block, pointer)];
}

/**
 * What the shapes cannot say: one of several fields must be there, sums, and elements judged by their own
 * type.
 */
function unshapedProblems(block: Readonly<Record<string, unknown>>, pointer: string): readonly Problem[] {
  const lacks = (...names: readonly string[]) => names.every((name) => block[name] === undefined);
  switch (block.type) {
    case 'section':
      return sectionProblems(block, pointer);
    case 'context':
      return listed(block.elements).flatMap((element, index) =>
        nested('context', element, `${pointer}/elements/${index}`),
      );
    case 'image':
      return lacks('image_url') === lacks('slack_file')
        ? [invalid(pointer, 'must define exactly one of `image_url` or `slack_file`')]
        : [];
    case 'card':
      return lacks('hero_image', 'title', 'actions', 'body')
        ? [invalid(pointer, 'must define one of `hero_image`, `title`, `actions` or `body`')]
        : [];
    case 'container':
      return [
        ...(lacks('title', 'rich_text_title')
          ? [invalid(pointer, 'must define either `title` or `rich_text_title`')]
          : []),
        ...listed(block.child_blocks).flatMap((child, index) =>
          isRecord(child) ? unshapedProblems(child, `${pointer}/child_blocks/${index}`) : [],
        ),
      ];
    case 'table':
    case 'data_table':
      return textLength(block.rows) > tableCharacters
        ? [invalid(`${pointer}/rows`, `no more than ${tableCharacters} characters allowed over all cells`)]
        : [];
    default:
      return [];
  }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function sectionProblems(block: Readonly<Record<string, unknown>>, pointer: string): readonly Problem[] {
  const problems: Problem[] = [];
  if (block.text === undefined && block.fields === undefined) {
    problems.push(invalid(pointer, 'must define either `text` or `fields`'));
  }
  if (block.accessory !== undefined) {
    problems.push(...nested('accessory', block.accessory, `${pointer}/accessory`));
  }
  return problems;
}

function nested(place: 'accessory' | 'context', element: unknown, pointer: string): readonly Problem[] {
  const type = isRecord(element) ? element.type : undefined;
  return judged(element, nestedShape(place, type), pointer);
}

function judged(value: unknown, shape: z.ZodType, pointer: string): Problem[] {
  return shapeProblems(shape, value, pointer).map((problem) => invalid(problem.pointer, problem.message));
}

function messageProblems(blocks: readonly unknown[]): readonly Problem[] {
  const problems: Problem[] = [];
  const ofType = (type: string) => blocks.filter((block) => isRecord(block) && block.type === type);
  if (ofType('table').length > 1) {
    problems.push({ error: 'only_one_table_allowed', pointer: '/blocks', message: 'only one table allowed' });
  }
  if (textLength(ofType('markdown')) > markdownCharacters) {
    problems.push(
      invalid('/blocks', `no more than ${markdownCharacters} characters allowed over all markdown blocks`),
    );
  }
  const characters = blocks.reduce<number>((sum, block) => sum + blockCharacters(block), 0);
  if (characters > messageCharacters) {
    problems.push({
      error: 'msg_blocks_too_long',
      pointer: '/blocks',
      message: `no more than ${messageCharacters} characters allowed over all blocks, found ${characters}`,
    });
  }
  return problems;
}

/**
 * What a block counts towards the undocumented total. Rich text counts with its structure: 11,341 characters
 * of text in rich_text were already refused (slackapi/bolt-js#2867).
 */
function blockCharacters(block: unknown): number {
  if (isRecord(block) && block.type === 'rich_text') return JSON.stringify(block).length;
  return textLength(block);
}

/** Characters of all `text` fields, however deep. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + textLength(each), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + (key === 'text' && typeof each === 'string' ? each.length : textLength(each)),
    0,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
