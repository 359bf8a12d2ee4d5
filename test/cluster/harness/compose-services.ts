import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { read } from './readme-install.js';

interface Written {
  readonly command?: readonly string[];
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

/**
 * What a service of docker-compose.yml starts: its command, with paths of this machine in place of the
 * mounted ones.
 */
export interface ComposeService {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Mounted files, by their path in the container. */
  readonly files: ReadonlyMap<string, string>;
}

/** `A=B` of each line, without comments. */
const settingsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/**
 * `${NAME:-default}`, whose default may be another one, and `${NAME:?message}`: what is set and not empty,
 * else the default.
 */
function interpolated(text: string, settings: Readonly<Record<string, string>>): string {
  const replaced = text.replaceAll(
    /\$\{([A-Z_]+):([-?])([^${}]*)\}/g,
    (_, name: string, sign: string, other: string) => {
      if (sign === '?' && !settings[name]) throw new Error(other);
      return settings[name] ? settings[name] : other;
    },
  );
  return replaced === text ? text : interpolated(replaced, settings);
}

/** Reads docker-compose.yml in the folder as `docker compose up` does, where `.env` is. */
export function composeServices(folder: string): Readonly<Record<string, ComposeService>> {
  const settings = settingsOf(readFileSync(join(folder, '.env'), 'utf8'));
  const text = interpolated(readFileSync(join(folder, 'docker-compose.yml'), 'utf8'), settings);
  const { services } = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Written>>;
  };
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [name, serviceOf(folder, settings, service)]),
  );
}

function serviceOf(
  folder: string,
  settings: Readonly<Record<string, string>>,
  { command = imageCommand(), env_file: file, environment = {}, volumes = [] }: Written,
): ComposeService {
  const files = new Map(
    volumes
      .map((each) => each.split(':'))
      .filter(([source = '']) => source.startsWith('.') || source.startsWith('/'))
      .map(([source = '', target = '']) => [target, resolve(folder, source)]),
  );
  const env = { ...(file === undefined ? {} : settings), ...environment };
  return {
    command,
    files,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, files.get(value) ?? value])),
  };
}

/** The last command of the Dockerfile: what a service without one starts. */
function imageCommand(): readonly string[] {
  const [, list = '[]'] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  return JSON.parse(list) as readonly string[];
}
