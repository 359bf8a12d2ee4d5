import { setTimeout as delay } from 'node:timers/promises';
import type { Diagnosis } from '#src/core/diagnosis/diagnosis.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import type { Remediation } from '#src/core/remediation/remediation.js';
import { deadlocks } from '../incidents/incident.js';
import { drawContention } from './contention-case.js';
import {
  type Arena,
  createTenants,
  diagnoseAll,
  followReady,
  furnishCase,
  isComplete,
  othersWantQuota,
  podsNow,
  readyCount,
  type Scene,
  send,
  type TrialDiagnosis,
  untilAtRest,
} from './contention-scene.js';
import type { Draw } from './draw.js';

/** The results of the diagnoses and of the changes that they offered. */
export interface ContentionScore {
  cases: number;
  diagnoses: number;
  /** Deadlocks called proven while controllers still acted. */
  provenEarly: number;
  /** The same after all controllers were idle. */
  provenAtRest: number;
  rolledOut: number;
  notRolledOut: number;
  /** Offered changes that were made, by their forecast. */
  readonly applied: Map<string, number>;
  /** Contested forecasts whose rollout completed all the same. */
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
/** A diagnosis long after the last change, when rules that wait before they call something stuck have waited. */
const laterMilliseconds = 1_200_000;

interface Trial extends Scene {
  readonly score: ContentionScore;
  readonly draw: Draw;
}

/** One case: the workloads are made, updated together, diagnosed, and changed as the diagnoses offer. */
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
  await delay(drawn.firstLook);
  const early = await diagnoseAll(scene, 0);
  score.diagnoses += early.size;
  await untilAtRest(arena, namespace);
  for (const [name, trial] of early) expectStays(scene, name, trial);
  for (let change = 0; change < maxChanges; change += 1) {
    const diagnoses = await diagnoseAll(scene, laterMilliseconds);
    score.diagnoses += diagnoses.size;
    if (change === 0) for (const [name, trial] of diagnoses) expectExplained(scene, name, trial);
    if (!(await makeOfferedChange(scene, diagnoses))) break;
  }
  score.cases += 1;
  await cluster.clear();
}

const provenDeadlock = ({ findings }: Diagnosis): Finding | undefined =>
  findings.find(({ cause, confidence }) => deadlocks.includes(cause) && confidence === 'proven');

/** A proven deadlock does not end by itself, whatever the neighbours do. */
function expectStays(scene: Trial, name: string, trial: TrialDiagnosis): void {
  const found = provenDeadlock(trial.diagnosis);
  if (found === undefined) return;
  scene.score.provenEarly += 1;
  if (isComplete(scene, name)) disagree(scene, name, `${found.cause} was proven, and it rolled out`, trial);
}

/** When nothing changes any more, each incomplete rollout has a finding, and no complete rollout has a deadlock. */
function expectExplained(scene: Trial, name: string, trial: TrialDiagnosis): void {
  const { score } = scene;
  const { diagnosis } = trial;
  const found = provenDeadlock(diagnosis);
  if (found !== undefined) score.provenAtRest += 1;
  if (diagnosis.defects.length > 0) disagree(scene, name, 'a rule failed', trial);
  if (isComplete(scene, name)) {
    score.rolledOut += 1;
    if (found !== undefined) disagree(scene, name, `${found.cause} is proven of a complete rollout`, trial);
    return;
  }
  score.notRolledOut += 1;
  if (diagnosis.findings.every(({ severity }) => severity === 'info'))
    disagree(scene, name, 'it is stuck and nothing is found', trial);
}

/** Kinds whose effect shows in the same namespace, and that this trial can send by itself. */
const triedKinds: readonly Remediation['kind'][] = [
  'patch-strategy',
  'scale-down-old',
  'undo-rollout',
  'delete-pod',
];

/** Makes one of the offered changes and compares its outcome with the forecast. False: nothing is offered. */
async function makeOfferedChange(
  scene: Trial,
  diagnoses: ReadonlyMap<string, TrialDiagnosis>,
): Promise<boolean> {
  const { arena, score, draw, namespace } = scene;
  const offers = [...diagnoses].flatMap(([name, trial]) =>
    trial.diagnosis.findings
      .flatMap(({ remediations }) => remediations)
      .filter(({ kind }) => triedKinds.includes(kind))
      .map((remediation) => ({ name, trial, remediation })),
  );
  const [first, ...others] = offers;
  if (first === undefined) return false;
  const { name, trial, remediation } = draw.pick([first, ...others]);
  const { kind, prediction, price } = remediation;
  const readyBefore = readyCount(scene, name);
  if (othersWantQuota(scene, name)) score.besideRefused += 1;
  const followed = followReady(scene, name);
  await send(scene, name, remediation);
  await untilAtRest(arena, namespace);
  const fewest = followed();
  const forecast = `${kind}: ${prediction.ends}`;
  score.applied.set(forecast, (score.applied.get(forecast) ?? 0) + 1);
  const completed = isComplete(scene, name);
  if (prediction.ends === 'contested' && completed) score.contestedCompleted += 1;
  const isAmiss = prediction.ends === 'complete' && !completed && !needsSecondStep(remediation);
  if (isAmiss) disagree(scene, name, `${forecast}, and it did not`, trial);
  if (prediction.ends === 'stuck' && completed) disagree(scene, name, `${forecast}, and it completed`, trial);
  const promised = Math.min(readyBefore, price.downtime.readyAtLeast ?? 0);
  if (prediction.ends !== 'unknown' && fewest < promised)
    disagree(scene, name, `${forecast}: ${fewest} ready, at least ${promised} promised`, trial);
  return true;
}

const needsSecondStep = (remediation: Remediation): boolean =>
  remediation.kind === 'undo-rollout' && (remediation.thenDelete ?? []).length > 0;

function disagree(scene: Trial, name: string, what: string, { diagnosis, read }: TrialDiagnosis): void {
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
      `GPUs of the nodes ${drawn.nodes.join(', ')}; quota ${JSON.stringify(drawn.quota)}; diagnosis after ${drawn.firstLook} ms`,
      ...drawn.tenants.map((tenant) => tenant.drawn),
      `found: ${JSON.stringify({ underWay: diagnosis.underWay, findings, defects: diagnosis.defects })}`,
      ...read,
      'now:',
      ...podsNow(scene),
    ].join('\n'),
  );
}
