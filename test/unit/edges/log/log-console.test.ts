import { afterEach, describe, expect, it } from 'vitest';
import { logConsole } from '#src/edges/log/create-log.js';

describe('console output of libraries', () => {
  const { warn, error, log, info } = console;
  afterEach(() => {
    Object.assign(console, { warn, error, log, info });
  });

  it('is logged once for each text', () => {
    const logged: unknown[] = [];
    logConsole({ warn: (fields: unknown) => void logged.push(fields) } as never);
    const eviction = 'IMPORTANT! Eviction policy is allkeys-lru. It should be "noeviction"';
    for (let connection = 0; connection < 12; connection += 1) console.warn(eviction);
    console.error('other: %s', 'text');

    expect(logged).toEqual([{ text: eviction }, { text: 'other: text' }]);
  });

  it('is bounded in length and number', () => {
    const logged: { readonly text: string }[] = [];
    logConsole({ warn: (fields: { readonly text: string }) => void logged.push(fields) } as never);
    for (let text = 0; text < 1_000; text += 1) console.warn(`${text} ${'x'.repeat(10_000)}`);

    expect(logged).toHaveLength(100);
    for (const { text } of logged) expect(text).toHaveLength(500);
  });
});
