import { Redis } from 'ioredis';

/** Deletes all keys that begin so: records (`prefix:…`), and the queues of BullMQ (`prefix-jobs:…`). */
export async function deleteKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url);
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
      if (Array.isArray(keys) && keys.length > 0) await redis.unlink(...keys.map(String));
    }
  } finally {
    redis.disconnect();
  }
}
