import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/config.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const known = new Set<string>(Object.values(variables).map(({ name }) => name));

/** What compose itself reads from `.env`, beside the processes' own variables. */
const ofCompose = new Set(['KUBECONFIG_FILE', 'POLICY_FILE', 'HTTP_PORT']);

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

  it('keeps what Redis was told, and never evicts', () => {
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

  it('sets no variable that nobody reads', () => {
    const set = Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment));
    const asked = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name = '']) => name);

    expect(set.length).toBeGreaterThan(0);
    expect(asked).toContain('SLACK_BOT_TOKEN');
    expect([...set, ...asked].filter((name) => !known.has(name) && !ofCompose.has(name))).toEqual([]);
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

  it('run in the image as somebody who is not root', () => {
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
