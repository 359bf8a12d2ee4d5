import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { GitChart } from '#src/doctor/git-edits/git-target.js';
import { chartIn } from '#src/doctor/git-edits/helm/chart-tree.js';
import { locateInChart } from '#src/doctor/git-edits/helm/locate-in-chart.js';
import { valuesOfObject } from '#src/doctor/git-edits/helm/values-file.js';
import { diffLines, shownDiff } from '#src/doctor/git-edits/line-diff.js';
import { type PullRequestFacts, pullRequestBody } from '#src/doctor/git-edits/pull-request-body.js';
import { code, say } from '#src/engine/language/prose.js';
import { type Files, locateInTree } from '../../support/edit-in-tree.js';
import { mainThreadWork } from '../../support/processor-work.js';
import { buildPatchStrategy } from '../../support/records.js';
import { statedCount } from '../../support/stated-count.js';

const about = { kind: 'HelmRelease', apiGroup: 'helm.toolkit.fluxcd.io', namespace: 'shop', name: 'api' };
const replicas = [{ path: ['spec', 'replicas'], value: 3 }];
const head =
  'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: api, namespace: shop}\nspec:\n';
const release = (values: string, more = ''): string =>
  `${head}${more}  values:\n${values.replaceAll(/^(?=.)/gmu, '    ')}`;
const template =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec:\n  replicas: {{ .Values.replicas }}\n';

const fileOf = (path: string, text: string) => ({ path, text, mode: '100644', sha: path, size: text.length });

const tell = ({ key }: { readonly key: string }) => say`[${code(key)}]`;
const factsOf = (diff: readonly string[]): PullRequestFacts => ({
  ...{ workload: 'shop/api', cluster: 'prod', remediation: buildPatchStrategy(), undoes: false },
  ...{ finding: undefined, drift: [], edit: { file: 'a.yaml', line: 1, blob: 'b', diff } },
  check: { summary: { catalogue: 'test', key: 'checked', values: {} }, reasoning: [] } as never,
});

/** The values with another number of replicas. */
const withReplicas = (object: { spec: { values?: object } }) => ({
  ...object,
  spec: { ...object.spec, values: { ...object.spec.values, replicas: 3 } },
});

/** The edit of a value of a release that this tree declares. */
function edited(files: Files, chartFiles: Files = {}) {
  const located = locateInTree(files, 'prod', about as never);
  if (located.type === 'refusal') return located;
  const chartTree = { 'Chart.yaml': 'name: web\nversion: 1.0.0\n', 'templates/a.yaml': template };
  const top = chartIn(
    Object.entries({ ...chartTree, ...chartFiles }).map(([path, text]) => fileOf(path, text)),
    '',
  );
  if ('type' in top) return top;
  const holder = { ...valuesOfObject(located, ['spec', 'values']), isFixed: false };
  const source = { repository: 'acme/deploy', branch: 'main', path: '' };
  const chart: GitChart = {
    ...{ release: { name: 'api', namespace: 'shop' }, folder: source, files: [], overrides: [] },
  };
  const live = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 1 } };
  const found = locateInChart(
    { chart, top, holders: [holder], fingerprint: [], live, changes: [] },
    { kind: 'Deployment', namespace: 'shop', name: 'api' },
  );
  return found.type === 'refusal' ? found : found.edit(replicas);
}
const inFile = (text: string) => edited({ 'prod/api.yaml': text });

const refused: readonly [string, string, string][] = [
  ['an alias on itself', release('replicas: 1\nx: &x {a: *x}\n'), 'alias'],
  ['equal keys', release('replicas: 1\nreplicas: 2\n'), 'not-yaml'],
  ['its value behind an alias', release('r: &r 1\nreplicas: *r\n'), 'alias'],
  ['deep lists', release(`replicas: 1\nx: ${'['.repeat(200)}${']'.repeat(200)}\n`), 'too-large'],
  ['lists without an end', release(`replicas: 1\nx: ${'['.repeat(100_000)}\n`), 'not-yaml'],
  ['a merge key', release('<<: {replicas: 2}\nreplicas: 1\n'), 'merge-key'],
  ['a second declaration', `${release('replicas: 1\n')}---\n${release('replicas: 1\n')}`, 'declared-twice'],
  ['a number as its values', `${head}  values: 5\n`, 'shape'],
  ['a list as its values', `${head}  values: [1]\n`, 'shape'],
  ['a text as its values', `${head}  values: "replicas: 1"\n`, 'shape'],
  ['no values', head.replace('spec:\n', 'spec: {}\n'), ''],
  ['a map in the place of a number', release('replicas: {a: 1}\n'), 'chart-expression'],
  ['a template', release('replicas: "{{ .Values.x }}"\n'), 'template'],
  ['a tag that makes a function', release('replicas: !!js/function "x"\n'), 'tag'],
  ['an encrypted text', `${release('replicas: 1\n')}sops:\n  x: 1\n`, 'encrypted'],
  ['a tab as indentation', release('replicas: 1\n\tx: 2\n'), 'not-yaml'],
  ['a number that no computer has', release(`replicas: ${'9'.repeat(400)}\n`), 'chart-expression'],
  ['a key that no text is', release('replicas: 1\n? {a: 1}\n: 2\n? [b]\n: 3\n'), ''],
];

const changed: readonly [string, string][] = [
  ['in a second document', `a: 1\n---\n${release('replicas: 1\n')}`],
  ['among names of the language', release('replicas: 1\n__proto__: {a: 1}\nconstructor: {prototype: 1}\n')],
  ['in a map in one line', `${head}  values: {replicas: 1, x: [1, 2]}\n`],
  ['in lines that end as on Windows', release('replicas: 1\n').replaceAll('\n', '\r\n')],
  ['behind a mark of the byte order', `\uFEFF${release('replicas: 1\n')}`],
  ['beside a NUL byte', release('replicas: 1\nx: "a\u0000b"\n')],
  ['beside the markup of chats', release('replicas: 1\nx: |\n  <!channel> <https://e.io|x>\n')],
  ['with values of a Secret', release('replicas: 1\n', '  valuesFrom: [{kind: Secret, name: a}]\n')],
];

describe('a HelmRelease in Git', () => {
  it('is read in as many forms as docs/security.md states', () => {
    expect(refused.length + changed.length).toBe(statedCount('HelmReleases with hostile values'));
  });

  it('is edited where its values are plain', () => {
    const result = inFile(release('replicas: 1\n'));
    expect(result).toMatchObject({ type: 'edited', text: release('replicas: 3\n') });
  });

  it.each(refused)('with %s is refused, or changed in this value alone', (_, text, reason) => {
    const result = inFile(text);
    if (result.type === 'refusal') expect(result.reason).toBe(reason);
    else {
      expect(reason).toBe('');
      expect(parse(result.text)).toEqual(withReplicas(parse(text)));
    }
  });

  it.each(changed)('is changed in nothing else %s', (_, text) => {
    const result = inFile(text);
    expect(result).toMatchObject({ type: 'edited', text: text.replace('replicas: 1', 'replicas: 3') });
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it('costs in proportion to the length of a value', async () => {
    const ofLength = (length: number) => release(`replicas: 1\nx: "${'a b '.repeat(length / 4)}"\n`);
    // The parser joins a text from characters: of longer ones the garbage collector takes most of the time.
    const [few, many] = [ofLength(12_500), ofLength(100_000)];
    const small = await mainThreadWork(() => inFile(few));
    const large = await mainThreadWork(() => inFile(many));
    expect(large / small).toBeLessThan(24);
  });
});

describe('the difference of a file in Git', () => {
  const long = `x: "${'a '.repeat(900_000)}"`;

  it('keeps a part of a line that is as long as a file', () => {
    const diff = diffLines(`${long}\nreplicas: 1\n`, `${long}\nreplicas: 3\n`);
    const shown = shownDiff(diff);
    expect(shown.slice(1, 3)).toEqual(['-replicas: 1', '+replicas: 3']);
    expect(shown[0]?.startsWith(' x: "a a ')).toBe(true);
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(1_100);
  });

  it('shows the change of a file that is one line', () => {
    const line = (count: number) =>
      `{"x":"${'a'.repeat(90_000)}","replicas":${count},"y":"${'b'.repeat(9_000)}"}`;
    const shown = shownDiff(diffLines(line(1), line(3)));
    expect(shown).toMatchObject(
      [/"replicas":1,/u, /"replicas":3,/u].map((each) => expect.stringMatching(each)),
    );
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(1_100);
  });

  it('halves no character, and shows no secret of a long line', () => {
    const wide = `${'a'.repeat(999)}${'😀'.repeat(3_000)}`;
    const shown = shownDiff(diffLines(`${wide}\na: 1\n`, `${wide}\na: 2\n`)).join('\n');
    expect(shown.isWellFormed()).toBe(true);
    const secret = `${'b '.repeat(498)}password=${['hunter', '22x'].join('')} ${'c '.repeat(900)}`;
    expect(shownDiff([{ sign: ' ', text: secret }]).join('\n')).not.toContain('hunter');
  });

  it('is shown in a pull request up to a length that hosts take, whatever is in it', () => {
    const quotes = Array.from(
      { length: 2_000 },
      (_, at) => `+a${at}: ${'` '.repeat(400)} # ${'c'.repeat(400)}`,
    );
    const { body } = pullRequestBody(factsOf(quotes), { tell: tell as never, language: 'en' });
    expect(body.length).toBeLessThan(65_536);
    expect(body).toContain('\n…\n```');
  });
});
