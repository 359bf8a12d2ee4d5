import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkUpdate } from '#src/doctor/forecasts/check-update.js';
import type { RolloutCheck } from '#src/doctor/forecasts/rollout-check.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { conditionOf, controllerOf } from '#src/engine/objects/metadata.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { restarted } from '#src/engine/workloads/rollout-change.js';
import type { RolloutState } from '#src/engine/workloads/rollout-state.js';
import { serverVersionOf } from '../../../support/scenarios/objects-of.js';
import { readScenario, scenarioIds } from '../../engine/workloads/recorded.js';

/** What was established about the incident when the real cluster was recorded. */
const Established = z.object({
  cause: z.string().nullish(),
  detail: z.object({ resource: z.string().optional() }).optional(),
  holders: z.array(z.string()).optional(),
  remediation: z.object({ first: z.array(z.string()).optional() }).optional(),
});
const folder = new URL('../../../scenarios/', import.meta.url);
const establishedOf = (id: string) =>
  Established.parse(JSON.parse(readFileSync(new URL(`${id}/expect.json`, folder), 'utf8')));

/** The rollout cannot go on, because its own old pods hold what the new ones need, or nobody has it. */
const ownPodsHold = ['surge-deadlock', 'quota-deadlock'];
const nobodyHas = [
  'insufficient-capacity',
  'unsatisfiable-placement',
  'node-cordoned',
  'capacity-contention',
];
/** Healthy when they were recorded, and held by something that a check must take as lasting. */
const heldByOthers = ['gate-just-set'];
/** Pods that a node of the template's own name keeps from the scheduler. */
const pastTheScheduler = ['node-name-of-removed-node'];

function workloadOf(state: RolloutState): Workload {
  if (state.kind === 'Deployment') return state.deployment;
  if (state.kind === 'Rollout') return state.rollout;
  if (state.kind === 'LeaderWorkerSet') return state.leaderWorkerSet;
  if (state.kind === 'Revisioned') return state.service;
  return state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
}

/** The workload applied as it is, and with the template of a restart. */
function checksOf(id: string): { readonly asItIs: RolloutCheck; readonly restarted: RolloutCheck } {
  const { objects, state } = readScenario(id);
  const live = workloadOf(state);
  const template = restarted(live.spec.template, state.now);
  const next = { ...live, spec: { ...live.spec, template } } as Workload;
  const version = serverVersionOf(id) ?? parseServerVersion('v1.36.3');
  const input = {
    index: indexObjects(objects, undefined, version),
    unseen: [],
    cluster: 'recorded',
    now: state.now,
    live,
  };
  return {
    asItIs: checkUpdate({ ...input, planned: live }),
    restarted: checkUpdate({ ...input, planned: next }),
  };
}

/** The incidents themselves; their variants in subfolders add nothing to the check. */
const incidents = scenarioIds
  .filter((id) => !id.includes('/'))
  .map((id) => ({ id, established: establishedOf(id) }));
const of = (causes: readonly string[]) =>
  incidents.filter(
    ({ id, established: { cause } }) => causes.includes(cause ?? '') && !pastTheScheduler.includes(id),
  );
const blocked = ['deadlock', 'stuck'];

describe('the check of a recorded rollout that its own old pods hold up', () => {
  it.each(of(ownPodsHold))('names the deadlock, the resource and the holders: $id', ({ id, established }) => {
    const { asItIs, restarted } = checksOf(id);
    for (const check of [asItIs, restarted]) expect(['deadlock', 'cannot-tell']).toContain(check.outcome);
    if (asItIs.outcome !== 'deadlock') return;
    const { detail, holders, remediation } = established;
    if (detail?.resource !== undefined) expect(asItIs.resource).toBe(detail.resource);
    if (holders !== undefined)
      expect(asItIs.holders.map(({ name }) => name).sort()).toEqual([...holders].sort());
    // A DaemonSet is not told a strategy that would free it.
    const isOffered =
      remediation?.first?.includes('patch-strategy') && readScenario(id).state.kind === 'Deployment';
    if (isOffered) expect(asItIs.wayOut).toBeDefined();
  });

  it.each(of(ownPodsHold))('gives the message that the scheduler wrote: $id', ({ id }) => {
    const { objects, state } = readScenario(id);
    const owners = new Set([workloadOf(state), ...objects.ReplicaSet].map(({ metadata }) => metadata.uid));
    const written = objects.Pod.filter((pod) => owners.has(controllerOf(pod)?.uid ?? ''))
      .map((pod) => conditionOf(pod.status, 'PodScheduled'))
      .flatMap((condition) => (condition?.status === 'False' ? [condition.message] : []));
    const { outcome, message } = checksOf(id).asItIs;
    if (outcome === 'deadlock' && message !== undefined && written.length > 0)
      expect(written).toContain(message);
  });
});

describe('the check of a recorded rollout for which there is no place', () => {
  it.each(of(nobodyHas))('does not say that it completes: $id', ({ id }) => {
    const { asItIs, restarted } = checksOf(id);
    for (const { outcome } of [asItIs, restarted]) expect([...blocked, 'cannot-tell']).toContain(outcome);
  });
});

describe('the check of a recorded rollout that went on', () => {
  const wentOn = incidents.filter(
    ({ id, established }) => established.cause === null && !heldByOthers.includes(id),
  );

  it.each(wentOn)('sees nothing in its way: $id', ({ id }) => {
    expect(blocked).not.toContain(checksOf(id).asItIs.outcome);
  });
});
