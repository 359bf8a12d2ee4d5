import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { kinds } from '#src/doctor/fixes/kinds/kinds.js';

const root = join(import.meta.dirname, '../..');

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

/** Every module that a process loads when it starts at `root`, directly or indirectly; types included. */
function reachableFrom(root: string, modules: Cruise['modules']): ReadonlySet<string> {
  const bySource = new Map(modules.map((each) => [each.source, each]));
  const reached = new Set<string>();
  const next = [root];
  for (let source = next.pop(); source !== undefined; source = next.pop()) {
    if (reached.has(source)) continue;
    reached.add(source);
    next.push(...(bySource.get(source)?.dependencies ?? []).map(({ resolved }) => resolved));
  }
  return reached;
}

const writers = [
  ...['workload-patcher', 'change-body', 'second-step'].map((name) => `src/edges/kubernetes/${name}.ts`),
  'src/edges/git-hosts/github-host.ts',
  'src/service/git/git-writer.ts',
];

describe('imports', () => {
  it('follow the dependency rules, and the check has seen the modules it covers', () => {
    const output = execFileSync(
      'npx',
      [
        '--no-install',
        'depcruise',
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'json',
        'src',
        'workers',
      ],
      { cwd: root, maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const { summary, modules } = JSON.parse(output.toString()) as Cruise;
    const ours = modules.filter(({ source }) => /^(src|workers)\/.*\.ts$/.test(source));

    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.some(({ source }) => source.startsWith('src/engine/'))).toBe(true);

    const app = reachableFrom('src/main.ts', modules);
    const worker = reachableFrom('workers/main.ts', modules);
    expect(app.size, 'modules of the app').toBeGreaterThan(100);
    expect(
      writers.filter((each) => app.has(each)),
      'the app can write to no cluster and to no repository',
    ).toEqual([]);
    expect(
      writers.filter((each) => !worker.has(each)),
      'the writers are where the test looks for them',
    ).toEqual([]);
  }, 240_000);
});

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
