import type { TreeFile } from '../tree-file.js';
import type { Chart } from './chart-tree.js';
import type { Skeleton } from './template-skeleton.js';
import { overlaps, type ValuePath, valuesMentioned } from './value-expression.js';

/** A template of a release. */
export interface ChartTemplate {
  readonly chart: Chart;
  readonly file: TreeFile;
  /** Absent for one that is not understood. */
  readonly skeleton: Skeleton | undefined;
}

/** Where a field reads its values. */
export interface OwnReads {
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
