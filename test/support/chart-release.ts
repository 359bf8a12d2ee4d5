import type { FieldChange } from '#src/doctor/fixes/plan.js';
import type { FieldEdit } from '#src/doctor/git-edits/edit-manifest.js';
import type { GitChart, TreeFile } from '#src/doctor/git-edits/git-target.js';
import { chartIn, filesOfChart } from '#src/doctor/git-edits/helm/chart-tree.js';
import { locateInChart } from '#src/doctor/git-edits/helm/locate-in-chart.js';
import { valuesFile } from '#src/doctor/git-edits/helm/values-file.js';
import type { GitRefusal } from '#src/doctor/git-edits/refusal.js';

export type Files = Readonly<Record<string, string>>;

const live = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api', namespace: 'shop' },
  spec: { replicas: 1, template: { metadata: {}, spec: { containers: [] } } },
};

export interface ReleaseOptions {
  readonly files: Files;
  /** Of the release, in order; without any, the values of the chart count. */
  readonly valueFiles?: readonly string[];
  /** Files that stay. */
  readonly fixed?: readonly string[];
  readonly folder?: string;
  readonly chart?: Partial<GitChart>;
  readonly changes?: readonly FieldChange[];
  /** Of the workload. */
  readonly name?: string;
}

const treeOf = (files: Files): readonly TreeFile[] =>
  Object.entries(files).map(([path, text]) => ({
    path,
    text,
    mode: '100644',
    sha: `${path}:${text.length}`,
    size: text.length,
  }));

/** A workload in a release of a chart. */
function locatedIn({
  files,
  valueFiles = [],
  fixed = [],
  folder = '',
  chart = {},
  changes = [],
  name = 'api',
}: ReleaseOptions) {
  const tree = treeOf(files);
  const entries = filesOfChart(tree, folder);
  if ('type' in entries) return entries;
  const paths = new Set(entries.map(({ path }) => path));
  const top = chartIn(
    tree.filter(({ path }) => paths.has(path)),
    folder,
  );
  if ('type' in top) return top;
  const named = valueFiles.flatMap((path) => tree.find((each) => each.path === path) ?? []);
  const read = (named.length > 0 ? named : [top.valuesFile]).flatMap((file) => file ?? []).map(valuesFile);
  const holders = [];
  for (const each of read) {
    if ('type' in each) return each;
    holders.push({ ...each, isFixed: fixed.includes(each.file.path) });
  }
  const source = { repository: 'acme/deploy', branch: 'main', path: folder };
  const described: GitChart = {
    release: { name: 'api', namespace: 'shop' },
    folder: source,
    files: [],
    overrides: [],
    ...chart,
  };
  return locateInChart(
    { chart: described, top, holders, fingerprint: [], live, changes },
    { kind: 'Deployment', namespace: 'shop', name },
  );
}

export function editedIn(options: ReleaseOptions, edits: readonly FieldEdit[]) {
  const located = locatedIn(options);
  return located.type === 'refusal' ? located : located.edit(edits);
}

/** Reason, place and detail of a refusal; or the changed file with its text. */
export function outcomeOf(options: ReleaseOptions, edits: readonly FieldEdit[]): string {
  const result = editedIn(options, edits);
  if (result.type === 'refusal') return refusalText(result);
  return `${result.file.path}\n${result.text}`;
}

function refusalText({ reason, file = '', line, detail }: GitRefusal): string {
  return [`${reason} ${file}${line === undefined ? '' : `:${line}`}`.trim(), detail]
    .flatMap((each) => each ?? [])
    .join(' ');
}
