import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneSnapshot, recordedSource } from '#src/edges/cli/sources.js';
import { createRedisEndedDiagnoses } from '#src/edges/redis/redis-ended-diagnoses.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createEngine } from '#src/service/create-engine.js';
import { withBackOff } from '#src/service/diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '#src/service/diagnose/engine.js';
import { DoctorError } from '#src/service/errors.js';
import { withRedis } from '../../support/open-redis.js';

const open = withRedis();

const ended = new DoctorError({ code: 'diagnosis-ended', message: 'too large', retryable: false });
const never = new Promise<never>(() => undefined);

async function snapshotOf(generation: number): Promise<Snapshot> {
  const source = await recordedSource(join(import.meta.dirname, '../../scenarios/gpu-one-node'));
  const snapshot = await oneSnapshot(source, { namespace: 'shop', name: 'inference' }, new Set());
  const { workload } = snapshot;
  const metadata = { ...workload.metadata, generation };
  return { ...snapshot, workload: { ...workload, metadata } as Snapshot['workload'] };
}

/** Processes that share a Redis, each with an engine of its own. */
function processes() {
  const prefix = `back-off-${randomUUID()}`;
  let computed = 0;
  return {
    computed: () => computed,
    start: (diagnose: () => Promise<never>): DiagnosisEngine => {
      const counted = () => {
        computed += 1;
        return diagnose();
      };
      const store = createRedisEndedDiagnoses({ redis: open.redis, prefix, keepMs: 60_000 });
      return withBackOff({ ...createEngine(), diagnose: counted }, store);
    },
  };
}

describe('a workload that is too large to compute', () => {
  it('is computed once for a hundred requests in two processes', async () => {
    const { start, computed } = processes();
    const [one, other] = [start(() => Promise.reject(ended)), start(() => Promise.reject(ended))];
    const snapshot = await snapshotOf(1);
    const asked = await Promise.allSettled(Array.from({ length: 50 }, async () => one.diagnose(snapshot)));
    const later = await Promise.allSettled(Array.from({ length: 50 }, async () => other.diagnose(snapshot)));

    expect(computed()).toBe(1);
    for (const each of [...asked, ...later]) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'diagnosis-ended' } });
    }
  });

  it('is computed again when its specification changes', async () => {
    const { start, computed } = processes();
    const engine = start(() => Promise.reject(ended));
    for (const generation of [1, 1, 2, 2, 3]) {
      await expect(engine.diagnose(await snapshotOf(generation))).rejects.toThrow(DoctorError);
    }
    expect(computed()).toBe(3);
  });

  it('is not computed again after three processes died while they computed it', async () => {
    const { start, computed } = processes();
    const snapshot = await snapshotOf(1);
    for (const died of [1, 2, 3]) {
      void start(() => never).diagnose(snapshot);
      await expect.poll(computed).toBe(died);
    }
    await expect(start(() => never).diagnose(snapshot)).rejects.toMatchObject({ code: 'diagnosis-ended' });
    await expect(start(() => never).diagnose(snapshot)).rejects.toMatchObject({ code: 'diagnosis-ended' });
    expect(computed()).toBe(3);
  });
});

it('computes a diagnosis again each time when it fails for another reason', async () => {
  const { start, computed } = processes();
  const engine = start(() => Promise.reject(new Error('a defect')));
  const snapshot = await snapshotOf(1);
  for (let n = 1; n <= 10; n += 1) {
    await expect(engine.diagnose(snapshot)).rejects.toThrow('a defect');
    expect(computed()).toBe(n);
  }
});
