import type { Redis } from 'ioredis';
import type { WaitingDecisionStore } from '../../service/approve/confirm-login.js';
import { guarded } from './guard.js';

/** A reason of 500 characters, two ids and a signature, in bytes of UTF-8 and JSON. */
const maxLength = 8_000;

/** Decisions that wait for the login of their person; each is taken once. */
export function createRedisWaitingDecisions({
  redis,
  prefix,
}: {
  redis: Redis;
  prefix: string;
}): WaitingDecisionStore {
  const keyOf = (id: string): string => `${prefix}:waiting-decision:${id}`;
  const bounded = (text: string | null): string | undefined =>
    text === null || text.length > maxLength ? undefined : text;
  return {
    async put(id, text, ttlMs) {
      await guarded(() => redis.set(keyOf(id), text, 'PX', Math.ceil(ttlMs)));
    },
    async get(id) {
      return bounded(await guarded(() => redis.get(keyOf(id))));
    },
    async take(id) {
      return bounded(await guarded(() => redis.getdel(keyOf(id))));
    },
  };
}
