import { beforeEach, describe, expect, it } from 'vitest';
import { withRedis } from '../../support/open-redis.js';
import { createAlertStage, maxAlertRecords } from './stage.js';

let stage: ReturnType<typeof createAlertStage>;

const db = withRedis();

beforeEach(() => {
  stage = createAlertStage(db.redis);
});

describe('an alert that a slow worker still acts on', () => {
  /** A worker that waits for the cluster; the result ends the wait. */
  async function startSlowWorker(): Promise<() => Promise<void>> {
    const { answersAfter } = stage.world;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let handled = Promise.resolve();
    await new Promise<void>((asked) => {
      stage.world.answersAfter = () => {
        asked();
        return answered;
      };
      handled = stage.handleAlert('a1');
    });
    stage.world.answersAfter = answersAfter;
    return async () => {
      answer();
      await handled;
    };
  }

  it('is resolved in the incident that the slow worker opens after another one took up the resolution', async () => {
    await stage.receiveAlert('a1');
    const endSlowWorker = await startSlowWorker();
    await stage.receiveAlert('a1', { status: 'resolved' });
    await stage.handleAlert('a1');
    await endSlowWorker();

    expect(await stage.alerts.unhandled()).toEqual(['a1']);
    await stage.handleAlert('a1');
    expect(await stage.alerts.unhandled()).toEqual([]);
    expect(await stage.onlyIncident('a1')).toMatchObject({
      occurrences: 1,
      alerts: [{ status: 'resolved' }],
    });
  });

  it('stays to be worked on where it was forgotten and fires again meanwhile', async () => {
    await stage.receiveAlert('a1');
    const endSlowWorker = await startSlowWorker();
    await stage.handleAlert('a1');
    for (let other = 0; other < maxAlertRecords; other += 1) await stage.receiveAlert(`other-${other}`);
    expect(await stage.alerts.get('a1')).toBeUndefined();
    stage.advanceMinutes(5);
    await stage.receiveAlert('a1', { startsAt: '2026-11-21T03:05:00Z' });
    await endSlowWorker();

    expect(await stage.alerts.get('a1')).toMatchObject({ handled: 0, incidents: [] });
    await stage.handleAlert('a1');
    expect(await stage.onlyIncident('a1')).toMatchObject({ occurrences: 2 });
  });
});

describe('an alert whose signals come faster than they are acted on', () => {
  const fires = (startsAt: string) => stage.receiveAlert('a1', { startsAt });
  const ends = (startsAt: string) => stage.receiveAlert('a1', { startsAt, status: 'resolved' });
  const [first, second] = ['2026-11-21T03:00:00Z', '2026-11-21T03:01:00Z'];

  it('is counted as often as it fired, from its first firing on', async () => {
    await fires(first);
    await ends(first);
    await fires(second);
    await stage.handleAlert('a1');

    expect(await stage.onlyIncident('a1')).toMatchObject({ occurrences: 2 });
  });

  it('is counted when it is resolved again', async () => {
    await fires(first);
    await stage.handleAlert('a1');
    await ends(first);
    await fires(second);
    await ends(second);
    await stage.handleAlert('a1');
    await stage.handleAlert('a1');

    expect(await stage.onlyIncident('a1')).toMatchObject({
      occurrences: 2,
      alerts: [{ status: 'resolved' }],
    });
  });

  it('opens no incident when it is over, and its next firing counts both', async () => {
    await fires(first);
    await ends(first);
    await stage.handleAlert('a1');
    expect(await stage.incidentsOf('a1')).toEqual([]);
    await fires(second);
    await stage.handleAlert('a1');

    expect(await stage.onlyIncident('a1')).toMatchObject({ occurrences: 2 });
  });

  it('is counted as often as it fired in an incident that knows other alerts', async () => {
    await stage.diagnoseAlert('other', { fingerprint: 'other' });
    await fires(first);
    await ends(first);
    await fires(second);
    await stage.handleAlert('a1');

    expect(await stage.onlyIncident('a1')).toMatchObject({ occurrences: 3 });
  });
});
