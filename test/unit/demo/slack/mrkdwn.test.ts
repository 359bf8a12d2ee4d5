import { describe, expect, it } from 'vitest';
import { type Inline, parseMrkdwn } from '../../../../demo/slack/page/mrkdwn.js';

const text = (words: string): Inline => ({ type: 'text', text: words });
const inline = (source: string, verbatim = false) => parseMrkdwn(source, verbatim)[0]?.children;

const lines: readonly (readonly [string, string, readonly Inline[]])[] = [
  ['bold', '*a b*', [{ type: 'bold', children: [text('a b')] }]],
  [
    'italic and strike',
    '_a_ ~b~',
    [{ type: 'italic', children: [text('a')] }, text(' '), { type: 'strike', children: [text('b')] }],
  ],
  [
    'code inside bold',
    '*`a` waits*',
    [{ type: 'bold', children: [{ type: 'code', children: [text('a')] }, text(' waits')] }],
  ],
  ['stars inside code', '`*a*`', [{ type: 'code', children: [text('*a*')] }]],
  ['stars inside words', 'a*b*c 2 * 3 * 4', [text('a*b*c 2 * 3 * 4')]],
  ['underscores of names', 'snake_case_name', [text('snake_case_name')]],
  ['escaped mentions', '&lt;!channel&gt; &lt;@U1&gt;', [text('<!channel> <@U1>')]],
  ['twice escaped entities, resolved once', '&amp;lt;!here&amp;gt;', [text('&lt;!here&gt;')]],
  ['escaped mentions in code', '`&lt;!channel&gt;`', [{ type: 'code', children: [text('<!channel>')] }]],
  [
    'real mentions',
    '<!here> <@U1> <!subteam^S1|@x> <#C1|y>',
    [
      { type: 'broadcast', range: 'here' },
      text(' '),
      { type: 'user', id: 'U1', label: undefined },
      text(' '),
      { type: 'usergroup', id: 'S1', label: '@x' },
      text(' '),
      { type: 'channel', id: 'C1', label: 'y' },
    ],
  ],
  [
    'real mentions in code, which Slack sends too',
    '`<!here>`',
    [{ type: 'code', children: [{ type: 'broadcast', range: 'here' }] }],
  ],
  [
    'links',
    '<https://a.b/?x=1&amp;y=2|a &gt; b>',
    [{ type: 'link', url: 'https://a.b/?x=1&y=2', text: 'a > b' }],
  ],
  ['scripts, which are no links', '<javascript:alert(1)|a>', [text('<javascript:alert(1)|a>')]],
  [
    'dates before code',
    'at <!date^1763685004^{date_short_pretty} {time}|UTC> · `x`',
    [
      text('at '),
      {
        type: 'date',
        seconds: 1_763_685_004,
        format: '{date_short_pretty} {time}',
        link: undefined,
        fallback: 'UTC',
      },
      text(' · '),
      { type: 'code', children: [text('x')] },
    ],
  ],
  [
    'emoji',
    ':eyes: 10:30:00',
    [{ type: 'emoji', name: 'eyes' }, text(' 10'), { type: 'emoji', name: '30' }, text('00')],
  ],
  [
    'bare addresses',
    'see https://a.b/c.',
    [text('see '), { type: 'link', url: 'https://a.b/c', text: 'https://a.b/c' }, text('.')],
  ],
  ['unbalanced signs', '*a `b ~c <d', [text('*a `b ~c <d')]],
];

describe('parseMrkdwn', () => {
  it.each(lines)('parses %s', (_name, source, pieces) => {
    expect(inline(source)).toEqual(pieces);
  });

  it('does not link bare addresses when verbatim', () => {
    expect(inline('see https://a.b', true)).toEqual([text('see https://a.b')]);
  });

  it('keeps text between fences as it is', () => {
    expect(parseMrkdwn('a\n```\n *b* &lt;c&gt; :eyes:\n```\nd')).toEqual([
      { type: 'lines', children: [text('a')] },
      { type: 'preformatted', children: [text(' *b* <c> :eyes:')] },
      { type: 'lines', children: [text('d')] },
    ]);
  });

  it('joins quoted lines', () => {
    expect(parseMrkdwn('&gt; a\n&gt; b\nc').map(({ type }) => type)).toEqual(['quote', 'lines']);
  });
});
