import { setTimeout as delay } from 'node:timers/promises';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { deadlocks } from '../incidents/incident.js';
import { drawContention } from './contention-case.js';
import {
  type Arena,
  createTenants,
  type DiagnosedWorkload,
  diagnoseAll,
  followReady,
  furnishCase,
  isComplete,
  othersWantQuota,
  podsNow,
  readyCount,
  type Scene,
  send,
  untilAtRest,
} from './contention-scene.js';
import type { Draw } from './draw.js';

/** Results of the diagnoses and of the changes that they offered. */
export interface ContentionScore {
  cases: number;
  diagnoses: number;
  /** Deadlocks called proven while controllers still acted. */
  provenEarly: number;
  /** The same once nothing changed any longer. */
  provenAtRest: number;
  rolledOut: number;
  notRolledOut: number;
  /** Offered changes that were made, by their forecast. */
  readonly applied: Map<string, number>;
  /** Contested forecasts whose rollout completed nevertheless. */
  contestedCompleted: number;
  /** Changes that were made while a quota refused pods of another workload. */
  besideRefused: number;
  readonly disagreements: string[];
}

export const emptyContentionScore = (): ContentionScore => ({
  cases: 0,
  diagnoses: 0,
  provenEarly: 0,
  provenAtRest: 0,
  rolledOut: 0,
  notRolledOut: 0,
  applied: new Map(),
  contestedCompleted: 0,
  besideRefused: 0,
  disagreements: [],
});

const maxChanges = 3;
/**
 * Dates a diagnosis long after the last change, for rules that wait before they report a rollout as stuck.
 */
const laterMilliseconds = 1_200_000;

interface Trial extends Scene {
  readonly score: ContentionScore;
  readonly draw: Draw;
}

/** One case: the workloads are created, updated together, diagnosed, and changed as the diagnoses offer. */
export async function tryContention(
  arena: Arena,
  draw: Draw,
  number: number,
  score: ContentionScore,
): Promise<void> {
  const { cluster } = arena;
  const drawn = drawContention(draw);
  const namespace = await cluster.createNamespace(`contention-${number}`);
  const scene: Trial = { arena, score, draw, namespace, drawn, number };
  await furnishCase(scene);
  await untilAtRest(arena, namespace);
  for (const { kind, name, update } of drawn.tenants) {
    if (update !== undefined) await cluster.patch({ kind, namespace, name }, update);
  }
  await createTenants(scene, 'late');
  await delay(drawn.firstDiagnosisMs);
  const early = await diagnoseAll(scene, 0);
  score.diagnoses += early.size;
  await untilAtRest(arena, namespace);
  for (const [name, diagnosed] of early) expectStays(scene, name, diagnosed);
  for (let change = 0; change < maxChanges; change += 1) {
    const diagnoses = await diagnoseAll(scene, laterMilliseconds);
    score.diagnoses += diagnoses.size;
    if (change === 0) for (const [name, diagnosed] of diagnoses) expectReported(scene, name, diagnosed);
    if (!(await makeOfferedChange(scene, diagnoses))) break;
  }
  score.cases += 1;
  await cluster.clear();
}

const provenDeadlock = ({ findings }: Diagnosis): Finding | undefined =>
  findings.find(({ cause, confidence }) => deadlocks.includes(cause) && confidence === 'proven');

/** A proven deadlock does not end without a change, whatever the neighbours do. */
function expectStays(scene: Trial, name: string, diagnosed: DiagnosedWorkload): void {
  const found = provenDeadlock(diagnosed.diagnosis);
  if (found === undefined) return;
  scene.score.provenEarly += 1;
  if (isComplete(scene, name))
    disagree(scene, name, `${found.cause} was proven, and it rolled out`, diagnosed);
}

/** Once nothing changes, each incomplete rollout has a finding, and no complete rollout has a deadlock. */
function expectReported(scene: Trial, name: string, diagnosed: DiagnosedWorkload): void {
  const { score } = scene;
  const { diagnosis } = diagnosed;
  const found = provenDeadlock(diagnosis);
  if (found !== undefined) score.provenAtRest += 1;
  if (diagnosis.defects.length > 0) disagree(scene, name, 'a rule failed', diagnosed);
  if (isComplete(scene, name)) {
    score.rolledOut += 1;
    if (found !== undefined)
      disagree(scene, name, `${found.cause} is proven of a complete rollout`, diagnosed);
    return;
  }
  score.notRolledOut += 1;
  if (diagnosis.findings.every(({ severity }) => severity === 'info'))
    disagree(scene, name, 'it is stuck and nothing is found', diagnosed);
}

/** Kinds whose effect shows in the same namespace, and that this trial can send. */
const triedKinds: readonly Remediation['kind'][] = [
  'patch-strategy',
  'scale-down-old',
  'undo-rollout',
  'delete-pod',
];

/**
 * Makes one of the offered changes and compares what follows with its forecast. False when nothing is
 * offered.
 */
async function makeOfferedChange(
  scene: Trial,
  diagnoses: ReadonlyMap<string, DiagnosedWorkload>,
): Promise<boolean> {
  const { arena, score, draw, namespace } = scene;
  const offers = [...diagnoses].flatMap(([name, diagnosed]) =>
    diagnosed.diagnosis.findings
      .flatMap(({ remediations }) => remediations)
      .filter(({ kind }) => triedKinds.includes(kind))
      .map((remediation) => ({ name, diagnosed, remediation })),
  );
  const [first, ...others] = offers;
  if (first === undefined) return false;
  const { name, diagnosed, remediation } = draw.pick([first, ...others]);
  const { kind, prediction, price } = remediation;
  const readyBefore = readyCount(scene, name);
  if (othersWantQuota(scene, name)) score.besideRefused += 1;
  const followed = followReady(scene, name);
  await send(scene, name, remediation);
  await untilAtRest(arena, namespace);
  const fewest = followed();
  const steps = 'thenDelete' in remediation ? ' in two steps' : '';
  const forecast = `${kind}${steps}: ${prediction.ends}`;
  score.applied.set(forecast, (score.applied.get(forecast) ?? 0) + 1);
  const completed = isComplete(scene, name);
  if (prediction.ends === 'contested' && completed) score.contestedCompleted += 1;
  if (prediction.ends === 'complete' && !completed)
    disagree(scene, name, `${forecast}, and it did not`, diagnosed);
  if (prediction.ends === 'stuck' && completed)
    disagree(scene, name, `${forecast}, and it completed`, diagnosed);
  const promised = Math.min(readyBefore, price.downtime.readyAtLeast ?? 0);
  if (prediction.ends !== 'unknown' && fewest < promised)
    disagree(scene, name, `${forecast}: ${fewest} ready, at least ${promised} promised`, diagnosed);
  return true;
}

function disagree(scene: Trial, name: string, what: string, { diagnosis, read }: DiagnosedWorkload): void {
  const { score, number, drawn } = scene;
  const findings = diagnosis.findings.map(({ cause, confidence, summary, remediations }) => ({
    cause,
    confidence,
    summary,
    offers: remediations.map(({ kind, prediction, price }) => ({ kind, prediction, price: price.downtime })),
  }));
  score.disagreements.push(
    [
      `case ${number}, ${name}: ${what}`,
      `GPUs of the nodes ${drawn.nodes.join(', ')}; quota ${JSON.stringify(drawn.quota)}; diagnosed after ${drawn.firstDiagnosisMs} ms`,
      ...drawn.tenants.map((tenant) => tenant.drawn),
      `found: ${JSON.stringify({ underWay: diagnosis.underWay, findings, defects: diagnosis.defects })}`,
      ...read,
      'now:',
      ...podsNow(scene),
    ].join('\n'),
  );
}
