import { isNamespaceName } from '../../doctor/commands/command.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { type Fleet, fleetOf } from '../../doctor/scans/scan-record.js';
import { worstFirst } from '../../doctor/scans/worst-first.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { createEngine, createTell } from '../../service/create-engine.js';
import { diagnosisJson } from '../terminal/diagnosis-json.js';
import { fleetPage } from '../terminal/fleet-page.js';
import { fleetReportJson, fleetReportMarkdown, fleetReportText } from '../terminal/fleet-report.js';
import type { CommandsFor } from '../terminal/kubectl-command.js';
import { scanMarkdown, scanText } from '../terminal/scan-report.js';
import { computeEachWithin } from './compute-within.js';
import { statusOf } from './diagnose-command.js';
import { type CommandFailure, exitStatus, failure } from './exit-status.js';
import { fixCommands, kubectlTarget, sourceWords } from './fix-commands.js';
import type { PrintOptions, ScanOutput, SourceOptions } from './shared-options.js';
import { letHeapGrow } from './small-heap.js';
import { sourceOf, stateLeftOut, wholeScope, withoutWorkloads } from './sources.js';
import { progressOn, type Streams, structured } from './streams.js';

export interface ScanOptions extends Omit<PrintOptions, 'output'>, SourceOptions {
  readonly output: ScanOutput;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  /** Only workloads that deadlock at their next update. */
  readonly fragile?: boolean;
}

/**
 * `rollout-doctor scan`: every workload, worst first.
 *
 * @param word a namespace, as in Slack's `scan ml`
 * @returns the exit status
 */
export async function scanCommand(
  word: string | undefined,
  options: ScanOptions,
  streams: Streams,
): Promise<number> {
  letHeapGrow();
  const engine = createEngine();
  const { output, fragile = false } = options;
  if (output === 'html' && !fragile) throw failure(exitStatus.usage, 'page-without-fragile');
  const namespace = namespaceOf(word, options);
  const shown = progressOn(streams);
  // A recording is read here, which takes longer than its diagnoses.
  shown('reading');
  const source = await sourceOf(options).finally(() => shown(undefined));
  stateLeftOut(source, streams, options.lang);
  const { snapshots, index, takenAt } = await wholeScope(
    source,
    { namespace: namespace ?? '' },
    engine.needs,
    (done, of) => shown(`reading ${done}/${of}`),
  );
  if (source.type === 'recording' && snapshots.length === 0) throw noWorkloads(namespace, index);
  const snapshotOf = new Map<Diagnosis, Snapshot>();
  const computed = computeEachWithin(
    snapshots,
    ({ workload: { metadata } }) => `${metadata.namespace}/${metadata.name}`,
    (snapshot) => {
      const diagnosis = engine.diagnose(snapshot);
      snapshotOf.set(diagnosis, snapshot);
      return diagnosis;
    },
    (done) => shown(`diagnosing ${done}/${snapshots.length}`),
  );
  const diagnoses = worstFirst(computed);
  shown(undefined);
  if (fragile) {
    const fleet = fleetOf(diagnoses);
    const read = { cluster: source.cluster, takenAt };
    await streams.out(await fleetWritten(fleet, options, streams, read));
    return fleetStatus(fleet);
  }
  const target = kubectlTarget(options);
  const commandsFor = (diagnosis: Diagnosis): CommandsFor => {
    const snapshot = snapshotOf.get(diagnosis);
    return snapshot === undefined ? () => [] : fixCommands(engine, snapshot, target);
  };
  await streams.out(await written(diagnoses, options, streams, commandsFor));
  return statusOf(diagnoses);
}

/** Like kubectl: one namespace or all of them; recorded objects are few, so all of them without a word. */
function namespaceOf(word: string | undefined, options: ScanOptions): string | undefined {
  const { namespace = word, allNamespaces = false, from } = options;
  const isTwice = word !== undefined && namespace !== word;
  if (isTwice || (namespace !== undefined && allNamespaces)) {
    throw failure(exitStatus.usage, 'namespace-twice');
  }
  if (namespace === undefined && !allNamespaces && from === undefined) {
    throw failure(exitStatus.usage, 'namespace-missing');
  }
  if (namespace?.includes('/')) throw failure(exitStatus.usage, 'scan-of-workload', { name: namespace });
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    throw failure(exitStatus.usage, 'namespace-invalid', { name: namespace });
  }
  return namespace;
}

/** A live namespace may be empty; a recording without the namespace that was asked for is the wrong one. */
function noWorkloads(namespace: string | undefined, index: ClusterIndex): CommandFailure {
  const { objects } = index;
  const namespaces = new Set(
    workloadKinds.flatMap((kind) => objects[kind].map(({ metadata }) => metadata.namespace)),
  );
  if (namespace === undefined || namespaces.size === 0) return withoutWorkloads(index);
  const names = [...namespaces].sort();
  return failure(exitStatus.unseen, 'recording-without-namespace', { namespace, namespaces: names });
}

/** Which workloads are fragile, in each format. */
async function fleetWritten(
  fleet: Fleet,
  { output, lang }: ScanOptions,
  { paint }: Streams,
  read: { readonly cluster: string; readonly takenAt: string },
): Promise<string> {
  const options = { tell: createTell(), language: lang, ...read };
  switch (output) {
    case 'text':
      return fleetReportText(fleet, { ...options, paint });
    case 'markdown':
      return fleetReportMarkdown(fleet, options);
    case 'html':
      return fleetPage(fleet, options);
    case 'json':
    case 'yaml':
      return structured(output, fleetReportJson(fleet, options));
  }
}

function fleetStatus({ fragile, unchecked }: Fleet): number {
  if (fragile.length > 0) return exitStatus.found;
  return unchecked > 0 ? exitStatus.unseen : exitStatus.nothing;
}

async function written(
  diagnoses: readonly Diagnosis[],
  options: ScanOptions,
  { paint }: Streams,
  commandsFor: (diagnosis: Diagnosis) => CommandsFor,
): Promise<string> {
  const { output, lang } = options;
  const tell = createTell();
  switch (output) {
    case 'text':
      return scanText(diagnoses, { tell, language: lang, paint, source: sourceWords(options) });
    case 'html':
    case 'markdown':
      return scanMarkdown(diagnoses, { tell, language: lang });
    case 'json':
    case 'yaml':
      return structured(output, {
        apiVersion: 'rollout-doctor/v1',
        kind: 'DiagnosisList',
        items: diagnoses.map((diagnosis) => diagnosisJson(diagnosis, tell, lang, commandsFor(diagnosis))),
      });
  }
}
