import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { parseOneYaml } from '#src/edges/files/parse-yaml.js';
import { describeProblems, languageOfChannel, loadConfig } from '#src/settings/config.js';
import { schemaProblems } from '#src/settings/schema-problems.js';
import { testKeyText } from '../support/authority.js';
import { mainThreadWork } from '../support/processor-work.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function policyFile(text: string): string {
  const path = join(folder, `${text.length}.yaml`);
  writeFileSync(path, text);
  return path;
}

/** Files with more mistakes than anybody reads. */
const manyMistakes: readonly [string, string][] = [
  ['wrong actions', `grants: [{ users: [U1], namespaces: [a], actions: [${'x,'.repeat(100_000)}] }]`],
  ['wrong grants', `grants: [${'1,'.repeat(100_000)}]`],
  ['unknown fields', Array.from({ length: 60_000 }, (_, field) => `grant${field}: 1`).join('\n')],
];

const enough = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
const sentinels = { ...enough, REDIS_SENTINELS: '10.0.0.1:26379, [::1]:26380', REDIS_SENTINEL_NAME: 'main' };

function problems(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = loadConfig(env);
  return loaded.type === 'config' ? [] : loaded.problems.map(({ where }) => where);
}

describe('the configuration', () => {
  it('requires two tokens for Socket Mode and has defaults for the rest', () => {
    const loaded = loadConfig(enough);

    expect(loaded).toMatchObject({
      type: 'config',
      config: { slackMode: 'socket', port: 3000, approvalMinutes: 15, clusters: [], policy: { grants: [] } },
    });
  });

  it('is described in Korean with nothing left in English but names', () => {
    const env = { SLACK_MODE: 'http', SLACK_BOT_TOKEN: 'xoxb-1', PORT: '-1', KEEP_DAYS: 'x', LINKS: '{' };
    const loaded = loadConfig(env);
    const described = loaded.type === 'config' ? '' : describeProblems(loaded.problems, 'ko');

    expect(described).toContain('  PORT: 필요한 값: 0~65535. 현재 값: -1');
    expect(described).toContain('  SLACK_SIGNING_SECRET: 설정 없음. 필요한 값: 앱의 Basic Information');
    expect(described).not.toMatch(/ (to|or|a|the|separated|such|since) /);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['no token at all', {}, ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']],
    ['an empty value for unset', { ...enough, SLACK_BOT_TOKEN: '' }, ['SLACK_BOT_TOKEN']],
    ['an empty app token', { ...enough, SLACK_APP_TOKEN: '' }, ['SLACK_APP_TOKEN']],
    ['an app token of blanks', { ...enough, SLACK_APP_TOKEN: ' \t' }, ['SLACK_APP_TOKEN']],
    [
      'an empty signing secret',
      { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_MODE: 'http', SLACK_SIGNING_SECRET: '' },
      ['SLACK_SIGNING_SECRET'],
    ],
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
    ['an unknown mode', { ...enough, SLACK_MODE: 'rtm' }, ['SLACK_MODE']],
    ['a port out of range', { ...enough, PORT: '70000' }, ['PORT']],
    ['a port that is not a number', { ...enough, PORT: 'http' }, ['PORT']],
    [
      'a Redis password with a percent sign that begins no code',
      { ...enough, REDIS_URL: 'redis://:50%off@redis' },
      ['REDIS_URL'],
    ],
    ['a Redis address of another protocol', { ...enough, REDIS_URL: 'http://redis' }, ['REDIS_URL']],
    ['a Redis Sentinel without a port', { ...enough, REDIS_SENTINELS: 'a' }, ['REDIS_SENTINELS']],
    [
      'a Redis Sentinel with a password in its address',
      { ...enough, REDIS_SENTINELS: 'p@a:1' },
      ['REDIS_SENTINELS'],
    ],
    ['Redis Sentinels without a name', { ...enough, REDIS_SENTINELS: 'a:1' }, ['REDIS_SENTINEL_NAME']],
    ['a name without Redis Sentinels', { ...enough, REDIS_SENTINEL_NAME: 'a' }, ['REDIS_SENTINELS']],
    [
      'a missing password file of Redis Sentinel',
      { ...sentinels, REDIS_SENTINEL_PASSWORD_FILE: join(folder, 'none') },
      ['REDIS_SENTINEL_PASSWORD_FILE'],
    ],
    ['a Redis Cluster with keys in many slots', { ...enough, REDIS_CLUSTER_NODES: 'a:1' }, ['REDIS_PREFIX']],
    [
      'a Redis Cluster behind Redis Sentinels',
      { ...sentinels, REDIS_CLUSTER_NODES: 'a:1', REDIS_PREFIX: '{a}' },
      ['REDIS_CLUSTER_NODES'],
    ],
    ['a prefix with one brace', { ...enough, REDIS_PREFIX: '{a' }, ['REDIS_PREFIX']],
    ['an unknown queue', { ...enough, WORKERS: 'diagnosis,mail' }, ['WORKERS']],
    ['minutes below one', { ...enough, APPROVAL_MINUTES: '0' }, ['APPROVAL_MINUTES']],
    [
      'several errors at once',
      { ...enough, PORT: '-1', LOG_LEVEL: 'loud', KEEP_DAYS: '1.5' },
      ['PORT', 'KEEP_DAYS', 'LOG_LEVEL'],
    ],
    ['a missing policy file', { ...enough, POLICY_FILE: join(folder, 'none.yaml') }, ['POLICY_FILE']],
    ['a policy file that is not YAML', { ...enough, POLICY_FILE: policyFile('grants: [') }, ['POLICY_FILE']],
  ])('refuses %s', (_, env, where) => {
    expect(problems(env)).toEqual(where);
  });

  it.each(['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES', 'SLACK_API_URL'])(
    'does not show the password in an address that %s refuses',
    (name) => {
      const loaded = loadConfig({ ...enough, [name]: 'http//doctor:hunter2@redis:6379' });
      if (loaded.type === 'config') throw new Error('the address should be refused');

      expect(loaded.problems).not.toEqual([]);
      expect(describeProblems(loaded.problems, 'en')).not.toContain('hunter2');
    },
  );

  it('reads the addresses of Redis Sentinels', () => {
    const loaded = loadConfig(sentinels);

    expect(loaded.type === 'config' ? loaded.config.redis.sentinel : undefined).toEqual({
      addresses: [
        { host: '10.0.0.1', port: 26_379 },
        { host: '::1', port: 26_380 },
      ],
      name: 'main',
      password: undefined,
    });
  });

  it('names the field in the policy file', () => {
    const path = policyFile('apiVersion: rollout-doctor/v1\ngrants:\n  - users: [U1]\n    actions: "*"\n');

    expect(problems({ ...enough, POLICY_FILE: path })).toEqual(['POLICY_FILE grants[0].namespaces']);
  });

  it.each<[string, string, string]>([
    [
      'groups: [x], actions: "*"',
      'grants[0].namespaces: required, a list such as ["ml"]',
      'grants[0].namespaces: 필수 항목입니다. 형식: 목록(예: ["ml"])',
    ],
    [
      'groups: [x], namespaces: [ml]',
      'grants[0].actions: required, a list such as ["undo-rollout"]',
      'grants[0].actions: 필수 항목입니다. 형식: 목록(예: ["undo-rollout"])',
    ],
    [
      'groups: [x], namespaces: ml, actions: "*"',
      'grants[0].namespaces: must be a list such as ["ml"]',
      'grants[0].namespaces: 값의 형식이 다릅니다. 형식: 목록(예: ["ml"])',
    ],
    [
      'groups: [x], group: x, namespaces: [ml], actions: "*"',
      'grants[0]: unknown field "group" (did you mean "groups"?)',
      'grants[0]: 알 수 없는 필드 "group" (혹시 "groups"인가요?)',
    ],
    [
      'groups: [x], owner: x, namespaces: [ml], actions: "*"',
      'grants[0]: unknown field "owner" (known fields: users, groups, clusters, namespaces and actions)',
      'grants[0]: 알 수 없는 필드 "owner" (사용할 수 있는 필드: users, groups, clusters, namespaces, actions)',
    ],
    [
      'groups: [x], namespaces: [], actions: "*"',
      'grants[0].namespaces: must not be empty',
      'grants[0].namespaces: 빈 값은 사용할 수 없습니다',
    ],
  ])('describes an error in the policy with its path and a sentence: %s', (grant, en, ko) => {
    const path = policyFile(`grants:\n  - { ${grant} }\n`);
    const loaded = loadConfig({ ...enough, POLICY_FILE: path });
    const stated = loaded.type === 'invalid' ? loaded.problems : [];

    expect(describeProblems(stated, 'en')).toBe(
      `The configuration is not complete. Set or correct:\n  POLICY_FILE ${en}`,
    );
    expect(describeProblems(stated, 'ko')).toContain(`  POLICY_FILE ${ko}`);
  });

  it('suggests the nearest choice for a misspelt one', () => {
    const path = policyFile('grants: [{ groups: [x], namespaces: [ml], actions: [undo-rolout] }]\n');
    const loaded = loadConfig({ ...enough, POLICY_FILE: path });
    const stated = loaded.type === 'invalid' ? describeProblems(loaded.problems, 'en') : '';

    expect(stated).toContain('POLICY_FILE grants[0].actions[0]: must be one of ');
    expect(stated).toContain('(did you mean "undo-rollout"?)');
  });

  it('states what was expected and found, and never shows a secret', () => {
    const loaded = loadConfig({ SLACK_BOT_TOKEN: 'hunter2-hunter2', SLACK_APP_TOKEN: 'xapp-1', PORT: 'x' });
    const described = loaded.type === 'invalid' ? describeProblems(loaded.problems, 'en') : '';

    expect(described).toContain(
      'SLACK_BOT_TOKEN: expected a token that starts with `xoxb-`, found 15 characters',
    );
    expect(described).toContain('PORT: expected 0 to 65535, found x');
    expect(described).not.toContain('hunter2');
  });

  it.each([
    ['en', /^ {2}SLACK_BOT_TOKEN: .*, found 1 character$/m],
    ['ko', /^ {2}SLACK_BOT_TOKEN: .*현재 값의 길이: 1자$/m],
  ] as const)('states the length of a secret in words of %s', (language, expected) => {
    const loaded = loadConfig({ SLACK_BOT_TOKEN: 'x' });

    expect(loaded.type === 'invalid' ? describeProblems(loaded.problems, language) : '').toMatch(expected);
  });
});

describe('the language of a channel', () => {
  it('is the one configured for it, and the common one otherwise', () => {
    const loaded = loadConfig({
      ...enough,
      CHANNEL_LANGUAGE: 'en',
      CHANNEL_LANGUAGES: 'C0SEOUL=ko, C0BERLIN=en',
    });
    if (loaded.type === 'invalid') throw new Error('the configuration is valid');

    expect(languageOfChannel(loaded.config, 'C0SEOUL')).toBe('ko');
    expect(languageOfChannel(loaded.config, 'C0BERLIN')).toBe('en');
    expect(languageOfChannel(loaded.config, 'C0OTHER')).toBe('en');
  });

  it.each(['C0SEOUL', 'C0SEOUL=fr', 'incidents=ko', 'C0SEOUL=ko=en', '=ko'])('is refused as %s', (text) => {
    expect(problems({ ...enough, CHANNEL_LANGUAGES: text })).toEqual(['CHANNEL_LANGUAGES']);
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
  ])('are required for processes that use them: %s', (_, role, workers, needed) => {
    const env = workers === undefined ? {} : { WORKERS: workers };
    expect(problemsOf(env, role).map(({ where }) => where)).toEqual(needed ? ['APPROVAL_KEYS'] : []);
    expect(problemsOf({ ...env, APPROVAL_KEYS: `a:${key}` }, role)).toEqual([]);
  });

  it('may be several, of which the first one signs', () => {
    const loaded = loadConfig({ ...enough, APPROVAL_KEYS: `new:${key}, old:${key}` }, 'app');
    expect(loaded).toMatchObject({ config: { approvalKeys: [{ id: 'new' }, { id: 'old' }] } });
  });

  it.each([
    ['no id', key],
    ['an empty id', `:${key}`],
    ['an id with a space', `a b:${key}`],
    ['31 bytes', `a:${Buffer.alloc(31, 'abcdefghijklmnop').toString('base64')}`],
    ['zeros', `a:${Buffer.alloc(32).toString('base64')}`],
    ['a value that is not base64', `a:${'!'.repeat(44)}`],
    ['the same id twice', `a:${key},a:${key}`],
    ['an empty second key', `a:${key},`],
  ])('are refused with %s, and never shown', (_, text) => {
    const problems = problemsOf({ APPROVAL_KEYS: text }, 'app');
    expect(problems).toMatchObject([
      { where: 'APPROVAL_KEYS', key: 'wrong-secret', values: { characters: text.length } },
    ]);
    expect(describeProblems(problems, 'en')).not.toContain(text);
  });
});

describe('the access to clusters', () => {
  const workersOf = (env: Record<string, string>, role: 'app' | 'worker' = 'worker') => {
    const keys = { APPROVAL_KEYS: testKeyText, ANSWER_KEYS: testKeyText };
    const loaded = loadConfig({ ...enough, ...keys, ...env }, role);
    return loaded.type === 'config' ? loaded.config.workers : describeProblems(loaded.problems, 'en');
  };

  it('leaves a worker of one cluster what needs its credentials, and the workers beside the app the rest', () => {
    expect(workersOf({})).toEqual(['alert', 'diagnosis', 'remediation', 'verification', 'delivery']);
    expect(workersOf({ CLUSTER_NAME: 'prod-eu' })).toEqual(['diagnosis', 'remediation', 'verification']);
    expect(workersOf({ CLUSTER_ACCESS: 'workers' })).toEqual(['alert', 'delivery']);
    expect(workersOf({ CLUSTER_ACCESS: 'workers', CLUSTER_NAME: 'prod-eu', WORKERS: 'diagnosis' })).toEqual([
      'diagnosis',
    ]);
  });

  it('needs no approval keys beside the app', () => {
    expect(workersOf({ CLUSTER_ACCESS: 'workers', APPROVAL_KEYS: '' })).toEqual(['alert', 'delivery']);
  });

  it.each<[string, Record<string, string>, 'app' | 'worker', boolean]>([
    ['the app, which derives them', { CLUSTER_ACCESS: 'workers' }, 'app', false],
    ['a worker that asks about alerts', { CLUSTER_ACCESS: 'workers' }, 'worker', true],
    ['a worker that only delivers', { CLUSTER_ACCESS: 'workers', WORKERS: 'delivery' }, 'worker', false],
    ['a worker that answers', { CLUSTER_NAME: 'prod-eu', WORKERS: 'diagnosis' }, 'worker', true],
    ['a worker that only changes', { CLUSTER_NAME: 'prod-eu', WORKERS: 'remediation' }, 'worker', false],
    ['a worker of all clusters', {}, 'worker', false],
  ])('needs keys of answers where names are asked or answered: %s', (_, env, role, needed) => {
    const loaded = loadConfig({ ...enough, APPROVAL_KEYS: testKeyText, ...env }, role);
    const names = loaded.type === 'invalid' ? loaded.problems.map(({ where }) => where) : [];
    expect(names).toEqual(needed ? ['ANSWER_KEYS'] : []);
  });

  it('names a worker that would serve nothing, a name that cannot be used, and a cluster of the app', () => {
    expect(workersOf({ CLUSTER_NAME: 'prod-eu', WORKERS: 'alert,delivery' })).toContain(
      'WORKERS: expected some of `diagnosis,remediation,verification` with CLUSTER_NAME, found alert,delivery',
    );
    expect(workersOf({ CLUSTER_NAME: 'prod/eu' })).toContain('CLUSTER_NAME: expected up to 100 letters');
    expect(workersOf({ CLUSTER_NAME: 'prod-eu' }, 'app')).toContain(
      'CLUSTER_NAME: only a worker uses this setting. The app needs CLUSTER_ACCESS=workers',
    );
  });
});

describe('the links', () => {
  const described = (LINKS: string, language: 'en' | 'ko' = 'en') => {
    const loaded = loadConfig({ ...enough, LINKS });
    return loaded.type === 'config' ? '' : describeProblems(loaded.problems, language);
  };

  it('are read from YAML or JSON', () => {
    const links = [{ name: 'Logs', url: 'https://logs.example/{name}' }];
    for (const LINKS of ['[{ name: Logs, url: "https://logs.example/{name}" }]', JSON.stringify(links)]) {
      expect(loadConfig({ ...enough, LINKS })).toMatchObject({ config: { pages: { links } } });
    }
  });

  it.each([
    [
      '- name: Logs\n  url: https://x.example/{nmae}',
      'LINKS [0].url: unknown placeholder {nmae} (did you mean "{name}"?)',
    ],
    [
      '- name: Logs\n  url: https://x.example/{pod}',
      'known placeholders: {cluster}, {namespace}, {kind}, {name} and {node}',
    ],
    ['- name: Logs\n  href: https://x.example/', 'unknown field "href"'],
    ['- name: Logs\n  url: javascript:alert(1)', 'LINKS [0].url'],
    ['Logs', 'LINKS'],
    ['[{', 'expected a list of `name` and `url` in YAML or JSON'],
  ])('that are wrong are one line each: %s', (LINKS, words) => {
    const lines = described(LINKS).split('\n').slice(1);
    expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
  });

  it('are reported in Korean as well', () => {
    expect(described('- name: Logs\n  url: https://x.example/{nmae}', 'ko')).toContain(
      '알 수 없는 자리표시자 {nmae}',
    );
  });
});

it.each(manyMistakes)(
  'a file with many %s is described by the first of them, with little work',
  async (_, text) => {
    const content = parseOneYaml(text);
    const checked = Policy.safeParse(content);
    if (checked.success) throw new Error('no mistake');
    const describe = () => schemaProblems('POLICY_FILE', Policy, content, checked.error);

    expect(describe()).toHaveLength(20);
    const ofReading = await mainThreadWork(() => parseOneYaml(text), 1);
    expect(await mainThreadWork(describe)).toBeLessThan(ofReading);
  },
);
