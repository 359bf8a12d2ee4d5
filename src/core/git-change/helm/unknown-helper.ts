import type { TreeFile } from '../tree-file.js';
import type { ChartTemplate } from './shared-values.js';

/**
 * The first template that calls a helper which no template of the tree defines: it comes from a chart that is
 * not there, and may read any value.
 */
export function unknownHelper(templates: readonly ChartTemplate[]): { readonly file: TreeFile } | undefined {
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
