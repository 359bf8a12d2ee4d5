import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { gpuDeadlock } from '../../../bench/generated-cluster/deadlock.js';
import { generateCluster } from '../../../bench/generated-cluster/generate-cluster.js';

const shape = { seed: 1, nodes: 200, pods: 400, zones: 3, deadlocks: [gpuDeadlock(16)] };
const objects = [...generateCluster(shape)];

/** Without managedFields, which the API server adds: some 1.5 kB to a node and 3.4 kB to a pod. */
describe('the generated cluster', () => {
  const texts = (kind: string): readonly string[] =>
    objects.filter((object) => object.kind === kind).map((object) => JSON.stringify(object));
  const mean = (all: readonly string[]): number =>
    all.reduce((sum, { length }) => sum + length, 0) / all.length;

  it('has nodes and pods as large as those of real clouds', () => {
    expect(mean(texts('Node'))).toBeGreaterThan(6_200);
    expect(mean(texts('Node'))).toBeLessThan(7_500);
    expect(mean(texts('Pod'))).toBeGreaterThan(4_300);
    expect(mean(texts('Pod'))).toBeLessThan(5_500);
  });

  it.each([
    { kind: 'Node', atLeast: 0.1 },
    { kind: 'Pod', atLeast: 0.03 },
  ])('has objects of kind $kind that differ from each other', ({ kind, atLeast }) => {
    const all = texts(kind).join('\n');
    // Without hashes, addresses and images of their own, nodes compress to a fiftieth.
    expect(gzipSync(all).length / all.length).toBeGreaterThan(atLeast);
  });

  it('is the same for the same seed, and contains every uid once', () => {
    const names = ({ kind, metadata }: ApiObject): string => `${kind}/${metadata.uid}`;
    expect([...generateCluster(shape)]).toEqual(objects);
    expect(new Set(objects.map(names)).size).toBe(objects.length);
  });
});
