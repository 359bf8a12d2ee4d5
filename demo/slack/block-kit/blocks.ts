import { z } from 'zod';
import {
  accessoryElement,
  actionsElement,
  button,
  contextActionsElement,
  imageElement,
  inputElement,
} from './elements.js';
import { richTextBlock } from './rich-text.js';
import { anyText, imageUrl, linkUrl, mrkdwn, plainText, slackFile, text } from './text-objects.js';

/** Where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

// Limits below are those of @slack/types 3.2.0 (blocks.ts); tables: docs.slack.dev table-block.
const block_id = text(255).optional();

const section = z.strictObject({
  type: z.literal('section'),
  block_id,
  text: anyText(3000).optional(),
  fields: z.array(anyText(2000)).min(1).max(10).optional(),
  accessory: z.unknown().optional(),
  expand: z.boolean().optional(),
});

const header = z.strictObject({
  type: z.literal('header'),
  block_id,
  text: plainText(150),
  level: z.int().min(1).max(4).optional(),
});

const context = z.strictObject({
  type: z.literal('context'),
  block_id,
  elements: z.array(z.unknown()).min(1).max(10),
});

const actions = z.strictObject({
  type: z.literal('actions'),
  block_id,
  elements: z.array(actionsElement).min(1).max(25),
});

const divider = z.strictObject({ type: z.literal('divider'), block_id });

const image = z.strictObject({
  type: z.literal('image'),
  block_id,
  alt_text: text(2000),
  title: plainText(2000).optional(),
  image_url: imageUrl.optional(),
  slack_file: slackFile.optional(),
});

const input = z.strictObject({
  type: z.literal('input'),
  block_id,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  element: inputElement,
  dispatch_action: z.boolean().optional(),
});

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: text(10_000) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: text(10_000) }),
  richTextBlock,
]);
const rows = z.array(z.array(cell).min(1).max(20)).min(1).max(100);

const table = z.strictObject({
  type: z.literal('table'),
  block_id,
  rows,
  column_settings: z
    .array(
      z
        .strictObject({ align: z.enum(['left', 'center', 'right']), is_wrapped: z.boolean() })
        .partial()
        .nullable(),
    )
    .max(20)
    .optional(),
});

const dataTable = z.strictObject({
  type: z.literal('data_table'),
  block_id,
  rows,
  caption: text(10_000),
  page_size: z.int().min(1).max(100).optional(),
  row_header_column_index: z.int().min(0).max(19).optional(),
});

const card = z.strictObject({
  type: z.literal('card'),
  block_id,
  hero_image: imageElement.optional(),
  icon: imageElement.optional(),
  title: mrkdwn(150).optional(),
  subtitle: mrkdwn(150).optional(),
  body: mrkdwn(200).optional(),
  actions: z.array(button).min(1).optional(),
});

const taskCard = z.strictObject({
  type: z.literal('task_card'),
  block_id,
  task_id: text(255),
  title: text(3000),
  details: richTextBlock.optional(),
  output: richTextBlock.optional(),
  sources: z.array(z.strictObject({ type: z.literal('url'), url: linkUrl, text: text(3000) })).optional(),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
});

const video = z.strictObject({
  type: z.literal('video'),
  block_id,
  video_url: text(3000).regex(/^https:\/\/\S+$/),
  thumbnail_url: imageUrl,
  alt_text: text(2000),
  title: plainText(200),
  title_url: text(3000).optional(),
  author_name: text(50).optional(),
  provider_name: z.string().optional(),
  provider_icon_url: z.string().optional(),
  description: plainText(200).optional(),
});

const inContainer = z.discriminatedUnion('type', [
  actions,
  context,
  divider,
  header,
  image,
  input,
  richTextBlock,
  section,
  table,
  video,
]);

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

interface BlockKind {
  readonly shape: z.ZodType;
  readonly surfaces: readonly Surface[];
}

/**
 * Every block type an app may send, with where Slack accepts it. `file` is missing on purpose: apps cannot
 * add it. `alert` in a message is refused by Slack (slackapi/node-slack-sdk#2567).
 */
export const blockKinds: Readonly<Record<string, BlockKind>> = {
  section: { shape: section, surfaces: everywhere },
  header: { shape: header, surfaces: everywhere },
  context: { shape: context, surfaces: everywhere },
  actions: { shape: actions, surfaces: everywhere },
  divider: { shape: divider, surfaces: everywhere },
  image: { shape: image, surfaces: everywhere },
  input: { shape: input, surfaces: everywhere },
  rich_text: { shape: richTextBlock, surfaces: everywhere },
  video: { shape: video, surfaces: everywhere },
  alert: {
    shape: z.strictObject({
      type: z.literal('alert'),
      block_id,
      text: anyText(3000),
      level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
    }),
    surfaces: ['modal'],
  },
  markdown: {
    shape: z.strictObject({ type: z.literal('markdown'), block_id, text: text(12_000) }),
    surfaces: ['message'],
  },
  table: { shape: table, surfaces: ['message'] },
  data_table: { shape: dataTable, surfaces: ['message'] },
  card: { shape: card, surfaces: ['message'] },
  carousel: {
    shape: z.strictObject({ type: z.literal('carousel'), block_id, elements: z.array(card).min(1).max(10) }),
    surfaces: ['message'],
  },
  container: {
    shape: z.strictObject({
      type: z.literal('container'),
      block_id,
      title: plainText(150).optional(),
      rich_text_title: richTextBlock.optional(),
      subtitle: anyText(150).optional(),
      child_blocks: z.array(inContainer).min(1).max(10),
      width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
      icon: imageElement.optional(),
      is_collapsible: z.boolean().optional(),
      default_collapsed: z.boolean().optional(),
      has_header_divider: z.boolean().optional(),
    }),
    surfaces: everywhere,
  },
  context_actions: {
    shape: z.strictObject({
      type: z.literal('context_actions'),
      block_id,
      elements: z.array(contextActionsElement).min(1).max(5),
    }),
    surfaces: ['message'],
  },
  task_card: { shape: taskCard, surfaces: ['message'] },
  plan: {
    shape: z.strictObject({
      type: z.literal('plan'),
      block_id,
      title: text(3000),
      tasks: z.array(taskCard).optional(),
    }),
    surfaces: ['message'],
  },
};

/**
 * The nested element that must be judged by its own type: pictures come in two spellings, which zod cannot
 * tell apart by one field inside a discriminated union.
 */
export function nestedShape(place: 'accessory' | 'context', type: unknown): z.ZodType {
  if (type === 'image') return imageElement;
  return place === 'accessory' ? accessoryElement : anyText(3000);
}
