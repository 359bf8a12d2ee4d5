import type { DeliveryRecord } from '#src/doctor/incidents/delivery.js';
import type { DeliveryStore } from '#src/service/deliver/incident-thread.js';

/**
 * Delivery records in memory, which Redis keeps otherwise; `world.wait` is the wait for a post, in
 * milliseconds.
 */
export function createMemoryDeliveries(world: { readonly wait: number } = { wait: 0 }) {
  const records = new Map<string, DeliveryRecord>();
  const locked = new Set<string>();
  const deliveries: DeliveryStore = {
    async open(key) {
      if (locked.has(key)) return { type: 'busy' };
      locked.add(key);
      return {
        type: 'open',
        record: records.get(key) ?? {},
        async close(record) {
          if (record !== undefined) records.set(key, record);
          locked.delete(key);
        },
      };
    },
    get: async (key) => records.get(key),
    async noteAttempt(key, tryingSince) {
      if (!records.has(key)) records.set(key, { tryingSince });
    },
    incidentInThread: async () => undefined,
    hold: async () => undefined,
    held: async () => 0,
    async reserve(_, key, __, record) {
      if (world.wait === 0) records.set(key, record);
      return world.wait;
    },
    reserveEdit: async () => 0,
    reserveReaction: async () => 0,
  };
  return { deliveries, records, locked };
}
