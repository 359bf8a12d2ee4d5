import { describe, expect, it } from 'vitest';
import { kinds } from '#src/doctor/fixes/kinds/kinds.js';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import { queueNames } from '#src/service/jobs/jobs.js';
import { parseMetrics, sampleOf } from '../../../support/metrics-pages.js';

/** Prometheus sees no increase of a series that begins with its first event. */
describe('counters that alerts are on begin at 0', () => {
  it.each([
    ...queueNames.map(
      (queue) => ['rollout_doctor_job_duration_seconds_count', { queue, outcome: 'failed' }] as const,
    ),
    ...[...kinds.map(({ kind }) => kind), 'undo'].map(
      (kind) => ['rollout_doctor_verdicts_total', { kind, verdict: 'worse' }] as const,
    ),
    ...['card', 'thread', 'question', 'pointer', 'reaction', 'resolution', 'note', 'notice'].map(
      (kind) => ['rollout_doctor_messages_refused_total', { kind }] as const,
    ),
  ])('%s %o', async (name, labels) => {
    const { body } = await createMetrics().page();
    expect(sampleOf(parseMetrics(body), name, labels)).toBe(0);
  });

  it('and have no label without a value', async () => {
    const { body } = await createMetrics().page();
    const values = parseMetrics(body).samples.flatMap(({ labels }) => Object.values(labels));
    expect(values.length).toBeGreaterThan(50);
    expect(values).not.toContain('undefined');
  });
});
