import { Gauge, type Registry } from 'prom-client';

/** What one process does for a cluster while no other does. */
export type LeaseName = 'sentinel' | 'crash-history';

/** Counts who watches: over all processes, the sum of one lease and cluster is 1, and for some seconds 0. */
export function createLeaseGauge(
  registers: Registry[],
): (lease: LeaseName, cluster: string, isHeld: boolean) => void {
  const gauge = new Gauge({
    name: 'rollout_doctor_lease_held',
    help: 'Whether this process is the one that watches the cluster for this purpose',
    labelNames: ['lease', 'cluster'],
    registers,
  });
  return (lease, cluster, isHeld) => gauge.set({ lease, cluster }, isHeld ? 1 : 0);
}
