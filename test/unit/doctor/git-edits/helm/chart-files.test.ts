import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartIn, chartsOf, filesOfChart } from '#src/doctor/git-edits/helm/chart-tree.js';
import { valuesFile, valuesOfObject, valuesSnippet } from '#src/doctor/git-edits/helm/values-file.js';
import { locateInTree } from '../../../../support/edit-in-tree.js';

interface Entry {
  readonly path: string;
  readonly mode?: string;
  readonly size?: number;
  readonly text?: string;
}
const entries = (...of: readonly (string | Entry)[]) =>
  of
    .map((each) => (typeof each === 'string' ? { path: each } : each))
    .map(({ path, mode = '100644', size = 10, text = '' }) => ({ path, mode, size, text, sha: path }));

describe('the files of a chart', () => {
  const readOf = (folder: string, ...of: readonly (string | Entry)[]) => {
    const result = filesOfChart(entries(...of), folder);
    return 'type' in result ? [result.reason, result.file] : result.map(({ path }) => path);
  };

  it('are those that decide what it renders', () => {
    const own = [
      'web/Chart.yaml',
      'web/values.yaml',
      'web/values.schema.json',
      'web/requirements.yaml',
      'web/.helmignore',
      'web/templates/a.yaml',
      'web/templates/b/c.tpl',
      'web/charts/db/Chart.yaml',
      'web/charts/db/charts/x/values.yaml',
    ];
    const others = [
      'web/README.md',
      'web/ci/values.yaml',
      'web/charts/db.tgz',
      'web/charts/db/.helmignore',
      'web/values.prod.yaml',
      'Chart.yaml',
      'website/Chart.yaml',
      'web/crds/x.yaml',
    ];
    expect(readOf('web', ...own, ...others)).toEqual(own);
    expect(readOf('', 'Chart.yaml', 'templates/a.yaml', 'web/Chart.yaml')).toEqual([
      'Chart.yaml',
      'templates/a.yaml',
    ]);
  });

  it.each<[string, readonly (string | Entry)[], readonly string[]]>([
    ['a submodule', ['Chart.yaml', { path: 'charts/x', mode: '160000' }], ['submodule', 'charts/x']],
    ['a symbolic link', ['Chart.yaml', { path: 'values.yaml', mode: '120000' }], ['symlink', 'values.yaml']],
    ['a large file', [{ path: 'values.yaml', size: 2 * 1024 * 1024 + 1 }], ['too-large', 'values.yaml']],
    [
      'files that are too large together',
      Array.from({ length: 17 }, (_, at) => ({ path: `templates/${at}.yaml`, size: 2 * 1024 * 1024 })),
      ['too-many-files', ''],
    ],
    [
      'more than 300 files',
      Array.from({ length: 301 }, (_, at) => `templates/${at}.yaml`),
      ['too-many-files', ''],
    ],
  ])('are not read with %s', (_, of, expected) => {
    expect(readOf('', ...of)).toEqual(expected);
  });

  it('may be large where they are not read, and as large as the limit', () => {
    expect(
      readOf('', { path: 'README.md', size: 9e9 }, { path: 'values.yaml', size: 2 * 1024 * 1024 }),
    ).toEqual(['values.yaml']);
  });
});

describe('a chart in a tree', () => {
  const about = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.2.3\n${more}`;
  const chart = (files: Readonly<Record<string, string>>, folder = '') => {
    const result = chartIn(
      entries(...Object.entries(files).map(([path, text]) => ({ path, text }))) as never,
      folder,
    );
    if ('type' in result) throw new Error(`${result.reason} ${result.file} ${result.detail ?? ''}`);
    return result;
  };
  const templates = (files: Readonly<Record<string, string>>): readonly string[] =>
    chart({ 'Chart.yaml': about('web'), ...files }).templates.map(({ path }) => path);

  it('has its name, version and values', () => {
    expect(chart({ 'a/Chart.yaml': about('web'), 'a/values.yaml': 'x: 1\n' }, 'a')).toMatchObject({
      folder: 'a',
      name: 'web',
      version: '1.2.3',
      key: [],
      values: { x: 1 },
      hasSchema: false,
      missing: [],
    });
    expect(chart({ 'Chart.yaml': 'version: 5\n' })).toMatchObject({ name: '', version: '', values: {} });
  });

  it('renders its templates, and no notes', () => {
    expect(
      templates({ 'templates/a.yaml': '', 'templates/NOTES.txt': '', 'templates/b/NOTES.txt.yaml': '' }),
    ).toEqual(['templates/a.yaml', 'templates/b/NOTES.txt.yaml']);
  });

  it.each([
    ['a.yaml', ['templates/b.yaml', 'templates/x/a.yml']],
    ['*.yml', ['templates/a.yaml', 'templates/b.yaml']],
    ['/templates/x/', ['templates/a.yaml', 'templates/b.yaml']],
    ['x/', ['templates/a.yaml', 'templates/b.yaml']],
    ['templates/a.yaml', ['templates/b.yaml', 'templates/x/a.yml']],
    ['# a.yaml', ['templates/a.yaml', 'templates/b.yaml', 'templates/x/a.yml']],
    ['!a.yaml', ['templates/a.yaml', 'templates/b.yaml', 'templates/x/a.yml']],
    ['', ['templates/a.yaml', 'templates/b.yaml', 'templates/x/a.yml']],
    ['  b.yaml  \na.yaml', ['templates/x/a.yml']],
  ])('leaves out what .helmignore names: %j', (rules, kept) => {
    const files = { 'templates/a.yaml': '', 'templates/b.yaml': '', 'templates/x/a.yml': '' };
    expect(templates({ ...files, '.helmignore': rules })).toEqual(kept);
  });

  it('holds charts below it, with the keys of their values and their aliases', () => {
    const top = chart({
      'Chart.yaml': about(
        'web',
        'dependencies:\n- {name: db, alias: one}\n- {name: db, alias: two}\n- {name: gone}\n- {name: lost, alias: found}\n- text\n',
      ),
      'charts/db/Chart.yaml': about('db'),
      'charts/db/charts/deep/Chart.yaml': about('deep'),
      'charts/extra/Chart.yaml': about('extra'),
      'charts/_hidden/Chart.yaml': about('hidden'),
      'charts/.hidden/Chart.yaml': about('hidden'),
      'charts/empty/values.yaml': 'a: 1\n',
    });
    expect(chartsOf(top).map(({ name, key, folder }) => [name, key.join('.'), folder])).toEqual([
      ['web', '', ''],
      ['one', 'one', 'charts/db'],
      ['deep', 'one.deep', 'charts/db/charts/deep'],
      ['two', 'two', 'charts/db'],
      ['deep', 'two.deep', 'charts/db/charts/deep'],
      ['extra', 'extra', 'charts/extra'],
    ]);
    expect(top.missing).toEqual(['gone', 'found']);
  });

  it('says whether it has a schema', () => {
    expect(chart({ 'Chart.yaml': about('web'), 'values.schema.json': '{}' }).hasSchema).toBe(true);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a description', { 'values.yaml': 'a: 1\n' }, 'chart-form Chart.yaml '],
    [
      'older requirements',
      { 'Chart.yaml': about('web'), 'requirements.yaml': '' },
      'chart-form requirements.yaml ',
    ],
    [
      'older requirements below it',
      { 'Chart.yaml': about('web'), 'charts/db/Chart.yaml': about('db'), 'charts/db/requirements.yaml': '' },
      'chart-form charts/db/requirements.yaml ',
    ],
    ['a description that is a list', { 'Chart.yaml': '- a\n' }, 'shape Chart.yaml '],
    ['values with unknown aliases', { 'Chart.yaml': about('web'), 'values.yaml': 'a: *b\n' }, 'values.yaml'],
  ])('is not read with or without %s', (_, files, expected) => {
    expect(() => chart(files)).toThrow(expected);
  });

  it('has at most 60 charts below it', () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`charts/c${at}/Chart.yaml`, about(`c${at}`)]),
      );
    expect(chartsOf(chart({ 'Chart.yaml': about('web'), ...many(60) }))).toHaveLength(61);
    expect(() => chart({ 'Chart.yaml': about('web'), ...many(61) })).toThrow('too-many-files');
  });
});

describe('the values of a release', () => {
  const edits = [{ path: ['strategy', 'type'], value: 'Recreate' }];

  it('are changed in their file, at the first line that differs', () => {
    const [file] = entries({
      path: 'prod.yaml',
      text: '# prod\na: "{{ x }}"\nstrategy:\n  type: RollingUpdate\n',
    });
    const holder = valuesFile(file as never);
    if ('type' in holder) throw new Error(holder.reason);
    expect(holder.isShared).toBe(true);
    expect(holder.edit(edits)).toMatchObject({
      type: 'edited',
      line: 4,
      text: '# prod\na: "{{ x }}"\nstrategy:\n  type: Recreate\n',
      values: { a: '{{ x }}', strategy: { type: 'Recreate' } },
    });
    expect(holder.edit([{ path: ['strategy', 'type'], value: 'RollingUpdate' }])).toMatchObject({
      reason: 'as-wanted',
      file: 'prod.yaml',
    });
  });

  const application = (values: string): string =>
    [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: {name: api}',
      'spec:',
      '  helm:',
      '    other: 1',
      ...values.split('\n'),
      '',
    ].join('\n');
  const holderOf = (values: string) => {
    const located = locateInTree({ 'prod/api.yaml': application(values) }, 'prod');
    if (located.type === 'refusal') throw new Error(located.reason);
    return valuesOfObject(located, ['spec', 'helm', 'values']);
  };

  it('are changed in the object that holds them', () => {
    const holder = holderOf('    values:\n      a: 1\n      strategy: {type: RollingUpdate}');
    expect(holder).toMatchObject({
      file: { path: 'prod/api.yaml' },
      values: { a: 1, strategy: { type: 'RollingUpdate' } },
      isShared: false,
    });
    const edited = holder.edit(edits);
    expect(edited).toMatchObject({
      type: 'edited',
      line: 9,
      values: { a: 1, strategy: { type: 'Recreate' } },
    });
    expect(edited).not.toHaveProperty('manifest');
    expect(holder.edit([{ path: ['a'], value: 1 }])).toMatchObject({ type: 'refusal', reason: 'as-wanted' });
  });

  it('begin where the object holds none', () => {
    const holder = holderOf('    last: 1');
    expect(holder.values).toEqual({});
    expect(holder.edit(edits)).toMatchObject({ values: { strategy: { type: 'Recreate' } } });
    expect(holderOf('    values: [a]').values).toEqual({});
  });

  it('can be set by hand, where nothing is what goes', () => {
    const snippet = valuesSnippet([...edits, { path: ['strategy', 'rollingUpdate'], value: undefined }]);
    expect(snippet.startsWith('# Helm values\n')).toBe(true);
    expect(parse(snippet)).toEqual({ strategy: { type: 'Recreate', rollingUpdate: null } });
    expect(snippet).toContain('rollingUpdate: null');
  });
});
