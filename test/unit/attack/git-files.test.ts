import { describe, expect, it } from 'vitest';
import { chartIn } from '#src/doctor/git-edits/helm/chart-tree.js';
import { documentsOf } from '#src/doctor/git-edits/helm/template-field.js';
import { templateSkeleton } from '#src/doctor/git-edits/helm/template-skeleton.js';
import { valuesFile } from '#src/doctor/git-edits/helm/values-file.js';
import { parseManifest } from '#src/doctor/git-edits/parse-manifest.js';
import { editInTree, type Files } from '../../support/edit-in-tree.js';
import { mainThreadWork } from '../../support/processor-work.js';

const deployment = (more = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\n${more}spec: {replicas: 1}\n`;
const fileOf = (path: string, text: string) => ({ path, text, mode: '100644', sha: path, size: text.length });
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');
const base = (resources: string, more = ''): Files => ({
  'prod/kustomization.yaml': `resources: [${resources}]\n${more}`,
});

/** Ways to write one map of many keys. */
const maps: readonly [string, (keys: number) => string][] = [
  ['of lines', (keys) => lines(keys, (at) => `k${at}: 1\n`)],
  ['in braces', (keys) => `{${lines(keys, (at) => `k${at}: 1, `)}}\n`],
  ['of numbers', (keys) => lines(keys, (at) => `${at}: 1\n`)],
  ['of quoted keys', (keys) => lines(keys, (at) => `"k${at}": 1\n`)],
  ['inside a list', (keys) => `- k: 1\n${lines(keys, (at) => `  k${at}: 1\n`)}`],
];

describe('a file in Git', () => {
  it.each(maps)('with a map %s costs no more than in proportion to its keys', async (_, map) => {
    const [few, many] = [map(2_000), map(16_000)];
    expect(parseManifest(many).type).toBe('parsed');
    const small = await mainThreadWork(() => parseManifest(few));
    const large = await mainThreadWork(() => parseManifest(many));
    // Eight times the keys. Comparing every two of them is 64 times the work.
    expect(large / small).toBeLessThan(24);
  });

  it.each([
    ['twice', 'a: 1\nb: 2\na: 3\n', 3],
    ['twice in braces', 'x: {a: 1, b: 2, a: 3}\n', 1],
    ['twice, once in quotes', 'a: 1\n"a": 2\n', 2],
    ['twice in a list', '- a: 1\n  a: 2\n', 2],
    ['twice as a number', '1: a\n1: b\n', 2],
  ])('that has a key %s is refused', (_, text, line) => {
    expect(parseManifest(text)).toEqual({ type: 'refusal', reason: 'not-yaml', line });
  });

  it.each([
    ['a number and a text', '1: a\n"1": b\n'],
    ['in two maps', 'a: {x: 1}\nb: {x: 1}\n'],
    ['in two documents', 'a: 1\n---\na: 2\n'],
    ['an anchor of the same name twice', 'a: &x [1]\nb: &x [*x]\nc: *x\n'.replace('[*x]', '[2]')],
    ['an alias to a closed anchor', 'a: &x {b: 1}\nc: *x\nd: [*x, *x]\n'],
  ])('that has %s is read', (_, text) => {
    expect(parseManifest(text).type).toBe('parsed');
  });

  const documents = (count: number): string => 'a: 1\n---\n'.repeat(count);

  it.each([
    ['empty documents', '---\n'.repeat(5_001), 5_001],
    ['documents', documents(5_001), 10_002],
    ['ends of documents', 'a: 1\n...\n'.repeat(200_000), 10_002],
  ])('with more %s than people write is refused before it is parsed', (_, text, line) => {
    expect(parseManifest(text)).toEqual({ type: 'refusal', reason: 'too-large', line });
    expect(editInTree({ 'prod/api.yaml': `${deployment()}---\n${text}` }, 'prod')).toMatchObject({
      reason: 'too-large',
      file: 'prod/api.yaml',
    });
    expect(valuesFile(fileOf('values.yaml', text))).toMatchObject({ reason: 'too-large' });
  });

  it('with 5,000 marks of documents is read', () => {
    expect(parseManifest(documents(5_000))).toMatchObject({ type: 'parsed', documents: { length: 5_001 } });
  });

  const onItself: readonly [string, string][] = [
    ['a map in itself', 'metadata2: &x {a: *x}\n'],
    ['a list in itself', 'a: &x [1, *x]\n'],
    ['two maps in each other', 'a: &x\n  b: &y\n    c: *x\n'],
    ['a key of itself', 'a: &x {? *x : 1}\n'],
    ['an anchor that is open again', 'a: &x 1\nb: &x [*x]\n'],
  ];

  it.each(onItself)('with an alias that puts %s is refused wherever it is', (_, text) => {
    expect(parseManifest(text)).toMatchObject({ reason: 'alias' });
    expect(editInTree({ 'prod/api.yaml': deployment(text) }, 'prod')).toMatchObject({
      reason: 'alias',
      file: 'prod/api.yaml',
    });
    const built = { ...base('api.yaml'), 'prod/api.yaml': deployment(text) };
    expect(editInTree(built, 'prod')).toMatchObject({ reason: 'alias', file: 'prod/api.yaml' });
    const patched = { ...base('api.yaml', 'patches: [{path: p.yaml}]\n'), 'prod/p.yaml': deployment(text) };
    expect(editInTree({ ...patched, 'prod/api.yaml': deployment() }, 'prod')).toMatchObject({
      type: 'refusal',
    });
    const kustomization = { ...base('api.yaml', text), 'prod/api.yaml': deployment() };
    expect(editInTree(kustomization, 'prod')).toMatchObject({ type: 'refusal' });
    expect(valuesFile(fileOf('values.yaml', text))).toMatchObject({ reason: 'alias', file: 'values.yaml' });
    const chart = [fileOf('Chart.yaml', 'name: web\nversion: 1.0.0\n'), fileOf('values.yaml', text)];
    expect(chartIn(chart, '')).toMatchObject({ reason: 'alias', file: 'values.yaml' });
  });

  it.each([
    ['lists', `a: ${'['.repeat(200)}${']'.repeat(200)}\n`],
    ['maps', `a: ${'{b: '.repeat(200)}1${'}'.repeat(200)}\n`],
    ['lists without an end', `a: ${'['.repeat(100_000)}`],
    ['aliases', lines(200, (at) => (at === 0 ? 'a0: &a0 [1]\n' : `a${at}: &a${at} [*a${at - 1}]\n`))],
  ])('with deeply nested %s is refused', (_, text) => {
    expect(parseManifest(text)).toMatchObject({ type: 'refusal' });
    expect(editInTree({ 'prod/api.yaml': deployment(text) }, 'prod')).toMatchObject({ type: 'refusal' });
  });

  const named: readonly [string, (name: string) => Files][] = [
    [
      'the name of a workload',
      (name) => ({ 'prod/api.yaml': deployment().replace('name: api', `name: ${name}`) }),
    ],
    ['its namespace', (name) => ({ 'prod/api.yaml': deployment().replace('shop', name) })],
    [
      'its namespace in a build',
      (name) => ({ ...base('api.yaml'), 'prod/api.yaml': deployment().replace('shop', name) }),
    ],
    [
      'its name in a build',
      (name) => ({
        ...base('api.yaml'),
        'prod/api.yaml': deployment().replace('name: api', `name: ${name}`),
      }),
    ],
    [
      'the namespace of a patch',
      (name) => ({
        ...base('api.yaml', 'patches: [{path: p.yaml}]\n'),
        'prod/api.yaml': deployment(),
        'prod/p.yaml': deployment().replace('shop', name),
      }),
    ],
    [
      'a name that a patch sets',
      (name) => ({
        ...base(
          'api.yaml',
          `namePrefix: a-\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: replace, path: /metadata/name, value: ${name}}\n`,
        ),
        'prod/api.yaml': deployment(),
      }),
    ],
  ];

  it.each(named)('with a map that cannot become a text as %s is refused', (_, tree) => {
    expect(editInTree(tree('{toString: 1}'), 'prod')).toMatchObject({ type: 'refusal' });
  });

  it('with aliases that stand for more values than are read is refused', () => {
    const bombs = lines(8, (at) =>
      at === 0
        ? 'a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n'
        : `a${at}: &a${at} [${lines(9, () => `*a${at - 1}, `)}]\n`,
    );
    expect(parseManifest(bombs)).toMatchObject({ reason: 'too-large' });
    expect(editInTree({ 'prod/api.yaml': deployment(bombs) }, 'prod')).toMatchObject({ reason: 'too-large' });
  });
});

describe('a chart in Git', () => {
  const chartOf = (template: string, more: readonly ReturnType<typeof fileOf>[] = []) => {
    const about = fileOf('Chart.yaml', 'name: web\nversion: 1.0.0\n');
    return chartIn([about, fileOf('templates/a.yaml', template), ...more], '');
  };
  const nested = (depth: number): string =>
    `${deployment()}${'{{ if .Values.a }}\nx: y\n'.repeat(depth)}${'{{ end }}\n'.repeat(depth)}`;

  it('with more nested conditions than a person writes may render anything', () => {
    // Each part of a template keeps the conditions around it: the work would grow with the square.
    expect(templateSkeleton(nested(100))).toBeDefined();
    expect(templateSkeleton(nested(101))).toBeUndefined();
  });

  it('with more documents in a template than people write may render anything', () => {
    const template = (count: number) => documentsOf(templateSkeleton(`${deployment()}---\n`.repeat(count)));
    expect(template(5_001)).toEqual([{ type: 'unknown', source: 0, isWritten: false }]);
    expect(template(50).map(({ type }) => type)).toEqual(Array(50).fill('document'));
  });

  it('with more rules of files to leave out than are compared is refused', () => {
    const rules = (count: number) => [
      fileOf(
        '.helmignore',
        lines(count, (at) => `a*b*${at}\n`),
      ),
    ];
    expect(chartOf(deployment(), rules(201))).toMatchObject({ reason: 'too-large', file: '.helmignore' });
    expect(chartOf(deployment(), rules(200))).toMatchObject({ templates: [{ path: 'templates/a.yaml' }] });
    const comments = [fileOf('.helmignore', '# a\n\n!b\n'.repeat(1_000))];
    expect(chartOf(deployment(), comments)).toMatchObject({ templates: [{ path: 'templates/a.yaml' }] });
  });
});

describe('a tree of many patches', () => {
  // Each patch can be edited, and none of the edits has an effect: the last patch decides. So the next place
  // is tried.
  const patch = (at: number): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop, annotations: {n${at}: a}}\nspec:\n  strategy: {type: Recreate}\n`;
  const last =
    '- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/strategy, value: {type: Recreate}}\n';
  const treeOf = (patches: number): Files => ({
    ...base('api.yaml, more.yaml', `patches:\n${lines(patches, (at) => `- path: p${at}.yaml\n`)}${last}`),
    'prod/api.yaml': deployment(),
    'prod/more.yaml': lines(
      800,
      (at) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${at}}\ndata: {a: b}\n---\n`,
    ),
    ...Object.fromEntries(Array.from({ length: patches }, (_, at) => [`prod/p${at}.yaml`, patch(at)])),
  });

  it('costs little more than reading it once', async () => {
    const tree = treeOf(8);
    const once = await mainThreadWork(() => parseManifest(tree['prod/more.yaml'] ?? ''));
    const all = await mainThreadWork(() => editInTree(tree, 'prod'), 2);
    // Each of about 25 places was two builds, and each build read every file.
    expect(all / once).toBeLessThan(24);
  });

  it('is refused as too large where more places would have to be tried than are tried', () => {
    expect(editInTree({ ...treeOf(200), 'prod/more.yaml': '' }, 'prod')).toMatchObject({
      reason: 'too-large',
      file: 'prod/kustomization.yaml',
    });
  });
});
