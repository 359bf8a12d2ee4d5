import type { NamedWorkload } from '../../doctor/commands/command.js';
import { isNamespaceName } from '../../doctor/commands/command.js';
import type { Certificate, NoCertificate } from '../../doctor/findings/deadlock/certificate.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { explainPasted } from '../../doctor/findings/messages/explain-pasted.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import { worstFirst } from '../../doctor/scans/worst-first.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import { parseSchedulerMessage } from '../../engine/messages/parse-scheduler-message.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { createEngine, createTell, type PureEngine } from '../../service/create-engine.js';
import { checkObjects } from '../cli/check-objects.js';
import { computeWithin } from '../cli/compute-within.js';
import { exitStatus, failure } from '../cli/exit-status.js';
import { fixCommands } from '../cli/fix-commands.js';
import { oneSnapshot, type Source, wholeScope } from '../cli/sources.js';
import { manifestsIn } from '../recordings/read-manifests.js';
import { checkJson } from '../terminal/check-report.js';
import { certificateJson, diagnosisJson } from '../terminal/diagnosis-json.js';
import type {
  DiagnosisAnswer,
  DiagnosisListAnswer,
  ExplanationAnswer,
  RolloutCheckListAnswer,
} from './shapes.js';

/** Characters of a text that comes back in an explanation. */
const maxText = 4_000;

/** Why one workload is stuck. @throws CommandFailure */
export async function answerDiagnosis(
  source: Source,
  query: NamedWorkload,
  language: Language,
): Promise<DiagnosisAnswer> {
  const engine = createEngine();
  const snapshot = await oneSnapshot(source, query, engine.needs);
  return jsonOf(diagnosed(engine, snapshot), { engine, snapshot, language });
}

/** What the proof of its deadlock rests on, or why there is none. @throws CommandFailure */
export async function answerCertificate(
  source: Source,
  query: NamedWorkload,
  language: Language,
): Promise<Certificate | NoCertificate> {
  const engine = createEngine();
  const snapshot = await oneSnapshot(source, query, engine.needs);
  return asJson(certificateJson(snapshot, diagnosed(engine, snapshot), createTell(), language));
}

/** Every workload of a namespace, or of all, worst first. @throws CommandFailure */
export async function answerScan(
  source: Source,
  namespace: string | undefined,
  language: Language,
): Promise<DiagnosisListAnswer> {
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    throw failure(exitStatus.usage, 'namespace-invalid', { name: namespace });
  }
  const engine = createEngine();
  const { snapshots } = await wholeScope(source, { namespace: namespace ?? '' }, engine.needs);
  const snapshotOf = new Map(snapshots.map((snapshot) => [diagnosed(engine, snapshot), snapshot]));
  const items = worstFirst([...snapshotOf.keys()]).flatMap((diagnosis) => {
    const snapshot = snapshotOf.get(diagnosis);
    return snapshot === undefined ? [] : [jsonOf(diagnosis, { engine, snapshot, language })];
  });
  return { apiVersion: 'rollout-doctor/v1', kind: 'DiagnosisList', items };
}

/** Whether the updates that manifests describe complete. @throws CommandFailure, RecordingError */
export async function answerCheck(
  source: Source,
  manifests: string,
  { namespace, language }: { namespace?: string | undefined; language: Language },
): Promise<RolloutCheckListAnswer> {
  const objects = manifestsIn(manifests);
  if (objects.length === 0) throw failure(exitStatus.unseen, 'no-objects', { paths: ['manifests'] });
  const { checked, takenAt, cluster } = await checkObjects(objects, { namespace, against: source });
  const options = { tell: createTell(), language, cluster, takenAt: takenAt ?? new Date().toISOString() };
  return asJson<RolloutCheckListAnswer>(checkJson(checked, options));
}

/** What a message of a scheduler, an autoscaler or a kubelet means. Never throws. */
export function answerExplanation(text: string, language: Language): ExplanationAnswer {
  const tell = createTell();
  const message = parseSchedulerMessage(text);
  const shown = (part: string): string => untrusted(part, maxText);
  return asJson<ExplanationAnswer>({
    apiVersion: 'rollout-doctor/v1',
    kind: 'SchedulerExplanation',
    explanation: explainPasted(text).map((each) => shown(plain(tell(each, language)))),
    message: {
      ...message,
      reasons: message.reasons.map((each) => ({
        ...each,
        text: shown(each.text),
        ...(each.detail === undefined ? {} : { detail: shown(each.detail) }),
      })),
      preemption: {
        text: shown(message.preemption.text),
        reasons: message.preemption.reasons.map((each) => ({ ...each, text: shown(each.text) })),
      },
    },
  });
}

function diagnosed(engine: PureEngine, snapshot: Snapshot): Diagnosis {
  const { namespace, name } = snapshot.workload.metadata;
  return computeWithin(`${namespace}/${name}`, () => engine.diagnose(snapshot));
}

type Context = { readonly engine: PureEngine; readonly snapshot: Snapshot; readonly language: Language };

function jsonOf(diagnosis: Diagnosis, { engine, snapshot, language }: Context): DiagnosisAnswer {
  const commandsFor = fixCommands(engine, snapshot, {});
  return asJson<DiagnosisAnswer>(diagnosisJson(diagnosis, createTell(), language, commandsFor));
}

/**
 * The value as a reader of its JSON has it: fields that are `undefined` are absent. A test checks the shape.
 */
export function asJson<Answer>(value: unknown): Answer {
  return JSON.parse(JSON.stringify(value)) as Answer;
}
