import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { checkBlocks, type Surface } from '../../../../demo/slack/block-limits.js';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string, more: object = {}) => ({ type: 'section', text: mrkdwn(text), ...more });
const button = (more: object = {}) => ({ type: 'button', text: plain('Go'), ...more });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const option = (value: string) => ({ text: plain(value), value });
const preformatted = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
});
const cells = (text: string) => [{ type: 'raw_text', text }];
const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

const accepted: readonly (readonly [string, Surface, readonly object[]])[] = [
  ['no blocks at all', 'message', []],
  ['fifty blocks', 'message', many(50, () => ({ type: 'divider' }))],
  ['a hundred blocks in a modal', 'modal', many(100, () => ({ type: 'divider' }))],
  ['section text of 3000 characters', 'message', [section('x'.repeat(3000))]],
  ['ten fields', 'message', [{ type: 'section', fields: many(10, () => mrkdwn('x')) }]],
  ['verbatim mrkdwn', 'message', [{ type: 'section', text: { ...mrkdwn('x'), verbatim: true } }]],
  ['header with a level', 'message', [{ type: 'header', text: plain('x'), level: 2 }]],
  [
    'button with everything',
    'message',
    [
      actions(
        button({
          action_id: 'a',
          value: 'x'.repeat(2000),
          url: 'https://example.org',
          style: 'danger',
          accessibility_label: 'x'.repeat(75),
          confirm: {
            title: plain('Sure?'),
            text: mrkdwn('Really'),
            confirm: plain('Yes'),
            deny: plain('No'),
          },
        }),
      ),
    ],
  ],
  [
    'the same action_id in two blocks',
    'message',
    [actions(button({ action_id: 'a' })), actions(button({ action_id: 'a' }))],
  ],
  [
    'picture by address',
    'message',
    [{ type: 'image', alt_text: 'x', image_url: 'https://example.org/a.png' }],
  ],
  ['picture by file', 'message', [{ type: 'image', alt_text: 'x', slack_file: { id: 'F1' } }]],
  [
    'context of text and picture',
    'message',
    [
      {
        type: 'context',
        elements: [mrkdwn('x'), { type: 'image', alt_text: 'x', image_url: 'https://example.org/a.png' }],
      },
    ],
  ],
  [
    'a table',
    'message',
    [{ type: 'table', rows: [cells('Pod'), cells('a')], column_settings: [{ align: 'right' }, null] }],
  ],
  ['an alert in a modal', 'modal', [{ type: 'alert', text: mrkdwn('Careful'), level: 'warning' }]],
  [
    'an input in a modal',
    'modal',
    [
      {
        type: 'input',
        label: plain('Reason'),
        element: { type: 'plain_text_input', multiline: true, max_length: 3000 },
      },
    ],
  ],
  [
    'select with groups',
    'message',
    [actions({ type: 'static_select', option_groups: [{ label: plain('x'), options: [option('a')] }] })],
  ],
  [
    'rich text with every inline element',
    'message',
    [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'x', style: { code: true, strike: true } },
              { type: 'user', user_id: 'U1' },
              { type: 'usergroup', usergroup_id: 'S1' },
              { type: 'link', url: 'https://example.org' },
              { type: 'emoji', name: 'wave' },
              { type: 'date', timestamp: 1, format: '{time}', fallback: 'x' },
              { type: 'broadcast', range: 'here' },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'ordered',
            elements: [{ type: 'rich_text_section', elements: [] }],
          },
          { type: 'rich_text_quote', elements: [] },
        ],
      },
    ],
  ],
  [
    'a container',
    'message',
    [{ type: 'container', title: plain('x'), child_blocks: [section('x')], is_collapsible: true }],
  ],
  [
    'steps of a plan',
    'message',
    [
      {
        type: 'plan',
        title: 'x',
        tasks: [{ type: 'task_card', task_id: '1', title: 'x', status: 'complete' }],
      },
    ],
  ],
];

const refused: readonly (readonly [string, Surface, readonly unknown[], string, string])[] = [
  ['a block that is no object', 'message', ['x'], '/blocks/0', 'must provide an object'],
  ['a block without a type', 'message', [{ text: plain('x') }], '/blocks/0', 'missing required field: type'],
  ['an unknown block', 'message', [{ type: 'accordion' }], '/blocks/0/type', 'unsupported type: accordion'],
  [
    'a name every object has',
    'message',
    [{ type: 'constructor' }],
    '/blocks/0/type',
    'unsupported type: constructor',
  ],
  [
    'an unknown field',
    'message',
    [section('x', { colour: 'red' })],
    '/blocks/0',
    'invalid additional property: colour',
  ],
  [
    'an unknown field deep inside',
    'message',
    [actions(button({ icon: 'x' }))],
    '/blocks/0/elements/0',
    'invalid additional property: icon',
  ],
  [
    '51 blocks in a message',
    'message',
    many(51, () => ({ type: 'divider' })),
    '/blocks',
    'no more than 50 items allowed',
  ],
  [
    '101 blocks in a modal',
    'modal',
    many(101, () => ({ type: 'divider' })),
    '/blocks',
    'no more than 100 items allowed',
  ],
  [
    'section text of 3001 characters',
    'message',
    [section('x'.repeat(3001))],
    '/blocks/0/text/text',
    'no more than 3000 characters allowed',
  ],
  ['empty section text', 'message', [section('')], '/blocks/0/text/text', 'must be more than 0 characters'],
  [
    'a section without text',
    'message',
    [{ type: 'section' }],
    '/blocks/0',
    'must define either `text` or `fields`',
  ],
  [
    'eleven fields',
    'message',
    [{ type: 'section', fields: many(11, () => mrkdwn('x')) }],
    '/blocks/0/fields',
    'no more than 10 items allowed',
  ],
  [
    'a field of 2001 characters',
    'message',
    [{ type: 'section', fields: [mrkdwn('x'.repeat(2001))] }],
    '/blocks/0/fields/0/text',
    'no more than 2000 characters allowed',
  ],
  [
    'a header of 151 characters',
    'message',
    [{ type: 'header', text: plain('x'.repeat(151)) }],
    '/blocks/0/text/text',
    'no more than 150 characters allowed',
  ],
  [
    'a header in mrkdwn',
    'message',
    [{ type: 'header', text: mrkdwn('x') }],
    '/blocks/0/text/type',
    'must be one of: plain_text',
  ],
  [
    'eleven context elements',
    'message',
    [{ type: 'context', elements: many(11, () => mrkdwn('x')) }],
    '/blocks/0/elements',
    'no more than 10 items allowed',
  ],
  [
    '26 buttons',
    'message',
    [actions(...many(26, () => button()))],
    '/blocks/0/elements',
    'no more than 25 items allowed',
  ],
  ['no buttons', 'message', [actions()], '/blocks/0/elements', 'must provide at least 1 items'],
  [
    'button text of 76 characters',
    'message',
    [actions(button({ text: plain('x'.repeat(76)) }))],
    '/blocks/0/elements/0/text/text',
    'no more than 75 characters allowed',
  ],
  [
    'a button value of 2001 characters',
    'message',
    [actions(button({ value: 'x'.repeat(2001) }))],
    '/blocks/0/elements/0/value',
    'no more than 2000 characters allowed',
  ],
  [
    'an accessibility label of 76 characters',
    'message',
    [actions(button({ accessibility_label: 'x'.repeat(76) }))],
    '/blocks/0/elements/0/accessibility_label',
    'no more than 75 characters allowed',
  ],
  [
    'a script as link',
    'message',
    [actions(button({ url: 'javascript:alert(1)' }))],
    '/blocks/0/elements/0/url',
    'invalid format',
  ],
  [
    'an unknown style',
    'message',
    [actions(button({ style: 'warning' }))],
    '/blocks/0/elements/0/style',
    'must be one of: primary, danger',
  ],
  [
    'an action_id of 256 characters',
    'message',
    [actions(button({ action_id: 'x'.repeat(256) }))],
    '/blocks/0/elements/0/action_id',
    'no more than 255 characters allowed',
  ],
  [
    'one action_id twice in a block',
    'message',
    [actions(button({ action_id: 'a' }), button({ action_id: 'a' }))],
    '/blocks/0/elements/1/action_id',
    '`action_id` a already exists for another element',
  ],
  [
    'one block_id twice',
    'message',
    [section('x', { block_id: 'b' }), section('y', { block_id: 'b' })],
    '/blocks/1/block_id',
    '`block_id` b already exists',
  ],
  [
    'a confirm title of 101 characters',
    'message',
    [actions(button({ confirm: { title: plain('x'.repeat(101)), text: plain('x') } }))],
    '/blocks/0/elements/0/confirm/title/text',
    'no more than 100 characters allowed',
  ],
  [
    'a confirm text of 301 characters',
    'message',
    [actions(button({ confirm: { text: plain('x'.repeat(301)) } }))],
    '/blocks/0/elements/0/confirm/text/text',
    'no more than 300 characters allowed',
  ],
  [
    'six overflow entries',
    'message',
    [actions({ type: 'overflow', options: many(6, (at) => option(String(at))) })],
    '/blocks/0/elements/0/options',
    'no more than 5 items allowed',
  ],
  [
    '101 menu entries',
    'message',
    [actions({ type: 'static_select', options: many(101, (at) => option(String(at))) })],
    '/blocks/0/elements/0/options',
    'no more than 100 items allowed',
  ],
  [
    'eleven radio buttons',
    'message',
    [actions({ type: 'radio_buttons', options: many(11, (at) => option(String(at))) })],
    '/blocks/0/elements/0/options',
    'no more than 10 items allowed',
  ],
  [
    'an option without a value',
    'message',
    [actions({ type: 'static_select', options: [{ text: plain('x') }] })],
    '/blocks/0/elements/0/options/0',
    'missing required field: value',
  ],
  [
    'a text input among actions',
    'message',
    [actions({ type: 'plain_text_input' })],
    '/blocks/0/elements/0/type',
    'unsupported type: plain_text_input',
  ],
  [
    'a button as input',
    'modal',
    [{ type: 'input', label: plain('x'), element: button() }],
    '/blocks/0/element/type',
    'unsupported type: button',
  ],
  [
    'an unknown accessory',
    'message',
    [section('x', { accessory: { type: 'plain_text_input' } })],
    '/blocks/0/accessory/type',
    'unsupported type: plain_text_input',
  ],
  [
    'a picture without alt text',
    'message',
    [{ type: 'image', image_url: 'https://example.org/a.png' }],
    '/blocks/0',
    'missing required field: alt_text',
  ],
  [
    'a picture of two sources',
    'message',
    [{ type: 'image', alt_text: 'x', image_url: 'https://example.org/a.png', slack_file: { id: 'F1' } }],
    '/blocks/0',
    'must define exactly one of `image_url` or `slack_file`',
  ],
  [
    'a picture from a file path',
    'message',
    [{ type: 'image', alt_text: 'x', image_url: 'file:///etc/passwd' }],
    '/blocks/0/image_url',
    'invalid format',
  ],
  [
    'an alert in a message',
    'message',
    [{ type: 'alert', text: plain('x') }],
    '/blocks/0/type',
    'unsupported type in a message: alert',
  ],
  [
    'a table in a modal',
    'modal',
    [{ type: 'table', rows: [cells('x')] }],
    '/blocks/0/type',
    'unsupported type in a modal: table',
  ],
  [
    'a table of 101 rows',
    'message',
    [{ type: 'table', rows: many(101, () => cells('x')) }],
    '/blocks/0/rows',
    'no more than 100 items allowed',
  ],
  [
    '21 cells in a row',
    'message',
    [{ type: 'table', rows: [many(21, () => cells('x')[0])] }],
    '/blocks/0/rows/0',
    'no more than 20 items allowed',
  ],
  [
    'more than 10000 characters in a table',
    'message',
    [{ type: 'table', rows: [cells('x'.repeat(6000)), cells('x'.repeat(6000))] }],
    '/blocks/0/rows',
    'no more than 10000 characters allowed over all cells',
  ],
  [
    'an empty text in preformatted',
    'message',
    [preformatted('')],
    '/blocks/0/elements/0/elements/0/text',
    'must be more than 0 characters',
  ],
  [
    'a mention in preformatted',
    'message',
    [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] }],
      },
    ],
    '/blocks/0/elements/0/elements/0/type',
    'unsupported type: user',
  ],
  [
    'two fields with focus',
    'modal',
    many(2, (at) => ({
      type: 'input',
      block_id: `b${at}`,
      label: plain('x'),
      element: { type: 'plain_text_input', focus_on_load: true },
    })),
    '/blocks/1/element/focus_on_load',
    'only one element may have focus_on_load',
  ],
  [
    'a container without a title',
    'message',
    [{ type: 'container', child_blocks: [section('x')] }],
    '/blocks/0',
    'must define either `title` or `rich_text_title`',
  ],
  [
    'a bad accessory inside a container',
    'message',
    [{ type: 'container', title: plain('x'), child_blocks: [section('x', { accessory: { type: 'nope' } })] }],
    '/blocks/0/child_blocks/0/accessory/type',
    'unsupported type: nope',
  ],
  [
    'a file block, which apps cannot add',
    'message',
    [{ type: 'file', source: 'remote', external_id: 'x' }],
    '/blocks/0/type',
    'unsupported type: file',
  ],
];

describe('checkBlocks', () => {
  it.each(accepted)('accepts %s (%s)', (_name, surface, blocks) => {
    expect(checkBlocks(blocks, surface)).toEqual([]);
  });

  it.each(refused)('refuses %s (%s)', (_name, surface, blocks, pointer, message) => {
    expect(checkBlocks(blocks, surface)).toEqual([{ error: 'invalid_blocks', pointer, message }]);
  });

  it('refuses a value that is not a list', () => {
    expect(checkBlocks({ type: 'divider' }, 'message')).toEqual([
      { error: 'invalid_blocks', pointer: '/blocks', message: 'must provide an array' },
    ]);
  });

  it('reports every problem at once', () => {
    const problems = checkBlocks(
      [section(''), { type: 'nope' }, actions(button({ text: plain('') }))],
      'message',
    );
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/blocks/0/text/text',
      '/blocks/1/type',
      '/blocks/2/elements/0/text/text',
    ]);
  });

  it('refuses a message of more than 13,200 characters over all blocks, though each block is within its limit', () => {
    const fits = many(4, () => section('x'.repeat(3000)));
    expect(checkBlocks(fits, 'message')).toEqual([]);
    const problems = checkBlocks([...fits, section('x'.repeat(1201))], 'message');
    expect(problems.map(({ error }) => error)).toEqual(['msg_blocks_too_long']);
    expect(checkBlocks([...fits, section('x'.repeat(1201))], 'modal')).toEqual([]);
  });

  it('counts rich text including its structure', () => {
    const short = many(200, () => ({ type: 'text', text: 'x' }));
    const blocks = many(2, () => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: short }],
    }));
    expect(checkBlocks(blocks, 'message')).toEqual([]);
    expect(
      checkBlocks([...blocks, preformatted('x'.repeat(2300))], 'message').map(({ error }) => error),
    ).toEqual(['msg_blocks_too_long']);
  });

  it('refuses a second table', () => {
    const table = { type: 'table', rows: [cells('x')] };
    expect(checkBlocks([table, table], 'message').map(({ error }) => error)).toEqual([
      'only_one_table_allowed',
    ]);
  });

  it('accepts what the types of @slack/types accept', () => {
    const typed: readonly KnownBlock[] = [
      { type: 'header', text: { type: 'plain_text', text: 'x', emoji: false } },
      { type: 'section', text: { type: 'mrkdwn', text: 'x', verbatim: true }, expand: true },
      { type: 'markdown', text: '# x' },
      { type: 'context', elements: [{ type: 'plain_text', text: 'x' }] },
      {
        type: 'card',
        title: { type: 'mrkdwn', text: 'x' },
        actions: [{ type: 'button', text: { type: 'plain_text', text: 'x' } }],
      },
    ];
    expect(checkBlocks(typed, 'message')).toEqual([]);
  });
});
