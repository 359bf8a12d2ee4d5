import { z } from 'zod';
import { richTextBlock } from './rich-text.js';
import {
  confirmDialog,
  dispatchActionConfig,
  imageUrl,
  linkUrl,
  optionGroup,
  overflowOption,
  plainOption,
  plainText,
  slackFile,
  text,
  textOption,
} from './text-objects.js';

// Limits below are those of @slack/types 3.2.0 (block-elements.ts, extensions.ts).
const actionId = text(255).optional();
const confirm = confirmDialog.optional();
const focus_on_load = z.boolean().optional();
const placeholder = plainText(150).optional();
const accessibility_label = text(75).optional();
const max_selected_items = z.int().min(1).optional();
const dispatch_action_config = dispatchActionConfig.optional();
const colorScheme = z.enum(['primary', 'danger']).optional();

export const button = z.strictObject({
  type: z.literal('button'),
  action_id: actionId,
  text: plainText(75),
  value: text(2000).optional(),
  url: linkUrl.optional(),
  style: colorScheme,
  accessibility_label,
  confirm,
});

const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  action_id: actionId,
  text: plainText(75),
  workflow: z.looseObject({ trigger: z.looseObject({ url: linkUrl }) }),
  style: colorScheme,
  accessibility_label,
  confirm,
});

/** A picture inside a section or context block. */
export const imageElement = z.union([
  z.strictObject({ type: z.literal('image'), alt_text: text(2000), image_url: imageUrl }),
  z.strictObject({ type: z.literal('image'), alt_text: text(2000), slack_file: slackFile }),
]);

const checkboxes = z.strictObject({
  type: z.literal('checkboxes'),
  action_id: actionId,
  options: z.array(textOption).min(1).max(10),
  initial_options: z.array(textOption).min(1).max(10).optional(),
  confirm,
  focus_on_load,
});

const radioButtons = z.strictObject({
  type: z.literal('radio_buttons'),
  action_id: actionId,
  options: z.array(textOption).min(1).max(10),
  initial_option: textOption.optional(),
  confirm,
  focus_on_load,
});

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId,
  options: z.array(overflowOption).min(1).max(5),
  confirm,
});

const pickable = { action_id: actionId, confirm, focus_on_load };
const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  ...pickable,
  placeholder,
  initial_date: z.iso.date().optional(),
});
const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...pickable,
  placeholder,
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  timezone: z.string().optional(),
});
const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...pickable,
  initial_date_time: z.int().optional(),
});

const menu = { action_id: actionId, confirm, focus_on_load, placeholder };
const options = z.array(plainOption).min(1).max(100).optional();
const option_groups = z.array(optionGroup).min(1).max(100).optional();
const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .optional();
const response_url_enabled = z.boolean().optional();
const default_to_current_conversation = z.boolean().optional();
const min_query_length = z.int().min(0).optional();

const selects = [
  z.strictObject({
    type: z.literal('static_select'),
    ...menu,
    options,
    option_groups,
    initial_option: plainOption.optional(),
  }),
  z.strictObject({
    type: z.literal('external_select'),
    ...menu,
    min_query_length,
    initial_option: plainOption.optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...menu, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu,
    initial_conversation: z.string().optional(),
    default_to_current_conversation,
    response_url_enabled,
    filter: conversationFilter,
  }),
  z.strictObject({
    type: z.literal('channels_select'),
    ...menu,
    initial_channel: z.string().optional(),
    response_url_enabled,
  }),
] as const;

const names = z.array(z.string()).min(1).optional();
const multiSelects = [
  z.strictObject({
    type: z.literal('multi_static_select'),
    ...menu,
    max_selected_items,
    options,
    option_groups,
    initial_options: z.array(plainOption).min(1).max(100).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...menu,
    max_selected_items,
    min_query_length,
    initial_options: z.array(plainOption).min(1).max(100).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...menu,
    max_selected_items,
    initial_users: names,
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...menu,
    max_selected_items,
    initial_conversations: names,
    default_to_current_conversation,
    filter: conversationFilter,
  }),
  z.strictObject({
    type: z.literal('multi_channels_select'),
    ...menu,
    max_selected_items,
    initial_channels: names,
  }),
] as const;

const typed = { action_id: actionId, dispatch_action_config, focus_on_load, placeholder };
const textInputs = [
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...typed,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  }),
  z.strictObject({
    type: z.literal('email_text_input'),
    ...typed,
    initial_value: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('url_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({
    type: z.literal('number_input'),
    ...typed,
    is_decimal_allowed: z.boolean(),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('rich_text_input'),
    ...typed,
    initial_value: richTextBlock.optional(),
    min_lines: z.int().min(1).max(100).optional(),
    max_lines: z.int().min(1).max(100).optional(),
  }),
  z.strictObject({
    type: z.literal('file_input'),
    action_id: actionId,
    filetypes: names,
    max_files: z.int().min(1).max(10).optional(),
  }),
] as const;

const feedback = z.strictObject({ text: plainText(75), value: text(2000), accessibility_label });

const choices = [checkboxes, radioButtons, datepicker, timepicker, ...selects, ...multiSelects] as const;

/** What an `actions` block may hold. */
export const actionsElement = z.discriminatedUnion('type', [
  button,
  workflowButton,
  overflow,
  datetimepicker,
  ...choices,
  textInputs[4],
]);

/** What a section may carry at its side, pictures apart. */
export const accessoryElement = z.discriminatedUnion('type', [button, workflowButton, overflow, ...choices]);

/** What an `input` block may hold. */
export const inputElement = z.discriminatedUnion('type', [datetimepicker, ...choices, ...textInputs]);

/** What a `context_actions` block may hold. */
export const contextActionsElement = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('feedback_buttons'),
    action_id: actionId,
    positive_button: feedback,
    negative_button: feedback,
  }),
  z.strictObject({
    type: z.literal('icon_button'),
    action_id: actionId,
    icon: z.literal('trash'),
    text: plainText(75),
    value: text(2000).optional(),
    visible_to_user_ids: names,
    accessibility_label,
    confirm,
  }),
]);
