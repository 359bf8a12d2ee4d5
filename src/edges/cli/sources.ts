import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isNamespaceName, type NamedWorkload } from '../../doctor/commands/command.js';
import { usageText } from '../../doctor/commands/usage-text.js';
import { kindForNamespace } from '../../doctor/commands/workload-kind.js';
import { InputError, type InputProblem, plainFault } from '../../doctor/input/input-error.js';
import { fullSight } from '../../doctor/policy/view.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Language } from '../../engine/language/language.js';
import { plain, sentences } from '../../engine/language/prose.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type {
  ClusterReader,
  Needs,
  NotFound,
  Scope,
  ScopeQuery,
  Unreadable,
} from '../../service/diagnose/cluster-reader.js';
import { type ClusterConnection, connectClusters } from '../kubernetes/cluster-connection.js';
import { createClusterReader } from '../kubernetes/cluster-reader.js';
import type { Recording } from '../recordings/collect-objects.js';
import { createRecordedClusterReader } from '../recordings/recorded-cluster-reader.js';
import { objectsCommand } from '../recordings/recording-error.js';
import { createWithholder, type Withhold } from '../recordings/withhold-values.js';
import { cliText } from './cli-text.js';
import { CommandFailure, exitStatus, failure } from './exit-status.js';
import { sourceWords } from './fix-commands.js';
import type { SourceOptions } from './shared-options.js';
import type { Streams } from './streams.js';

/** States on standard error which parts of a recording were left out, one line each. */
export function stateLeftOut(
  { skipped = [] }: Source,
  { err }: Pick<Streams, 'err'>,
  language: Language,
): void {
  for (const problem of skipped) {
    err(`${untrusted(plain(cliText[language]['left-out']({ problem })), maxLine)}\n`);
  }
}

/** Characters of a line about what was left out. */
const maxLine = 1_000;

/** Where a command reads: recorded objects or live clusters. */
export interface Source {
  readonly type: 'recording' | 'cluster';
  readonly reader: ClusterReader;
  /** The cluster that a whole scope is read of. */
  readonly cluster: string;
  /** The options that name this place, for the command that a person runs next. */
  readonly words?: string;
  /** Parts of a recording that were left out, and why. */
  readonly skipped?: readonly InputProblem[];
  /** Of a recording without values: manifests lose theirs before they are compared with it. */
  readonly withhold?: Withhold;
}

const timeoutMs = 30_000;
const findTimeoutMs = 10_000;
/** A whole cluster takes longer than one workload. */
export const scopeTimeoutMs = 300_000;

/** @throws CommandFailure when the recording or the kubeconfig cannot be used */
export async function sourceOf(options: SourceOptions): Promise<Source> {
  const { from, at, kubeconfig, context } = options;
  const source = from === undefined ? liveSource(kubeconfig, context) : await recordedSource(from, at);
  return { ...source, words: sourceWords(options) };
}

/**
 * Refuses options that cannot be used, without reading objects or asking a cluster. Without any of them the
 * current kubeconfig is not looked at.
 *
 * @throws CommandFailure
 */
export function checkSource({ from, at, kubeconfig, context }: SourceOptions): void {
  momentOf(at);
  if (from !== undefined) {
    if (!existsSync(from)) {
      throw fileUnusable({ file: from, place: undefined, fault: plainFault('no-such-file') });
    }
  } else if (kubeconfig !== undefined || context !== undefined) connect(kubeconfig, context);
}

/**
 * @param path file or folder of objects, or of the text of kubectl
 * @param at RFC3339; without it the newest time in the recording
 */
export async function recordedSource(path: string, at?: string): Promise<Source> {
  const [{ readRecording }, { RecordingError }] = await Promise.all([
    import('../recordings/read-recording.js'),
    import('../recordings/recording-error.js'),
  ]);
  const recording = await readRecording(path, { at: momentOf(at) }).catch((error: unknown) => {
    if (error instanceof RecordingError) throw fileUnusable(error);
    throw error;
  });
  return sourceOfRecording(recording, basename(resolve(path)), at);
}

/** @param at RFC3339; without it the newest time in the recording @throws CommandFailure */
export function sourceOfRecording(recording: Recording, cluster: string, at?: string): Source {
  const { facts, newest } = recording;
  const stated = momentOf(at) ?? facts?.takenAt;
  const takenAt = stated ?? newest ?? new Date().toISOString();
  const reader = createRecordedClusterReader(recording, takenAt, cluster, stated === undefined);
  const withhold = facts && { withhold: createWithholder(facts.salt) };
  return { type: 'recording', reader, cluster, skipped: recording.skipped, ...withhold };
}

/** The cluster of a context, or of the current one. @throws CommandFailure */
export function liveConnection(kubeconfig?: string, context?: string): ClusterConnection {
  const [connection] = connect(kubeconfig, context, (problem) =>
    failure(exitStatus.unseen, 'kubeconfig-unusable', { problem, isLive: true }),
  );
  if (connection === undefined) throw failure(exitStatus.unseen, 'no-cluster');
  return connection;
}

function liveSource(...place: Parameters<typeof connect>): Source {
  const connections = connect(...place);
  const clock = { now: () => new Date() };
  const reader = createClusterReader({ connections, clock, timeoutMs, findTimeoutMs });
  const [cluster] = reader.clusters;
  if (cluster === undefined) throw failure(exitStatus.unseen, 'no-cluster');
  return { type: 'cluster', reader, cluster };
}

type KubeconfigProblem = InputError | string;

function kubeconfigUnusable(problem: KubeconfigProblem): CommandFailure {
  return failure(exitStatus.unseen, 'kubeconfig-unusable', { problem });
}

function connect(
  kubeconfig: string | undefined,
  context: string | undefined,
  refuse: (problem: KubeconfigProblem) => CommandFailure = kubeconfigUnusable,
) {
  try {
    return connectClusters({ kubeconfig, contexts: context === undefined ? [] : [context] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw refuse(error instanceof InputError ? error : message);
  }
}

export interface AgainstOptions {
  /** A path of recorded objects, or a context of the kubeconfig; left out: the current context. */
  readonly against?: string | undefined;
  readonly at?: string | undefined;
  readonly kubeconfig?: string | undefined;
  /** The GitHub Action has inputs in place of options. */
  readonly isAction?: boolean;
}

/** A file or folder of that name is taken before a context. @throws CommandFailure */
export async function sourceAgainst({
  against,
  at,
  kubeconfig,
  isAction = false,
}: AgainstOptions): Promise<Source> {
  if (against !== undefined && (existsSync(against) || /^\.{0,2}\//.test(against))) {
    return recordedSource(against, at);
  }
  if (at !== undefined) throw failure(exitStatus.usage, 'time-without-recording');
  return liveSource(kubeconfig, against, (problem) =>
    failure(exitStatus.unseen, 'against-unusable', { against, isAction, problem }),
  );
}

/** The one workload that a query means, among those in sight. @throws CommandFailure */
export async function oneSnapshot(
  source: Source,
  query: NamedWorkload,
  needs: Needs,
  sight = fullSight,
): Promise<Snapshot> {
  const { reader } = source;
  const found = await reader.find(query, sight);
  if (found.type !== 'found') {
    if (source.type === 'recording') await workloadsOf(source, needs);
    throw unanswered(source, found, query);
  }
  const [ref, ...others] = found.workloads;
  if (ref === undefined || others.length > 0) {
    throw severalWorkloads(nameOf(query), found.workloads);
  }
  const read = await reader.snapshot(ref, needs);
  if (read.type !== 'snapshot') throw unanswered(source, read, query);
  return read.snapshot;
}

export function severalWorkloads(name: string, workloads: readonly WorkloadRef[]): CommandFailure {
  return failure(exitStatus.usage, 'several-workloads', { name, choices: workloads.map(asArgument) });
}

/** The workloads of a recording. @throws CommandFailure where it has none */
export async function workloadsOf(source: Source, needs: Needs): Promise<readonly WorkloadRef[]> {
  const { snapshots, index } = await wholeScope(source, { namespace: '' }, needs);
  if (snapshots.length === 0) throw withoutWorkloads(index);
  const { cluster } = source;
  return snapshots.map(({ workload: { kind, metadata } }) => {
    const { namespace, name } = metadata;
    return { cluster, kind, namespace, name };
  });
}

/** States what a recording has in place of workloads, and the command that prints them. */
export function withoutWorkloads({ objects }: ClusterIndex): CommandFailure {
  const counts = Object.entries(objects).filter(([, items]) => items.length > 0);
  const held = counts.map(([kind, items]) => `${kind} (${items.length})`);
  const namespaces = new Set(objects.Event.map(({ metadata }) => metadata.namespace));
  const [only = ''] = namespaces;
  // A table without a column of namespaces leaves open which one it is of.
  const isNamed = isNamespaceName(only) && only !== 'default';
  const command = `${objectsCommand}${namespaces.size > 1 ? ' -A' : isNamed ? ` -n ${only}` : ''}`;
  return failure(exitStatus.unseen, 'recording-without-workloads', { held, command });
}

export function asArgument({ kind, namespace, name }: WorkloadRef): string {
  return `${kind.toLowerCase()}/${name} -n ${namespace}`;
}

/** Every workload of a namespace, or of all. @throws CommandFailure */
export async function wholeScope(
  source: Source,
  query: Omit<ScopeQuery, 'cluster'>,
  needs: Needs,
  onProgress?: (done: number, of: number) => void,
): Promise<Scope> {
  const { reader, cluster } = source;
  const signal = AbortSignal.timeout(scopeTimeoutMs);
  const scope = await reader.scope({ cluster, ...query }, needs, signal, onProgress);
  if (scope.type !== 'scope') throw unanswered(source, scope);
  return scope;
}

/** @throws CommandFailure, status 2, when it is no RFC3339 time */
function momentOf(at: string | undefined): string | undefined {
  if (at === undefined) return undefined;
  const time = Date.parse(at);
  if (Number.isNaN(time) || !/^\d{4}-\d\d-\d\dT/.test(at)) {
    throw failure(exitStatus.usage, 'time-invalid', { text: at });
  }
  return new Date(time).toISOString();
}

function nameOf({ cluster, kind, member, owner, namespace, name }: NamedWorkload): string {
  const shown = kind ?? member ?? owner;
  return [cluster, namespace, shown === undefined ? name : `${shown.toLowerCase()}/${name}`]
    .filter((part) => part !== undefined)
    .join('/');
}

/** Why a read has no result. */
export function unanswered(
  where: Pick<Source, 'type' | 'words'>,
  read: NotFound | Unreadable,
  query?: NamedWorkload,
): CommandFailure {
  const reason = reasonOf(where, read, query);
  const meant = query === undefined || read.type === 'unreadable' ? undefined : kindForNamespace(query, read);
  if (meant === undefined) return reason;
  return new CommandFailure(reason.status, (language) =>
    sentences(reason.sentence(language), usageText[language]['kind-not-supported'](meant)),
  );
}

function reasonOf(
  { type: where, words = '' }: Pick<Source, 'type' | 'words'>,
  read: NotFound | Unreadable,
  query: NamedWorkload | undefined,
): CommandFailure {
  if (read.type === 'unreadable') {
    const { because, message, problem } = read;
    return problem !== undefined
      ? fileUnusable(problem)
      : failure(exitStatus.unseen, 'cluster-unreadable', { because, message });
  }
  const { what, nearest, known = [] } = read;
  switch (what) {
    case 'workload': {
      const name = query === undefined ? read.name : nameOf(query);
      const { isNamespace = false, ofOtherKind = [] } = read;
      if (ofOtherKind.length > 0) {
        const commands = ofOtherKind.map((each) => `rollout-doctor diagnose ${asArgument(each)}${words}`);
        const asked = query?.kind ?? 'workload';
        const parts = [query?.namespace, query?.name ?? read.name];
        const plainName = parts.filter((part) => part !== undefined).join('/');
        return failure(exitStatus.unseen, 'workload-of-other-kind', { name: plainName, asked, commands });
      }
      if (isNamespace) return failure(exitStatus.unseen, 'workload-is-namespace', { name: read.name, words });
      return failure(exitStatus.unseen, 'workload-unknown', { name, nearest, where });
    }
    case 'namespace':
      return failure(exitStatus.unseen, 'namespace-unknown', { name: read.name, nearest });
    case 'cluster':
      return failure(exitStatus.unseen, 'cluster-unknown', { name: read.name, known });
    case 'below': {
      const { namespace = '', name = read.name, conditions = [] } = read.childless ?? {};
      return failure(exitStatus.unseen, 'workload-below-unknown', { namespace, name, conditions });
    }
    case 'owner':
      if (read.ownedBy !== undefined) {
        return failure(exitStatus.unseen, 'owner-not-diagnosed', { name: read.name, owner: read.ownedBy });
      }
      return failure(exitStatus.unseen, 'owner-unknown', { name: read.name });
  }
}

export function fileUnusable(problem: InputProblem): CommandFailure {
  return failure(exitStatus.unseen, 'file-unusable', { problem });
}
