import { describe, expect, it } from 'vitest';
import { checkUpdate } from '#src/core/check/check-update.js';
import type { RolloutCheck } from '#src/core/check/rollout-check.js';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import type { Workload } from '#src/core/cluster/workload.js';
import type { Statement } from '#src/core/language/statement.js';
import { restarted } from '#src/core/rollout/rollout-change.js';
import type { RolloutState } from '#src/core/rollout/rollout-state.js';
import { factsText } from '../recorded-facts.js';
import { readScenario, scenarioIds } from '../rollout/recorded.js';

function workloadOf(state: RolloutState): Workload {
  if (state.kind === 'Deployment') return state.deployment;
  if (state.kind === 'Rollout') return state.rollout;
  if (state.kind === 'LeaderWorkerSet') return state.leaderWorkerSet;
  if (state.kind === 'Revisioned') return state.service;
  return state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
}

/** The same with another template, as a restart makes it. */
function withNextTemplate(live: Workload, now: number): Workload {
  const template = restarted(live.spec.template, now);
  return { ...live, spec: { ...live.spec, template } } as Workload;
}

const words = ({ key, values }: Statement): string => `${key} ${JSON.stringify(values)}`;

function summarize({ workload: _, summary, reasoning, wayOut, holders, ...check }: RolloutCheck) {
  return {
    ...check,
    summary: words(summary),
    reasoning: reasoning.map(words),
    holders: holders.map(({ name }) => name),
    wayOut: wayOut && { ...wayOut, summary: words(wayOut.summary) },
  };
}

/** The incidents themselves; their variants in subfolders add nothing to the check. */
const ids = scenarioIds.filter((id) => !id.includes('/'));

/** On the cluster of every recorded incident: the workload applied as it is, and with its next template. */
describe('the check of an update of', () => {
  it.each(ids)('%s gives the reviewed result', async (id) => {
    const { objects, state } = readScenario(id);
    const live = workloadOf(state);
    const { now } = state;
    const input = { index: indexObjects(objects), unseen: [], cluster: 'recorded', now, live };
    const facts = {
      'as it is': summarize(checkUpdate({ ...input, planned: live })),
      'another template': summarize(checkUpdate({ ...input, planned: withNextTemplate(live, now) })),
    };
    await expect(factsText(facts)).toMatchFileSnapshot(`recorded-checks/${id}.yaml`);
  });
});
