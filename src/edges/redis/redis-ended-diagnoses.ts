import type { Redis } from 'ioredis';
import type { ComputedWorkload, EndedDiagnoses } from '../../service/diagnose/diagnosis-back-off.js';
import { guarded } from './guard.js';

/** KEYS: count. ARGV: milliseconds until it is forgotten. */
const beginScript = `
local begun = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return begun
`;

/** KEYS: count, which may have been forgotten meanwhile. */
const finishScript = `
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('DECR', KEYS[1]) <= 0 then redis.call('DEL', KEYS[1]) end
return 1
`;

/** Workloads that were too large to compute; Redis forgets each one after `keepMs`. */
export function createRedisEndedDiagnoses({
  redis,
  prefix,
  keepMs,
}: {
  redis: Redis;
  prefix: string;
  keepMs: number;
}): EndedDiagnoses {
  const keyOf = ({ cluster, uid, generation }: ComputedWorkload): string =>
    `${prefix}:diagnosis-ended:${cluster}:${uid}:${generation}`;
  const begunOf = ({ cluster, uid, generation }: ComputedWorkload): string =>
    `${prefix}:diagnosis-begun:${cluster}:${uid}:${generation}`;
  return {
    waitMs: async (workload) => Math.max(0, await guarded(() => redis.pttl(keyOf(workload)))),
    async note(workload) {
      await guarded(() => redis.set(keyOf(workload), '1', 'PX', keepMs));
    },
    async begin(workload) {
      const begun = await guarded(() => redis.eval(beginScript, 1, begunOf(workload), String(keepMs)));
      return Number(begun) - 1;
    },
    async finish(workload) {
      await guarded(() => redis.eval(finishScript, 1, begunOf(workload)));
    },
  };
}
