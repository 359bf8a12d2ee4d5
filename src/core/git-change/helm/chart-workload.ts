import { isMap, isScalar } from 'yaml';
import type { JsonObject } from '../../cluster/wire.js';
import type { WorkloadRef } from '../../cluster/workload.js';
import type { GitChart } from '../git-target.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import type { TreeFile } from '../tree-file.js';
import { type Chart, chartsOf } from './chart-tree.js';
import { valuesOfChart } from './chart-values.js';
import { type NameSources, nameIn } from './release-name.js';
import type { ChartTemplate } from './shared-values.js';
import { documentsOf, entriesOf, type TemplateDocument } from './template-documents.js';
import { hasMark, templateSkeleton } from './template-skeleton.js';
import { overlaps, type ValuePath } from './value-expression.js';

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
  {
    top,
    templates,
    given,
  }: { readonly top: Chart; readonly templates: readonly ChartTemplate[]; readonly given: JsonObject },
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
