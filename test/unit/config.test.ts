import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeProblems, loadConfig } from '../../src/config.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function policyFile(text: string): string {
  const path = join(folder, `${text.length}.yaml`);
  writeFileSync(path, text);
  return path;
}

const enough = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

function problems(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = loadConfig(env);
  return loaded.type === 'config' ? [] : loaded.problems.map(({ where }) => where);
}

describe('the configuration', () => {
  it('needs two tokens for Socket Mode and has a default for the rest', () => {
    const loaded = loadConfig(enough);

    expect(loaded).toMatchObject({
      type: 'config',
      config: { slackMode: 'socket', port: 3000, approvalMinutes: 15, clusters: [], policy: { grants: [] } },
    });
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['no token at all', {}, ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']],
    ['an empty value for unset', { ...enough, SLACK_BOT_TOKEN: '' }, ['SLACK_BOT_TOKEN']],
    [
      'tokens that are swapped',
      { SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xoxb-1' },
      ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'],
    ],
    [
      'HTTP without a signing secret',
      { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_MODE: 'http' },
      ['SLACK_SIGNING_SECRET'],
    ],
    ['a mode that does not exist', { ...enough, SLACK_MODE: 'rtm' }, ['SLACK_MODE']],
    ['a port out of range', { ...enough, PORT: '70000' }, ['PORT']],
    ['a port that is no number', { ...enough, PORT: 'http' }, ['PORT']],
    ['a Redis address of another protocol', { ...enough, REDIS_URL: 'http://redis' }, ['REDIS_URL']],
    ['a queue that does not exist', { ...enough, WORKERS: 'diagnosis,mail' }, ['WORKERS']],
    ['minutes below one', { ...enough, APPROVAL_MINUTES: '0' }, ['APPROVAL_MINUTES']],
    [
      'several at once',
      { ...enough, PORT: '-1', LOG_LEVEL: 'loud', KEEP_DAYS: '1.5' },
      ['PORT', 'KEEP_DAYS', 'LOG_LEVEL'],
    ],
    [
      'a policy file that is not there',
      { ...enough, POLICY_FILE: join(folder, 'none.yaml') },
      ['POLICY_FILE'],
    ],
    ['a policy file that is no YAML', { ...enough, POLICY_FILE: policyFile('grants: [') }, ['POLICY_FILE']],
  ])('refuses %s', (_, env, where) => {
    expect(problems(env)).toEqual(where);
  });

  it('names the place in the policy file', () => {
    const path = policyFile('apiVersion: rollout-doctor/v1\ngrants:\n  - users: [U1]\n    actions: "*"\n');

    expect(problems({ ...enough, POLICY_FILE: path })).toEqual(['POLICY_FILE grants.0.namespaces']);
  });

  it('says what was expected and found, and never shows a secret', () => {
    const loaded = loadConfig({ SLACK_BOT_TOKEN: 'hunter2-hunter2', SLACK_APP_TOKEN: 'xapp-1', PORT: 'x' });
    const said = loaded.type === 'invalid' ? describeProblems(loaded.problems) : '';

    expect(said).toContain('SLACK_BOT_TOKEN: expected a token that starts with `xoxb-`; found 15 characters');
    expect(said).toContain('PORT: expected 0 to 65535; found x');
    expect(said).not.toContain('hunter2');
  });
});
