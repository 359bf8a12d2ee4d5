import { z } from 'zod';
import { linkUrl } from './text-objects.js';

const style = z
  .strictObject({
    bold: z.boolean(),
    italic: z.boolean(),
    strike: z.boolean(),
    code: z.boolean(),
    underline: z.boolean(),
    highlight: z.boolean(),
    client_highlight: z.boolean(),
    unlink: z.boolean(),
  })
  .partial()
  .optional();

const textElement = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style });
const linkElement = z.strictObject({
  type: z.literal('link'),
  url: linkUrl,
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  style,
});

const inline = z.discriminatedUnion('type', [
  textElement,
  linkElement,
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('color'), value: z.string(), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string().min(1),
    url: linkUrl.optional(),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('team'), team_id: z.string(), style }),
  z.strictObject({ type: z.literal('user'), user_id: z.string(), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });

const richTextElement = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    elements: z.array(section).min(1),
    style: z.enum(['bullet', 'ordered']),
    indent: z.int().min(0).max(8).optional(),
    offset: z.int().min(0).optional(),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [textElement, linkElement])),
    border,
    language: z.string().optional(),
  }),
]);

/** source: @slack/types 3.2.0 RichTextBlock. */
export const richTextBlock = z.strictObject({
  type: z.literal('rich_text'),
  block_id: z.string().max(255).optional(),
  elements: z.array(richTextElement).min(1),
});
