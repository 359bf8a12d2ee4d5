import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createSentinelMeters } from '#src/edges/metrics/metrics.js';

it('the sentinel metrics are summed over the clusters that this process watches, and the lease is reported for each', async () => {
  const registry = new Registry();
  const leases: unknown[] = [];
  const meters = createSentinelMeters([registry], (...each) => leases.push(each));
  meters.state('eu-1', { leads: true, lagSeconds: 4 });
  meters.state('us-1', { leads: true, lagSeconds: 30 });
  meters.state('ap-1', { leads: false, lagSeconds: 900 });
  meters.candidate('FailedScheduling');
  meters.dropped(2);
  meters.countExamination('no-rollout');
  meters.countExamination('told');
  meters.reportedAfter(38);
  const page = await registry.metrics();

  for (const line of [
    'rollout_doctor_sentinel_lag_seconds 30',
    'rollout_doctor_sentinel_candidates_total{reason="FailedScheduling"} 1',
    'rollout_doctor_sentinel_dropped_total 2',
    'rollout_doctor_sentinel_diagnoses_total{outcome="told"} 1',
    'rollout_doctor_sentinel_report_duration_seconds_bucket{le="30"} 0',
    'rollout_doctor_sentinel_report_duration_seconds_bucket{le="45"} 1',
  ]) {
    expect(page.split('\n')).toContain(line);
  }
  expect(page).not.toMatch(/eu-1|us-1|ap-1/);
  expect(leases).toEqual([
    ['eu-1', true],
    ['us-1', true],
    ['ap-1', false],
  ]);
});
