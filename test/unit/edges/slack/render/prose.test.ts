import { describe, expect, it } from 'vitest';
import {
  cut,
  escapeMrkdwn,
  shortenName,
  toMrkdwn,
  toNotification,
  toPlainText,
  toRichText,
} from '#src/edges/slack/render/prose.js';
import { code, moment, person, quote, say, strong, word } from '#src/engine/language/prose.js';

const sentence = say`${strong('Pod')} ${code('web-1')} of ${person('U012ABC')} since ${moment('2026-11-20T09:30:04.900Z')}: ${quote('<!channel> & `rm`')}`;

describe('prose as mrkdwn', () => {
  it('escapes foreign text and keeps its own markup', () => {
    expect(toMrkdwn(sentence)).toBe(
      '*Pod* `web-1` of <@U012ABC> since <!date^1795167004^{date_short_pretty} {time}|2026-11-20 09:30:04 UTC>: ' +
        '`&lt;!channel&gt; &amp; ´rm´`',
    );
  });

  it('separates marks from adjacent letters, so that Slack recognizes their end', () => {
    expect(toMrkdwn(say`노드는 ${code('gpu-a')}뿐입니다`)).toBe('노드는 `gpu-a`\u200b뿐입니다');
    expect(toMrkdwn(say`v${code('1')}${code('2')}.`)).toBe('v\u200b`1`\u200b`2`.');
  });

  it('accepts only ids of people as mentions, and only timestamps as times', () => {
    expect(toMrkdwn([person('channel>'), word(' '), moment('soon')])).toBe('`channel&gt;` `soon`');
  });

  it('escapes the ampersand first', () => {
    expect(escapeMrkdwn('&lt;<')).toBe('&amp;lt;&lt;');
  });
});

describe('prose as rich text', () => {
  it('is literal: it escapes nothing, and times and people are separate elements', () => {
    expect(toRichText(sentence)).toEqual([
      { type: 'text', text: 'Pod', style: { bold: true } },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'web-1', style: { code: true } },
      { type: 'text', text: ' of ' },
      { type: 'user', user_id: 'U012ABC' },
      { type: 'text', text: ' since ' },
      {
        type: 'date',
        timestamp: 1_795_167_004,
        format: '{date_short_pretty} {time}',
        fallback: '2026-11-20 09:30:04 UTC',
      },
      { type: 'text', text: ': ' },
      { type: 'text', text: '<!channel> & ´rm´', style: { code: true } },
    ]);
  });

  it('is never empty, because Slack refuses an empty section', () => {
    expect(toRichText([])).toEqual([{ type: 'text', text: ' ' }]);
    expect(toRichText([code('')])).toEqual([{ type: 'text', text: '""', style: { code: true } }]);
  });

  it('joins adjacent elements of one style', () => {
    expect(toRichText([word('a'), word('b'), strong('c')])).toHaveLength(2);
  });
});

describe('prose for notifications and labels', () => {
  it('has no markup and mentions nobody', () => {
    expect(toNotification(say`${code('a*b_c')} <!here>`)).toBe('a\u200b*\u200bb\u200b_\u200bc &lt;!here&gt;');
    expect(toPlainText(sentence)).toBe(
      'Pod web-1 of @U012ABC since 2026-11-20 09:30:04 UTC: <!channel> & ´rm´',
    );
  });
});

describe('shortening', () => {
  it('keeps both ends of a name', () => {
    expect(shortenName('inference-5c96d8f7b-jgvxr', 15)).toBe(
      'inferenc…-jgvxr'.length === 15 ? 'inferen…b-jgvxr' : '',
    );
    expect([...shortenName('x'.repeat(300), 63)]).toHaveLength(63);
    expect(shortenName('web', 3)).toBe('web');
  });

  it('keeps the tag of an image and the last parts of a path', () => {
    expect(shortenName('registry.example/shop/worker:1.9.1', 24)).toBe('…/shop/worker:1.9.1');
    expect(shortenName('registry.example/shop/worker:1.9.1', 16)).toBe('…/worker:1.9.1');
    expect(shortenName('registry.example/app:1.9.1-rc', 20)).toBe('…/app:1.9.1-rc');
    expect(shortenName('affinity-for-removed-node/web', 22)).toBe('affinity-fo…d-node/web');
    expect([...shortenName(`a/b/${'x'.repeat(90)}`, 24)]).toHaveLength(24);
  });

  it('cuts the end of a text without splitting a character', () => {
    expect(cut('😀😀😀', 2)).toBe('😀…');
  });
});
