import type { Redis } from 'ioredis';
import { ScanRecord } from '../../doctor/scans/scan-record.js';
import { ignoreMalformed } from '../../service/errors.js';
import type { ScanStore } from '../../service/people/people-ports.js';
import { guarded, readRecord } from './guard.js';

/** Longer than any scan takes, and than Slack may be away before nobody waits for the answer any more. */
const keptMs = 3_600_000;

/** Makes this scan the one that is under way. KEYS: claim, record. ARGV: id, json, ttl in ms. */
const claimScript = `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return ARGV[1]
`;

/**
 * Gives the id of the scan that is under way, or makes this one it. KEYS: claim, record. ARGV: id, json, ttl
 * in ms, prefix of records.
 */
const openScript = `
local id = redis.call('GET', KEYS[1])
if id and redis.call('EXISTS', ARGV[4] .. id) == 1 then return id end
${claimScript}`;

/**
 * Writes the record and frees the claim if it is this scan's. KEYS: claim, record. ARGV: id, json, ttl in ms.
 */
const putScript = `
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`;

export function createRedisScanStore({ redis, prefix }: { redis: Redis; prefix: string }): ScanStore {
  const records = `${prefix}:scan:`;
  const claimOf = ({ by, cluster, namespace }: ScanRecord): string =>
    `${prefix}:scanning:${JSON.stringify([by, cluster, namespace])}`;
  const ttl = String(keptMs);

  async function get(id: string): Promise<ScanRecord | undefined> {
    return readRecord(ScanRecord, () => redis.get(`${records}${id}`));
  }

  return {
    get,
    async open(scan) {
      const key = `${records}${scan.id}`;
      const json = JSON.stringify(scan);
      const id = String(
        await guarded(() => redis.eval(openScript, 2, claimOf(scan), key, scan.id, json, ttl, records)),
      );
      const known = id === scan.id ? undefined : await get(id).catch(ignoreMalformed);
      if (known !== undefined) return { created: false, scan: known };
      if (id !== scan.id)
        await guarded(() => redis.eval(claimScript, 2, claimOf(scan), key, scan.id, json, ttl));
      return { created: true, scan };
    },
    async put(scan) {
      const key = `${records}${scan.id}`;
      const json = JSON.stringify(scan);
      await guarded(() => redis.eval(putScript, 2, claimOf(scan), key, scan.id, json, ttl));
    },
  };
}
