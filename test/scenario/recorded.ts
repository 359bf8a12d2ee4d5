import { basename, dirname } from 'node:path';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { statusOf } from '#src/edges/cli/diagnose-command.js';
import { fixCommands } from '#src/edges/cli/fix-commands.js';
import { recordedSource, type Source } from '#src/edges/cli/sources.js';
import { jsonText } from '#src/edges/cli/streams.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import type { Language } from '#src/engine/language/language.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { type Scenario, scenariosFolder } from '../support/scenarios/expectation.js';

export const engine = createEngine();
export const tell = createTell();

/** A recording with what was read of it so far. Nothing changes a snapshot or a diagnosis. */
export interface Recorded extends Scenario {
  /** The name of its folder. */
  readonly name: string;
  /** The folder that holds its variants; absent for an incident of its own. */
  readonly group?: string;
  readonly readings: Map<object, Promise<unknown>>;
}

export function recordedOf(scenario: Scenario): Recorded {
  const parent = dirname(scenario.folder);
  return {
    ...scenario,
    name: basename(scenario.folder),
    ...(parent === scenariosFolder ? {} : { group: basename(parent) }),
    readings: new Map(),
  };
}

/** A way of reading a recording. All properties of one recording share its result. */
export function reading<Value>(
  read: (recorded: Recorded) => Promise<Value>,
): (recorded: Recorded) => Promise<Value> {
  return (recorded) => {
    const known = recorded.readings.get(read) as Promise<Value> | undefined;
    const result = known ?? read(recorded);
    recorded.readings.set(read, result);
    return result;
  };
}

export const sourceOf = reading(
  ({ folder, expect }): Promise<Source> => recordedSource(folder, expect.takenAt),
);

/** The workload as a rule sees it. @throws when the recording lacks it */
export const snapshotOf = reading(async (recorded): Promise<Snapshot> => {
  const { reader, cluster } = await sourceOf(recorded);
  return workloadIn({ reader, cluster }, recorded);
});

export async function workloadIn(
  { reader, cluster }: Pick<Source, 'reader' | 'cluster'>,
  { folder, expect }: Scenario,
): Promise<Snapshot> {
  const { namespace, name } = expect.workload;
  const kind = WorkloadKind.parse(expect.workload.kind);
  const read = await reader.snapshot({ cluster, kind, namespace, name }, new Set());
  if (read.type !== 'snapshot') throw new Error(`${folder} holds no ${kind} ${namespace}/${name}`);
  return read.snapshot;
}

export const diagnosisOf = reading(
  async (recorded): Promise<Diagnosis> => engine.diagnose(await snapshotOf(recorded)),
);

export const plansOf = reading(
  async (
    recorded,
  ): Promise<
    readonly { readonly remediation: Remediation; readonly plan: ReturnType<typeof engine.plan> }[]
  > => {
    const snapshot = await snapshotOf(recorded);
    const { findings } = await diagnosisOf(recorded);
    return findings
      .flatMap(({ remediations }) => remediations)
      .map((remediation) => ({ remediation, plan: engine.plan(remediation, snapshot) }));
  },
);

/** What `diagnose --output json` prints, and its exit status. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

export const answerInEnglish = reading((recorded) => answerIn('en', recorded));
export const answerInKorean = reading((recorded) => answerIn('ko', recorded));

async function answerIn(language: Language, recorded: Recorded): Promise<Answer> {
  const diagnosis = await diagnosisOf(recorded);
  const commands = fixCommands(engine, await snapshotOf(recorded), {});
  const text = jsonText(diagnosisJson(diagnosis, tell, language, commands));
  return { status: statusOf([diagnosis]), text };
}
