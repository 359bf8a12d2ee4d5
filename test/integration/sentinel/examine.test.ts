import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { buildDiagnosis, buildFinding } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { silenceEntry } from '../../support/redis-records.js';
import { web } from '../alerts/stage.js';
import { behind, createSentinelStage, defaultChannel, stuck } from './stage.js';

const db = withRedis();

function stageWith(settings: unknown = {}, diagnosis = stuck()) {
  const stage = createSentinelStage(db.redis, settings);
  stage.world.diagnosis = diagnosis;
  return stage;
}
type Stage = ReturnType<typeof stageWith>;

async function onlyIncident(stage: Stage): Promise<Incident> {
  const [incident, ...others] = await stage.incidents.recent(10);
  if (incident === undefined || others.length > 0) throw new Error('not one incident');
  return incident;
}

const finding = (...[fields]: Parameters<typeof buildFinding>) =>
  buildDiagnosis({ workload: web, findings: [buildFinding(fields)] });

describe('a deadlock', () => {
  it('is reported when two diagnoses in a row prove it, with its first refusal', async () => {
    const stage = stageWith();

    expect(await stage.examineRepeatedly(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['proven-once', 'told']);
    expect(await onlyIncident(stage)).toMatchObject({
      phase: 'diagnosed',
      channel: defaultChannel,
      workload: web,
      origin: { via: 'sentinel', refusal: { reason: 'FailedScheduling', at: '2026-11-21T02:59:30.000Z' } },
    });
    const { id } = await onlyIncident(stage);
    expect(stage.jobsOf('delivery')).toEqual([`card-${id}-1`, `thread-${id}-picture-1`]);
    expect(stage.script.reportedAfter).toEqual([35]);
    expect((await stage.audit.requests(10)).entries.map(({ details }) => details.via)).toEqual(['sentinel']);
  });

  it('needs two new proofs when a diagnosis in between found no deadlock', async () => {
    const stage = stageWith();
    await stage.examineRepeatedly(1);
    stage.world.diagnosis = buildDiagnosis({ workload: web, findings: [] });
    await stage.examineRepeatedly(1);
    stage.world.diagnosis = stuck();

    expect(await stage.examineRepeatedly(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['proven-once', 'no-deadlock', 'proven-once', 'told']);
  });

  it('is reported once when a worker dies after the record and another one follows', async () => {
    const stage = stageWith();
    await stage.examineRepeatedly(1);
    stage.world.dies = true;
    await expect(stage.examineOnce()).rejects.toThrow('killed');
    stage.world.dies = false;
    await stage.examineOnce();
    await stage.examineRepeatedly(9);

    expect(stage.outcomes).toEqual(['proven-once', 'told', 'proven-once', 'known']);
    expect(stage.cards()).toEqual([`card-${(await onlyIncident(stage)).id}-1`]);
  });

  it('is reported once for several candidates', async () => {
    const stage = stageWith();
    await Promise.all([
      stage.examineRepeatedly(9),
      stage.examineRepeatedly(9, { candidate: 'c2', reason: 'Unhealthy' }),
    ]);
    await stage.examineRepeatedly(9, { candidate: 'c3' });

    expect(stage.outcomes.filter((each) => each === 'told').length).toBeLessThanOrEqual(2);
    expect(stage.cards()).toEqual([`card-${(await onlyIncident(stage)).id}-1`]);
  });
});

describe('a candidate without a proven deadlock', () => {
  it.each<[string, Parameters<typeof stageWith>[1], string]>([
    ['no finding', buildDiagnosis({ workload: web, findings: [] }), 'no-deadlock'],
    ['a likely deadlock', finding({ confidence: 'likely' }), 'not-proven'],
    ['capacity that other workloads hold', finding({ cause: 'capacity-contention' }), 'no-deadlock'],
    ['a node that an autoscaler adds', finding({ cause: 'waiting-for-autoscaler' }), 'no-deadlock'],
    ['a note about the future', finding({ cause: 'fragile-strategy', severity: 'info' }), 'no-deadlock'],
  ])('is examined for an hour, reports nothing and is then dropped: %s', async (_, diagnosis, outcome) => {
    const stage = stageWith({}, diagnosis);
    const pauses = await stage.examineRepeatedly(99);

    expect(pauses.reduce((sum, each) => sum + each, 0)).toBe(3_600);
    expect(new Set(stage.outcomes)).toEqual(new Set([outcome]));
    expect(await stage.incidents.recent(10)).toEqual([]);
    expect([...stage.queued]).toEqual([]);
  });

  it('is not diagnosed when the workload has no old pods, as in a scale-up or a first rollout', async () => {
    const stage = stageWith();
    stage.script.behind = behind({ oldPods: 'none' });

    expect(await stage.examineRepeatedly(9)).toEqual([]);
    expect([stage.outcomes, stage.script.snapshots]).toEqual([['no-rollout'], 0]);
  });

  it('is dropped when its owner is deleted', async () => {
    const stage = stageWith();
    stage.script.behind = { type: 'nothing' };

    expect(await stage.examineRepeatedly(9)).toEqual([]);
    expect(stage.outcomes).toEqual(['gone']);
  });

  it('is examined later when the cluster does not answer or the controller has not observed the change', async () => {
    const stage = stageWith();
    stage.script.behind = { type: 'unreadable', because: 'timeout', message: '' };
    expect(await stage.examineOnce()).toBe(10);
    stage.script.behind = behind({ oldPods: 'unobserved' });
    expect(await stage.examineOnce()).toBe(10);
    expect(stage.script.snapshots).toBe(0);
  });
});

describe('the quiet hours', () => {
  // It is 12:00 in Seoul.
  const settings = {
    quietHours: { timeZone: 'Asia/Seoul', windows: [{ from: '11:00', to: '14:30' }] },
  };

  it('delay the diagnosis until their end, and then a deadlock is reported', async () => {
    const stage = stageWith(settings);

    expect(await stage.examineRepeatedly(1)).toEqual([9_000]);
    expect([stage.script.snapshots, stage.cards()]).toEqual([0, []]);
    expect(await stage.examineRepeatedly(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['quiet-hours', 'proven-once', 'told']);
  });

  it('delay the diagnosis until their end, and a deadlock that resolved in between is not reported', async () => {
    const stage = stageWith(settings);
    await stage.examineRepeatedly(1);
    stage.script.behind = behind({ oldPods: 'none' });

    expect(await stage.examineRepeatedly(9)).toEqual([]);
    expect([stage.outcomes, stage.cards()]).toEqual([['quiet-hours', 'no-rollout'], []]);
  });
});

describe('a workload that the sentinel must not report', () => {
  it('is examined again while it is silenced, and its deadlock is reported after the silence', async () => {
    const stage = stageWith();
    const until = new Date(Date.now() + 600_000).toISOString();
    const silence = { workload: web, by: 'U0DANA', at: until, until, reason: 'known' };
    await stage.silences.put(silence, silenceEntry('silenced', silence));

    expect(await stage.examineRepeatedly(2)).toEqual([300, 300]);
    await stage.silences.lift(web, silenceEntry('silence-lifted', silence));
    expect(await stage.examineRepeatedly(9)).toEqual([5]);
    expect(stage.outcomes).toEqual(['silenced', 'silenced', 'proven-once', 'told']);
  });

  it('is not diagnosed when its namespace is off in the settings, unless an annotation enables it', async () => {
    const stage = stageWith({ namespaces: { mode: 'none' } });
    await stage.examineRepeatedly(2);
    expect(new Set(stage.outcomes)).toEqual(new Set(['not-watched']));
    expect(stage.script.snapshots).toBe(0);
    const namespace = { 'rollout-doctor.dev/sentinel': 'on' };
    stage.script.behind = behind({ annotated: { workload: {}, namespace } });
    await stage.examineRepeatedly(9);

    expect(stage.outcomes.at(-1)).toBe('told');
  });
});

describe('the channel of a report', () => {
  const to = (channel: string) => ({ 'rollout-doctor.dev/channel': channel });

  it.each<[string, object, object, string, readonly string[]]>([
    ["the workload's channel", to('C0TEAM'), to('C0SHOP'), 'C0TEAM', []],
    ["the namespace's channel", {}, to('C0SHOP'), 'C0SHOP', []],
    ['the default channel', {}, {}, defaultChannel, []],
    [
      'the default channel when an annotation names a channel outside the settings',
      to('C0BOARDROOM'),
      to('<!channel>'),
      defaultChannel,
      ['not among the channels of the settings', 'not the id of a channel'],
    ],
  ])('is %s', async (_, workload, namespace, channel, ignored) => {
    const stage = stageWith({ channels: ['C0TEAM', 'C0SHOP'] });
    stage.script.behind = behind({ annotated: { workload: { ...workload }, namespace: { ...namespace } } });
    await stage.examineRepeatedly(9);

    expect(await onlyIncident(stage)).toMatchObject({ channel });
    expect([...new Set(stage.script.ignored)]).toEqual(ignored);
  });
});

describe('an incident of a deadlock', () => {
  const opens = async (stage: Stage, fields: Partial<Incident>) => {
    const { incident } = await stage.incidents.open(
      buildIncident({ id: 'asked', workload: web, channel: defaultChannel, ...fields }),
    );
    return incident;
  };

  it.each<[string, Partial<Incident>]>([
    ['that a person has seen', { phase: 'diagnosed', diagnosis: stuck() }],
    ['that is being diagnosed', { phase: 'diagnosing' }],
    ['whose fix is being applied', { phase: 'applying', diagnosis: stuck() }],
  ])('that is open prevents another report: one %s', async (_, fields) => {
    const stage = stageWith();
    await opens(stage, fields);
    await stage.examineRepeatedly(9);

    expect(stage.outcomes.at(-1)).toBe('known');
    expect((await onlyIncident(stage)).id).toBe('asked');
    expect(stage.cards()).toEqual([]);
  });

  it.each<[string, Partial<Incident>]>([
    ['of the previous revision', { phase: 'diagnosed', diagnosis: stuck('1') }],
    [
      'of another cause',
      {
        phase: 'diagnosed',
        diagnosis: buildDiagnosis({ findings: [buildFinding({ cause: 'out-of-memory' })] }),
      },
    ],
    ['that is over', { phase: 'diagnosed', diagnosis: buildDiagnosis({ findings: [] }) }],
  ])('does not prevent a report of the present deadlock: one %s', async (_, fields) => {
    const stage = stageWith();
    await opens(stage, fields);
    await stage.examineRepeatedly(9);

    expect(stage.outcomes.at(-1)).toBe('told');
    expect(stage.cards()).toHaveLength(1);
  });

  it('is joined by a later alert', async () => {
    const stage = stageWith();
    await stage.examineRepeatedly(9);
    const { id } = await onlyIncident(stage);
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');

    expect(await onlyIncident(stage)).toMatchObject({
      id,
      occurrences: 1,
      alerts: [{ id: 'a1' }],
      origin: { via: 'sentinel' },
    });
    await stage.diagnoseIncident(id);
    await stage.examineRepeatedly(9);
    expect(stage.outcomes.at(-1)).toBe('known');
  });

  it('is followed by a new one after its card showed that the deadlock is over', async () => {
    const stage = stageWith();
    await stage.examineRepeatedly(9);
    const told = await onlyIncident(stage);
    const over = buildDiagnosis({ workload: web, findings: [] });
    await stage.incidents.replace({ ...told, version: 2, diagnosis: over });
    stage.world.now += 7_200_000;
    await stage.examineRepeatedly(9);

    expect(stage.outcomes).toEqual(['proven-once', 'told', 'proven-once', 'told']);
    expect(stage.cards()).toHaveLength(2);
  });

  it('does not prevent a report of a newer revision', async () => {
    const stage = stageWith();
    await stage.examineRepeatedly(9);
    stage.world.diagnosis = stuck('3');
    await stage.examineRepeatedly(9, { candidate: 'c2' });

    expect(stage.outcomes).toEqual(['proven-once', 'told', 'proven-once', 'told']);
    expect(await stage.incidents.recent(10)).toHaveLength(2);
  });
});
