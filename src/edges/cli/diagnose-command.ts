import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { conclusionOf } from '../../doctor/findings/main-finding.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { createEngine, createTell } from '../../service/create-engine.js';
import type { Needs } from '../../service/diagnose/cluster-reader.js';
import { certificateJson, diagnosisJson } from '../terminal/diagnosis-json.js';
import { diagnosisMarkdown } from '../terminal/diagnosis-markdown.js';
import { diagnosisText } from '../terminal/diagnosis-text.js';
import type { CommandsFor } from '../terminal/kubectl-command.js';
import { computeWithin } from './compute-within.js';
import { CommandFailure, exitStatus, failure } from './exit-status.js';
import { fixCommands, kubectlTarget, sourceWords } from './fix-commands.js';
import { type PrintOptions, type SourceOptions, workloadArgument } from './shared-options.js';
import { collectGarbage, letHeapGrow, optimizeSeldom } from './small-heap.js';
import { asArgument, oneSnapshot, type Source, sourceOf, stateLeftOut, workloadsOf } from './sources.js';
import { type Streams, structured } from './streams.js';

export interface DiagnoseOptions extends PrintOptions, SourceOptions {
  readonly namespace?: string;
  readonly evidence?: boolean;
  readonly watch?: boolean;
  readonly certificate?: boolean;
}

/** `rollout-doctor diagnose`: one workload. @returns the exit status */
export async function diagnoseCommand(
  words: readonly string[],
  options: DiagnoseOptions,
  streams: Streams,
): Promise<number> {
  if (options.watch === true) {
    if (options.from !== undefined) throw failure(exitStatus.usage, 'watch-without-cluster');
    if (options.output !== 'text' || options.certificate)
      throw failure(exitStatus.usage, 'watch-without-text');
  }
  if (options.from === undefined) optimizeSeldom();
  else letHeapGrow();
  const engine = createEngine();
  const named = words.length === 0 ? undefined : workloadArgument(words, options.namespace);
  if (named === undefined && options.from === undefined) throw failure(exitStatus.usage, 'workload-missing');
  const source = await sourceOf(options);
  stateLeftOut(source, streams, options.lang);
  const query = named ?? (await onlyWorkload(source, engine.needs, options));
  const diagnose = async () => {
    const snapshot = await oneSnapshot(source, query, engine.needs);
    if (options.from === undefined) collectGarbage();
    const { namespace, name } = snapshot.workload.metadata;
    const diagnosis = computeWithin(`${namespace}/${name}`, () => engine.diagnose(snapshot));
    return { snapshot, diagnosis };
  };
  const { snapshot, diagnosis } = await diagnose();
  if (options.certificate === true) {
    const output = options.output === 'yaml' ? 'yaml' : 'json';
    const { name } = snapshot.workload.metadata;
    const certificate = computeWithin(name, () =>
      certificateJson(snapshot, diagnosis, createTell(), options.lang),
    );
    streams.out(await structured(output, certificate));
    return statusOf([diagnosis]);
  }
  const commandsFor = fixCommands(engine, snapshot, kubectlTarget(options));
  streams.out(await written(diagnosis, options, streams, commandsFor));
  if (options.watch !== true) return statusOf([diagnosis]);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  const { watchDiagnosis } = await import('./watch-diagnosis.js');
  const last = await watchDiagnosis({
    first: diagnosis,
    diagnoseAgain: async () => (await diagnose()).diagnosis,
    language: options.lang,
    streams,
    signal: interrupt.signal,
  });
  return last instanceof CommandFailure ? last.status : statusOf([last]);
}

/** The workload of a recording that has one. @throws CommandFailure with the names of several */
async function onlyWorkload(source: Source, needs: Needs, options: DiagnoseOptions): Promise<WorkloadRef> {
  const { namespace } = options;
  const all = await workloadsOf(source, needs);
  const [only, ...others] = all.filter((each) => namespace === undefined || each.namespace === namespace);
  if (only !== undefined && others.length === 0) return only;
  const choices = (only === undefined ? all : [only, ...others]).map(asArgument);
  throw failure(exitStatus.usage, 'workload-not-named', { choices, words: sourceWords(options) });
}

async function written(
  diagnosis: Diagnosis,
  { output, lang, evidence = false }: DiagnoseOptions,
  { paint }: Streams,
  commandsFor: CommandsFor,
): Promise<string> {
  const tell = createTell();
  switch (output) {
    case 'text':
      return diagnosisText(diagnosis, { tell, language: lang, paint, evidence, commandsFor });
    case 'markdown':
      return diagnosisMarkdown(diagnosis, tell, lang, commandsFor);
    case 'json':
    case 'yaml':
      return structured(output, diagnosisJson(diagnosis, tell, lang, commandsFor));
  }
}

/**
 * 1 when any diagnosis found something above informational; 3 when nothing was found and a question is open;
 * else 0.
 */
export function statusOf(diagnoses: readonly Diagnosis[]): number {
  const conclusions = diagnoses.map(conclusionOf);
  if (conclusions.includes('found')) return exitStatus.found;
  return conclusions.includes('unchecked') ? exitStatus.unseen : exitStatus.nothing;
}
