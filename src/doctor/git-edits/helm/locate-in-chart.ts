import type { JsonObject } from '../../../engine/objects/wire.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import { stepsOf } from '../../../engine/owners/field-drift.js';
import { canonicalJson, type FieldChange } from '../../fixes/plan.js';
import type { FieldEdit } from '../edit-manifest.js';
import { withField } from '../edit-manifest.js';
import type { GitChart, TreeFile } from '../git-target.js';
import { valueAt } from '../kustomize/transform.js';
import type { Located, LocatedEdit } from '../located.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import { type Chart, chartsOf } from './chart-tree.js';
import {
  type ChartTemplate,
  type ChartWorkload,
  declaresValue,
  findChartWorkload,
  hasMergeKey,
  lineIn,
  mergedValues,
  otherRead,
  templatesOf,
  valuesOfChart,
} from './chart-workload.js';
import { type RenderedField, renderField } from './render-field.js';
import { type FieldNode, fieldIn, type TemplateField } from './template-field.js';
import { overlaps, type ValuePath } from './value-expression.js';
import { type ValuesHolder, valuesSnippet } from './values-file.js';

/** A release as Git declares it. */
export interface ChartRelease {
  readonly chart: GitChart;
  readonly top: Chart;
  /**
   * Of the release, the one that counts most last. Those with `isFixed` are in another repository, and stay.
   */
  readonly holders: readonly (ValuesHolder & { readonly isFixed: boolean })[];
  /** The files of the chart with what they hold. */
  readonly fingerprint: unknown;
  /** The workload in the cluster, as a manifest. */
  readonly live: JsonObject;
  readonly changes: readonly FieldChange[];
}

/** A workload that a chart renders, and the edit of the values that decide. */
export function locateInChart(
  release: ChartRelease,
  workload: Omit<WorkloadRef, 'cluster'>,
): Located | GitRefusal {
  const { top, chart, holders } = release;
  const templates = templatesOf(top);
  const given = mergedValues(holders.map(({ values }) => values));
  const found = findChartWorkload({ top, templates, given }, chart, workload);
  if (found.type === 'refusal') return found;
  const { file } = found;
  const line = lineIn(file.text, found.document.skeleton.pieces[0]?.source ?? 0);
  return {
    type: 'located',
    file,
    line,
    fingerprint: canonicalJson([release.fingerprint, holders.map((each) => [each.file.path, each.file.sha])]),
    values: {},
    sources: [],
    origin: { type: 'chart' },
    edit: (edits) => editedChart({ ...release, templates, found }, edits),
    restoreTemplate: () => ({ ...gitRefusal('chart-roll-back'), file: file.path }),
  };
}

type Subject = ChartRelease & { readonly templates: readonly ChartTemplate[]; readonly found: ChartWorkload };

/** A field that the template sets as a whole, the values for the wanted edits, and what must come of them. */
interface PlannedField {
  readonly path: readonly string[];
  readonly field: TemplateField;
  readonly wanted: unknown;
  /** In the values of the outermost chart. */
  readonly edits: readonly FieldEdit[];
}

function editedChart(subject: Subject, edits: readonly FieldEdit[]): LocatedEdit | GitRefusal {
  const planned: PlannedField[] = [];
  for (const path of fieldsOf(edits)) {
    const each = plannedField(subject, path, edits);
    if (each.type === 'refusal') return each;
    planned.push(each.planned);
  }
  const valueChanges = planned.flatMap((each) => each.edits);
  const { found } = subject;
  const [first] = planned;
  if (first === undefined || valueChanges.length === 0) {
    return {
      ...gitRefusal('as-wanted', first && lineIn(found.file.text, first.field.source)),
      file: found.file.path,
    };
  }
  const refused = (refusal: GitRefusal): GitRefusal => ({ ...refusal, snippet: valuesSnippet(valueChanges) });
  const problem = problemOf(subject, planned, valueChanges);
  if (problem !== undefined) return refused(problem);
  let refusal: GitRefusal = {
    ...gitRefusal('chart-overridden'),
    detail: nameOf(valueChanges[0]?.path ?? []),
  };
  for (const holder of holdersFor(subject, planned)) {
    for (const wanted of formsOf(valueChanges, subject)) {
      const edited = holder.edit(wanted);
      if (edited.type === 'refusal') {
        refusal = edited;
        continue;
      }
      const unproven = unprovenBecause(subject, planned, { holder, values: edited.values });
      if (unproven !== undefined) {
        const detail = unproven === 'chart-overridden' ? nameOf(wanted[0]?.path ?? []) : first.path.join('.');
        refusal = { ...gitRefusal(unproven, edited.line), file: edited.file.path, detail };
        continue;
      }
      const { values: _values, ...rest } = edited;
      return {
        ...rest,
        manifest: manifestWith(subject, planned),
        value: {
          name: namesIn(subject, planned).join(', '),
          field: planned.map(({ path }) => path.join('.')).join(', '),
          template: found.file.path,
          line: lineIn(found.file.text, first.field.source),
          isShared: holder.isShared,
        },
      };
    }
  }
  return refused(refusal);
}

/** The fields that templates set as a whole: those of `spec`, and of the pod. */
function fieldsOf(edits: readonly FieldEdit[]): readonly (readonly string[])[] {
  const paths = edits.map(({ path }) => path.slice(0, path[1] === 'template' ? 4 : 2));
  return paths.filter((path, at) => paths.findIndex((each) => each.join('.') === path.join('.')) === at);
}

function plannedField(
  { found, top, holders, changes }: Subject,
  path: readonly string[],
  edits: readonly FieldEdit[],
): { readonly type: 'planned'; readonly planned: PlannedField } | GitRefusal {
  const { chart, document, file } = found;
  const refused = (reason: GitRefusal['reason'], source: number): GitRefusal => ({
    ...gitRefusal(reason, lineIn(file.text, source)),
    file: file.path,
    detail: path.join('.'),
  });
  const field = fieldIn(document, path);
  if (field.type === 'opaque') return refused(`chart-${field.because}`, field.source);
  const values = valuesOfChart(chart, top, mergedValues(holders.map((each) => each.values)));
  const present = renderField(field, values);
  if (present.type === 'unknown') return refused('chart-expression', field.source);
  const differs = changes.some(({ path: name, before, after }) => {
    const steps = stepsOf(name);
    if (!path.every((step, at) => steps[at] === step)) return false;
    const declared = valueAt(present.data, steps.slice(path.length));
    const isSingle = declared !== undefined && (typeof declared !== 'object' || declared === null);
    // What Git has already is not applied yet.
    return isSingle && before !== undefined && declared !== before && declared !== after;
  });
  if (differs) return refused('chart-live', field.source);
  const below = edits
    .filter((edit) => path.every((name, at) => edit.path[at] === name))
    .map((edit) => ({ path: edit.path.slice(path.length), value: edit.value }));
  const wanted = below.reduce<unknown>(
    (data, edit) => withField(data, edit.path, edit.value ?? undefined),
    present.data,
  );
  const named = valueEdits(field.node, below, present);
  if (named === undefined) return refused('chart-not-exposed', field.source);
  const placed = named.map((edit) => ({ ...edit, path: inTop(found, edit.path) }));
  return { type: 'planned', planned: { path, field, wanted, edits: placed } };
}

/** Why these values must not be changed, whatever file holds them. */
function problemOf(
  { chart: { overrides }, found, top, templates, holders }: Subject,
  planned: readonly PlannedField[],
  edits: readonly FieldEdit[],
): GitRefusal | undefined {
  const { chart, file } = found;
  const schema = chartsOf(top).find(({ hasSchema, key }) => hasSchema && isAbove(key, chart.key));
  if (schema !== undefined)
    return {
      ...gitRefusal('chart-schema'),
      file: [schema.folder, 'values.schema.json'].filter((each) => each !== '').join('/'),
    };
  const missing = chartsOf(top).flatMap((each) => each.missing.map((name) => [...each.key, name]));
  const helper = missing.length === 0 ? undefined : unknownHelper(templates);
  for (const { path } of edits) {
    const isOfMissing =
      missing.some((name) => overlaps(name, path)) || (missing.length > 0 && path[0] === 'global');
    if (helper !== undefined || isOfMissing) {
      const detail = missing.map(nameOf).join(', ');
      return { ...gitRefusal('chart-dependency'), file: helper?.file.path ?? top.folder, detail };
    }
    // All charts of the release share them.
    if (path[0] === 'global' && chart.key.length > 0) {
      return { ...gitRefusal('chart-shared'), file: file.path, detail: nameOf(path) };
    }
    const merging =
      holders.find(({ values }) => hasMergeKey(values, path))?.file ??
      chartsOf(top).find(
        ({ key, values }) => isAbove(key, path) && hasMergeKey(values, path.slice(key.length)),
      )?.valuesFile;
    if (merging !== undefined) return { ...gitRefusal('merge-key'), file: merging.path };
  }
  const read = planned.flatMap(({ field }) =>
    [...field.guards, ...valuesIn(field.node)].map((path) => inTop(found, path)),
  );
  const override = overrides.find((each) => read.some((path) => overlaps(each.path, path)));
  if (override !== undefined) {
    const named = override.path.length === 0 ? '' : `: ${nameOf(override.path)}`;
    const detail = `${override.by}${named}`;
    return { ...gitRefusal('chart-overridden'), file: holders.at(-1)?.file.path ?? file.path, detail };
  }
  for (const { field } of planned) {
    const reads = { file: file.path, ...field.reads };
    for (const value of valuesIn(field.node)) {
      const path = inTop(found, value);
      const other = edits.some((edit) => overlaps(edit.path, path))
        ? otherRead(templates, path, reads)
        : undefined;
      if (other === undefined) continue;
      const { file: at, offset } = other;
      return { ...gitRefusal('chart-shared', lineIn(at.text, offset)), file: at.path, detail: nameOf(path) };
    }
  }
  return undefined;
}

/**
 * The one that counts most of those that set the value, or one that holds it; then the one that counts most.
 */
function holdersFor({ holders, found }: Subject, planned: readonly PlannedField[]): readonly ValuesHolder[] {
  const free = holders.filter(({ isFixed }) => !isFixed);
  const paths = planned.flatMap(({ field }) => valuesIn(field.node).map((path) => inTop(found, path)));
  const [longest = []] = paths.toSorted((a, b) => b.length - a.length);
  const setting = longest
    .map((_, at) => longest.length - at)
    .map((depth) =>
      free.findLast(({ values }) => paths.some((path) => declaresValue(values, path.slice(0, depth)))),
    )
    .find((each) => each !== undefined);
  return [...new Set([setting, free.at(-1)])].flatMap((each) => each ?? []);
}

/** The keys of a value in the values of the outermost chart. */
function inTop({ chart }: ChartWorkload, path: ValuePath): ValuePath {
  return path[0] === 'global' ? path : [...chart.key, ...path];
}

/** A value that must go is taken out, or set to `null` over a default of the chart. */
function formsOf(edits: readonly FieldEdit[], { found }: Subject): readonly (readonly FieldEdit[])[] {
  const hasRemoval = edits.some(({ value }) => value === undefined) && found.chart.key.length === 0;
  return hasRemoval ? [edits, edits.map((edit) => ({ ...edit, value: edit.value ?? null }))] : [edits];
}

/** Why the changed values do not make the template render exactly the wanted fields. */
function unprovenBecause(
  { holders, found, top }: Subject,
  planned: readonly PlannedField[],
  { holder, values }: { holder: ValuesHolder; values: JsonObject },
): 'chart-overridden' | 'chart-expression' | undefined {
  const layers = mergedValues(holders.map((each) => (each.edit === holder.edit ? values : each.values)));
  const isDefault = holder.file === top.valuesFile;
  const chart = isDefault ? { ...top, values } : top;
  const now = valuesOfChart(found.chart.key.length === 0 ? chart : found.chart, chart, layers);
  for (const { field, wanted, edits } of planned) {
    const rendered = renderField(field, now);
    if (rendered.type === 'rendered' && isSame(rendered.data, wanted)) continue;
    const inEffect = edits.every(({ path, value }) =>
      isSame(valueAt(now, path.slice(path[0] === 'global' ? 0 : found.chart.key.length)), value),
    );
    return inEffect ? 'chart-expression' : 'chart-overridden';
  }
  return undefined;
}

function isAbove(key: ValuePath, path: ValuePath): boolean {
  return key.every((name, at) => path[at] === name);
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}

/**
 * The workload as the chart renders it then, as far as it is known: what the cluster has with the changed
 * fields.
 */
function manifestWith({ live }: Subject, planned: readonly PlannedField[]): JsonObject {
  return planned.reduce<JsonObject>((manifest, { path, wanted }) => {
    // The API server's default, which a left-out field does not fall back to in a check.
    const value = wanted === undefined && path.at(-1) === 'paused' ? false : wanted;
    return { ...(withField(manifest, path, value as FieldEdit['value']) as JsonObject) };
  }, live);
}

function namesIn({ found }: Subject, planned: readonly PlannedField[]): readonly string[] {
  const paths = planned.flatMap(({ field }) => valuesIn(field.node));
  return [...new Set(paths.map((path) => nameOf(inTop(found, path))))];
}

function nameOf(path: ValuePath): string {
  return path.join('.');
}

/**
 * The first template that calls a helper which no template of the tree defines: it comes from a chart that is
 * not there, and may read any value.
 */
function unknownHelper(templates: readonly ChartTemplate[]): { readonly file: TreeFile } | undefined {
  const defined = new Set(
    templates.flatMap(({ skeleton }) => skeleton?.helpers.map(({ name }) => name) ?? []),
  );
  return templates.find(({ skeleton }) =>
    skeleton?.actions.some(({ code }) =>
      [...code.matchAll(/\b(?:include|template)\s+("[^"]*")?/gu)].some(([, name]) =>
        name === undefined ? !code.includes('.Template.BasePath') : !defined.has(name),
      ),
    ),
  );
}

/**
 * The values that make a template render the wanted fields. `undefined` where one of them is no value: it is
 * written in the template, or the template does not render it.
 *
 * @param edits of fields below the one that `node` renders; their paths start there
 */
function valueEdits(
  node: FieldNode,
  edits: readonly FieldEdit[],
  present: Extract<RenderedField, { readonly type: 'rendered' }>,
): readonly FieldEdit[] | undefined {
  const wanted: FieldEdit[] = [];
  for (const { path, value } of edits) {
    const before = valueAt(present.data, path);
    if (canonicalJson(before ?? null) === canonicalJson(value ?? null)) continue;
    const named = valueFor(node, path);
    if (named === undefined) return undefined;
    wanted.push({ path: named, value });
  }
  return wanted;
}

/** The value that sets a field below this one. */
function valueFor(node: FieldNode, path: readonly string[]): ValuePath | undefined {
  const [name, ...rest] = path;
  if (node.type === 'value') {
    return node.value.as === 'yaml' || name === undefined ? [...node.value.path, ...path] : undefined;
  }
  if (node.type === 'literal' || name === undefined) return undefined;
  const entry = node.entries.find(({ key }) => key === name);
  return entry && valueFor(entry.node, rest);
}

/** The simple values of a field. */
function valuesIn(node: FieldNode): readonly ValuePath[] {
  if (node.type === 'value') return [node.value.path];
  return node.type === 'map' ? node.entries.flatMap((entry) => valuesIn(entry.node)) : [];
}
