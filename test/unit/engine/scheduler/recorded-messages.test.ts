import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { conditionOf } from '#src/engine/objects/metadata.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { objectsOf, serverVersionOf } from '../../../support/scenarios/objects-of.js';
import { scenarioFolders } from '../../../support/scenarios/scenario-folders.js';

/**
 * Recordings in which the cluster has changed since the scheduler wrote its message, if only by its own
 * preemption: its sentence is of the past.
 */
const overtaken = new Set([
  'room-since-a-second-ago',
  'healthy-same-port-other-address',
  'controls/victim-has-two-minutes',
  // The node of the deleted pod failed after the sentence.
  'past-grace/deleted-pod-on-a-dead-node-keeps-the-gpu',
  // The message is of before its preemption.
  'placement/room-kept-for-a-nominated-pod',
  // Its nodes were not recorded.
  'nodes-not-recorded',
]);

const recorded = scenarioFolders()
  // No scheduler wrote the messages of reported incidents on these nodes.
  .filter((name) => !overtaken.has(name) && !/^(?:unreadable|reported)\//.test(name))
  .flatMap((name) =>
    objectsOf(name).Pod.flatMap((pod) => {
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
      const placement = createPlacement(
        indexObjects(
          objectsOf(scenario),
          undefined,
          serverVersionOf(scenario) ?? parseServerVersion('v1.36.3'),
        ),
      );
      expect(placement.evaluate(pod).message()).toBe(message);
    },
  );
});
