import type { Redis } from 'ioredis';
import type { AuditEntry, ChainEnd, StoredLink } from '../../doctor/audit/audit-entry.js';
import { linkDecision } from '../../doctor/audit/audit-entry.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { DoctorError } from '../../service/errors.js';
import { guarded } from './guard.js';

/** A change of state in Redis: a Lua body that returns 0 or false when there is nothing to change. */
interface StateChange {
  readonly script: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

interface AuditedWriteOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** SHA-256 as lower-case hex. */
  readonly digest: (text: string) => string;
  /** How long a decision is kept, in milliseconds. */
  readonly keepMs: number;
  /** Receives each decision after it is recorded, for the second place where decisions are kept. */
  readonly onDecision: (link: StoredLink) => void;
}

/**
 * Records a decision and changes the state that follows from it, both or neither.
 *
 * @returns what the script of the change returned, or `undefined` when it changed nothing; then nothing is
 *   recorded
 */
export type AuditedWrite = (entry: AuditEntry, change: StateChange) => Promise<unknown>;

export function decisionKeys(prefix: string) {
  return {
    end: `${prefix}:audit-decisions:end`,
    stream: `${prefix}:audit-decisions`,
    workloads: `${prefix}:audit-workloads`,
  } as const;
}

/** Workloads that can be asked for by name. */
export const maxWorkloads = 10_000;

/** Far more writers than processes that record decisions at the same moment. */
const maxAttempts = 200;

/** For an entry that records a decision and changes no other state. */
export const noChange: StateChange = { script: 'return 1', keys: [], values: [] };

/**
 * KEYS: end of the chain, stream, workloads, then the keys of the change. ARGV: expected hash of the end,
 * number of the new link, its text and hash, the workload, how long decisions are kept in ms, `maxWorkloads`,
 * then the values of the change. Returns the end of the chain when it is not the expected one.
 *
 * The entry is added first and taken back when the change does not happen: a write that Redis refuses then
 * stops before the state is changed.
 */
function auditedScript(change: string): string {
  return `
local found = redis.call('HGET', KEYS[1], 'hash') or ''
if found ~= ARGV[1] then return {'moved', redis.call('HGET', KEYS[1], 'seq') or '0', found} end
local function change(KEYS, ARGV)
${change}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local oldest = string.format('%.0f', math.max(0, now - tonumber(ARGV[6])))
local id = redis.call('XADD', KEYS[2], 'MINID', '~', oldest, '*', 'link', ARGV[3], 'hash', ARGV[4])
local done, result = pcall(change, {unpack(KEYS, 4)}, {unpack(ARGV, 8)})
if not done or not result or result == 0 then
  redis.call('XDEL', KEYS[2], id)
  if not done then error(result) end
  return {'unchanged'}
end
redis.call('HSET', KEYS[1], 'seq', ARGV[2], 'hash', ARGV[4])
if ARGV[5] ~= '' then redis.call('ZADD', KEYS[3], now, ARGV[5]) end
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -tonumber(ARGV[7]) - 1)
return {'written', result}
`;
}

type Answer =
  | readonly ['moved', seq: string, hash: string]
  | readonly ['unchanged']
  | readonly ['written', result: unknown];

/**
 * @throws DoctorError `redis-unavailable` when Redis did not record the decision; then nothing changed either
 */
export function createAuditedWrite(options: AuditedWriteOptions): AuditedWrite {
  const { redis, prefix, digest, keepMs, onDecision } = options;
  const { end: endKey, stream, workloads } = decisionKeys(prefix);
  return async (entry, change) => {
    let end = await guarded(() => readEnd(redis, prefix));
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const link = linkDecision(end, entry, digest);
      const answer = (await guarded(() =>
        redis.eval(
          auditedScript(change.script),
          3 + change.keys.length,
          endKey,
          stream,
          workloads,
          ...change.keys,
          end.hash,
          String(end.seq + 1),
          link.text,
          link.hash,
          entry.workload === undefined ? '' : workloadKey(entry.workload),
          String(keepMs),
          String(maxWorkloads),
          ...change.values,
        ),
      )) as Answer;
      if (answer[0] === 'unchanged') return undefined;
      if (answer[0] === 'written') {
        onDecision(link);
        return answer[1];
      }
      end = { seq: Number(answer[1]), hash: answer[2] };
    }
    throw new DoctorError({
      code: 'record-conflict',
      message: 'other decisions were recorded at every attempt',
      retryable: true,
    });
  };
}

/** The recorded end of the chain. */
export async function readEnd(redis: Redis, prefix: string): Promise<ChainEnd> {
  const [seq, hash] = await redis.hmget(decisionKeys(prefix).end, 'seq', 'hash');
  return { seq: Number(seq ?? 0), hash: hash ?? '' };
}

/** The workload as the end of a Redis key or a member of a set; two workloads never share one. */
export function workloadKey({ cluster, kind, namespace, name }: WorkloadRef): string {
  return JSON.stringify([cluster, kind, namespace, name]);
}

/** The workload that a key names; undefined when it is none of ours. */
export function workloadOfKey(key: string): WorkloadRef | undefined {
  try {
    const [cluster, kind, namespace, name] = JSON.parse(key) as readonly unknown[];
    return WorkloadRef.safeParse({ cluster, kind, namespace, name }).data;
  } catch {
    return undefined;
  }
}
