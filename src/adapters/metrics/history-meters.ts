import { Counter, Gauge, type Registry } from 'prom-client';
import type { HistoryMeters } from '../../usecases/history/crash-history-ports.js';

type State = Parameters<HistoryMeters['state']>[1];

/** Sums over the clusters that this process watches. */
export function createHistoryMeters(
  registers: Registry[],
  onLease: (cluster: string, isHeld: boolean) => void,
): HistoryMeters {
  const states = new Map<string, State>();
  const leading = (): readonly State[] => [...states.values()].filter(({ leads }) => leads);
  const written = new Counter({
    name: 'rollout_doctor_history_records_total',
    help: 'Records of pods written to the crash history',
    registers,
  });
  const dropped = new Counter({
    name: 'rollout_doctor_history_dropped_total',
    help: 'Records of the crash history that a limit pushed out',
    registers,
  });
  const gauge = (name: string, help: string, of: (states: readonly State[]) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(of(leading()));
      },
    });
  };
  gauge('rollout_doctor_history_pods', 'Pods that are followed', (all) =>
    all.reduce((sum, { pods }) => sum + pods, 0),
  );
  gauge('rollout_doctor_history_lag_seconds', 'Since the slowest watch was in step', (all) =>
    Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)),
  );
  return {
    written: (records) => written.inc(records),
    dropped: (records) => dropped.inc(records),
    state(cluster, state) {
      states.set(cluster, state);
      onLease(cluster, state.leads);
    },
  };
}
