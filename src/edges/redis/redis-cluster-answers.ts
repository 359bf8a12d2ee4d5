import type { Redis } from 'ioredis';
import * as z from 'zod';
import { Seal } from '../../doctor/incidents/approval.js';
import type { ClusterAnswers } from '../../service/clusters/ask-cluster.js';
import { DoctorError } from '../../service/errors.js';
import { guarded, parseRecord } from './guard.js';

/** Nobody waits for an answer longer. */
const keptMs = 60_000;
/** A review holds two records of at most some hundred kilobytes. */
const maxLength = 4_000_000;

const StoredAnswer = z.object({ text: z.string().max(maxLength), seal: Seal.optional() });

/** Answers of workers to the process that asked; each is read once. */
export function createRedisClusterAnswers({
  redis,
  prefix,
}: {
  redis: Redis;
  prefix: string;
}): ClusterAnswers {
  const keyOf = (questionId: string): string => `${prefix}:cluster-answer:${questionId}`;
  return {
    async put(questionId, answer) {
      if (answer.text.length > maxLength) {
        throw new DoctorError({
          code: 'record-malformed',
          message: 'an answer about a cluster is too long',
          retryable: false,
        });
      }
      await guarded(() => redis.set(keyOf(questionId), JSON.stringify(answer), 'PX', keptMs));
    },
    async take(questionId) {
      const stored = await guarded(() => redis.getdel(keyOf(questionId)));
      return stored === null ? undefined : parseRecord(StoredAnswer, stored);
    },
  };
}
