import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { kinds } from '#src/doctor/fixes/kinds/kinds.js';

const root = join(import.meta.dirname, '../..');

describe('the dependency container', () => {
  const sources = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('core'))
      .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')] as const),
  );
  const ofContainer = sources.filter(
    ([name, text]) => /container\.ts$/u.test(name) || /container\.js'/u.test(text),
  );
  const filesWith = (pattern: RegExp): readonly string[] =>
    ofContainer.flatMap(([name, text]) => (pattern.test(text) ? [name] : [])).sort();

  it('is received as a whole only where a process is wired, and other modules declare what they use', () => {
    // A declaration is `Pick<Container, …>`.
    expect(filesWith(/(?::|extends|=>)\s*(?:Worker)?Container\b(?!\[)/u)).toEqual([
      'src/roots/container.ts',
      'src/roots/start-app.ts',
      'workers/queue-handlers.ts',
      'workers/run-worker-process.ts',
      'workers/start-workers.ts',
      'workers/worker-container.ts',
    ]);
  });

  it('is never spread into the dependencies of other modules', () => {
    expect(filesWith(/\.\.\.\s*container\b/u)).toEqual([]);
  });
});

describe('registries', () => {
  /** The modules and rooms of a folder, without the list of them. */
  const named = (path: string, list: string): string[] =>
    readdirSync(join(root, path))
      .map((name) => name.replace(/\.ts$/, ''))
      .filter((name) => name !== list)
      .sort();

  it('list every cause that has a file or a folder, under its name', () => {
    const ids = causes.map(({ id }) => id);

    expect([...ids].sort()).toEqual(named('src/doctor/causes', 'causes'));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('list every remediation kind that has a file or a folder, under its name', () => {
    const listed = kinds.map(({ kind }) => kind);

    expect([...listed].sort()).toEqual(named('src/doctor/fixes/kinds', 'kinds'));
  });

  it('let no cause supersede itself or a cause that is not listed', () => {
    const ids = causes.map(({ id }) => id);
    for (const rule of causes) {
      expect(rule.supersedes).not.toContain(rule.id);
      expect(rule.supersedes.filter((id) => !ids.includes(id))).toEqual([]);
    }
  });
});

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly optionalDependencies?: object; readonly resolved?: string }>
    >;
  };

  it('contains the binaries of every platform, without which npm ci fails', () => {
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    const missing = wanted.filter((name) =>
      Object.keys(packages).every((path) => !path.endsWith(`node_modules/${name}`)),
    );

    expect(wanted.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it('contains no registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
