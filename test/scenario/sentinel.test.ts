import { describe, expect, it } from 'vitest';
import { conditionOf, controllerOf } from '#src/core/cluster/metadata.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { type Candidate, candidateInEvent, candidateInPod } from '#src/core/sentinel/candidate.js';
import { oldPodsOf } from '#src/core/sentinel/old-pods.js';
import { provenDeadlockOf } from '#src/core/sentinel/proven-deadlock.js';
import { familyOf } from '#support/scenarios/compare-answer.js';
import { type Expectation, type Scenario, scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';
import { readRecording } from '../../demo/cluster/recording/read-recording.js';

const all = scenarios().map((scenario) => [scenario.expect.id, scenario] as const);

/** Whether a deadlock has to be proven; `undefined` where the scenario leaves open how sure one may be. */
function mustSpeak(expected: Expectation): boolean | undefined {
  const isCycle = expected.mustMention.some(
    (words) => words.includes('the two workloads are deadlocked') || words.includes('a wait cycle through'),
  );
  if (familyOf(expected) !== 'a deadlock' && !isCycle) return false;
  if (expected.maxConfidence !== undefined && expected.maxConfidence !== 'proven') return false;
  return expected.minConfidence === 'proven' ? true : undefined;
}

/** What the watches would have told of this workload. */
async function candidatesOf(
  { folder }: Scenario,
  { workload, index }: Snapshot,
): Promise<readonly Candidate[]> {
  const { objects } = await readRecording(folder);
  const { kind, metadata } = workload;
  const isOwn = ({ owner }: Candidate): boolean => {
    if (owner.namespace !== metadata.namespace) return false;
    if (owner.kind === kind) return owner.name === metadata.name;
    const pod = index.objects.Pod.find((each) => owner.kind === 'Pod' && each.metadata.name === owner.name);
    const parent = owner.kind === 'Pod' ? pod && controllerOf(pod) : owner;
    const replicaSet = index.objects.ReplicaSet.find((each) => each.metadata.name === parent?.name);
    return replicaSet !== undefined && controllerOf(replicaSet)?.name === metadata.name;
  };
  return objects
    .flatMap((object) => (object.kind === 'Event' ? candidateInEvent(object) : candidateInPod(object)) ?? [])
    .filter(isOwn);
}

/** Recorded without the event that the controller writes whenever it is refused. */
function lacksItsEvents({ index: { objects } }: Snapshot): boolean {
  const isRefused = objects.ReplicaSet.some(
    ({ status }) => conditionOf(status, 'ReplicaFailure') !== undefined,
  );
  return isRefused && !objects.Event.some(({ reason }) => reason === 'FailedCreate');
}

describe('unasked, of what was recorded, the sentinel', () => {
  it.each(all)('speaks exactly where a deadlock is proven, and would look there: %s', async (_, scenario) => {
    const snapshot = await snapshotOf(scenario);
    const speaks = provenDeadlockOf(await diagnosisOf(scenario)) !== undefined;

    expect(speaks).toBe(mustSpeak(scenario.expect) ?? speaks);
    const { workload } = snapshot;
    // It watches Deployments and DaemonSets only: docs/sentinel.md.
    if (!speaks || (workload.kind !== 'Deployment' && workload.kind !== 'DaemonSet')) return;
    expect(oldPodsOf(workload)).toBe('some');
    if (!lacksItsEvents(snapshot)) expect(await candidatesOf(scenario, snapshot)).not.toEqual([]);
  });

  it('covers deadlocks and similar incidents', () => {
    const wanted = all.map(([, { expect: expected }]) => mustSpeak(expected));

    expect(wanted.filter((each) => each === true).length).toBeGreaterThan(20);
    expect(wanted.filter((each) => each === false).length).toBeGreaterThan(100);
  });
});
