import type { Redis } from 'ioredis';
import { AlertRecord, isHandled } from '../../core/alert/alert-record.js';
import type { AlertStore } from '../../usecases/alert-ports.js';
import { parseRecord } from './guard.js';
import { createVersionedRecords } from './versioned-records.js';

export interface RedisAlertStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** How long an alert is remembered after it was told of last, in milliseconds. */
  readonly ttlMs: number;
}

export function createRedisAlertStore({ redis, prefix, ttlMs }: RedisAlertStoreOptions): AlertStore {
  const records = createVersionedRecords<AlertRecord>({
    redis,
    prefix: `${prefix}:alert:`,
    parse: (text) => parseRecord(AlertRecord, text),
    isOpen: (record) => !isHandled(record),
    ttlMs,
  });
  return {
    get: (id) => records.get(id),
    replace: (next) => records.replace(next, Date.parse(next.lastAt)),
    unhandled: () => records.open(),
  };
}
