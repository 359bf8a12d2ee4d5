import { describe, expect, it } from 'vitest';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { scenarios } from '../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../support/scenarios/snapshot-of.js';

const tell = createTell();
const exclude: RequestedChange = { kind: 'exclude-nodes', nodes: ['gpu-1'] };

/** @param labels further ones in the template of the pods */
async function warningsOf(change: RequestedChange, labels: object, language: 'en' | 'ko' = 'en') {
  const scenario = scenarios().find(({ folder }) => folder.endsWith('/kserve/healthy'));
  if (scenario === undefined) throw new Error('healthy is not recorded');
  const snapshot = await snapshotOf(scenario);
  const workload = structuredClone(snapshot.workload);
  Object.assign(workload.spec.template.metadata.labels, labels);
  const forecast = forecastRequested(change, { ...snapshot, workload });
  if (forecast.type !== 'possible') throw new Error(plain(tell(forecast.because, 'en')));
  return forecast.warnings.map((warning) => plain(tell(warning, language)));
}

/** What KServe writes where the predictor has workers. */
const withWorkers = { 'isvc.generation': '2' };

describe('a requested change of a predictor on several nodes', () => {
  it.each<[string, RequestedChange, string]>([
    ['a restart', { kind: 'restart-rollout' }, 'A restart'],
    ['an exclusion', exclude, 'The exclusion'],
  ])('is reviewed with the warning that %s replaces head and workers', async (_, change, subject) => {
    expect(await warningsOf(change, withWorkers)).toContain(
      `${subject} would replace head and workers. Each change of InferenceService shop/llm replaces both, and only shop/llm-predictor was simulated.`,
    );
    expect((await warningsOf(change, withWorkers, 'ko')).join()).toContain('헤드와 워커');
  });

  it('has no such warning where the predictor is on one node', async () => {
    const warnings = await warningsOf({ kind: 'restart-rollout' }, {});
    expect(warnings.filter((warning) => warning.includes('head and workers'))).toEqual([]);
  });
});
