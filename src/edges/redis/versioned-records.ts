import type { Redis } from 'ioredis';
import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import { ignoreMalformed } from '../../service/errors.js';
import type { Conflict } from '../../service/records/incident-store.js';
import type { AuditedWrite } from './audited-write.js';
import { guarded, guardedRead } from './guard.js';

/**
 * Stores the record where the stored version allows it. KEYS: record, index (sorted set of ids). ARGV: json,
 * version, ttl in ms, id, score, and '1' to keep the id in the index or '0' to take it out. A key that holds
 * no hash holds no record.
 */
const storeWhere = (isAllowed: string): string => `
local found = redis.pcall('HGET', KEYS[1], 'version')
local isForeign = type(found) == 'table'
local stored = not isForeign and tonumber(found or '0') or 0
if not (${isAllowed}) then return 0 end
if isForeign then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'json', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if ARGV[6] == '1' then redis.call('ZADD', KEYS[2], 'NX', ARGV[5], ARGV[4]) else redis.call('ZREM', KEYS[2], ARGV[4]) end
return 1
`;
const replaceScript = storeWhere('stored == tonumber(ARGV[2]) - 1');
const restoreScript = storeWhere('stored < tonumber(ARGV[2])');

/**
 * Gives the id under KEYS[3] if that record still exists (KEYS[4] is the prefix of records); else stores the
 * record as `replaceScript` does, and gives its id the place. ARGV[7]: ttl of the place in ms; ARGV[8]: '1'
 * to renew it. In one step: a record that finds the place taken is never seen by anybody.
 */
const openScript = `
local id = redis.call('GET', KEYS[3])
if id and redis.call('EXISTS', KEYS[4] .. id) == 1 then
  if ARGV[8] == '1' then redis.call('PEXPIRE', KEYS[3], ARGV[7]) end
  return id
end
local function store()
${replaceScript}
end
store()
redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[7])
return ARGV[4]
`;

interface Place {
  readonly key: string;
  readonly ttlMs: number;
  /** Whether to renew it for the record that has it. */
  readonly renew: boolean;
}

type VersionedRecord = { readonly id: string; readonly version: number };

interface VersionedRecordsOptions<Record extends VersionedRecord> {
  readonly redis: Redis;
  /** Key prefix of the records, e.g. `rollout-doctor:incident:`. */
  readonly prefix: string;
  readonly parse: (text: string) => Record;
  /** Whether the sweep must see it. */
  readonly isOpen: (record: Record) => boolean;
  /** How long a record outlives its last write, in milliseconds. */
  readonly ttlMs: number;
  /** Needed where a decision is recorded together with a record. */
  readonly recordDecision?: AuditedWrite;
}

/** Records that are written by compare-and-set on their `version`, with an index of the open ones. */
interface VersionedRecords<Record extends VersionedRecord> {
  get(id: string): Promise<Record | undefined>;
  /**
   * @param score orders the index of open records, e.g. the creation time
   * @param decision recorded in the same write: either both are stored or neither
   */
  replace(next: Record, score: number, decision?: AuditEntry): Promise<Record | Conflict>;
  /** Stores the first version of a record, unless another one has its place. @returns who has the place */
  openAt(place: Place, record: Record, score: number): Promise<string>;
  /**
   * Stores a record that Redis confirmed before, unless it has this version or a later one. False: it has.
   */
  restore(record: Record, score: number): Promise<boolean>;
  /** The stored versions; a record that is not there is left out. */
  versions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Ids of open records by score; ids whose record has expired are dropped. */
  open(): Promise<readonly string[]>;
}

export function createVersionedRecords<Record extends VersionedRecord>(
  options: VersionedRecordsOptions<Record>,
): VersionedRecords<Record> {
  const { redis, prefix, parse, isOpen, ttlMs, recordDecision } = options;
  const index = `${prefix}open`;
  const argumentsOf = (record: Record, score: number) => ({
    keys: [`${prefix}${record.id}`, index],
    values: [
      JSON.stringify(record),
      String(record.version),
      String(ttlMs),
      record.id,
      String(score),
      isOpen(record) ? '1' : '0',
    ],
  });
  return {
    async get(id) {
      const json = await guardedRead(() => redis.hget(`${prefix}${id}`, 'json'));
      return json === null ? undefined : parse(json);
    },
    async replace(next, score, decision) {
      const { keys, values } = argumentsOf(next, score);
      if (decision !== undefined && recordDecision === undefined) {
        throw new RangeError('these records take no decisions');
      }
      const won =
        decision === undefined || recordDecision === undefined
          ? await guarded(() => redis.eval(replaceScript, keys.length, ...keys, ...values))
          : await recordDecision(decision, { script: replaceScript, keys, values });
      return won === 1 ? next : { type: 'conflict' };
    },
    async openAt({ key, ttlMs: placeMs, renew }, record, score) {
      const { keys, values } = argumentsOf(record, score);
      const all = [...keys, key, prefix, ...values, String(placeMs), renew ? '1' : '0'];
      return String(await guarded(() => redis.eval(openScript, keys.length + 2, ...all)));
    },
    async restore(record, score) {
      const { keys, values } = argumentsOf(record, score);
      return (await guarded(() => redis.eval(restoreScript, keys.length, ...keys, ...values))) === 1;
    },
    async versions(ids) {
      const read = await Promise.all(
        ids.map(async (id) => {
          const found = guardedRead(() => redis.hget(`${prefix}${id}`, 'version'));
          const version = await found.catch(ignoreMalformed);
          return [id, version] as const;
        }),
      );
      return new Map(read.flatMap(([id, version]) => (version == null ? [] : [[id, Number(version) || 0]])));
    },
    async open() {
      const ids = await guarded(() => redis.zrange(index, '0', '-1'));
      const alive: string[] = [];
      for (const id of ids) {
        if ((await guarded(() => redis.exists(`${prefix}${id}`))) === 1) alive.push(id);
        else await guarded(() => redis.zrem(index, id));
      }
      return alive;
    },
  };
}
