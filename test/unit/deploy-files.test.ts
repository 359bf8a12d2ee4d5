import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, loadPolicy } from '#src/settings/config.js';
import { variables } from '#src/settings/config-variables.js';
import { loadAlerts } from '#src/settings/load-alerts.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const known = new Set<string>(Object.values(variables).map(({ name }) => name));

/** What compose itself reads from `.env`, beside the processes' own variables. */
const ofCompose = new Set([
  'READER_KUBECONFIG_FILE',
  'KUBECONFIG_FILE',
  'POLICY_FILE',
  'PUBLISH',
  'REDIS_PASSWORD',
  'REDISCLI_AUTH',
]);

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<'redis' | 'app' | 'worker' | 'patcher', Service>>;
};

describe('docker-compose.yml', () => {
  it('runs the app and both workers from one image, read-only', () => {
    const { app, worker, patcher } = compose.services;

    expect(new Set([app.image, worker.image, patcher.image]).size).toBe(1);
    expect([app.read_only, worker.read_only, patcher.read_only]).toEqual([true, true, true]);
  });

  it('gives the account that may patch to the worker of changes alone', () => {
    const { app, worker, patcher } = compose.services;
    const kubeconfigOf = ({ volumes = [] }: Service) => volumes.find((each) => each.includes('/kubeconfig:'));

    expect(kubeconfigOf(patcher)).toMatch(/^\$\{KUBECONFIG_FILE:-/);
    for (const reading of [app, worker])
      expect(kubeconfigOf(reading)).toMatch(/^\$\{READER_KUBECONFIG_FILE:-[^$]+\}:/);
    const served = [worker, patcher].map(({ environment }) => environment?.WORKERS?.split(','));
    expect(served[0]).not.toContain('remediation');
    expect(served.flat().toSorted()).toEqual(variables.workers.schema.parse(undefined).toSorted());
    expect(worker.environment?.APPROVAL_KEYS).toBe('');
    expect(patcher.environment).not.toHaveProperty('APPROVAL_KEYS');
  });

  it('waits longer for each process than the process waits for its jobs', () => {
    const { app, worker, patcher } = compose.services;
    const seconds = [app, worker, patcher].map(({ stop_grace_period: period = '' }) =>
      Number.parseInt(period, 10),
    );

    for (const each of seconds) expect(each).toBeGreaterThan(28);
  });

  it('publishes no port to other machines unless asked', () => {
    const { app, worker, patcher, redis } = compose.services;
    const ports = [app, worker, patcher, redis].flatMap((service) => service.ports ?? []);

    expect(ports).toHaveLength(2);
    for (const port of ports) expect(port).toMatch(/^\$\{PUBLISH:-127\.0\.0\.1\}:/);
  });

  it('persists the data of Redis, and never evicts', () => {
    const { redis } = compose.services;

    expect(redis.command?.slice(0, 5)).toEqual([
      'redis-server',
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
    ]);
    expect(redis.healthcheck).toBeDefined();
  });

  it('gives Redis one user with a password and the rights of docs/redis.md', () => {
    const [, documented = ''] =
      /^ACL SETUSER rollout-doctor reset on >PASSWORD ((?:.*\\\n)*.*)$/mu.exec(read('docs/redis.md')) ?? [];
    const rules = documented.split(/[\s\\]+/u);
    const given = (compose.services.redis.command ?? [])
      .slice(5)
      .map((each) => each.replace(/\$\{REDIS_PREFIX:-(rollout-doctor)\}/u, '$1'));

    const password = '$' + '{REDIS_PASSWORD:?set REDIS_PASSWORD in .env}';
    expect(rules.length).toBeGreaterThan(10);
    expect(given).toEqual([
      ...['--user', 'default', 'off', '--user', 'rollout-doctor', 'on'],
      `>${password}`,
      ...rules,
    ]);
    for (const name of ['app', 'worker', 'patcher'] as const)
      expect(compose.services[name].environment?.REDIS_URL).toBe(
        `redis://rollout-doctor:${password}@redis:6379`,
      );
    expect(read('.env.example')).toContain('\nREDIS_PASSWORD=\n');
  });

  it('mounts by default files that are valid and without effect', () => {
    const text = read('docker-compose.yml');
    const alerts = [...text.matchAll(/\$\{ALERTS_FILE:-([^}]+)\}/g)].map(([, file]) => file);

    expect(text).not.toContain('/dev/null');
    expect(new Set(alerts)).toEqual(new Set(['./deploy/no-alerts.yaml']));
    expect(loadAlerts(join(root, 'deploy/no-alerts.yaml'), {})).toMatchObject({ settings: { webhooks: [] } });
    expect(loadPolicy(join(root, 'deploy/policy.example.yaml'))).not.toHaveProperty('problems');
    expect(loadPolicy(join(root, 'deploy/policy.minimal.yaml'))).not.toHaveProperty('problems');
  });

  it('takes no policy but the one that .env names', () => {
    const otherwise = [...read('docker-compose.yml').matchAll(/\$\{POLICY_FILE(:.)/g)].map(
      ([, found]) => found,
    );

    expect(otherwise.length).toBeGreaterThan(0);
    expect(new Set(otherwise)).toEqual(new Set([':?']));
  });

  it('sets no variable that the program does not read', () => {
    const set = Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment));
    const setVariables = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name = '']) => name);

    expect(set.length).toBeGreaterThan(0);
    expect(setVariables).toContain('SLACK_BOT_TOKEN');
    expect([...set, ...setVariables].filter((name) => !known.has(name) && !ofCompose.has(name))).toEqual([]);
  });
});

describe('.env.helm.example', () => {
  it('has the keys that the chart reads of the Secret, and no others', () => {
    const keys = [...read('.env.helm.example').matchAll(/^(?:# )?([A-Z_]+)=$/gm)].map(([, key]) => key);
    const pod = read('deploy/chart/templates/_pod.tpl');

    expect(keys).toEqual([
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_SIGNING_SECRET',
      'APPROVAL_KEYS',
      'REDIS_URL',
    ]);
    expect(keys.filter((key = '') => !pod.includes(key))).toEqual([]);
  });
});

describe('.env.example', () => {
  const values = Object.fromEntries(
    [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

  it.each([
    ['socket', ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'APPROVAL_KEYS']],
    ['http', ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'APPROVAL_KEYS']],
  ])('as copied is refused by the name of each value that is missing: %s', (SLACK_MODE, names) => {
    const env = { ...values, SLACK_MODE, SLACK_SIGNING_SECRET: '', POLICY_FILE: '' };
    const loaded = loadConfig(env, 'app');

    expect(loaded.type === 'invalid' && loaded.problems.map(({ where }) => where)).toEqual(names);
  });
});

describe('entry points', () => {
  it.each(['Dockerfile', 'docker-compose.yml', 'package.json'])(
    'of %s are built from sources that exist',
    (file) => {
      const sources = new Map(
        [...read('scripts/bundle.mjs').matchAll(/^ +'?([\w-]+)'?: '([\w/-]+\.ts)',$/gm)].map(
          ([, name = '', source = '']) => [name, source],
        ),
      );
      const built = [...read(file).matchAll(/dist\/([\w/-]+)\.js/g)].map(([, name = '']) => name);

      expect(built.length).toBeGreaterThan(0);
      expect(built.filter((name) => !existsSync(join(root, sources.get(name) ?? 'absent')))).toEqual([]);
    },
  );

  it('need only files that the image copies', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );

    expect(copied).toContain('src');
    expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('start from one base image, which is pinned by its digest', () => {
    const images = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);

    expect(images).toHaveLength(2);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:24(\.\d+){2}-slim@sha256:[0-9a-f]{64}$/u);
  });

  it('run in the image as a user other than root', () => {
    expect(read('Dockerfile')).toMatch(/^USER node$/m);
  });
});

describe('the Slack manifests', () => {
  const scopesOf = (file: string): readonly string[] =>
    (
      JSON.parse(read(file)) as {
        readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
      }
    ).oauth_config.scopes.bot;

  it('ask for the same scopes, each explained in docs/slack-app.md', () => {
    const scopes = scopesOf('manifest.json');

    expect(scopesOf('manifest.http.json')).toEqual(scopes);
    expect(scopes.filter((scope) => !read('docs/slack-app.md').includes(`\`${scope}\``))).toEqual([]);
  });

  it('is filled in by the link of docs/slack-app.md', () => {
    const [, link = ''] = /\[Create the app\]\((https:[^)]{1,8000})\)/.exec(read('docs/slack-app.md')) ?? [];
    const { origin, searchParams } = new URL(link);

    expect(origin).toBe('https://api.slack.com');
    expect(searchParams.get('new_app')).toBe('1');
    expect(JSON.parse(searchParams.get('manifest_json') ?? '')).toEqual(JSON.parse(read('manifest.json')));
  });
});

describe('deploy/admission', () => {
  const files = [
    'base/resources.yaml',
    'base/workloads.yaml',
    'base/others.yaml',
    'without-undo/template.yaml',
  ];
  const objects = files.flatMap((file) =>
    parseAllDocuments(read(`deploy/admission/${file}`)).map((document) => document.toJS() as Admission),
  );
  const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');

  interface Admission {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly policyName?: string;
      readonly validationActions?: readonly string[];
      readonly failurePolicy?: string;
      readonly matchConditions?: readonly { readonly expression: string }[];
    };
  }

  it('lists all of its files', () => {
    for (const folder of ['base', 'without-undo']) {
      const { resources } = parse(read(`deploy/admission/${folder}/kustomization.yaml`)) as {
        readonly resources: readonly string[];
      };
      const listed = resources.filter((each) => each.endsWith('.yaml'));
      expect(listed.map((each) => `${folder}/${each}`)).toEqual(
        files.filter((file) => file.startsWith(folder)),
      );
    }
  });

  it('denies when a policy cannot be evaluated, and applies only to the account of deploy/rbac', () => {
    const accounts = read('deploy/rbac/base/service-accounts.yaml');
    expect(accounts).toContain('name: rollout-doctor-patcher\n  namespace: rollout-doctor\n');
    const expression =
      'request.userInfo.username == "system:serviceaccount:rollout-doctor:rollout-doctor-patcher"';

    expect(policies.length).toBe(6);
    for (const { spec } of policies) {
      expect(spec.failurePolicy).toBe('Fail');
      expect(spec.matchConditions).toEqual([expect.objectContaining({ expression })]);
    }
  });

  it('binds every policy with the action Deny', () => {
    const bindings = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');

    expect(bindings.map(({ spec }) => spec.policyName)).toEqual(
      policies.map(({ metadata }) => metadata.name),
    );
    expect(bindings.every(({ spec }) => spec.validationActions?.join() === 'Deny')).toBe(true);
  });
});

/** Files that the commands of a page write into the clone: behind `>`, and the last word of `cp`. */
function writtenBy(page: string): readonly string[] {
  const blocks = [...read(page).matchAll(/^ *```[a-z]*\n([^`]*)\n *```$/gmu)].map(([, code = '']) => code);
  return blocks.flatMap((code) =>
    [...code.matchAll(/(?:> |\bcp \S+ )([\w.-]+)(?=\s|$)/gmu)].map(([, name = '']) => name),
  );
}

describe('files with secrets that an installation writes into the clone', () => {
  const written = [...new Set(['README.md', 'docs/install.md', 'docs/ko/install.md'].flatMap(writtenBy))];

  it('are named by the pages', () => {
    expect(written).toEqual(
      expect.arrayContaining(['.env', 'policy.yaml', 'kubeconfig', 'kubeconfig-reader']),
    );
  });

  it.each(['.gitignore', '.dockerignore'])('are left out by %s', (file) => {
    const ignored = new Set(
      read(file)
        .split('\n')
        .map((line) => line.replace(/^\//u, '')),
    );
    expect(written.filter((name) => !ignored.has(name))).toEqual([]);
  });
});
