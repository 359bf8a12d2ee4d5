import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeProblems, loadConfig } from '#src/config.js';

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

describe('the keys that sign approvals', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
  const problemsOf = (env: Readonly<Record<string, string>>, role: 'app' | 'worker' | 'inspection') => {
    const loaded = loadConfig({ ...enough, ...env }, role);
    return loaded.type === 'config' ? [] : loaded.problems;
  };

  it.each<[string, 'app' | 'worker' | 'inspection', string | undefined, boolean]>([
    ['the app', 'app', undefined, true],
    ['a worker that serves every queue', 'worker', undefined, true],
    ['a worker that serves the remediation queue', 'worker', 'remediation,delivery', true],
    ['a worker that only diagnoses', 'worker', 'diagnosis', false],
    ['an inspection', 'inspection', undefined, false],
  ])('are needed by those who use them: %s', (_, role, workers, needed) => {
    const env = workers === undefined ? {} : { WORKERS: workers };
    expect(problemsOf(env, role).map(({ where }) => where)).toEqual(needed ? ['APPROVAL_KEYS'] : []);
    expect(problemsOf({ ...env, APPROVAL_KEYS: `a:${key}` }, role)).toEqual([]);
  });

  it('are several, of which the first one signs', () => {
    const loaded = loadConfig({ ...enough, APPROVAL_KEYS: `new:${key}, old:${key}` }, 'app');
    expect(loaded).toMatchObject({ config: { approvalKeys: [{ id: 'new' }, { id: 'old' }] } });
  });

  it.each([
    ['no id', key],
    ['an empty id', `:${key}`],
    ['an id with a space', `a b:${key}`],
    ['31 bytes', `a:${Buffer.alloc(31, 'abcdefghijklmnop').toString('base64')}`],
    ['zeros', `a:${Buffer.alloc(32).toString('base64')}`],
    ['no base64', `a:${'!'.repeat(44)}`],
    ['the same id twice', `a:${key},a:${key}`],
    ['an empty second key', `a:${key},`],
  ])('are refused with %s, and never shown', (_, text) => {
    const problems = problemsOf({ APPROVAL_KEYS: text }, 'app');
    expect(problems).toMatchObject([{ where: 'APPROVAL_KEYS', found: `${text.length} characters` }]);
    expect(describeProblems(problems)).not.toContain(text);
  });
});
