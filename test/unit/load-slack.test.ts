import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keepSlackCredentials } from '#src/roots/keep-file.js';
import { describeProblems, loadConfig } from '#src/settings/config.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-slack-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: string, name = `file-${Math.random()}`): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const loaded = (env: Readonly<Record<string, string>>) => {
  const found = loadConfig(env);
  return found.type === 'config'
    ? found.config.slack
    : describeProblems(found.problems, 'en').split('\n').slice(1);
};

describe('the credentials of Slack', () => {
  it.each<[string, () => Record<string, string>, object]>([
    [
      'come from variables',
      () => ({ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }),
      { botToken: 'xoxb-1', appToken: 'xapp-1' },
    ],
    [
      'come from files, without the line break at their end',
      () => ({ SLACK_BOT_TOKEN_FILE: fileOf('xoxb-2\n'), SLACK_APP_TOKEN_FILE: fileOf('xapp-2\r\n') }),
      { botToken: 'xoxb-2', appToken: 'xapp-2' },
    ],
    [
      'come from a variable and a file',
      () => ({
        SLACK_MODE: 'http',
        SLACK_BOT_TOKEN: 'xoxb-3',
        SLACK_SIGNING_SECRET_FILE: fileOf('0123456789abcdef'),
      }),
      { botToken: 'xoxb-3', signingSecret: '0123456789abcdef' },
    ],
  ])('%s', (_, env, expected) => {
    expect(loaded(env())).toEqual(expect.objectContaining(expected));
  });

  const app = { SLACK_APP_TOKEN: 'xapp-1' };
  it.each<[string, () => Record<string, string>, readonly (string | RegExp)[]]>([
    [
      'a token that is set twice',
      () => ({ ...app, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_BOT_TOKEN_FILE: fileOf('xoxb-1') }),
      ['  SLACK_BOT_TOKEN_FILE: gives the same as SLACK_BOT_TOKEN. Set only one of them'],
    ],
    [
      'a file that does not exist',
      () => ({ ...app, SLACK_BOT_TOKEN_FILE: join(folder, 'none') }),
      [/^ {2}SLACK_BOT_TOKEN_FILE: expected a readable file, found .*no such file/],
    ],
    [
      'a file with something else, of which nothing is shown',
      () => ({ ...app, SLACK_BOT_TOKEN_FILE: fileOf('hunter2-hunter2') }),
      ['  SLACK_BOT_TOKEN_FILE: expected a token that starts with `xoxb-`, found 15 characters'],
    ],
    [
      'an empty file',
      () => ({ ...app, SLACK_BOT_TOKEN_FILE: fileOf('') }),
      [/SLACK_BOT_TOKEN_FILE: .*0 characters/],
    ],
    ['neither of both', () => app, [/^ {2}SLACK_BOT_TOKEN: missing/]],
    [
      'a wrong value, once',
      () => ({ ...app, SLACK_BOT_TOKEN: 'xapp-1' }),
      [/^ {2}SLACK_BOT_TOKEN: expected .*6 characters/],
    ],
    [
      'a file for the other mode only',
      () => ({ SLACK_MODE: 'http', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN_FILE: fileOf('xapp-1') }),
      [/^ {2}SLACK_SIGNING_SECRET: missing.*since SLACK_MODE is http/],
    ],
  ])('refuse %s', (_, env, expected) => {
    const problems = loaded(env());
    expect(problems).toEqual(
      expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
    );
  });
});

describe('credentials that change while a process runs', () => {
  const readTwice = () => vi.advanceTimersByTime(10_000);

  function kept(path: string) {
    const lines: string[] = [];
    const credentials = keepSlackCredentials({
      variables: { slackMode: 'socket', slackBotTokenFile: path, slackAppToken: 'xapp-1' },
      loaded: { botToken: 'xoxb-1', appToken: 'xapp-1', signingSecret: undefined },
      clock: { now: () => new Date() },
      log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    });
    return { credentials, lines };
  }

  it.each([
    ['are used', 'xoxb-2', 'xoxb-2', 'the Slack credentials have changed'],
    ['are kept while the file holds none', 'hunter2-hunter2', 'xoxb-1', 'the last good credentials count'],
    ['are kept while the file is empty', '', 'xoxb-1', 'the last good credentials count'],
  ])('%s, and the log names no secret', (_, content, counts, logged) => {
    vi.useFakeTimers();
    const path = fileOf('xoxb-1');
    const { credentials, lines } = kept(path);
    try {
      readTwice();
      expect(lines).toEqual([]);
      writeFileSync(path, content);
      readTwice();
      readTwice();

      expect(credentials.current()).toMatchObject({ botToken: counts, appToken: 'xapp-1' });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(logged);
      expect(lines[0]).not.toMatch(/xoxb-[12]|hunter2/);
    } finally {
      credentials.close();
      vi.useRealTimers();
    }
  });
});
