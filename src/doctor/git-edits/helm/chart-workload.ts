import { isMap, isScalar } from 'yaml';
import { isObject, type JsonObject } from '../../../engine/objects/wire.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { GitChart, TreeFile } from '../git-target.js';
import { valueAt } from '../kustomize/transform.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import { type Chart, chartsOf } from './chart-tree.js';
import { documentsOf, entriesOf, type TemplateDocument } from './template-field.js';
import type { Block, Helper, Piece, Skeleton } from './template-skeleton.js';
import { hasMark, templateSkeleton } from './template-skeleton.js';
import { overlaps, simpleValue, type ValuePath, valuesMentioned } from './value-expression.js';

/** The one document of a release that renders the workload. */
export interface ChartWorkload {
  readonly type: 'workload';
  readonly chart: Chart;
  readonly file: TreeFile;
  readonly document: TemplateDocument;
}

export function templatesOf(top: Chart): readonly ChartTemplate[] {
  return chartsOf(top).flatMap((chart) =>
    chart.templates.map((file) => ({ chart, file, skeleton: templateSkeleton(file.text) })),
  );
}

/** @param given values of the release, without the defaults of its charts */
export function findChartWorkload(
  { top, templates, given }: { top: Chart; templates: readonly ChartTemplate[]; given: JsonObject },
  { release, overrides }: Pick<GitChart, 'release' | 'overrides'>,
  workload: Omit<WorkloadRef, 'cluster'>,
): ChartWorkload | GitRefusal {
  const helpers = templates.flatMap(({ skeleton }) => skeleton?.helpers ?? []);
  const found: ChartWorkload[] = [];
  const unknown: GitRefusal[] = [];
  for (const { chart, file, skeleton } of templates) {
    if (/(?:^|\/)_[^/]*$/u.test(file.path)) continue;
    const values = valuesOfChart(chart, top, given);
    const isOverridden = (path: ValuePath): boolean =>
      overrides.some((each) => overlaps(each.path, [...chart.key, ...path]));
    const sources = { release, chartName: chart.name, values, isOverridden, helpers };
    for (const document of documentsOf(skeleton)) {
      const at = (offset: number): GitRefusal => ({
        ...gitRefusal('chart-name', lineIn(file.text, offset)),
        file: file.path,
      });
      if (document.type === 'unknown') {
        if (document.isWritten || file.text.includes(workload.kind)) unknown.push(at(document.source));
        continue;
      }
      const match = matchOf(document, sources, workload);
      if (match === 'same') found.push({ type: 'workload', chart, file, document });
      if (match === 'unknown') unknown.push(at(document.blocks.at(-1)?.start ?? sourceOf(document)));
    }
  }
  const [only, second] = found;
  if (second !== undefined) {
    return {
      ...gitRefusal('declared-twice', lineIn(second.file.text, sourceOf(second.document))),
      file: second.file.path,
    };
  }
  const [first] = unknown;
  const missing = chartsOf(top).flatMap((chart) => chart.missing);
  const elsewhere =
    first ??
    (missing.length === 0
      ? undefined
      : { ...gitRefusal('chart-dependency'), file: top.folder, detail: missing.join(', ') });
  if (only === undefined) {
    return elsewhere ?? { ...gitRefusal('not-declared'), ...(top.folder === '' ? {} : { file: top.folder }) };
  }
  // A document under a condition may be left out, and another one may render the workload in its place.
  return only.document.blocks.length > 0 ? (elsewhere ?? only) : only;
}

function matchOf(
  { contents, skeleton }: TemplateDocument,
  sources: NameSources,
  workload: Omit<WorkloadRef, 'cluster'>,
): 'same' | 'other' | 'unknown' {
  /** `null` where there is none, `undefined` where it is not known. */
  const textAt = (map: unknown, key: string): string | null | undefined => {
    const [entry, second] = isMap(map) ? entriesOf(map, key) : [];
    // What an action inserts may be the key.
    if (entry === undefined)
      return isMap(map) && map.items.some((each) => hasMark(String(each.key))) ? undefined : null;
    const { value } = entry;
    if (second !== undefined || !isScalar(value)) return undefined;
    const text = String(value.value);
    return hasMark(text) ? nameIn(text, skeleton.pieces, sources) : text;
  };
  const kind = textAt(contents, 'kind');
  if (kind !== undefined && kind !== workload.kind) return 'other';
  const version = textAt(contents, 'apiVersion');
  if (version?.startsWith('apps/') === false) return 'other';
  const [metadata, second] = entriesOf(contents, 'metadata');
  if (metadata === undefined || second !== undefined) return 'unknown';
  const name = textAt(metadata.value, 'name');
  if (name !== undefined && name !== workload.name) return 'other';
  const written = textAt(metadata.value, 'namespace');
  const within = written === null ? sources.release.namespace || undefined : written;
  if (within !== undefined && within !== workload.namespace) return 'other';
  return kind === undefined || name === undefined || within === undefined ? 'unknown' : 'same';
}

function sourceOf({ skeleton, contents }: TemplateDocument): number {
  const offset = contents.range?.[0] ?? 0;
  return skeleton.pieces.find(({ end }) => end > offset)?.source ?? 0;
}

/** Line of an offset, from 1. */
export function lineIn(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** What names of objects of a release are made of. */
interface NameSources {
  readonly release: { readonly name: string; readonly namespace: string };
  /** Its alias, for a chart that another one depends on. */
  readonly chartName: string;
  readonly values: unknown;
  /** Whether something sets a value, or a part of it, that is not read. */
  readonly isOverridden: (path: ValuePath) => boolean;
  /** Of all charts that are rendered together. */
  readonly helpers: readonly Helper[];
}

/** As `helm create` writes them since Helm 3.0 (helm `pkg/chart/v2/util/create.go: defaultHelpers`). */
const trimmed = '| trunc 63 | trimSuffix "-"';
const nameHelper = `{{default .Chart.Name .Values.nameOverride ${trimmed}}}`;
const fullNameHelper = [
  '{{if .Values.fullnameOverride}}',
  `{{.Values.fullnameOverride ${trimmed}}}`,
  '{{else}}',
  '{{$name := default .Chart.Name .Values.nameOverride}}',
  '{{if contains $name .Release.Name}}',
  `{{.Release.Name ${trimmed}}}`,
  '{{else}}',
  `{{printf "%s-%s" .Release.Name $name ${trimmed}}}`,
  '{{end}}',
  '{{end}}',
].join('');

/**
 * A name or namespace with the outputs of a template in it; `undefined` where one of them is neither of the
 * release, nor a simple value, nor a helper as `helm create` writes it.
 *
 * @param text with marks
 */
function nameIn(text: string, pieces: readonly Piece[], sources: NameSources): string | undefined {
  let isKnown = true;
  const name = text.replace(/\uE000(\d+)\uE001/gu, (_, number: string) => {
    const piece = pieces[Number(number)];
    const part = piece?.output && partOf(piece.output.stages, piece.blocks, sources);
    if (part === undefined) isKnown = false;
    return part ?? '';
  });
  return isKnown && /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/u.test(name) ? name : undefined;
}

function partOf(
  stages: readonly string[],
  blocks: readonly Block[],
  sources: NameSources,
): string | undefined {
  const value = simpleValue(stages, blocks);
  if (value !== undefined) {
    const isKnown = value.as !== 'yaml' && !sources.isOverridden(value.path);
    const found = isKnown ? valueAt(sources.values, value.path) : undefined;
    return typeof found === 'string' ? found : undefined;
  }
  const [first = '', ...more] = stages;
  if (more.length > 1 || (more.length === 1 && more[0] !== 'quote')) return undefined;
  const isInWith = blocks.some(({ keyword }) => keyword === 'with' || keyword === 'range');
  const [, root, named] = /^(\$?)\.(Release\.Name|Release\.Namespace|Chart\.Name)$/u.exec(first) ?? [];
  if (named !== undefined) {
    if (root === '' && isInWith) return undefined;
    const { release, chartName } = sources;
    return { 'Release.Name': release.name, 'Release.Namespace': release.namespace }[named] ?? chartName;
  }
  const [, helper, context] = /^include\s+"([^"]{1,200})"\s+(\.|\$)$/u.exec(first) ?? [];
  if (helper === undefined || (context === '.' && isInWith)) return undefined;
  return helperName(helper, sources);
}

function helperName(name: string, sources: NameSources): string | undefined {
  const { helpers, chartName, release } = sources;
  const [helper, second] = helpers.filter((each) => each.name === `"${name}"`);
  if (helper === undefined || second !== undefined) return undefined;
  const short = overrideIn(sources, 'nameOverride') ?? chartName;
  if (helper.body === nameHelper) return cut(short);
  if (helper.body !== fullNameHelper) return undefined;
  const full = overrideIn(sources, 'fullnameOverride');
  if (full !== undefined) return cut(full);
  return cut(release.name.includes(short) ? release.name : `${release.name}-${short}`);
}

function overrideIn({ values, isOverridden }: NameSources, key: string): string | undefined {
  const value = isOverridden([key]) ? false : valueAt(values, [key]);
  if (value === undefined || value === null || value === '') return undefined;
  // A name that is no text cannot be a name of an object.
  return typeof value === 'string' ? value : '\0';
}

function cut(name: string): string {
  const short = name.slice(0, 63);
  return short.endsWith('-') ? short.slice(0, -1) : short;
}

/** A template of a release. */
export interface ChartTemplate {
  readonly chart: Chart;
  readonly file: TreeFile;
  /** Absent for one that is not understood. */
  readonly skeleton: Skeleton | undefined;
}

/** Where a field reads its values. */
interface OwnReads {
  readonly file: string;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
}

/**
 * Where the templates of a release read a value beside one field: changing it would change other objects too.
 * A helper may be called with the values of any chart, so its names count for all of them.
 *
 * @param path in the values of the outermost chart
 */
export function otherRead(
  templates: readonly ChartTemplate[],
  path: ValuePath,
  own: OwnReads,
): { readonly file: TreeFile; readonly offset: number } | undefined {
  const keys = [...new Set(templates.map(({ chart }) => chart.key))];
  for (const { chart, file, skeleton } of templates) {
    if (skeleton === undefined) {
      if (file.text.includes('.Values')) return { file, offset: file.text.indexOf('.Values') };
      continue;
    }
    for (const { code, start, isInHelper } of skeleton.actions) {
      // A variable may be read anywhere.
      const isOwn = file.path === own.file && start >= own.start && start <= own.end && !code.startsWith('$');
      if (isOwn) continue;
      const seenBy = isInHelper ? keys : [chart.key];
      const reads = valuesMentioned(code).some((mentioned) =>
        mentioned[0] === 'global'
          ? overlaps(mentioned, path)
          : seenBy.some((key) => overlaps([...key, ...mentioned], path)),
      );
      if (reads) return { file, offset: start };
    }
  }
  return undefined;
}

/**
 * Values of a release, as Helm lays later ones over earlier ones: maps are merged, everything else is
 * replaced, and `null` stays (helm `pkg/cli/values/options.go: mergeMaps`).
 */
export function mergedValues(layers: readonly JsonObject[]): JsonObject {
  return layers.reduce<JsonObject>((under, over) => merged(under, over), {});
}

function merged(under: JsonObject, over: JsonObject): JsonObject {
  const result = own(under);
  for (const [key, value] of Object.entries(over)) {
    const before = result.get(key);
    result.set(key, isObject(before) && isObject(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(result);
}

/**
 * The values that the templates of a chart see; charts see their own part of the values of the chart above
 * them.
 */
export function valuesOfChart(chart: Chart, top: Chart, given: JsonObject): JsonObject {
  const above = chartsOf(top).filter(({ key }) => key.every((name, at) => chart.key[at] === name));
  return above.reduce<JsonObject>((values, { key, values: defaults }) => {
    const name = key.at(-1);
    const part = name === undefined ? values : values[name];
    return coalesced(isObject(part) ? part : {}, defaults);
  }, given);
}

/**
 * Values over the defaults of a chart: a `null` takes the default away (helm
 * `pkg/chart/common/util/coalesce.go`).
 */
function coalesced(values: JsonObject, defaults: JsonObject): JsonObject {
  const result = own(values);
  for (const [key, byDefault] of Object.entries(defaults)) {
    const given = result.get(key);
    if (!result.has(key)) result.set(key, byDefault);
    else if (given === null) result.delete(key);
    else if (isObject(given) && isObject(byDefault)) result.set(key, coalesced(given, byDefault));
  }
  return Object.fromEntries(result);
}

function own(values: JsonObject): Map<string, unknown> {
  return new Map(Object.entries(values));
}

/** Whether these values say anything about a value, or about one that holds it. */
export function declaresValue(values: JsonObject, path: ValuePath): boolean {
  let value: unknown = values;
  for (const key of path) {
    if (!isObject(value)) return true;
    if (!Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}

/** Whether a map on the way to a value takes entries from another one by `<<`, which is not followed. */
export function hasMergeKey(values: JsonObject, path: ValuePath): boolean {
  let value: unknown = values;
  for (const key of [...path, undefined]) {
    if (!isObject(value)) return false;
    if (Object.hasOwn(value, '<<')) return true;
    if (key !== undefined) value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return false;
}
