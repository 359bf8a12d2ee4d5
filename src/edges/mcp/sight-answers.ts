import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { mainFindingOf } from '../../doctor/findings/main-finding.js';
import {
  foreignNamesIn,
  hiddenNamesOf,
  visibleDiagnosis,
  withoutStatedNames,
} from '../../doctor/findings/visible-diagnosis.js';
import type { RequestedChange } from '../../doctor/fixes/requested-change.js';
import { plannedWorkload } from '../../doctor/forecasts/planned-workload.js';
import type { RolloutCheck } from '../../doctor/forecasts/rollout-check.js';
import type { MessageRef } from '../../doctor/incidents/delivery.js';
import type { Change, Incident } from '../../doctor/incidents/incident.js';
import { openFirst } from '../../doctor/incidents/open-first.js';
import { visibleIncident } from '../../doctor/incidents/visible-incident.js';
import type { Fault, Place } from '../../doctor/input/input-error.js';
import { isClusterVisible, type Sight, visibleIn } from '../../doctor/policy/view.js';
import { worstFirst } from '../../doctor/scans/worst-first.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { type WorkloadKind, workloadKinds } from '../../engine/objects/workload.js';
import { podFromTemplate } from '../../engine/scheduler/pod-from-template.js';
import { createTell } from '../../service/create-engine.js';
import { cardKey } from '../../service/deliver/delivery-jobs.js';
import type { DeliveryStore } from '../../service/deliver/incident-thread.js';
import type { ClusterReader } from '../../service/diagnose/cluster-reader.js';
import type { DiagnosisEngine } from '../../service/diagnose/engine.js';
import type { ChangeProposed } from '../../service/diagnose/propose-change.js';
import { knownIncidents } from '../../service/people/list-incidents.js';
import type { IncidentStore } from '../../service/records/incident-store.js';
import { cliText } from '../cli/cli-text.js';
import { CommandFailure, exitStatus, failure } from '../cli/exit-status.js';
import { workloadArgument } from '../cli/shared-options.js';
import { oneSnapshot, type Source, severalWorkloads, unanswered, wholeScope } from '../cli/sources.js';
import { asJson } from '../library/answers.js';
import type {
  DiagnosisAnswer,
  ExplanationAnswer,
  IncidentAnswer,
  IncidentListAnswer,
  ProposalAnswer,
  RolloutCheckListAnswer,
} from '../library/shapes.js';
import { isOfKnownGroup } from '../recordings/api-groups.js';
import { type ManifestObject, manifestsIn } from '../recordings/read-manifests.js';
import { RecordingError } from '../recordings/recording-error.js';
import { type CheckedManifest, checkJson, checkSentence } from '../terminal/check-report.js';
import { diagnosisJson } from '../terminal/diagnosis-json.js';
import type { Admission } from './call-limits.js';
import type { ScanScope, ToolAnswers } from './tool-server.js';

interface SightAnswersDeps {
  readonly cluster: ClusterReader;
  readonly engine: Pick<DiagnosisEngine, 'needs' | 'diagnose' | 'check'>;
  readonly incidents: Pick<IncidentStore, 'get' | 'recent' | 'unsettled'>;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly linkTo: (message: MessageRef, threadTs: string | undefined) => string | undefined;
  /** Within the limit of proposals. */
  readonly admitProposal: () => Admission;
  readonly manifests: ManifestReader;
  /** Of the assistant or the person who calls. */
  readonly caller: string;
  /**
   * How long the caller has to wait before so many characters of manifests are read, in seconds; 0: not at
   * all.
   */
  readonly waitForManifests: (characters: number) => number;
  /** Absent where no channel is set for proposals. */
  readonly propose?: (query: NamedWorkload, change: RequestedChange | undefined) => Promise<ChangeProposed>;
  /** What the caller may see, asked anew for every call. */
  readonly sight: () => Promise<Sight>;
}

/** Workloads that one scan diagnoses. */
const maxScanned = 100;
const maxIncidents = 50;

/**
 * Answers for a caller with a limited view. What the caller may not see is answered like what does not exist.
 */
export function createSightAnswers(deps: SightAnswersDeps): ToolAnswers {
  const { cluster, engine, propose } = deps;
  const tell = createTell();
  return {
    async diagnose(workload, language) {
      const query = workloadArgument([workload], undefined);
      const sight = await deps.sight();
      const source = sourceIn(cluster, query.cluster, sight);
      const snapshot = await oneSnapshot(source, query, engine.needs, sight);
      return diagnosisAnswer(await engine.diagnose(snapshot), sight, language);
    },
    async scan(place, language) {
      const sight = await deps.sight();
      const source = sourceIn(cluster, place.cluster, sight);
      const namespace = visibleNamespace(source.cluster, place.namespace ?? '', sight);
      const { snapshots } = await wholeScope(source, { namespace }, engine.needs);
      const diagnoses: Diagnosis[] = [];
      for (const snapshot of snapshots.slice(0, maxScanned)) diagnoses.push(await engine.diagnose(snapshot));
      const items = worstFirst(diagnoses).map((each) => diagnosisAnswer(each, sight, language));
      return { apiVersion: 'rollout-doctor/v1', kind: 'DiagnosisList', items };
    },
    async check(manifests, { language, ...place }) {
      // Nothing is read for somebody who may see no cluster, or not this namespace.
      const sight = await deps.sight();
      const source = sourceIn(cluster, place.cluster, sight);
      if (place.namespace !== undefined) visibleNamespace(source.cluster, place.namespace, sight);
      const checked: CheckedManifest[] = [];
      for (const text of await workloadsIn(deps, manifests)) {
        const object = JSON.parse(text) as ManifestObject;
        checked.push(await checkedIn(deps, source, object, { place, sight }));
      }
      const takenAt = new Date().toISOString();
      return asJson<RolloutCheckListAnswer>(
        checkJson(checked, { tell, language, cluster: source.cluster, takenAt }),
      );
    },
    async explain(message, language) {
      const answer = await deps.manifests.explain(message, language, deps.caller);
      if (answer === undefined) throw failure(exitStatus.unseen, 'too-much-yaml', { seconds: 10 });
      return answer;
    },
    async incidents(language) {
      const { open } = openFirst(await knownIncidents(deps, await deps.sight()));
      const said = checkSentence({ tell, language });
      return {
        apiVersion: 'rollout-doctor/v1',
        kind: 'IncidentList',
        items: open.slice(0, maxIncidents).map((incident) => incidentItem(incident, said)),
        omitted: Math.max(0, open.length - maxIncidents),
      };
    },
    async incident(id, language) {
      const [stored, sight] = await Promise.all([deps.incidents.get(id), deps.sight()]);
      if (stored === undefined || !visibleIn(sight, stored.workload).workload) {
        throw failure(exitStatus.unseen, 'incident-unknown', { id });
      }
      const incident = visibleIncident(stored, sight);
      const { channel, threadTs, diagnosis, change } = incident;
      const said = checkSentence({ tell, language });
      const message = (await deps.deliveries.get(cardKey(id)))?.message;
      return asJson<IncidentAnswer>({
        apiVersion: 'rollout-doctor/v1',
        kind: 'Incident',
        ...incidentItem(incident, said),
        channel,
        card: message && deps.linkTo(message, threadTs),
        diagnosis: diagnosis && diagnosisAnswer(diagnosis, sight, language),
        change: change && changeItem(change, said),
      });
    },
    ...(propose === undefined
      ? {}
      : {
          async propose(workload, kind, language) {
            const query = workloadArgument([workload], undefined);
            const admission = deps.admitProposal();
            if (admission.type === 'refused') throw tooMany(admission);
            const outcome = await propose(query, kind && { kind }).finally(admission.release);
            if (outcome.type === 'refused') throw refused(outcome.because, tell);
            if (outcome.type === 'choices') throw severalWorkloads(workload, outcome.workloads);
            if (outcome.type !== 'proposed') throw unanswered({ type: 'cluster' }, outcome, query);
            const { incident, isNew, card } = outcome;
            const { id, channel, threadTs } = incident;
            return asJson<ProposalAnswer>({
              apiVersion: 'rollout-doctor/v1',
              kind: 'Proposal',
              incident: id,
              workload: incident.workload,
              isNew,
              channel,
              card: card && deps.linkTo(card, threadTs),
              summary: plain(cliText[language].proposed({ channel, isNew })),
            });
          },
        }),
  };

  function diagnosisAnswer(diagnosis: Diagnosis, sight: Sight, language: Language): DiagnosisAnswer {
    const { defects: _, ...json } = diagnosisJson(visibleDiagnosis(diagnosis, sight), tell, language);
    return asJson<DiagnosisAnswer>(json);
  }
}

/** The default cluster is the first one in sight. @throws CommandFailure */
function sourceIn(reader: ClusterReader, name: string | undefined, sight: Sight): Source {
  const known = reader.clusters.filter((each) => isClusterVisible(sight, each));
  const cluster = name === undefined ? known[0] : known.find((each) => each === name);
  if (cluster === undefined) {
    throw unanswered(
      { type: 'cluster' },
      { type: 'not-found', what: 'cluster', name: name ?? '', nearest: [], known },
    );
  }
  return { type: 'cluster', reader, cluster };
}

/** Decided by the name alone: whether such a namespace exists must not show. @throws CommandFailure */
function visibleNamespace(cluster: string, namespace: string, sight: Sight): string {
  if (namespace !== '' && visibleIn(sight, { cluster, namespace }).workload) return namespace;
  throw unanswered(
    { type: 'cluster' },
    { type: 'not-found', what: 'namespace', name: namespace, nearest: [] },
  );
}

/** The workloads of a text, each as JSON. @throws CommandFailure, RecordingError */
async function workloadsIn(
  { manifests, caller, waitForManifests }: SightAnswersDeps,
  text: string,
): Promise<readonly string[]> {
  const seconds = waitForManifests(text.length);
  if (seconds > 0) throw failure(exitStatus.unseen, 'too-much-yaml', { seconds });
  const read = await manifests.read(text, caller);
  switch (read.type) {
    case 'workloads':
      return read.objects;
    case 'busy':
      throw failure(exitStatus.unseen, 'too-much-yaml', { seconds: 10 });
    case 'fault':
      throw new RecordingError(read.file, read.place, read.fault);
    case 'invalid':
      throw invalid(read);
    case 'refused':
      switch (read.because) {
        case 'no-objects':
          throw failure(exitStatus.unseen, 'no-objects', { paths: ['manifests'] });
        case 'no-workloads':
          throw failure(exitStatus.unseen, 'no-workloads');
        case 'too-many':
          throw failure(exitStatus.usage, 'too-many-manifests', { max: maxWorkloads });
        case 'too-large':
          throw failure(exitStatus.usage, 'manifests-too-large');
      }
  }
}

/** The update of one manifest, on the cluster as it is without the other manifests. @throws CommandFailure */
async function checkedIn(
  { engine }: SightAnswersDeps,
  source: Source,
  { kind, name, raw, file, line, ...object }: ManifestObject,
  { place, sight }: { place: ScanScope; sight: Sight },
): Promise<CheckedManifest> {
  const namespace = visibleNamespace(source.cluster, object.namespace ?? place.namespace ?? 'default', sight);
  if (name === '') {
    throw failure(exitStatus.unseen, 'manifest-without-name', { file, line, kind, isTemplate: false });
  }
  const manifest = { kind: kind as WorkloadKind, namespace, name, raw };
  const workload = plannedWorkload(manifest, undefined);
  const planned = [podFromTemplate(workload.spec.template, { namespace, name: `${name}-planned` })];
  const needs = new Set([...engine.needs].filter((need) => need !== 'PodLog'));
  const { index, takenAt, unseen } = await wholeScope(source, { namespace, planned }, needs);
  const snapshot: Snapshot = { takenAt, cluster: source.cluster, workload, index, logs: [], unseen };
  const check = await engine.check(manifest, snapshot);
  if (check === undefined) throw invalid({ file, line, kind, name });
  return { file, line, check: visibleCheck(check, snapshot, sight) };
}

type NamedManifest = Pick<ManifestObject, 'file' | 'line' | 'kind' | 'name'>;

function invalid({ file, line, kind, name }: NamedManifest): CommandFailure {
  return failure(exitStatus.unseen, 'manifest-invalid', { file, line, kind, name, field: '', problem: '' });
}

/** Without names of namespaces that the caller may not see. */
function visibleCheck(check: RolloutCheck, snapshot: Snapshot, sight: Sight): RolloutCheck {
  const foreign = foreignNamesIn(check, snapshot);
  return withoutStatedNames(check, hiddenNamesOf({ workload: check.workload, foreign }, sight));
}

/** Who approved stays in Slack. */
function changeItem(
  { remediation, approvedAt, appliedAt, verdict, failure: why }: Change,
  said: ReturnType<typeof checkSentence>,
): NonNullable<IncidentAnswer['change']> {
  return {
    kind: remediation.kind,
    approvedAt,
    ...(appliedAt === undefined ? {} : { appliedAt }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(why === undefined ? {} : { failure: said(why) }),
  };
}

function tooMany({ afterSeconds }: Extract<Admission, { readonly type: 'refused' }>): CommandFailure {
  return failure(exitStatus.unseen, 'too-many-proposals', { minutes: Math.ceil(afterSeconds / 60) });
}

function refused(because: Statement, tell: Tell): CommandFailure {
  return new CommandFailure(exitStatus.unseen, (language) => tell(because, language));
}

function incidentItem(
  incident: Incident,
  said: ReturnType<typeof checkSentence>,
): IncidentListAnswer['items'][number] {
  const { id, phase, workload, createdAt, updatedAt, occurrences, diagnosis } = incident;
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  return {
    id,
    phase,
    workload,
    createdAt,
    updatedAt,
    occurrences,
    ...(main === undefined
      ? {}
      : {
          cause: main.cause,
          confidence: main.confidence,
          severity: main.severity,
          summary: said(main.summary),
        }),
  };
}

/** The workloads of a text, as JSON: one string costs the process that receives it next to nothing. */
export type WorkloadsRead =
  | { readonly type: 'workloads'; readonly objects: readonly string[] }
  | { readonly type: 'refused'; readonly because: 'no-objects' | 'no-workloads' | 'too-many' | 'too-large' }
  | ({ readonly type: 'invalid' } & NamedManifest)
  | { readonly type: 'fault'; readonly file: string; readonly place: Place; readonly fault: Fault };

/** Reads manifests and messages of callers; more work or memory than is allowed is refused as too large. */
export interface ManifestReader {
  read(text: string, caller: string): Promise<WorkloadsRead | { readonly type: 'busy' }>;
  /** @returns `undefined` where the message took too long, or too many others wait */
  explain(message: string, language: Language, caller: string): Promise<ExplanationAnswer | undefined>;
}

/** Workloads of one text. */
const maxWorkloads = 10;
/** Characters of one workload: kubectl keeps a copy of it in an annotation, which holds no more. */
const maxCharacters = 262_144;
/** Values of one workload, maps and lists among them: ten times those of a large one. */
const maxValues = 6_000;

/**
 * Reads the manifests of a caller; runs in a thread, since a megabyte of YAML takes the better part of a
 * second.
 */
export function readWorkloads(text: string): WorkloadsRead {
  try {
    const objects = manifestsIn(text);
    if (objects.length === 0) return { type: 'refused', because: 'no-objects' };
    const workloads = objects.filter(isWorkload);
    if (workloads.length === 0) return { type: 'refused', because: 'no-workloads' };
    if (workloads.length > maxWorkloads) return { type: 'refused', because: 'too-many' };
    const texts = workloads.map((each) => JSON.stringify(each));
    const isTooLarge =
      texts.some((each) => each.length > maxCharacters) || workloads.some((each) => !hasFewValues(each.raw));
    if (isTooLarge) return { type: 'refused', because: 'too-large' };
    const wrong = workloads.find(isInvalid);
    if (wrong === undefined) return { type: 'workloads', objects: texts };
    const { file, line, kind, name } = wrong;
    return { type: 'invalid', file, line, kind, name };
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    const { file, place, fault } = error;
    return { type: 'fault', file, place, fault };
  }
}

/** The process that answers callers parses the object again. */
function hasFewValues(value: unknown): boolean {
  const waiting: unknown[] = [value];
  let values = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    values += 1;
    if (typeof next !== 'object' || next === null) continue;
    const held = Object.values(next);
    if (values + waiting.length + held.length > maxValues) return false;
    waiting.push(...held.map((each) => each ?? null));
  }
  return true;
}

/** Whether the API server would not take it: to list all that is wrong takes longest. */
function isInvalid({ kind, name, namespace = '', raw }: ManifestObject): boolean {
  try {
    plannedWorkload({ kind: kind as WorkloadKind, namespace, name, raw }, undefined);
    return false;
  } catch {
    return true;
  }
}

function isWorkload({ apiVersion, kind }: ManifestObject): boolean {
  return workloadKinds.some((each) => each === kind && isOfKnownGroup(each, apiVersion));
}
