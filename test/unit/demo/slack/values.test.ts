import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../../../../demo/slack/acting/field-errors.js';
import { findElement } from '../../../../demo/slack/acting/find-element.js';
import type { Json } from '../../../../demo/slack/json.js';
import type { View } from '../../../../demo/slack/workspace/model.js';
import { initialValues, keptValues, stateValue } from '../../../../demo/slack/workspace/values.js';

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const input = (element: Json, more: Json = {}): Json => ({
  type: 'input',
  block_id: 'b',
  label: plain('Label'),
  element: { action_id: 'a', ...element },
  ...more,
});

const spelled: readonly (readonly [Json, string | readonly string[] | undefined, Json])[] = [
  [{ type: 'plain_text_input' }, 'x', { value: 'x' }],
  [{ type: 'plain_text_input' }, '', { value: null }],
  [{ type: 'static_select', options: [option('a')] }, 'a', { selected_option: option('a') }],
  [{ type: 'static_select', options: [option('a')] }, 'A', { selected_option: option('a') }],
  [
    { type: 'static_select', option_groups: [{ options: [option('a')] }] },
    'a',
    { selected_option: option('a') },
  ],
  [{ type: 'checkboxes', options: [option('a'), option('b')] }, ['b'], { selected_options: [option('b')] }],
  [{ type: 'users_select' }, 'U1', { selected_user: 'U1' }],
  [{ type: 'multi_users_select' }, ['U1'], { selected_users: ['U1'] }],
  [{ type: 'datepicker' }, '2026-01-02', { selected_date: '2026-01-02' }],
  [{ type: 'datetimepicker' }, '1763685004', { selected_date_time: 1_763_685_004 }],
];

describe('stateValue', () => {
  it.each(spelled)('encodes %j with %j', (element, chosen, value) => {
    expect(stateValue(element, chosen)).toEqual({ type: element.type, ...value });
  });

  it('throws for an option that the menu does not have', () => {
    expect(() => stateValue({ type: 'static_select', action_id: 'pick', options: [] }, 'x')).toThrow(
      'pick has no option x',
    );
  });
});

describe('the values of a form', () => {
  it('start with the values that the app set', () => {
    const blocks = [input({ type: 'plain_text_input', initial_value: 'x' })];
    expect(initialValues(blocks)).toEqual({ b: { a: { type: 'plain_text_input', value: 'x' } } });
  });

  it('are kept through an update as long as the field is the same', () => {
    const typed = { b: { a: { type: 'plain_text_input', value: 'typed' } } };
    expect(keptValues([input({ type: 'plain_text_input' })], typed)).toEqual(typed);
    expect(keptValues([input({ type: 'number_input' })], typed)).toEqual({
      b: { a: { type: 'number_input', value: null } },
    });
    expect(keptValues([input({ type: 'plain_text_input' }, { block_id: 'new' })], typed).b).toBeUndefined();
  });
});

const checks: readonly (readonly [string, Json, Json, string, string | undefined])[] = [
  ['an empty required field', { type: 'plain_text_input' }, {}, '', 'Please complete this required field.'],
  ['an empty optional field', { type: 'plain_text_input' }, { optional: true }, '', undefined],
  [
    'too few characters',
    { type: 'plain_text_input', min_length: 5 },
    {},
    'four',
    'Please enter at least 5 characters.',
  ],
  [
    'too many characters',
    { type: 'plain_text_input', max_length: 3 },
    {},
    'four',
    'Please enter at most 3 characters.',
  ],
  [
    'words for a number',
    { type: 'number_input', is_decimal_allowed: false },
    {},
    'x',
    'Please enter a number.',
  ],
  [
    'a fraction for a whole number',
    { type: 'number_input', is_decimal_allowed: false },
    {},
    '1.5',
    'Please enter a whole number.',
  ],
  [
    'a number too small',
    { type: 'number_input', is_decimal_allowed: true, min_value: '2' },
    {},
    '1.5',
    'Please enter a number of at least 2.',
  ],
  ['a good number', { type: 'number_input', is_decimal_allowed: false, max_value: '2' }, {}, '2', undefined],
  ['half an address', { type: 'email_text_input' }, {}, 'dana@', 'Please enter a valid email address.'],
  ['a script for a link', { type: 'url_text_input' }, {}, 'javascript:x', 'Please enter a valid URL.'],
];

describe('fieldErrors', () => {
  it.each(checks)('checks %s', (_name, element, block, typed, error) => {
    const blocks = [input(element, block)];
    const values = { b: { a: stateValue({ action_id: 'a', ...element }, typed) } };
    const errors = fieldErrors({ blocks, values } as unknown as View);
    expect(errors.b).toBe(error);
  });

  it.each(checks)('checks %s in Korean for those who read Korean', (_name, element, block, typed, error) => {
    const blocks = [input(element, block)];
    const values = { b: { a: stateValue({ action_id: 'a', ...element }, typed) } };
    const { b } = fieldErrors({ blocks, values } as unknown as View, 'ko-KR');
    expect(b === undefined).toBe(error === undefined);
    expect(b ?? '입력').toMatch(/^[^a-z]*[가-힣]/u);
  });
});

describe('findElement', () => {
  const button = (id: string, words: string) => ({ type: 'button', action_id: id, text: plain(words) });
  const blocks: readonly Json[] = [
    { type: 'section', block_id: 's1', accessory: button('review', 'Review') },
    { type: 'section', block_id: 's2', accessory: button('review', 'Review') },
    { type: 'actions', block_id: 'x', elements: [button('undo', 'Undo')] },
  ];

  it('finds by text and by id', () => {
    expect(findElement(blocks, 'Undo').blockId).toBe('x');
    expect(findElement(blocks, { actionId: 'review', blockId: 's2' }).blockId).toBe('s2');
  });

  it('names the available elements when none or several match', () => {
    expect(() => findElement(blocks, 'Apply')).toThrow(
      'There is no "Apply" to click; there is "Review" (review), "Review" (review), "Undo" (undo).',
    );
    expect(() => findElement(blocks, 'Review')).toThrow('"Review" means 2 elements: s1/review, s2/review.');
  });
});
