import { describe, expect, it } from 'vitest';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { scenarios } from '../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../support/scenarios/snapshot-of.js';

const tell = createTell();
const exclude: RequestedChange = { kind: 'exclude-nodes', nodes: ['gpu-1'] };

async function warningsOf(change: RequestedChange, recorded: string, language: 'en' | 'ko' = 'en') {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/kserve/${recorded}`));
  if (scenario === undefined) throw new Error(`${recorded} is not recorded`);
  const forecast = forecastRequested(change, await snapshotOf(scenario));
  if (forecast.type !== 'possible') throw new Error(plain(tell(forecast.because, 'en')));
  return forecast.warnings.map((warning) => plain(tell(warning, language)));
}

describe('a requested change of a predictor on several nodes', () => {
  it.each<[string, RequestedChange, string]>([
    ['a restart', { kind: 'restart-rollout' }, 'A restart'],
    ['an exclusion', exclude, 'Excluding the nodes'],
  ])('is reviewed with the warning that %s replaces head and workers', async (_, change, subject) => {
    expect(await warningsOf(change, 'recreated-workers')).toContain(
      `${subject} would replace head and workers. Each change of InferenceService shop/llm replaces both, and only shop/llm-predictor-worker was simulated.`,
    );
    expect((await warningsOf(change, 'recreated-workers', 'ko')).join()).toContain('헤드와 워커');
  });

  it('has no such warning where the predictor is on one node', async () => {
    const warnings = await warningsOf({ kind: 'restart-rollout' }, 'healthy');
    expect(warnings.filter((warning) => warning.includes('head and workers'))).toEqual([]);
  });
});
