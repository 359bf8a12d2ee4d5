import { describe, expect, it, vi } from 'vitest';
import { generateCluster } from '../../../../bench/generated-cluster/generate-cluster.js';

const objects = [...generateCluster({ seed: 1, nodes: 3, pods: 3, zones: 3, deadlocks: [] })];
/** More than the process reads before it compiles a schema. */
const rounds = 1_001;

/** A process counts from its start, and other tests of this one may have read objects. */
async function startCounting() {
  vi.resetModules();
  const { schemas } = await import('#src/core/cluster/cluster-objects.js');
  const { schemaForNext } = await import('#src/adapters/kubernetes/object-schema.js');
  return { schemas, schemaForNext };
}

describe('the schema for an object', () => {
  it.each(['Node', 'Pod'] as const)(
    'parses %s the same and reports the same error after compilation',
    async (kind) => {
      const { schemas, schemaForNext } = await startCounting();
      const whole = objects.find((object) => object.kind === kind);
      const broken = { ...whole, metadata: { ...whole?.metadata, labels: 7 } };
      const before = schemaForNext(kind);

      for (let round = 0; round < rounds; round += 1) schemaForNext(kind);
      const after = schemaForNext(kind);

      expect(before).toBe(schemas[kind]);
      expect(after).not.toBe(before);
      expect(after.parse(whole)).toEqual(before.parse(whole));
      expect(after.safeParse(broken).error?.issues.map(({ path, message }) => [path, message])).toEqual(
        before.safeParse(broken).error?.issues.map(({ path, message }) => [path, message]),
      );
    },
  );
});
