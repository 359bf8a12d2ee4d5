import { isJson, type Json, jsonList } from '../json.js';
import type { Values } from './model.js';

/** An element people can set, with its block. */
export interface Field {
  readonly blockId: string;
  readonly actionId: string;
  readonly block: Json;
  readonly element: Json;
}

/** All elements with a value, in reading order: inputs, and menus in actions and sections. */
export function fieldsOf(blocks: readonly Json[]): readonly Field[] {
  return blocks.flatMap((block): readonly Field[] => {
    const elements =
      block.type === 'actions' ? jsonList(block.elements) : [block.element, block.accessory].filter(isJson);
    const own = elements
      .filter((element) => valueKinds.has(String(element.type)))
      .map((element) => ({
        blockId: String(block.block_id),
        actionId: String(element.action_id),
        block,
        element,
      }));
    return [...own, ...fieldsOf(jsonList(block.child_blocks))];
  });
}

const valueKinds = new Set([
  'plain_text_input',
  'email_text_input',
  'url_text_input',
  'number_input',
  'rich_text_input',
  'static_select',
  'users_select',
  'channels_select',
  'conversations_select',
  'multi_static_select',
  'multi_users_select',
  'multi_channels_select',
  'multi_conversations_select',
  'radio_buttons',
  'checkboxes',
  'datepicker',
  'timepicker',
  'datetimepicker',
]);

/** Options of a menu, groups flattened. */
export function optionsOf(element: Json): readonly Json[] {
  return [
    ...jsonList(element.options),
    ...jsonList(element.option_groups).flatMap((group) => jsonList(group.options)),
  ];
}

/**
 * A choice or a text in the spelling of `state.values`.
 * source: docs.slack.dev/reference/views/view-interactions-payload
 *
 * @param chosen typed text, an option's value or an id; several for menus of several; nothing when left empty
 * @throws when the menu has no such option
 */
export function stateValue(element: Json, chosen: string | readonly string[] | undefined): Json {
  const type = String(element.type);
  const one = typeof chosen === 'string' ? chosen : chosen?.[0];
  const many = chosen === undefined ? [] : typeof chosen === 'string' ? [chosen] : chosen;
  const optionFor = (value: string): Json => {
    const option = optionsOf(element).find((each) => each.value === value || labelOf(each) === value);
    if (option === undefined) throw new Error(`${String(element.action_id)} has no option ${value}.`);
    return option;
  };
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: one === undefined || one === '' ? null : optionFor(one) };
    case 'multi_static_select':
    case 'checkboxes':
      return { type, selected_options: many.map(optionFor) };
    case 'users_select':
      return { type, selected_user: one ?? null };
    case 'channels_select':
      return { type, selected_channel: one ?? null };
    case 'conversations_select':
      return { type, selected_conversation: one ?? null };
    case 'multi_users_select':
      return { type, selected_users: many };
    case 'multi_channels_select':
      return { type, selected_channels: many };
    case 'multi_conversations_select':
      return { type, selected_conversations: many };
    case 'datepicker':
      return { type, selected_date: one ?? null };
    case 'timepicker':
      return { type, selected_time: one ?? null };
    case 'datetimepicker':
      return { type, selected_date_time: one === undefined ? null : Number(one) };
    default:
      return { type, value: one === undefined || one === '' ? null : one };
  }
}

/** The text people see on an option. */
function labelOf(option: Json): string {
  return isJson(option.text) ? String(option.text.text) : '';
}

/** Whether a state value says nothing. */
export function isEmpty(value: Json): boolean {
  return Object.entries(value).every(
    ([key, each]) => key === 'type' || each === null || (Array.isArray(each) && each.length === 0),
  );
}

function initialOf(element: Json): string | readonly string[] | undefined {
  const plain =
    element.initial_value ??
    element.initial_user ??
    element.initial_channel ??
    element.initial_conversation ??
    element.initial_date ??
    element.initial_time;
  if (typeof plain === 'string') return plain;
  if (typeof element.initial_date_time === 'number') return String(element.initial_date_time);
  if (isJson(element.initial_option)) return String(element.initial_option.value);
  if (Array.isArray(element.initial_options)) {
    return jsonList(element.initial_options).map((option) => String(option.value));
  }
  const ids = element.initial_users ?? element.initial_channels ?? element.initial_conversations;
  return Array.isArray(ids) ? ids.map(String) : undefined;
}

/** What a form says before anybody touched it. */
export function initialValues(blocks: readonly Json[]): Values {
  return keptValues(blocks, {});
}

/** What a changed form says: what was typed stays where block id, action id and type are the same. */
export function keptValues(blocks: readonly Json[], former: Values): Values {
  const values: Record<string, Readonly<Record<string, Json>>> = {};
  for (const { blockId, actionId, element } of fieldsOf(blocks)) {
    const kept = former[blockId]?.[actionId];
    const value =
      kept !== undefined && kept.type === element.type ? kept : stateValue(element, initialOf(element));
    values[blockId] = { ...values[blockId], [actionId]: value };
  }
  return values;
}

/** The values with one of them changed. */
export function withValue(values: Values, field: Pick<Field, 'blockId' | 'actionId'>, value: Json): Values {
  return { ...values, [field.blockId]: { ...values[field.blockId], [field.actionId]: value } };
}
