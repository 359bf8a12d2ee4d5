import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { checkBlocks, type Surface } from '../../../../demo/slack/block-limits.js';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string, more: object = {}) => ({ type: 'section', text: mrkdwn(text), ...more });
const button = (more: object = {}) => ({ type: 'button', text: plain('Go'), ...more });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const option = (value: string) => ({ text: plain(value), value });
const cells = (text: string) => [{ type: 'raw_text', text }];
const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

const table = (...rows: object[]) => ({ type: 'table', rows });
const input = (element: object, more: object = {}) => ({
  type: 'input',
  label: plain('x'),
  element,
  ...more,
});
const image = (more: object) => ({ type: 'image', alt_text: 'x', ...more });
const container = (more: object, child: object = section('x')) => ({
  type: 'container',
  child_blocks: [child],
  ...more,
});
const rich = (...elements: object[]) => ({ type: 'rich_text', elements });
const preformatted = (text: string) =>
  rich({ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] });
const address = { image_url: 'https://example.org/a.png' };
const everything = {
  action_id: 'a',
  value: 'x',
  url: 'https://example.org',
  style: 'danger',
  accessibility_label: 'x',
  confirm: { title: plain('Sure?'), text: mrkdwn('Really'), confirm: plain('Yes'), deny: plain('No') },
};
const inline = [
  { type: 'text', text: 'x', style: { code: true, strike: true } },
  { type: 'user', user_id: 'U1' },
  { type: 'usergroup', usergroup_id: 'S1' },
  { type: 'link', url: 'https://example.org' },
  { type: 'emoji', name: 'wave' },
  { type: 'date', timestamp: 1, format: '{time}', fallback: 'x' },
  { type: 'broadcast', range: 'here' },
];
const steps = [{ type: 'task_card', task_id: '1', title: 'x', status: 'complete' }];

type Accepted = [what: string, block: object, surface?: Surface];
const accepted: Accepted[] = [
  ['verbatim mrkdwn', { type: 'section', text: { ...mrkdwn('x'), verbatim: true } }],
  ['header with a level', { type: 'header', text: plain('x'), level: 2 }],
  ['button with everything', actions(button(everything))],
  ['picture by address', image(address)],
  ['picture by file', image({ slack_file: { id: 'F1' } })],
  ['context of text and picture', { type: 'context', elements: [mrkdwn('x'), image(address)] }],
  ['a table', { ...table(cells('Pod'), cells('a')), column_settings: [{ align: 'right' }, null] }],
  ['an alert in a modal', { type: 'alert', text: mrkdwn('Careful'), level: 'warning' }, 'modal'],
  ['an input in a modal', input({ type: 'plain_text_input', multiline: true, max_length: 3000 }), 'modal'],
  [
    'select with groups',
    actions({ type: 'static_select', option_groups: [{ label: plain('x'), options: [option('a')] }] }),
  ],
  [
    'rich text with every inline element',
    rich(
      { type: 'rich_text_section', elements: inline },
      { type: 'rich_text_list', style: 'ordered', elements: [{ type: 'rich_text_section', elements: [] }] },
      { type: 'rich_text_quote', elements: [] },
    ),
  ],
  ['a container', container({ title: plain('x'), is_collapsible: true })],
  ['steps of a plan', { type: 'plan', title: 'x', tasks: steps }],
];

/** The block, the place below `/blocks/0` that is refused, and the words. */
type Refused = [what: string, block: unknown, at: string, message: string, surface?: Surface];
const refused: Refused[] = [
  ['a block that is no object', 'x', '', 'must provide an object'],
  ['a block without a type', { text: plain('x') }, '', 'missing required field: type'],
  ['an unknown block', { type: 'accordion' }, '/type', 'unsupported type: accordion'],
  ['a name every object has', { type: 'constructor' }, '/type', 'unsupported type: constructor'],
  ['an unknown field', section('x', { colour: 'red' }), '', 'invalid additional property: colour'],
  [
    'an unknown field deep inside',
    actions(button({ icon: 'x' })),
    '/elements/0',
    'invalid additional property: icon',
  ],
  ['empty section text', section(''), '/text/text', 'must be more than 0 characters'],
  ['a section without text', { type: 'section' }, '', 'must define either `text` or `fields`'],
  ['a header in mrkdwn', { type: 'header', text: mrkdwn('x') }, '/text/type', 'must be one of: plain_text'],
  ['no buttons', actions(), '/elements', 'must provide at least 1 items'],
  ['a script as link', actions(button({ url: 'javascript:alert(1)' })), '/elements/0/url', 'invalid format'],
  [
    'an unknown style',
    actions(button({ style: 'warning' })),
    '/elements/0/style',
    'must be one of: primary, danger',
  ],
  [
    'one action_id twice in a block',
    actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
    '/elements/1/action_id',
    '`action_id` a already exists for another element',
  ],
  [
    'an option without a value',
    actions({ type: 'static_select', options: [{ text: plain('x') }] }),
    '/elements/0/options/0',
    'missing required field: value',
  ],
  [
    'a text input among actions',
    actions({ type: 'plain_text_input' }),
    '/elements/0/type',
    'unsupported type: plain_text_input',
  ],
  ['a button as input', input(button()), '/element/type', 'unsupported type: button', 'modal'],
  [
    'an unknown accessory',
    section('x', { accessory: { type: 'plain_text_input' } }),
    '/accessory/type',
    'unsupported type: plain_text_input',
  ],
  ['a picture without alt text', { type: 'image', ...address }, '', 'missing required field: alt_text'],
  [
    'a picture of two sources',
    image({ ...address, slack_file: { id: 'F1' } }),
    '',
    'must define exactly one of `image_url` or `slack_file`',
  ],
  ['a picture from a file path', image({ image_url: 'file:///etc/passwd' }), '/image_url', 'invalid format'],
  [
    'an alert in a message',
    { type: 'alert', text: plain('x') },
    '/type',
    'unsupported type in a message: alert',
  ],
  ['a table in a modal', table(cells('x')), '/type', 'unsupported type in a modal: table', 'modal'],
  [
    'more than 10000 characters in a table',
    table(cells('x'.repeat(6000)), cells('x'.repeat(6000))),
    '/rows',
    'no more than 10000 characters allowed over all cells',
  ],
  [
    'an empty text in preformatted',
    preformatted(''),
    '/elements/0/elements/0/text',
    'must be more than 0 characters',
  ],
  [
    'a mention in preformatted',
    rich({ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] }),
    '/elements/0/elements/0/type',
    'unsupported type: user',
  ],
  ['a container without a title', container({}), '', 'must define either `title` or `rich_text_title`'],
  [
    'a bad accessory inside a container',
    container({ title: plain('x') }, section('x', { accessory: { type: 'nope' } })),
    '/child_blocks/0/accessory/type',
    'unsupported type: nope',
  ],
  [
    'a file block, which apps cannot add',
    { type: 'file', source: 'remote', external_id: 'x' },
    '/type',
    'unsupported type: file',
  ],
];

const options = (type: string) => (count: number) =>
  actions({ type, options: many(count, (at) => option(String(at))) });

/** What may be so many, the block with a number of them, and its place. */
const itemLimits: readonly (readonly [string, number, (count: number) => object, string])[] = [
  ['fields', 10, (count) => ({ type: 'section', fields: many(count, () => mrkdwn('x')) }), '/fields'],
  [
    'context elements',
    10,
    (count) => ({ type: 'context', elements: many(count, () => mrkdwn('x')) }),
    '/elements',
  ],
  ['buttons', 25, (count) => actions(...many(count, () => button())), '/elements'],
  ['overflow entries', 5, options('overflow'), '/elements/0/options'],
  ['menu entries', 100, options('static_select'), '/elements/0/options'],
  ['radio buttons', 10, options('radio_buttons'), '/elements/0/options'],
  ['rows of a table', 100, (count) => table(...many(count, () => cells('x'))), '/rows'],
  ['cells in a row', 20, (count) => table(many(count, () => cells('x')[0] ?? {})), '/rows/0'],
];

const confirmed = (confirm: object) => actions(button({ confirm: { text: plain('x'), ...confirm } }));

/** The same of the characters of a text. */
const textLimits: readonly (readonly [string, number, (text: string) => object, string])[] = [
  ['a section', 3000, (text) => section(text), '/text/text'],
  ['a field', 2000, (text) => ({ type: 'section', fields: [mrkdwn(text)] }), '/fields/0/text'],
  ['a header', 150, (text) => ({ type: 'header', text: plain(text) }), '/text/text'],
  ['a button', 75, (text) => actions(button({ text: plain(text) })), '/elements/0/text/text'],
  ['a button value', 2000, (value) => actions(button({ value })), '/elements/0/value'],
  [
    'an accessibility label',
    75,
    (text) => actions(button({ accessibility_label: text })),
    '/elements/0/accessibility_label',
  ],
  ['an action_id', 255, (text) => actions(button({ action_id: text })), '/elements/0/action_id'],
  ['a confirm title', 100, (text) => confirmed({ title: plain(text) }), '/elements/0/confirm/title/text'],
  ['a confirm text', 300, (text) => confirmed({ text: plain(text) }), '/elements/0/confirm/text/text'],
];

describe('checkBlocks', () => {
  const refusals = (pointer: string, message: string) => [{ error: 'invalid_blocks', pointer, message }];

  it.each<Accepted>(accepted)('accepts %s', (_name, block, surface = 'message') => {
    expect(checkBlocks([block], surface)).toEqual([]);
  });

  it.each<Refused>(refused)('refuses %s', (_name, block, at, message, surface = 'message') => {
    expect(checkBlocks([block], surface)).toEqual(refusals(`/blocks/0${at}`, message));
  });

  it.each(itemLimits)('accepts as many %s as %i, and not one more', (_name, most, block, at) => {
    expect(checkBlocks([block(most)], 'message')).toEqual([]);
    expect(checkBlocks([block(most + 1)], 'message')).toEqual(
      refusals(`/blocks/0${at}`, `no more than ${most} items allowed`),
    );
  });

  it.each(textLimits)('accepts %s of %i characters, and not one more', (_name, most, block, at) => {
    expect(checkBlocks([block('x'.repeat(most))], 'message')).toEqual([]);
    expect(checkBlocks([block('x'.repeat(most + 1))], 'message')).toEqual(
      refusals(`/blocks/0${at}`, `no more than ${most} characters allowed`),
    );
  });

  it.each<[Surface, number]>([
    ['message', 50],
    ['modal', 100],
  ])('accepts from none to all blocks of a %s, which are %i', (surface, most) => {
    const dividers = (count: number) => many(count, () => ({ type: 'divider' }));
    expect(checkBlocks([], surface)).toEqual([]);
    expect(checkBlocks(dividers(most), surface)).toEqual([]);
    expect(checkBlocks(dividers(most + 1), surface)).toEqual(
      refusals('/blocks', `no more than ${most} items allowed`),
    );
  });

  it('accepts the same action_id in two blocks, and not the same block_id', () => {
    const acting = actions(button({ action_id: 'a' }));
    expect(checkBlocks([acting, acting], 'message')).toEqual([]);
    const named = section('x', { block_id: 'b' });
    expect(checkBlocks([named, named], 'message')).toEqual(
      refusals('/blocks/1/block_id', '`block_id` b already exists'),
    );
  });

  it('refuses two fields with focus', () => {
    const focused = input({ type: 'plain_text_input', focus_on_load: true });
    expect(checkBlocks([focused, focused], 'modal')).toEqual(
      refusals('/blocks/1/element/focus_on_load', 'only one element may have focus_on_load'),
    );
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
    const blocks = many(2, () => rich({ type: 'rich_text_section', elements: short }));
    expect(checkBlocks(blocks, 'message')).toEqual([]);
    expect(
      checkBlocks([...blocks, preformatted('x'.repeat(2300))], 'message').map(({ error }) => error),
    ).toEqual(['msg_blocks_too_long']);
  });

  it('refuses a second table', () => {
    const two = many(2, () => table(cells('x')));
    expect(checkBlocks(two, 'message').map(({ error }) => error)).toEqual(['only_one_table_allowed']);
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
