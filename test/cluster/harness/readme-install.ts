import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalSlack } from '../../../demo/slack/create-local-slack.js';
import type { Cluster } from './cluster.js';
import { ensureTool } from './tools.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const [, install = ''] = /^## Install\n(.*?)^## /msu.exec(read('README.md')) ?? [];

/** Lines of the blocks of commands in the section Install of README.md, as people copy them. */
export const blocks: readonly (readonly string[])[] = [...install.matchAll(/^```\n(.*?)^```$/gmsu)].map(
  ([, block = '']) => block.split('\n').filter((line) => line !== ''),
);

const policy =
  'apiVersion: rollout-doctor/v1\ngrants: [{ groups: [ml-oncall], namespaces: ["*"], actions: "*" }]\n';

export interface Clone {
  readonly folder: string;
  /** Of the shell that runs the commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Lines with which `docker` was asked: no container engine is here, and a stand-in notes them. */
  docker(): readonly string[];
}

/**
 * A folder with what the commands read, `.env` and `policy.yaml` as README.md asks for them, and the tools on
 * the PATH.
 */
export async function makeClone(
  folder: string,
  cluster: Cluster,
  {
    slack,
    tools,
    settings = [],
  }: {
    readonly slack: LocalSlack;
    readonly tools: Readonly<Record<string, Parameters<typeof ensureTool>[0]>>;
    /** Lines of `.env` beside those of the example. */
    readonly settings?: readonly string[];
  },
): Promise<Clone> {
  const [clone, bin, built] = ['clone', 'bin', 'docker'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(clone);
  mkdirSync(bin);
  for (const name of ['deploy', 'Dockerfile', 'docker-compose.yml'])
    symlinkSync(join(root, name), join(clone, name));
  writeFileSync(join(clone, 'policy.yaml'), policy);
  const filled: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    REDIS_PASSWORD: randomBytes(32).toString('hex'),
    APPROVAL_KEYS: `main:${randomBytes(32).toString('base64')}`,
  };
  const example = read('.env.example').replaceAll(
    /^([A-Z_]+)=$/gm,
    (line, name: string) => `${line}${filled[name] ?? ''}`,
  );
  writeFileSync(join(clone, '.env'), [example, ...settings, ''].join('\n'));
  for (const [name, tool] of Object.entries(tools))
    symlinkSync((await ensureTool(tool)).file, join(bin, name));
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\necho "$@" >> ${built}\n`, { mode: 0o755 });
  return {
    folder: clone,
    env: {
      PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      KUBECONFIG: cluster.controlPlane.adminKubeconfig,
    },
    docker: () => readFileSync(built, 'utf8').split('\n').filter(Boolean),
  };
}
