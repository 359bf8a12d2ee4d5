import { describe, expect, it } from 'vitest';
import { type Catalogue, tellFrom } from '#src/engine/language/catalogue.js';
import { code, plain, say } from '#src/engine/language/prose.js';
import { declaredStatementsOf } from '#src/engine/language/statement.js';

type Shapes = { readonly waits: { readonly pod: string } };

const catalogue: Catalogue<Shapes> = {
  en: { waits: ({ pod }) => say`${code(pod)} waits` },
  ko: { waits: ({ pod }) => say`${code(pod)} 대기 중` },
};
const tell = tellFrom({ queue: catalogue });
const state = declaredStatementsOf<Shapes>('queue');

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
