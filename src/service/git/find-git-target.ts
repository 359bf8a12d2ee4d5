import { ownerObjectOf } from '../../doctor/fixes/owner-target.js';
import type { Plan } from '../../doctor/fixes/plan.js';
import { declaredObjectOf } from '../../doctor/git-edits/edit-manifest.js';
import {
  candidatesIn,
  type DeclaredObject,
  maxFileBytes,
  maxTotalBytes,
  tooLargeTogether,
} from '../../doctor/git-edits/find-declaration.js';
import { type GitSettings, gitReachOf, sourceOf } from '../../doctor/git-edits/git-settings.js';
import type {
  ChartSource,
  GitChart,
  GitPlace,
  GitTarget,
  TreeEntry,
  TreeFile,
} from '../../doctor/git-edits/git-target.js';
import { type Chart, chartIn, filesOfChart } from '../../doctor/git-edits/helm/chart-tree.js';
import { type ChartRelease, locateInChart } from '../../doctor/git-edits/helm/locate-in-chart.js';
import { valuesFile, valuesOfObject } from '../../doctor/git-edits/helm/values-file.js';
import { type Located, locateDeclaration } from '../../doctor/git-edits/located.js';
import { ownerSourceOf } from '../../doctor/git-edits/owner-source.js';
import { type GitRefusal, gitRefusal } from '../../doctor/git-edits/refusal.js';
import { treeReads } from '../../doctor/git-edits/tree-reads.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { ownerObjectsOf } from '../../engine/owners/owner-objects.js';
import type { Refused } from '../people/conversation.js';
import type { TreeReader } from './git-host.js';
import { gitStatement } from './git-text.js';

/**
 * Where Git declares what the plan changes: the workload of the snapshot, or the object that people own above
 * it.
 */
export type FindGitTarget = (snapshot: Snapshot, plan: Pick<Plan, 'target'>) => FoundTarget | Refused;

type FoundTarget = { readonly type: 'found'; readonly target: GitTarget };

/**
 * The settings decide where they name the object or its workload; otherwise the owner of the object in the
 * cluster does.
 */
export function createFindGitTarget(settings: GitSettings): FindGitTarget {
  return (snapshot, plan) => {
    const object = ownerObjectOf(snapshot, plan.target) ?? snapshot.workload;
    const { namespace, name } = object.metadata;
    const { cluster, workload: of } = snapshot;
    const target = sourceOf(settings, { cluster, namespace, name: of.metadata.name }, name);
    if (target !== undefined) return { type: 'found', target };
    const workload = `${namespace}/${name}`;
    const source = ownerSourceOf(ownerObjectsOf(snapshot, object), gitReachOf(settings));
    if (source === undefined) return { type: 'refused', because: gitStatement('no-source', { workload }) };
    if (source.type === 'found') return source;
    const { owner, because: reason, detail } = source;
    return { type: 'refused', because: gitStatement('source-refused', { workload, owner, reason, detail }) };
  };
}

/** A state of the repository that is edited, and whether it is the one that the owner has applied. */
interface TreeState {
  readonly host: TreeReader;
  /** With the name of its branch. */
  readonly at: GitPlace;
  readonly tree: readonly TreeEntry[];
  readonly isApplied: boolean;
  readonly subject: Pick<AuthenticApproval, 'plan' | 'workload'> & { readonly live?: JsonObject | undefined };
}

/** The one declaration of the workload in a tree: a manifest, or a chart and its values. */
export async function locate(state: TreeState): Promise<Located | GitRefusal> {
  const { host, at, tree, subject } = state;
  const { chart } = at;
  const declared = declaredObjectOf(subject.plan, subject.workload);
  if (chart === undefined) return locateInTree(host, at, tree, declared);
  const { repository, path } = chart.folder;
  // The templates of workloads are known, and those of the objects above them are not.
  if (declared !== subject.workload) return { ...gitRefusal('chart-form'), file: path };
  const entries = await treeOf(state, chart.folder);
  if ('type' in entries) return entries;
  const wanted = filesOfChart(entries, path);
  if ('type' in wanted) return wanted;
  const files = await textsOf(host, repository, wanted);
  if ('type' in files) return files;
  const top = chartIn(files, path);
  if ('type' in top) return top;
  const installed = chart.version;
  if (installed !== undefined && withoutBuild(installed) !== withoutBuild(top.version)) {
    return { ...gitRefusal('chart-version'), file: fileIn(path, 'Chart.yaml'), detail: installed };
  }
  const read = await holdersOf(state, chart, top);
  if (read.type === 'refusal') return read;
  const { live = {}, plan, workload } = subject;
  const fingerprint = [...files.map(({ path: file, sha }) => [file, sha]), read.fingerprint];
  const release = { chart, top, holders: read.holders, fingerprint, live, changes: plan.changes };
  return locateInChart(release, workload);
}

interface Holders extends Pick<ChartRelease, 'holders'> {
  readonly type: 'holders';
  readonly fingerprint: string;
}

/** What holds values of the release in Git: files, and over them an object. */
async function holdersOf(state: TreeState, chart: GitChart, top: Chart): Promise<Holders | GitRefusal> {
  const { host, at, tree } = state;
  const { holder, folder } = chart;
  const files = await filesOf(state, chart, top);
  if ('type' in files) return files;
  const holders: ChartRelease['holders'][number][] = [];
  for (const { file, source } of files) {
    const values = valuesFile(file);
    if ('type' in values) return values;
    holders.push({ ...values, isFixed: holder !== undefined || !isSameBranch(source, at) });
  }
  if (holder !== undefined) {
    const located = await locateInTree(host, at, tree, holder);
    if (located.type === 'refusal') return located;
    const values = { ...valuesOfObject(located, holder.field), isFixed: false };
    return { type: 'holders', holders: [...holders, values], fingerprint: located.fingerprint };
  }
  if (holders.length > 0) return { type: 'holders', holders, fingerprint: '' };
  const defaults = top.valuesFile && valuesFile(top.valuesFile);
  if (defaults === undefined) {
    return { ...gitRefusal('chart-values-file'), file: fileIn(folder.path, 'values.yaml') };
  }
  if ('type' in defaults) return defaults;
  const own = { ...defaults, isFixed: !isSameBranch(folder, at) };
  return { type: 'holders', holders: [own], fingerprint: '' };
}

/** The files that the owner names, the one that counts most last. */
async function filesOf(
  state: TreeState,
  chart: GitChart,
  top: Chart,
): Promise<readonly { readonly file: TreeFile; readonly source: ChartSource }[] | GitRefusal> {
  const files: { readonly file: TreeFile; readonly source: ChartSource }[] = [];
  for (const source of chart.files) {
    const file = await valuesFileAt(state, source, { chart, top });
    if (file === undefined && chart.mayLackFiles === true) continue;
    if (file === undefined) return { ...gitRefusal('chart-values-file'), file: source.path };
    if ('type' in file) return file;
    files.push({ file, source });
  }
  return files;
}

async function valuesFileAt(
  state: TreeState,
  source: ChartSource,
  { chart, top }: { chart: GitChart; top: Chart },
): Promise<TreeFile | GitRefusal | undefined> {
  // The defaults of the chart may be named as a file, too.
  if (isSameBranch(source, chart.folder) && source.path === top.valuesFile?.path) return top.valuesFile;
  const tree = await treeOf(state, source);
  if ('type' in tree) return tree;
  const entry = tree.find(({ path }) => path === source.path);
  if (entry === undefined) return undefined;
  if (entry.mode === '120000') return { ...gitRefusal('symlink'), file: entry.path };
  const read = await textsOf(state.host, source.repository, [entry]);
  return 'type' in read ? read : read[0];
}

/** The tree of a source: as it was applied, or as its branch is now. */
async function treeOf(
  { host, at, tree, isApplied }: TreeState,
  source: ChartSource,
): Promise<readonly TreeEntry[] | GitRefusal> {
  const { repository, branch, revision, isPinned } = source;
  const isSame = isPinned !== true && isSameBranch(source, at);
  // Each source may have been applied at another commit.
  if (isSame && (!isApplied || revision === undefined || revision === at.revision)) return tree;
  const isOld = revision !== undefined && (isApplied || isPinned === true);
  const entries = isOld
    ? await host.tree(repository, revision)
    : (await host.branch(repository, branch))?.entries;
  return entries ?? { ...gitRefusal('no-revision'), file: `${repository}@${isOld ? revision : branch}` };
}

function isSameBranch(source: ChartSource, place: Pick<GitPlace, 'repository' | 'branch'>): boolean {
  return source.repository === place.repository && source.branch === place.branch;
}

function fileIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Flux adds the commit to a version where it follows every commit of the chart. */
function withoutBuild(version: string): string {
  return version.split('+')[0] ?? '';
}

/** Files read at the same time. */
const readsAtOnce = 8;

/** The one declaration of an object in a tree. */
async function locateInTree(
  host: TreeReader,
  { repository, path, isFlat, readsOutside }: GitPlace,
  tree: readonly TreeEntry[],
  object: DeclaredObject,
): Promise<Located | GitRefusal> {
  const candidates = candidatesIn(tree, { path, isFlat });
  if (candidates.type === 'refusal') return candidates;
  const kustomizations = await textsOf(host, repository, candidates.kustomizations);
  if ('type' in kustomizations) return kustomizations;
  const reads = treeReads(tree, { path, readsOutside }, candidates, kustomizations);
  if (reads.type === 'refusal') return reads;
  const known = new Map(kustomizations.map((file) => [file.path, file]));
  const entries = [...reads.built, ...reads.plain, ...reads.unlisted].filter(
    (entry) => !known.has(entry.path),
  );
  const tooMany = tooLargeTogether(entries, path);
  if (tooMany !== undefined) return tooMany;
  const files = await textsOf(host, repository, entries);
  if ('type' in files) return files;
  return locateDeclaration(
    reads,
    new Map([...known, ...files.map((file) => [file.path, file] as const)]),
    object,
  );
}

/**
 * A host that lists no sizes notices what is too large when it is read; the first such file ends the reading.
 * At most `readsAtOnce` texts are under way, so that memory is bounded as well.
 */
export async function textsOf(
  host: TreeReader,
  repository: string,
  entries: readonly TreeEntry[],
): Promise<readonly TreeFile[] | GitRefusal> {
  const files: TreeFile[] = [];
  let total = 0;
  for (let from = 0; from < entries.length; from += readsAtOnce) {
    const some = entries.slice(from, from + readsAtOnce);
    const read = some.map(async (entry) => ({ ...entry, text: await host.text(repository, entry.sha) }));
    for (const { text, ...entry } of await Promise.all(read)) {
      if (text === undefined || text.length > maxFileBytes) {
        return { ...gitRefusal('too-large'), file: entry.path };
      }
      total += text.length;
      if (total > maxTotalBytes) return { ...gitRefusal('too-many-files'), file: entry.path };
      files.push({ ...entry, text });
    }
  }
  return files;
}
