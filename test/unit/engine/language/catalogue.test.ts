import { describe, expect, it } from 'vitest';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { code, plain, say } from '#src/engine/language/prose.js';
import { statementsOf } from '#src/engine/language/statement.js';

const en = { waits: ({ pod }: { pod: string }) => say`${code(pod)} waits` };
const ko: typeof en = { waits: ({ pod }) => say`${code(pod)} 대기 중` };
const tell = tellFrom({ queue: { en, ko } });
const state = statementsOf<typeof en>('queue');

describe('a statement', () => {
  it('names its catalogue and its values', () => {
    expect(state('waits', { pod: 'web' })).toEqual({
      catalogue: 'queue',
      key: 'waits',
      values: { pod: 'web' },
    });
  });

  it('is worded in each language', () => {
    expect(plain(tell(state('waits', { pod: 'web' }), 'en'))).toBe('web waits');
    expect(plain(tell(state('waits', { pod: 'web' }), 'ko'))).toBe('web 대기 중');
  });

  it.each([
    ['an older key', { catalogue: 'queue', key: 'gone', values: {} }, 'queue: gone'],
    ['an older catalogue', { catalogue: 'line', key: 'waits', values: {} }, 'line: waits'],
  ])('of %s is shown as its key, without an error', (_, statement, text) => {
    expect(tell(statement, 'en')).toEqual([{ kind: 'text', text }]);
  });
});
