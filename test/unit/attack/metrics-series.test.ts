import { describe, expect, it } from 'vitest';
import { createMetrics } from '#src/edges/metrics/metrics.js';

const hostileTypes = [
  ...Array.from({ length: 1_000 }, (_, at) => `type-${at}`),
  '__proto__',
  'constructor',
  'events_api"} 1\nrollout_doctor_policy_readable 0\nx{y="',
  'x'.repeat(100_000),
];

/** Lines of the page that are series of this metric. */
function seriesOf(page: string, name: string): readonly string[] {
  return page.split('\n').filter((line) => line.startsWith(`${name}{`));
}

describe('the series of metrics', () => {
  it('do not grow with the types that the sender of a payload invents', async () => {
    const metrics = createMetrics();
    for (const type of [...hostileTypes, 'events_api']) metrics.slackDelivered(type);
    const { body } = await metrics.page();

    expect(seriesOf(body, 'rollout_doctor_slack_payloads_total')).toEqual([
      'rollout_doctor_slack_payloads_total{type="events_api"} 1',
      'rollout_doctor_slack_payloads_total{type="interactive"} 0',
      'rollout_doctor_slack_payloads_total{type="slash_commands"} 0',
      `rollout_doctor_slack_payloads_total{type="other"} ${hostileTypes.length}`,
    ]);
    expect(body).not.toContain('rollout_doctor_policy_readable');
  });

  it('do not grow with the numbers of statuses that a cluster answers with', async () => {
    const metrics = createMetrics();
    for (let status = 100; status < 1_000; status += 1) {
      metrics.onClusterRequest({ cluster: 'prod', verb: 'get', status, seconds: 0.1 });
    }
    const { body } = await metrics.page();

    const counts = seriesOf(body, 'rollout_doctor_cluster_request_duration_seconds_count');
    expect(counts.map((line) => /outcome="([^"]*)"/u.exec(line)?.[1]).sort()).toEqual([
      'error',
      'ok',
      'refused',
      'throttled',
    ]);
  });
});
