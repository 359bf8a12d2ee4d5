import type { Redis } from 'ioredis';
import * as z from 'zod';
import { ChangeStop } from '../../doctor/policy/brakes.js';
import { kserveKinds } from '../../engine/objects/inference-service.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { ignoreMalformed } from '../../service/errors.js';
import type { ChangeStopStore, Silence, SilenceStore } from '../../service/people/people-ports.js';
import { type AuditedWrite, workloadKey } from './audited-write.js';
import { guarded, parseRecord, readRecord } from './guard.js';

const Record = z.object({
  workload: WorkloadRef,
  owner: z.object({ kind: z.enum(kserveKinds), name: z.string() }).optional(),
  by: z.string(),
  at: z.string(),
  until: z.string(),
  reason: z.string(),
});

/** Stores until it ends, and lists it. KEYS: record, index. ARGV: json, end as epoch ms, workload key. */
const putScript = `
redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
return 1
`;

const restoreScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
${putScript}`;

/** Takes the record out; '' for what is none. KEYS: record. */
const takeScript = `
local json = redis.pcall('GET', KEYS[1])
if type(json) == 'table' then json = '' end
redis.call('DEL', KEYS[1])
`;

/** Gives the record and forgets it. KEYS: record, index. ARGV: workload key. */
const liftScript = `${takeScript}
redis.call('ZREM', KEYS[2], ARGV[1])
return json
`;

/** What such a script gave. */
function parseTaken<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
): z.output<Schema> | 'unreadable' | undefined {
  if (typeof json !== 'string') return undefined;
  try {
    return parseRecord(schema, json);
  } catch (error) {
    return ignoreMalformed(error) ?? 'unreadable';
  }
}

function readSilence(json: unknown): Silence | undefined {
  const silence = parseTaken(Record, json);
  return silence === 'unreadable' ? undefined : silence;
}

/**
 * Silences end by Redis' own clock, whatever the clocks of apps and workers say. A record that cannot be read
 * silences nothing.
 */
export function createRedisSilenceStore({
  redis,
  prefix,
  recordDecision,
}: {
  redis: Redis;
  prefix: string;
  recordDecision: AuditedWrite;
}): SilenceStore {
  const indexKey = `${prefix}:silences`;
  const keyOf = (key: string): string => `${prefix}:silence:${key}`;
  const storing = (script: string, silence: Silence) => {
    const key = workloadKey(silence.workload);
    const values = [JSON.stringify(silence), String(Date.parse(silence.until)), key];
    return { script, keys: [keyOf(key), indexKey], values };
  };
  return {
    async put(silence, decision) {
      await recordDecision(decision, storing(putScript, silence));
    },
    restore: async (silence, decision) =>
      (await recordDecision(decision, storing(restoreScript, silence))) !== undefined,
    of: (workload) =>
      readRecord(Record, () => redis.get(keyOf(workloadKey(workload)))).catch(ignoreMalformed),
    async lift(workload, decision) {
      const key = workloadKey(workload);
      const json = await recordDecision(decision, {
        script: liftScript,
        keys: [keyOf(key), indexKey],
        values: [key],
      });
      return readSilence(json);
    },
    async all() {
      const keys = await guarded(() => redis.zrange(indexKey, '0', '-1'));
      if (keys.length === 0) return [];
      const stored = await guarded(() => redis.mget(keys.map(keyOf)));
      const gone = keys.filter((_, place) => stored[place] === null);
      if (gone.length > 0) await guarded(() => redis.zrem(indexKey, ...gone));
      return stored.map(readSilence).filter((silence) => silence !== undefined);
    },
  };
}

/** KEYS: record. ARGV: json. The first stop stays: it says since when. */
const stopScript = `return redis.call('SETNX', KEYS[1], ARGV[1])`;

/** Gives the record and removes it. KEYS: record. */
const allowScript = `${takeScript}
return json
`;

/**
 * The stop switch; it holds until a person allows changes again, also where its record cannot be read.
 */
export function createRedisChangeStopStore({
  redis,
  prefix,
  recordDecision,
}: {
  redis: Redis;
  prefix: string;
  recordDecision: AuditedWrite;
}): ChangeStopStore {
  const key = `${prefix}:changes-stopped`;
  return {
    get: () => readRecord(ChangeStop, () => redis.get(key)),
    async put(stop, decision) {
      const script = { script: stopScript, keys: [key], values: [JSON.stringify(stop)] };
      return (await recordDecision(decision, script)) !== undefined;
    },
    async lift(decision) {
      const script = { script: allowScript, keys: [key], values: [] };
      return parseTaken(ChangeStop, await recordDecision(decision, script));
    },
  };
}
