import { z } from 'zod';

/** Why a text is refused, in Slack's own phrases. */
export function text(max: number, min = 1) {
  return z.string().min(min).max(max);
}

/** `plain_text` of at most `max` characters. */
export function plainText(max: number, min = 1) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: text(max, min),
    emoji: z.boolean().optional(),
  });
}

/** `mrkdwn` of at most `max` characters. */
export function mrkdwn(max: number, min = 1) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: text(max, min),
    verbatim: z.boolean().optional(),
  });
}

/** Either kind of text object. */
export function anyText(max: number) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);
}

/** A link target: http or https (mailto as well), at most 3000 characters. */
export const linkUrl = text(3000).regex(/^(https?:\/\/|mailto:)\S+$/);

/** A picture's address: only what Slack's servers could fetch, so http or https. */
export const imageUrl = text(3000).regex(/^https?:\/\/\S+$/);

export const slackFile = z.union([
  z.strictObject({ id: z.string().min(1) }),
  z.strictObject({ url: imageUrl }),
]);

/** source: @slack/types 3.2.0 ConfirmationDialog. */
export const confirmDialog = z.strictObject({
  title: plainText(100).optional(),
  text: anyText(300),
  confirm: plainText(30).optional(),
  deny: plainText(30).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

const optionFields = { value: text(150), description: plainText(75).optional() };

/** An entry of a select menu. */
export const plainOption = z.strictObject({ text: plainText(75), ...optionFields });

/** An entry of radio buttons and checkboxes, which may also be mrkdwn. */
export const textOption = z.strictObject({
  text: anyText(75),
  value: text(150),
  description: anyText(75).optional(),
});

/** An entry of an overflow menu, the only one with a link. */
export const overflowOption = z.strictObject({
  text: plainText(75),
  ...optionFields,
  url: linkUrl.optional(),
});

export const optionGroup = z.strictObject({
  label: plainText(75),
  options: z.array(plainOption).min(1).max(100),
});

export const dispatchActionConfig = z.strictObject({
  trigger_actions_on: z
    .array(z.enum(['on_enter_pressed', 'on_character_entered']))
    .min(1)
    .optional(),
});
