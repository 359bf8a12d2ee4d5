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

const [, steps = '', afterwards = ''] =
  /^## In a cluster, with Helm\n(.*?)^The chart runs(.*?)^\| value/msu.exec(read('docs/install.md')) ?? [];
const copies = (line: string): boolean => line.includes('cp ');

/**
 * Lines of the steps of docs/install.md: those that copy examples, those after people filled them in, and those
 * for a change of what was filled in.
 */
export const stepLines = {
  copy: commandLines(steps).filter(copies),
  install: commandLines(steps).filter((line) => !copies(line)),
  replace: commandLines(afterwards),
} as const satisfies Record<string, readonly string[]>;

function commandLines(text: string): readonly string[] {
  return [...text.matchAll(/^ *```\n(.*?)^ *```$/gmsu)].flatMap(([, block = '']) =>
    block.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])),
  );
}

export interface Clone {
  readonly folder: string;
  /** Of the shell that runs the commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Fills in the copies of the examples, as the pages ask for it. */
  fill(): void;
  /** Lines with which `docker` was asked: no container engine is here, and a stand-in notes them. */
  docker(): readonly string[];
}

/**
 * A folder with what the commands read, and the tools on the PATH.
 *
 * @param example what README.md has people copy to `.env`, beside the smallest policy; absent: nothing is copied
 */
export async function makeClone(
  folder: string,
  cluster: Cluster,
  {
    slack,
    tools,
    settings = [],
    example,
  }: {
    readonly slack: LocalSlack;
    readonly tools: Readonly<Record<string, Parameters<typeof ensureTool>[0]>>;
    /** Lines of `.env` beside those of the example. */
    readonly settings?: readonly string[];
    readonly example?: '.env.example' | '.env.helm.example';
  },
): Promise<Clone> {
  const [clone, bin, built] = ['clone', 'bin', 'docker'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(clone);
  mkdirSync(bin);
  for (const name of ['deploy', 'Dockerfile', 'docker-compose.yml', '.env.example', '.env.helm.example'])
    symlinkSync(join(root, name), join(clone, name));
  const filled: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    REDIS_PASSWORD: randomBytes(32).toString('hex'),
    APPROVAL_KEYS: `main:${randomBytes(32).toString('base64')}`,
  };
  const fill = (): void => {
    const env = join(clone, '.env');
    const lines = readFileSync(env, 'utf8').replaceAll(
      /^([A-Z_]+)=$/gm,
      (line, name: string) => `${line}${filled[name] ?? ''}`,
    );
    writeFileSync(env, [lines, ...settings, ''].join('\n'));
    const policy = join(clone, 'policy.yaml');
    writeFileSync(policy, readFileSync(policy, 'utf8').replace('S012ABCDEF', 'ml-oncall'));
  };
  if (example !== undefined) {
    writeFileSync(join(clone, '.env'), read(example));
    writeFileSync(join(clone, 'policy.yaml'), read('deploy/policy.minimal.yaml'));
    fill();
  }
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
    fill,
    docker: () => readFileSync(built, 'utf8').split('\n').filter(Boolean),
  };
}
