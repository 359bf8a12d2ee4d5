import { describe, expect, it } from 'vitest';
import { checkView } from '../../../../demo/slack/view-limits.js';

const plain = (text: string) => ({ type: 'plain_text', text });
const modal = (more: object = {}) => ({
  type: 'modal',
  title: plain('Stop the old pod first'),
  blocks: [],
  ...more,
});
const input = { type: 'input', label: plain('Reason'), element: { type: 'plain_text_input' } };

const refused: readonly (readonly [string, unknown, string, string])[] = [
  [
    'a title of 25 characters',
    modal({ title: plain('x'.repeat(25)) }),
    '/view/title/text',
    'no more than 24 characters allowed',
  ],
  ['no title', { type: 'modal', blocks: [] }, '/view', 'missing required field: title'],
  [
    'a submit label of 25 characters',
    modal({ submit: plain('x'.repeat(25)) }),
    '/view/submit/text',
    'no more than 24 characters allowed',
  ],
  [
    'private_metadata of 3001 characters',
    modal({ private_metadata: 'x'.repeat(3001) }),
    '/view/private_metadata',
    'no more than 3000 characters allowed',
  ],
  [
    'a callback_id of 256 characters',
    modal({ callback_id: 'x'.repeat(256) }),
    '/view/callback_id',
    'no more than 255 characters allowed',
  ],
  ['an unknown field', modal({ footer: 'x' }), '/view', 'invalid additional property: footer'],
  [
    'an input without submit',
    modal({ blocks: [input] }),
    '/view',
    'must provide `submit` when there are input blocks',
  ],
  ['a bad block', modal({ blocks: [{ type: 'nope' }] }), '/view/blocks/0/type', 'unsupported type: nope'],
  ['a Home tab where a modal is due', { type: 'home', blocks: [] }, '/view/type', 'must be one of: modal'],
];

describe('checkView', () => {
  it('accepts a modal with a form', () => {
    expect(
      checkView(modal({ blocks: [input], submit: plain('Apply'), notify_on_close: true }), 'modal'),
    ).toEqual([]);
  });

  it.each(refused)('refuses %s', (_name, view, pointer, message) => {
    expect(checkView(view, 'modal')).toContainEqual({ error: 'invalid_arguments', pointer, message });
  });

  it('refuses a view of more than 250,000 bytes', () => {
    const blocks = Array.from({ length: 90 }, () => ({ type: 'section', text: plain('x'.repeat(3000)) }));
    expect(checkView(modal({ blocks }), 'modal').map(({ error }) => error)).toEqual(['view_too_large']);
  });

  it('accepts a Home tab', () => {
    expect(checkView({ type: 'home', blocks: [{ type: 'divider' }] }, 'home')).toEqual([]);
  });
});
