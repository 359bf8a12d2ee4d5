import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/core/incident/incident.js';
import { buildDiagnosis, buildFinding } from '#support/diagnosis.js';
import { withRedis } from '#support/open-redis.js';
import { buildIncident } from '#support/records.js';
import { silenceEntry } from '#support/redis-records.js';
import { web } from '../alerts/stage.js';
import { behind, createSentinelStage, defaultChannel, stuck } from './stage.js';

let redis: Redis;

withRedis((open) => {
  ({ redis } = open);
});

function stageWith(settings: unknown = {}, diagnosis = stuck()) {
  const stage = createSentinelStage(redis, settings);
  stage.world.diagnosis = diagnosis;
  return stage;
}
type Stage = ReturnType<typeof stageWith>;

async function only(stage: Stage): Promise<Incident> {
  const [incident, ...others] = await stage.incidents.recent(10);
  if (incident === undefined || others.length > 0) throw new Error('not one incident');
  return incident;
}

const finding = (...[fields]: Parameters<typeof buildFinding>) =>
  buildDiagnosis({ workload: web, findings: [buildFinding(fields)] });

describe('a deadlock', () => {
  it('is told once it is proven twice in a row, with what was seen first', async () => {
    const stage = stageWith();

    expect(await stage.looks(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['proven-once', 'told']);
    expect(await only(stage)).toMatchObject({
      phase: 'diagnosed',
      channel: defaultChannel,
      workload: web,
      origin: { via: 'sentinel', refusal: { reason: 'FailedScheduling', at: '2026-11-21T02:59:30.000Z' } },
    });
    const { id } = await only(stage);
    expect(stage.jobsOf('delivery')).toEqual([`card-${id}-1`, `thread-${id}-picture-1`]);
    expect(stage.script.toldAfter).toEqual([35]);
    expect((await stage.audit.requests(10)).entries.map(({ details }) => details.via)).toEqual(['sentinel']);
  });

  it('has to be proven anew when a look between found it moving', async () => {
    const stage = stageWith();
    await stage.looks(1);
    stage.world.diagnosis = buildDiagnosis({ workload: web, findings: [] });
    await stage.looks(1);
    stage.world.diagnosis = stuck();

    expect(await stage.looks(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['proven-once', 'no-deadlock', 'proven-once', 'told']);
  });

  it('is told once by a worker that died after the record, and by the one that follows', async () => {
    const stage = stageWith();
    await stage.looks(1);
    stage.world.dies = true;
    await expect(stage.look()).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.look();
    await stage.looks(9);

    expect(stage.outcomes).toEqual(['proven-once', 'told', 'proven-once', 'known']);
    expect(stage.cards()).toEqual([`card-${(await only(stage)).id}-1`]);
  });

  it('is told once, whatever other signs lead to it', async () => {
    const stage = stageWith();
    await Promise.all([stage.looks(9), stage.looks(9, { candidate: 'c2', reason: 'Unhealthy' })]);
    await stage.looks(9, { candidate: 'c3' });

    expect(stage.outcomes.filter((each) => each === 'told').length).toBeLessThanOrEqual(2);
    expect(stage.cards()).toEqual([`card-${(await only(stage)).id}-1`]);
  });
});

describe('what is no proven deadlock', () => {
  it.each<[string, Parameters<typeof stageWith>[1], string]>([
    ['nothing', buildDiagnosis({ workload: web, findings: [] }), 'no-deadlock'],
    ['a likely one', finding({ confidence: 'likely' }), 'not-proven'],
    ['a place that others hold', finding({ cause: 'capacity-contention' }), 'no-deadlock'],
    ['a node that an autoscaler brings', finding({ cause: 'waiting-for-autoscaler' }), 'no-deadlock'],
    ['a note about the future', finding({ cause: 'fragile-strategy', severity: 'info' }), 'no-deadlock'],
  ])('is silent, looked at for an hour and then left alone: %s', async (_, diagnosis, outcome) => {
    const stage = stageWith({}, diagnosis);
    const pauses = await stage.looks(99);

    expect(pauses.reduce((sum, each) => sum + each, 0)).toBe(3_600);
    expect(new Set(stage.outcomes)).toEqual(new Set([outcome]));
    expect(await stage.incidents.recent(10)).toEqual([]);
    expect([...stage.queued]).toEqual([]);
  });

  it('is not even read where no old pod is there: a scale-up, a first rollout', async () => {
    const stage = stageWith();
    stage.script.behind = behind({ oldPods: 'none' });

    expect(await stage.looks(9)).toEqual([]);
    expect([stage.outcomes, stage.script.snapshots]).toEqual([['no-rollout'], 0]);
  });

  it('is gone', async () => {
    const stage = stageWith();
    stage.script.behind = { type: 'nothing' };

    expect(await stage.looks(9)).toEqual([]);
    expect(stage.outcomes).toEqual(['gone']);
  });

  it('is looked at later where the cluster does not answer, or the controller has not looked yet', async () => {
    const stage = stageWith();
    stage.script.behind = { type: 'unreadable', because: 'timeout', message: '' };
    expect(await stage.look()).toBe(10);
    stage.script.behind = behind({ oldPods: 'unobserved' });
    expect(await stage.look()).toBe(10);
    expect(stage.script.snapshots).toBe(0);
  });
});

describe('quiet hours', () => {
  // It is 12:00 in Seoul.
  const settings = {
    quietHours: { timeZone: 'Asia/Seoul', windows: [{ from: '11:00', to: '14:30' }] },
  };

  it('hold what is found until their end, and then it is told if it still stands', async () => {
    const stage = stageWith(settings);

    expect(await stage.looks(1)).toEqual([9_000]);
    expect([stage.script.snapshots, stage.cards()]).toEqual([0, []]);
    expect(await stage.looks(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['quiet-hours', 'proven-once', 'told']);
  });

  it('are slept through by what heals meanwhile', async () => {
    const stage = stageWith(settings);
    await stage.looks(1);
    stage.script.behind = behind({ oldPods: 'none' });

    expect(await stage.looks(9)).toEqual([]);
    expect([stage.outcomes, stage.cards()]).toEqual([['quiet-hours', 'no-rollout'], []]);
  });
});

describe('who does not want to be told', () => {
  it('is asked again while it is silenced, and told when that has ended', async () => {
    const stage = stageWith();
    const until = new Date(Date.now() + 600_000).toISOString();
    const silence = { workload: web, by: 'U0DANA', at: until, until, reason: 'known' };
    await stage.silences.put(silence, silenceEntry('silenced', silence));

    expect(await stage.looks(2)).toEqual([300, 300]);
    await stage.silences.lift(web, silenceEntry('silence-lifted', silence));
    expect(await stage.looks(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['silenced', 'silenced', 'proven-once', 'told']);
  });

  it('is left alone by the settings, and is heard of when an annotation asks for it', async () => {
    const stage = stageWith({ namespaces: { mode: 'none' } });
    await stage.looks(2);
    expect(new Set(stage.outcomes)).toEqual(new Set(['not-watched']));
    expect(stage.script.snapshots).toBe(0);
    const namespace = { 'rollout-doctor.dev/sentinel': 'on' };
    stage.script.behind = behind({ annotated: { workload: {}, namespace } });
    await stage.looks(9);

    expect(stage.outcomes.at(-1)).toBe('told');
  });
});

describe('who is told', () => {
  const to = (channel: string) => ({ 'rollout-doctor.dev/channel': channel });

  it.each<[string, object, object, string, readonly string[]]>([
    ["the workload's channel", to('C0TEAM'), to('C0SHOP'), 'C0TEAM', []],
    ["the namespace's channel", {}, to('C0SHOP'), 'C0SHOP', []],
    ['the default channel', {}, {}, defaultChannel, []],
    [
      'nobody whom only an annotation names',
      to('C0BOARDROOM'),
      to('<!channel>'),
      defaultChannel,
      ['not among the channels of the settings', 'not the id of a channel'],
    ],
  ])('is %s', async (_, workload, namespace, channel, ignored) => {
    const stage = stageWith({ channels: ['C0TEAM', 'C0SHOP'] });
    stage.script.behind = behind({ annotated: { workload: { ...workload }, namespace: { ...namespace } } });
    await stage.looks(9);

    expect(await only(stage)).toMatchObject({ channel });
    expect([...new Set(stage.script.ignored)]).toEqual(ignored);
  });
});

describe('one incident', () => {
  const opens = async (stage: Stage, fields: Partial<Incident>) => {
    const { incident } = await stage.incidents.open(
      buildIncident({ id: 'asked', workload: web, channel: defaultChannel, ...fields }),
    );
    return incident;
  };

  it.each<[string, Partial<Incident>]>([
    ['that a person was told of', { phase: 'diagnosed', diagnosis: stuck() }],
    ['that somebody has just asked about', { phase: 'diagnosing' }],
    ['of which somebody applies a way out', { phase: 'applying', diagnosis: stuck() }],
  ])('is not spoken of again: one %s', async (_, fields) => {
    const stage = stageWith();
    await opens(stage, fields);
    await stage.looks(9);

    expect(stage.outcomes.at(-1)).toBe('known');
    expect((await only(stage)).id).toBe('asked');
    expect(stage.cards()).toEqual([]);
  });

  it.each<[string, Partial<Incident>]>([
    ['of the revision before', { phase: 'diagnosed', diagnosis: stuck('1') }],
    [
      'of another cause',
      {
        phase: 'diagnosed',
        diagnosis: buildDiagnosis({ findings: [buildFinding({ cause: 'out-of-memory' })] }),
      },
    ],
    ['that is over', { phase: 'diagnosed', diagnosis: buildDiagnosis({ findings: [] }) }],
  ])('does not hide behind another one: one %s', async (_, fields) => {
    const stage = stageWith();
    await opens(stage, fields);
    await stage.looks(9);

    expect(stage.outcomes.at(-1)).toBe('told');
    expect(stage.cards()).toHaveLength(1);
  });

  it('is what an alert that comes later joins', async () => {
    const stage = stageWith();
    await stage.looks(9);
    const { id } = await only(stage);
    await stage.tells('a1');
    await stage.handles('a1');

    expect(await only(stage)).toMatchObject({
      id,
      occurrences: 1,
      alerts: [{ id: 'a1' }],
      origin: { via: 'sentinel' },
    });
    await stage.lookOfIncident(id);
    await stage.looks(9);
    expect(stage.outcomes.at(-1)).toBe('known');
  });

  it('is another one once people were told that it is over', async () => {
    const stage = stageWith();
    await stage.looks(9);
    const told = await only(stage);
    const over = buildDiagnosis({ workload: web, findings: [] });
    await stage.incidents.replace({ ...told, version: 2, diagnosis: over });
    stage.world.now += 7_200_000;
    await stage.looks(9);

    expect(stage.outcomes).toEqual(['proven-once', 'told', 'proven-once', 'told']);
    expect(stage.cards()).toHaveLength(2);
  });

  it('of a newer revision is told of, too', async () => {
    const stage = stageWith();
    await stage.looks(9);
    stage.world.diagnosis = stuck('3');
    await stage.looks(9, { candidate: 'c2' });

    expect(stage.outcomes).toEqual(['proven-once', 'told', 'proven-once', 'told']);
    expect(await stage.incidents.recent(10)).toHaveLength(2);
  });
});
