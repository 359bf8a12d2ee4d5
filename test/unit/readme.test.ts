import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { variables } from '#src/settings/config-variables.js';
import { familyOf } from '../support/scenarios/compare-answer.js';
import { scenarios } from '../support/scenarios/expectation.js';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');

function shownDefault(schema: (typeof variables)[keyof typeof variables]['schema']): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'required';
  if (data === undefined || (Array.isArray(data) && data.length === 0)) return '';
  return `\`${String(data)}\``;
}

/** The table as docs/configuration.md must hold it. */
function configurationTable(): string {
  const rows = Object.values(variables).map(
    ({ name, means, expects, schema }) =>
      `| \`${name}\` | ${means} | ${expects.en} | ${shownDefault(schema)} |`,
  );
  return ['| variable | meaning | takes | default |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

describe('the README', () => {
  it('has at most 120 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });

  it('links to a list of every environment variable with its values and its default', () => {
    expect(readme).toContain('(docs/configuration.md)');
    const [, table = ''] =
      read('docs/configuration.md').match(
        /<!-- configuration[^>]*-->\n([\s\S]*?)<!-- end of configuration -->/,
      ) ?? [];

    expect(table.trim()).toBe(configurationTable());
  });

  it.each(
    ['README.md', 'SCOPE.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...docs()].map((file) => [file] as const),
  )('names no module that is gone in %s', (file) => {
    const named = [
      ...read(file).matchAll(
        /`((?:src|engine|doctor|service|edges|roots|workers|test|demo)\/[\w./-]{1,200})`/gu,
      ),
    ].flatMap(([, path = '']) => path.replace(/\/$/u, ''));
    const isThere = (path: string) =>
      ['', 'src/', 'test/'].some((floor) =>
        ['', '.ts', '.test.ts', '.nightly.test.ts'].some((end) => existsSync(join(root, floor + path + end))),
      );

    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(
    ['README.md', 'SCOPE.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...docs()].map((file) => [file] as const),
  )('has no broken link in %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const links = [
      ...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g),
      ...text.matchAll(/\bsrc(?:set)?="(?!https?:)([^"#\s]+)/g),
    ].map(([, path = '']) => path);
    const missing = links.filter((path) => !existsSync(join(root, dirname(file), path)));

    expect(missing).toEqual([]);
  });

  it('has an owner that exists for each promise of the scope', () => {
    const [, table = ''] = read('SCOPE.md').match(/\n\| promise \|[^\n]*\n([\s\S]*?)\n\n/) ?? [];
    const owners = table.split('\n').map((row) => [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)]);
    const folders = owners.slice(1).map((row) => row.map(([, folder = '']) => folder));

    expect(folders.length).toBeGreaterThan(12);
    expect(folders.filter((row) => row.length === 0)).toEqual([]);
    expect(folders.flat().filter((folder) => !existsSync(join(root, 'src', folder)))).toEqual([]);
  });

  it('links to a table of what people see, which has every cause', () => {
    expect(readme).toContain('(docs/causes/README.md)');
    const [, table = ''] = read('docs/causes/README.md').split(/^## .*$/m);
    const linked = [...table.matchAll(/\[`([a-z-]+)`\]\(\1\.md\)/g)];

    expect(linked.map(([, id]) => id).sort()).toEqual(causes.map(({ id }) => id).sort());
  });

  it('links to the counts of the recorded incidents', () => {
    const [, table = ''] =
      read('docs/control-plane-tests.md').match(
        /<!-- scenarios[^>]*-->\n([\s\S]*?)<!-- end of scenarios -->/,
      ) ?? [];
    expect(readme).toContain('(docs/control-plane-tests.md#recorded-incidents)');
    const rows = [...table.matchAll(/^\| ([^|]+) \| (\d+) \| \d+ \|$/gm)].map(([, name, count]) => [
      name,
      count,
    ]);
    const families = scenarios().map(({ expect: expected }) => familyOf(expected));

    expect(rows).toEqual(
      [...new Set(families)]
        .sort()
        .map((family) => [family, String(families.filter((each) => each === family).length)]),
    );
  });

  it('counts the recorded incidents of each kind beyond apps/v1', () => {
    const page = read('docs/control-plane-tests.md');
    const rows = [...page.matchAll(/^\| [^|]+ \| `([\w-]+)` \| (\d+) \| \d+ \| [^|]+ \|$/gm)];
    const counted = rows.map(([, folder = '']) => {
      const inside = scenarios().filter((scenario) => scenario.folder.split('/').at(-2) === folder);
      return [folder, inside.length];
    });
    const total = rows.reduce((sum, [, , count]) => sum + Number(count), 0);

    expect(rows.length).toBeGreaterThan(7);
    expect(rows.map(([, folder, count]) => [folder, Number(count)])).toEqual(counted);
    expect(page).toContain(`Of these, ${total} are of kinds beyond`);
    expect(readme).toContain(`(docs/control-plane-tests.md#recorded-incidents)) | ${total} | 0 |`);
  });

  it('has Korean pages with the same commands and a link to every cause', () => {
    const blocksOf = (page: string): readonly string[] =>
      [...read(page).matchAll(/^( *)```\n([\s\S]*?)^\1```$/gm)].map(([, , block = '']) => block);
    for (const [korean, english] of [
      ['docs/ko/README.md', 'README.md'],
      ['docs/ko/install.md', 'docs/install.md'],
    ] as const) {
      expect(blocksOf(korean).length).toBeGreaterThan(1);
      expect(blocksOf(english)).toEqual(expect.arrayContaining([...blocksOf(korean)]));
    }
    for (const page of ['docs/ko/install.md', 'docs/install.md'])
      expect([...read(page).matchAll(/^(\d)\. /gm)].map(([, step]) => Number(step))).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9,
      ]);
    const linked = [...read('docs/ko/causes.md').matchAll(/\[`([a-z-]+)`\]\(\.\.\/causes\/\1\.md\)/g)];
    expect(linked.map(([, id]) => id).sort()).toEqual(causes.map(({ id }) => id).sort());
  });

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = [...readme.matchAll(/npm (?:run ([\w:]+)|(test)\b)/g)].map(([, run, test]) => run ?? test);

    expect(named).toContain('demo');
    expect(named.filter((name) => name !== undefined && !(name in scripts))).toEqual([]);
  });
});

function docs(): readonly string[] {
  return readdirSync(join(root, 'docs'), { recursive: true })
    .map((path) => join('docs', String(path)))
    .filter((path) => path.endsWith('.md'));
}
