import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SentinelMeters } from '../../service/sentinel/sentinel-ports.js';

type State = Parameters<SentinelMeters['state']>[1];

/** Sums over the clusters that this process watches. */
export function createSentinelMeters(
  registers: Registry[],
  onLease: (cluster: string, isHeld: boolean) => void,
): SentinelMeters {
  const states = new Map<string, State>();
  const leading = (): readonly State[] => [...states.values()].filter(({ leads }) => leads);
  const candidates = new Counter({
    name: 'rollout_doctor_sentinel_candidates_total',
    help: 'Signs of a stuck rollout that were queued, by what was seen first',
    labelNames: ['reason'],
    registers,
  });
  const dropped = new Counter({
    name: 'rollout_doctor_sentinel_dropped_total',
    help: 'Signs that a limit pushed out before they were queued',
    registers,
  });
  const diagnoses = new Counter({
    name: 'rollout_doctor_sentinel_diagnoses_total',
    help: 'Diagnoses of candidates by outcome; told is a card',
    labelNames: ['outcome'],
    registers,
  });
  const reportedAfter = new Histogram({
    name: 'rollout_doctor_sentinel_report_duration_seconds',
    help: 'From the first refusal until a card was queued; longer where quiet hours or a later proof held it',
    buckets: [15, 30, 45, 60, 90, 180, 600, 3_600, 43_200],
    registers,
  });
  new Gauge({
    name: 'rollout_doctor_sentinel_lag_seconds',
    help: 'Since the quietest cluster sent anything; bookmarks come about once a minute',
    registers,
    collect() {
      this.set(Math.max(0, ...leading().map(({ lagSeconds }) => lagSeconds)));
    },
  });
  return {
    candidate: (reason) => candidates.inc({ reason }),
    dropped: (count) => dropped.inc(count),
    countExamination: (outcome) => diagnoses.inc({ outcome }),
    reportedAfter: (seconds) => reportedAfter.observe(seconds),
    state(cluster, state) {
      states.set(cluster, state);
      onLease(cluster, state.leads);
    },
  };
}
