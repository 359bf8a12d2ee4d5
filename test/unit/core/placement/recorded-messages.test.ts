import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  schemas,
} from '#src/core/cluster/cluster-objects.js';
import { conditionOf } from '#src/core/cluster/metadata.js';
import { createPlacement } from '#src/core/placement/placement.js';
import { scenarioFolders, scenariosFolder } from '#support/scenarios/scenario-folders.js';

function read(scenario: string): ClusterObjects {
  const list = JSON.parse(readFileSync(join(scenariosFolder, scenario, 'objects.json'), 'utf8')) as {
    readonly items: readonly { readonly kind: string }[];
  };
  const byKind: Record<string, unknown[]> = {};
  for (const item of list.items) {
    if (!isResourceKind(item.kind)) continue;
    byKind[item.kind] = [...(byKind[item.kind] ?? []), schemas[item.kind].parse(item)];
  }
  return clusterObjects(byKind as Partial<ClusterObjects>);
}

/**
 * Recordings in which the cluster has changed since the scheduler wrote its message, if only by its own preemption: its sentence is of
 * the past.
 */
const overtaken = new Set([
  'room-since-a-second-ago',
  'healthy-same-port-other-address',
  'controls/victim-has-two-minutes',
  // Its nodes were not recorded.
  'nodes-not-recorded',
]);

const recorded = scenarioFolders()
  .filter((name) => !overtaken.has(name))
  .flatMap((name) =>
    read(name).Pod.flatMap((pod) => {
      const condition = conditionOf(pod.status, 'PodScheduled');
      const isTheirs = pod.spec.schedulerName !== 'default-scheduler';
      return condition?.status === 'False' && !isTheirs
        ? [{ scenario: name, pod, message: condition.message }]
        : [];
    }),
  );

describe('the engine writes the same message as the scheduler', () => {
  test('for at least one recorded message', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(25);
  });

  test.each(recorded.map((item) => [item.scenario, item.pod.metadata.name, item] as const))(
    '%s: %s',
    (scenario, _name, { pod, message }) => {
      const placement = createPlacement(indexObjects(read(scenario)));
      expect(placement.evaluate(pod).message()).toBe(message);
    },
  );
});
