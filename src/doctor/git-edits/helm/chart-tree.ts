import { isObject, type JsonObject } from '../../../engine/objects/wire.js';
import { matchesAny } from '../../policy/weekly-windows.js';
import { maxFileBytes, tooLargeTogether } from '../find-declaration.js';
import type { TreeEntry, TreeFile } from '../git-target.js';
import { dataOf, parseManifest } from '../parse-manifest.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';

/** A chart in a tree, with the charts in its `charts` folder. */
export interface Chart {
  readonly folder: string;
  /** Its alias, where another chart depends on it. */
  readonly name: string;
  readonly version: string;
  /** Where the values of the outermost chart hold its own. */
  readonly key: readonly string[];
  readonly valuesFile: TreeFile | undefined;
  readonly values: JsonObject;
  readonly templates: readonly TreeFile[];
  readonly hasSchema: boolean;
  readonly charts: readonly Chart[];
  /** Names, in its values, of charts that it depends on and that the tree does not have. */
  readonly missing: readonly string[];
}

const read =
  /^(?:charts\/[^/]+\/)*(?:Chart\.yaml|values\.yaml|values\.schema\.json|requirements\.yaml|templates\/.+)$/u;

/** With the charts that it depends on, each as often as it has an alias. */
const maxCharts = 60;

/** The files of a chart that decide what it renders; or why they are not read. */
export function filesOfChart(tree: readonly TreeEntry[], folder: string): readonly TreeEntry[] | GitRefusal {
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = tree.filter(({ path }) => path.startsWith(prefix));
  const submodule = below.find(({ mode }) => mode === '160000');
  if (submodule !== undefined) return { ...gitRefusal('submodule'), file: submodule.path };
  const symlink = below.find(({ mode }) => mode === '120000');
  if (symlink !== undefined) return { ...gitRefusal('symlink'), file: symlink.path };
  const entries = below.filter(({ path, mode }) => {
    const within = path.slice(prefix.length);
    return mode.startsWith('100') && (within === '.helmignore' || read.test(within));
  });
  const large = entries.find(({ size = 0 }) => size > maxFileBytes);
  if (large !== undefined) return { ...gitRefusal('too-large'), file: large.path };
  return tooLargeTogether(entries, folder) ?? entries;
}

/** @param files of `filesOfChart` */
export function chartIn(files: readonly TreeFile[], folder: string): Chart | GitRefusal {
  const prefix = folder === '' ? '' : `${folder}/`;
  const ignore = files.find(({ path }) => path === `${prefix}.helmignore`);
  const rules = rulesIn(ignore?.text ?? '');
  if (rules.length > maxRules) return { ...gitRefusal('too-large'), file: `${prefix}.helmignore` };
  const kept = files.filter(({ path }) => !isIgnored(path.slice(prefix.length), rules));
  return chartAt(kept, { folder, name: undefined, key: [] });
}

interface ChartPlace {
  readonly folder: string;
  /** Of the dependency, where it has an alias. */
  readonly name: string | undefined;
  readonly key: readonly string[];
}

function chartAt(files: readonly TreeFile[], { folder, name, key }: ChartPlace): Chart | GitRefusal {
  const prefix = folder === '' ? '' : `${folder}/`;
  const fileAt = (path: string): TreeFile | undefined =>
    files.find((each) => each.path === `${prefix}${path}`);
  const about = fileAt('Chart.yaml');
  if (about === undefined) return { ...gitRefusal('chart-form'), file: `${prefix}Chart.yaml` };
  const described = objectIn(about);
  if (described.type === 'refusal') return described;
  const { data } = described;
  const valuesFile = fileAt('values.yaml');
  const values = valuesFile === undefined ? { data: {} } : objectIn(valuesFile);
  if ('type' in values && values.type === 'refusal') return values;
  const older = fileAt('requirements.yaml');
  if (older !== undefined) return { ...gitRefusal('chart-form'), file: older.path };
  const dependencies = (Array.isArray(data.dependencies) ? data.dependencies : []).filter(isObject);
  if (dependencies.some((each) => each['import-values'] !== undefined)) {
    return { ...gitRefusal('chart-form'), file: about.path, detail: 'import-values' };
  }
  const folders = [...new Set(files.flatMap(({ path }) => chartFolder(path, prefix) ?? []))];
  const charts: Chart[] = [];
  const found = new Set<unknown>();
  for (const each of folders) {
    const own = files.find(({ path }) => path === `${each}/Chart.yaml`);
    const read = own && objectIn(own);
    if (read === undefined || read.type === 'refusal') continue;
    const named = dependencies.filter((dependency) => dependency.name === read.data.name);
    found.add(read.data.name);
    for (const { alias } of named.length === 0 ? [{ alias: undefined }] : named) {
      const as = textOr(alias, textOr(read.data.name, ''));
      const chart = chartAt(files, { folder: each, name: as, key: [...key, as] });
      if ('type' in chart) return chart;
      charts.push(chart);
      if (charts.flatMap(chartsOf).length > maxCharts) return { ...gitRefusal('too-many-files'), file: each };
    }
  }
  return {
    folder,
    key,
    name: name ?? textOr(data.name, ''),
    version: textOr(data.version, ''),
    valuesFile,
    values: values.data,
    templates: files.filter(({ path }) => path.startsWith(`${prefix}templates/`) && isRendered(path)),
    hasSchema: fileAt('values.schema.json') !== undefined,
    charts,
    missing: dependencies.flatMap((each) =>
      found.has(each.name) ? [] : [textOr(each.alias, textOr(each.name, ''))],
    ),
  };
}

/** The folder of the chart in `charts` to which a file belongs. */
function chartFolder(path: string, prefix: string): string | undefined {
  const [charts, name] = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : [];
  const isChart = charts === 'charts' && name !== undefined && !/^[._]/u.test(name);
  return isChart ? `${prefix}charts/${name}` : undefined;
}

/** Helm prints `NOTES.txt` and applies nothing of it. */
function isRendered(path: string): boolean {
  return !path.endsWith('/NOTES.txt');
}

/** The data of a file with one document, none where it is empty; Helm reads no second one. */
export function objectIn(
  file: TreeFile,
): { readonly type: 'object'; readonly data: JsonObject } | GitRefusal {
  const parsed = parseManifest(file.text);
  if (parsed.type === 'refusal') return { ...parsed, file: file.path };
  const [document, second] = parsed.documents;
  const data = document === undefined ? {} : dataOf(document);
  if (data === undefined) return { ...gitRefusal('alias'), file: file.path };
  return second === undefined && (data === null || isObject(data))
    ? { type: 'object', data: data ?? {} }
    : { ...gitRefusal('shape'), file: file.path };
}

/** Each is compared with every folder of every file. `helm create` writes twenty. */
const maxRules = 200;

/** The rules of `.helmignore`; those that take files back in count as none. */
function rulesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const rule = line.trim().replace(/^\//u, '').replace(/\/$/u, '');
    return rule === '' || rule.startsWith('#') || rule.startsWith('!') || rule.length > 200 ? [] : [rule];
  });
}

/** Whether a rule leaves a file out. */
function isIgnored(path: string, rules: readonly string[]): boolean {
  return rules.some((rule) => {
    if (rule.includes('/')) return matchesAny([rule, `${rule}/*`], path);
    return path.split('/').some((name) => matchesAny([rule], name));
  });
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** A chart and all below it. */
export function chartsOf(chart: Chart): readonly Chart[] {
  return [chart, ...chart.charts.flatMap(chartsOf)];
}
