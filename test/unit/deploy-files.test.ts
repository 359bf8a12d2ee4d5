import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '#src/config.js';
import { variables } from '#src/config-variables.js';
import { loadAlerts } from '#src/load-alerts.js';
import { loadPolicy } from '#src/load-policy.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const known = new Set<string>(Object.values(variables).map(({ name }) => name));

/** What compose itself reads from `.env`, beside the processes' own variables. */
const ofCompose = new Set(['APP_KUBECONFIG_FILE', 'KUBECONFIG_FILE', 'POLICY_FILE', 'HTTP_PORT']);

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<'redis' | 'app' | 'worker', Service>>;
};

describe('docker-compose.yml', () => {
  it('runs app and worker from one image, read-only', () => {
    const { app, worker } = compose.services;

    expect(app.image).toBe(worker.image);
    expect([app.read_only, worker.read_only]).toEqual([true, true]);
  });

  it('persists the data of Redis, and never evicts', () => {
    const { redis } = compose.services;

    expect(redis.command).toEqual([
      'redis-server',
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
    ]);
    expect(redis.healthcheck).toBeDefined();
  });

  it('mounts by default files that are valid and without effect', () => {
    const text = read('docker-compose.yml');
    const alerts = [...text.matchAll(/\$\{ALERTS_FILE:-([^}]+)\}/g)].map(([, file]) => file);

    expect(text).not.toContain('/dev/null');
    expect(new Set(alerts)).toEqual(new Set(['./deploy/no-alerts.yaml']));
    expect(loadAlerts(join(root, 'deploy/no-alerts.yaml'), {})).toMatchObject({ settings: { webhooks: [] } });
    expect(loadPolicy(join(root, 'deploy/policy.example.yaml'))).not.toHaveProperty('problems');
  });

  it('sets no variable that the program does not read', () => {
    const set = Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment));
    const setVariables = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name = '']) => name);

    expect(set.length).toBeGreaterThan(0);
    expect(setVariables).toContain('SLACK_BOT_TOKEN');
    expect([...set, ...setVariables].filter((name) => !known.has(name) && !ofCompose.has(name))).toEqual([]);
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
      const built = [...read(file).matchAll(/dist\/([\w/-]+)\.js/g)].map(([, path = '']) => path);

      expect(built.length).toBeGreaterThan(0);
      expect(built.filter((path) => !existsSync(join(root, `${path}.ts`)))).toEqual([]);
    },
  );

  it('need only files that the image copies', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );

    expect(copied).toContain('src');
    expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
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

  it('ask for the same scopes, each explained in docs/slack.md', () => {
    const scopes = scopesOf('manifest.json');

    expect(scopesOf('manifest.http.json')).toEqual(scopes);
    expect(scopes.filter((scope) => !read('docs/slack.md').includes(`\`${scope}\``))).toEqual([]);
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
