import type { Redis } from 'ioredis';
import { ChangeStop } from '../../doctor/policy/brakes.js';
import type { ChangeStopStore } from '../../service/people/people-ports.js';
import type { AuditedWrite } from './audited-write.js';
import { guarded, parseRecord } from './guard.js';

/** KEYS: record. ARGV: json. The first stop stays: it says since when. */
const putScript = `return redis.call('SETNX', KEYS[1], ARGV[1])`;

/** Returns the record and removes it. KEYS: record. */
const liftScript = `
local json = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return json
`;

/** The stop switch; it holds until a person allows changes again. */
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
    async get() {
      const json = await guarded(() => redis.get(key));
      return json === null ? undefined : parseRecord(ChangeStop, json);
    },
    async put(stop, decision) {
      const script = { script: putScript, keys: [key], values: [JSON.stringify(stop)] };
      return (await recordDecision(decision, script)) !== undefined;
    },
    async lift(decision) {
      const json = await recordDecision(decision, { script: liftScript, keys: [key], values: [] });
      return typeof json === 'string' ? parseRecord(ChangeStop, json) : undefined;
    },
  };
}
