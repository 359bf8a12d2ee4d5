import { describe, expect, it } from 'vitest';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { scenarios } from '../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../support/scenarios/snapshot-of.js';

const tell = createTell();
const exclude: RequestedChange = { kind: 'exclude-nodes', nodes: ['gpu-1'] };

async function answerTo(change: RequestedChange, recorded: string) {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/${recorded}`));
  if (scenario === undefined) throw new Error(`${recorded} is not recorded`);
  const forecast = forecastRequested(change, await snapshotOf(scenario));
  if (forecast.type !== 'impossible') throw new Error('possible');
  return { en: plain(tell(forecast.because, 'en')), ko: plain(tell(forecast.because, 'ko')) };
}

describe('a requested change of an object that has no field for it', () => {
  it.each<[string, RequestedChange, string, string]>([
    ['a restart', { kind: 'restart-rollout' }, 'knative/healthy', 'spec.template'],
    ['a restart', { kind: 'restart-rollout' }, 'ray-services/new-cluster-serves', 'spec.rayClusterConfig'],
    ['a restart', { kind: 'restart-rollout' }, 'dynamo/healthy', 'delete single pods'],
    ['an exclusion', exclude, 'knative/healthy', 'cordon the nodes'],
    ['an exclusion', exclude, 'kserve/groups-in-place', 'LLMInferenceService shop/llm'],
    ['a roll back', { kind: 'undo-rollout' }, 'knative/healthy', 'spec.traffic'],
    ['a roll back', { kind: 'undo-rollout' }, 'ray-services/new-cluster-serves', 'former manifest'],
    ['a roll back', { kind: 'undo-rollout' }, 'kserve/groups-in-place', 'LLMInferenceService shop/llm'],
    ['a resumption', { kind: 'resume-rollout' }, 'dynamo/healthy', 'pauses or resumes'],
  ])('answers %s with what helps (%#)', async (_, change, recorded, words) => {
    const { en, ko } = await answerTo(change, recorded);

    expect(en).toContain(words);
    expect(ko).toMatch(/[가-힣]/u);
  });
});
