import { describe, expect, it } from 'vitest';
import { checkUpdate } from '#src/doctor/forecasts/check-update.js';
import type { RolloutCheck } from '#src/doctor/forecasts/rollout-check.js';
import { plain } from '#src/engine/language/prose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { createTell } from '#src/service/create-engine.js';
import { readScenario } from '../../engine/workloads/recorded.js';

const tell = createTell();

/** The recorded workload, applied as it is. */
function checked(id: string): RolloutCheck {
  const { objects, state } = readScenario(id);
  if (state.kind !== 'Deployment') throw new Error('a recorded Deployment is expected');
  const { deployment, now } = state;
  const index = indexObjects(objects);
  return checkUpdate({ index, unseen: [], cluster: 'recorded', now, live: deployment, planned: deployment });
}

const reasons = ({ reasoning }: RolloutCheck): string =>
  reasoning.map((statement) => plain(tell(statement, 'en'))).join('\n');

describe('an update that does not fit now', () => {
  it.each(['card', 'cores', 'port', 'slot', 'volume', 'quota'])(
    'has an undetermined outcome while the rollout of another workload is about to free the %s',
    (what) => {
      const check = checked(`neighbours/${what}-freed-by-a-neighbour`);

      expect(check).toMatchObject({ outcome: 'cannot-tell', confidence: undefined });
      expect(reasons(check)).toContain('training');
    },
  );

  it.each(['card-beside-a-paused-neighbour', 'quota-beside-a-paused-neighbour'])(
    'has an undetermined outcome beside a paused rollout whose new ReplicaSet is complete: %s',
    (id) => {
      expect(checked(`neighbours/${id}`)).toMatchObject({ outcome: 'cannot-tell', confidence: undefined });
    },
  );

  it('ignores the rollout of another workload that frees nothing', () => {
    expect(checked('neighbours/card-beside-a-neighbour-at-rest')).toMatchObject({ confidence: 'proven' });
  });

  it.each(['neighbours/card-beside-a-crashing-neighbour', 'neighbours/quota-beside-a-crashing-neighbour'])(
    'is at most a likely deadlock beside a rollout that is stuck: %s',
    (id) => {
      const check = checked(id);

      expect(check).toMatchObject({ outcome: 'deadlock', confidence: 'likely' });
      expect(reasons(check)).toContain('is not complete');
    },
  );

  it('has an undetermined outcome while a StatefulSet frees the quota', () => {
    expect(checked('quota-sets/quota-freed-by-a-stateful-set')).toMatchObject({
      outcome: 'cannot-tell',
      confidence: undefined,
    });
  });

  it('is at most a likely deadlock beside pods of several revisions whose workload was not read', () => {
    const check = checked('deadlock-beside-an-unread-neighbour');

    expect(check).toMatchObject({ outcome: 'deadlock', confidence: 'likely' });
    expect(reasons(check)).toContain('could not be read');
  });
});
