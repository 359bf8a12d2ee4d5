import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';

interface Case {
  readonly objects: readonly { readonly kind: string }[];
  /** By namespace/name of a pending pod: the message, or FITS. */
  readonly answers: Readonly<Record<string, string>>;
}

/**
 * Random clusters with the messages of kube-scheduler 1.36.3's plugins about their pending pods (PreFilter,
 * Filter and PostFilter of the default profile), chosen so that every possible message is among them.
 */
const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/scheduler-1.36-answers.json'), 'utf8'),
) as readonly Case[];

function read({ objects }: Case): ClusterObjects {
  const byKind: Record<string, unknown[]> = {};
  for (const object of objects) {
    if (!isResourceKind(object.kind)) throw new Error(`unknown kind ${object.kind}`);
    byKind[object.kind] = [...(byKind[object.kind] ?? []), schemas[object.kind].parse(object)];
  }
  return clusterObjects(byKind as Partial<ClusterObjects>);
}

describe('in a random cluster the engine agrees with kube-scheduler', () => {
  test.each(cases.map((one, index) => [index, one] as const))('cluster %d', (_, one) => {
    const objects = read(one);
    const placement = createPlacement(indexObjects(objects, undefined, parseServerVersion('v1.36.3')));
    for (const [name, answer] of Object.entries(one.answers)) {
      const pod = objects.Pod.find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === name);
      if (pod === undefined) throw new Error(name);
      const evaluation = placement.evaluate(pod);
      expect(evaluation.outcome === 'fits' ? 'FITS' : evaluation.message()).toBe(answer);
    }
  });

  test('and every known reason occurs', () => {
    const all = cases.flatMap(({ answers }) => Object.values(answers)).join('\n');
    for (const sentence of [
      'Too many pods',
      'Insufficient cpu',
      'Insufficient memory',
      'Insufficient ephemeral-storage',
      'Insufficient nvidia.com/gpu',
      'node(s) were unschedulable',
      'node(s) had untolerated taint(s)',
      "node(s) didn't match Pod's node affinity/selector",
      "node(s) didn't satisfy plugin(s) [NodeAffinity]",
      "node(s) didn't have free ports",
      'node(s) had no available disk',
      'ReadWriteOncePod access mode already in-use',
      'node(s) exceed max volume count',
      "node(s) didn't match PersistentVolume's node affinity",
      "node(s) didn't find available persistent volumes to bind",
      'pod has unbound immediate PersistentVolumeClaims. not found',
      'waiting for ephemeral volume controller',
      'node(s) had no available volume zone',
      "node(s) didn't match pod topology spread constraints",
      '(missing required label)',
      "node(s) didn't match pod affinity rules",
      "node(s) didn't match pod anti-affinity rules",
      "node(s) didn't satisfy existing pods anti-affinity rules",
      'cannot allocate all claims',
      'No preemption victims found for incoming pod',
      'Preemption is not helpful for scheduling',
      'not eligible due to preemptionPolicy=Never.',
      'FITS',
    ]) {
      expect(all).toContain(sentence);
    }
  });
});
