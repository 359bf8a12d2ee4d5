import { LogLevel } from '@slack/logger';
import { describe, expect, it, vi } from 'vitest';
import { createLog } from '#src/edges/log/create-log.js';
import { slackLog } from '#src/edges/slack/clients.js';

const password = ['Blau', 'Regen+77x'].join('');
const token = ['xoxb', '123456789012', 'abcdefGHIJKLmnop'].join('-');

function collect(level: 'debug' | 'info' = 'debug') {
  const lines: string[] = [];
  const log = createLog(level, 'rollout-doctor-test', { write: (line) => lines.push(line) });
  return { lines, log };
}

describe('a log line', () => {
  it.each<[string, (log: ReturnType<typeof createLog>) => void]>([
    ['the message', (log) => log.error(`cannot reach redis://:${password}@cache:6379`)],
    ['a field', (log) => log.warn({ said: `password=${password}` }, 'Slack SDK warns')],
    ['a field with the name of a secret', (log) => log.warn({ dbPassword: password }, 'x')],
    ['a nested field', (log) => log.warn({ a: { b: [`password=${password}`] } }, 'x')],
    ['the message and the stack of an error', (log) => log.error({ err: new Error(`pw: ${password}`) }, 'x')],
    [
      'the cause of an error',
      (log) => log.error({ err: new Error('a', { cause: new Error(`password: ${password}`) }) }, 'x'),
    ],
    ['a field of an error', (log) => log.error({ err: Object.assign(new Error('a'), { password }) }, 'x')],
    ['what a child adds', (log) => log.child({ url: `amqp://app:${password}@mq` }).info('x')],
    [
      'a message of the Slack SDK',
      (log) => slackLog(log).warn('failed', new Error(`refused ${token}`), `pw=${password}`),
    ],
    ['the end of a long text of the SDK', (log) => slackLog(log).error(`${'a '.repeat(240)}${token}`)],
  ])('contains no secret of %s', (_, write) => {
    const { lines, log } = collect();
    write(log);

    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(password);
    expect(lines[0]).not.toContain(token.slice(0, 16));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: 'rollout-doctor-test' });
    expect(lines[0]?.endsWith('\n')).toBe(true);
  });

  it('keeps text that is not secret', () => {
    const { lines, log } = collect();
    log.info({ cluster: 'prod', count: 3, ok: true, none: null }, 'connected to Redis');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 30,
      cluster: 'prod',
      count: 3,
      ok: true,
      none: null,
      msg: 'connected to Redis',
    });
  });

  it('reports its level to the Slack SDK', () => {
    expect(slackLog(collect().log).getLevel()).toBe(LogLevel.DEBUG);
  });

  it.each([
    { level: 'debug', reads: 2 },
    { level: 'info', reads: 0 },
  ] as const)(
    'reads the payloads of the Slack SDK only for lines that it writes, at level $level',
    ({ level, reads }) => {
      const { lines, log } = collect(level);
      const read = vi.fn(() => 'a payload');
      const payload = Object.defineProperty(new Error(), 'message', { get: read });
      slackLog(log).debug('http request body', payload);
      slackLog(log).info('http response', payload);

      expect(read).toHaveBeenCalledTimes(reads);
      expect(lines).toHaveLength(reads);
    },
  );
});
