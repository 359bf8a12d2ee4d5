import { basename, dirname } from 'node:path';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { createEngine } from '#src/service/create-engine.js';
import { causesWanted } from '../../support/scenarios/compare-answer.js';
import { type Scenario, scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';

/** Causes about scheduled pods that do not run, or not for long. */
const crashFamily: ReadonlySet<string> = new Set<CauseId>([
  'application-crash',
  'bad-command',
  'config-missing',
  'crash-loop-after-rollout',
  'crash-loop-on-node',
  'evicted',
  'image-pull-failure',
  'init-container-stuck',
  'kubelet-rejected',
  'liveness-probe-kill',
  'mount-failure',
  'node-not-ready',
  'node-out-of-memory',
  'out-of-memory',
  'preempted',
  'process-exits-zero',
  'readiness-failing',
  'sandbox-failure',
  'startup-probe-kill',
  'termination-grace-exceeded',
]);

/** The time by which a diagnosis in a running cluster is later than the recording. */
const laterMs = 60_000;

/** What is found by then. */
async function findingsLater(scenario: Scenario): Promise<Diagnosis['findings']> {
  const snapshot = await snapshotOf(scenario);
  const takenAt = new Date(Date.parse(snapshot.takenAt) + laterMs).toISOString();
  return createEngine().diagnose({ ...snapshot, takenAt }).findings;
}

/** Whether it is still healthy by then, when a fresh state may count as a failure. */
async function staysHealthy(scenario: Scenario): Promise<boolean> {
  return (await findingsLater(scenario)).every(({ severity }) => severity === 'info');
}

/** Crashes of a few pods on one node say less once another pod has run for long enough. */
async function keepsItsCause(scenario: Scenario): Promise<boolean> {
  const [first] = await findingsLater(scenario);
  return first !== undefined && (causesWanted(scenario.expect) ?? []).includes(first.cause);
}

/** The controller of a StatefulSet replaces a pod that failed as soon as it sees it, so that the moment passes. */
async function staysAsRecorded(scenario: Scenario): Promise<boolean> {
  if (scenario.expect.workload.kind !== 'StatefulSet') return true;
  const { index } = await snapshotOf(scenario);
  return index.objects.Pod.every(({ status }) => status.phase !== 'Failed');
}

/** The local API server serves these kinds of workloads, and stores no object that does not parse. */
const served: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
const storable = scenarios().filter(
  ({ folder, expect }) => served.has(expect.workload.kind) && basename(dirname(folder)) !== 'unreadable',
);
const ofCrashes = storable.filter(({ expect }) =>
  (causesWanted(expect) ?? []).some((cause) => crashFamily.has(cause)),
);
const healthy = storable.filter(({ folder }) => basename(folder).startsWith('healthy-'));

type Holds = (scenario: Scenario) => Promise<boolean>;

const staysCrashed: Holds = async (each) => (await staysAsRecorded(each)) && (await keepsItsCause(each));

/**
 * The last recording of each cause, or of each folder, of which this holds. With more clusters, one process of the app
 * reads their rights for longer than Slack waits for it. A recording is diagnosed only as long as none is found.
 */
async function lastOfEach(
  of: (each: Scenario) => string,
  recordings: readonly Scenario[],
  holds: Holds,
): Promise<readonly Scenario[]> {
  const found = new Map<string, Scenario>();
  for (const each of recordings.toReversed()) {
    if (!found.has(of(each)) && (await holds(each))) found.set(of(each), each);
  }
  return [...found.values()];
}

async function allThat(holds: Holds, recordings: readonly Scenario[]): Promise<readonly Scenario[]> {
  const held: Scenario[] = [];
  for (const each of recordings) if (await holds(each)) held.push(each);
  return held;
}

/**
 * A recorded crash of each cause, each crash with a secret, and a healthy control of each folder. The scenario
 * tier has the answers and the cards of all.
 */
export const crashRecordings: readonly Scenario[] = [
  ...new Set([
    ...(await lastOfEach(({ expect }) => causesWanted(expect)?.[0] ?? '', ofCrashes, staysCrashed)),
    ...(await allThat(
      staysCrashed,
      ofCrashes.filter(({ expect }) => expect.mustNotContain.length > 0),
    )),
    ...(await lastOfEach(({ folder }) => basename(dirname(folder)), healthy, staysHealthy)),
  ]),
];
