import { describe, expect, it } from 'vitest';
import { createMetrics } from '#src/edges/metrics/metrics.js';

describe('the metrics of the crash history', () => {
  it('are summed over the clusters that this process watches, and the lease names each cluster', async () => {
    const { history, page } = createMetrics();
    history.written(3);
    history.written(4);
    history.dropped(2);
    history.state('canary-prod', { leads: true, pods: 10, lagSeconds: 4 });
    history.state('canary-staging', { leads: true, pods: 5, lagSeconds: 9 });
    history.state('canary-third', { leads: false, pods: 99, lagSeconds: 99 });
    const { body } = await page();

    expect(body.match(/^rollout_doctor_history\w+ .*$/gm)).toEqual([
      'rollout_doctor_history_records_total 7',
      'rollout_doctor_history_dropped_total 2',
      'rollout_doctor_history_pods 15',
      'rollout_doctor_history_lag_seconds 9',
    ]);
    expect(body.match(/^rollout_doctor_lease_held.*$/gm)).toEqual([
      'rollout_doctor_lease_held{lease="crash-history",cluster="canary-prod"} 1',
      'rollout_doctor_lease_held{lease="crash-history",cluster="canary-staging"} 1',
      'rollout_doctor_lease_held{lease="crash-history",cluster="canary-third"} 0',
    ]);
  });
});
