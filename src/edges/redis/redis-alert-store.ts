import type { Redis } from 'ioredis';
import { AlertRecord, isHandled } from '../../doctor/alerts/alert-record.js';
import type { AlertStore } from '../../service/alerts/alert-ports.js';
import { guarded, parseRecord } from './guard.js';
import { createVersionedRecords } from './versioned-records.js';

interface RedisAlertStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** How long an alert is remembered after its last notification, in milliseconds. */
  readonly ttlMs: number;
  /** Alerts that wait to be worked on before no more should be recorded. */
  readonly maxUnhandled?: number;
  /**
   * Alerts that are remembered at all; beyond, the handled one that was silent for the longest time is
   * forgotten.
   */
  readonly maxRecords?: number;
}

/**
 * Notes a signal, and forgets handled records beyond the limit, the one that was silent for the longest time
 * first. An unhandled one goes to the newer end and is looked at again later. KEYS: all ids by their last
 * signal, open ids. ARGV: id, time, limit, prefix of records, ttl in ms.
 */
const noteScript = `
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[3])
for _ = 1, 50 do
  if over <= 0 then break end
  local id = redis.call('ZPOPMIN', KEYS[1])[1]
  if redis.call('ZSCORE', KEYS[2], id) then redis.call('ZADD', KEYS[1], ARGV[2], id)
  else
    redis.call('DEL', ARGV[4] .. id)
    over = over - 1
  end
end
return 1
`;

export function createRedisAlertStore(options: RedisAlertStoreOptions): AlertStore {
  const { redis, prefix, ttlMs, maxUnhandled = 5_000, maxRecords = 20_000 } = options;
  const records = createVersionedRecords<AlertRecord>({
    redis,
    prefix: `${prefix}:alert:`,
    parse: (text) => parseRecord(AlertRecord, text),
    isOpen: (record) => !isHandled(record),
    ttlMs,
  });
  const open = `${prefix}:alert:open`;
  const note = async ({ id, lastAt }: AlertRecord): Promise<void> => {
    const at = String(Date.parse(lastAt));
    const argv = [id, at, String(maxRecords), `${prefix}:alert:`, String(ttlMs)];
    await guarded(() => redis.eval(noteScript, 2, `${prefix}:alerts-by-time`, open, ...argv));
  };
  const replace: AlertStore['replace'] = async (next) => {
    const stored = await records.replace(next, Date.parse(next.lastAt));
    if (!isHandled(next) && !('type' in stored)) await note(next);
    return stored;
  };
  return {
    get: (id) => records.get(id),
    replace,
    async replaceUnreadable(first) {
      const version = (await records.versions([first.id])).get(first.id) ?? 0;
      return replace({ ...first, version: version + 1 });
    },
    unhandled: () => records.open(),
    isFull: async () => (await guarded(() => redis.zcard(open))) >= maxUnhandled,
  };
}
