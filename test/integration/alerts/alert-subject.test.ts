import { beforeEach, describe, expect, it } from 'vitest';
import { withRedis } from '../../support/open-redis.js';
import { createAlertStage, located, web } from './stage.js';

let stage: ReturnType<typeof createAlertStage>;

const db = withRedis();

beforeEach(() => {
  stage = createAlertStage(db.redis);
});

describe('an alert that does not name exactly one workload', () => {
  const api = { ...web, name: 'api' };

  it('asks people once when several workloads match', async () => {
    stage.world.found = located(web, api);
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');
    stage.advanceMinutes(30);
    await stage.receiveAlert('a1');
    await stage.handleAlert('a1');

    expect(stage.jobsOf('delivery')).toEqual(['question-a1-1']);
    expect((await stage.alerts.get('a1'))?.question).toMatchObject({ choices: [web, api], about: 'name' });
    expect(await stage.incidentsOf('a1')).toEqual([]);
  });

  it('asks people for the cluster when the cluster is unknown, although the name is complete', async () => {
    await stage.receiveAlert('a1', { labels: { cluster: 'staging', namespace: 'shop', deployment: 'web' } });
    await stage.handleAlert('a1');

    expect((await stage.alerts.get('a1'))?.question).toMatchObject({ about: 'cluster', called: 'staging' });
    expect(await stage.incidentsOf('a1')).toEqual([]);
  });

  it('about a node opens incidents for five affected workloads, and asks about the others', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    stage.world.found = located(...names.map((name) => ({ ...web, name })));
    await stage.receiveAlert('a1', { name: 'KubeNodeNotReady', labels: { node: 'gpu-3' } });
    await stage.handleAlert('a1');

    expect((await stage.incidentsOf('a1')).map(({ workload }) => workload.name)).toEqual(names.slice(0, 5));
    expect((await stage.alerts.get('a1'))?.question?.choices.map(({ name }) => name)).toEqual(['f', 'g']);
  });

  it('is counted and posts nothing when it names no workload', async () => {
    await stage.receiveAlert('a1', { name: 'Watchdog', labels: { alertname: 'Watchdog' } });
    await stage.handleAlert('a1');

    expect(stage.queued.size).toBe(1);
    expect(stage.world.counted).toEqual(['recorded', 'nothing-named']);
  });

  it('waits until an unavailable cluster answers', async () => {
    stage.world.found = { type: 'unreadable', because: 'unavailable', message: '' };
    await stage.receiveAlert('a1');
    await expect(stage.handleAlert('a1')).rejects.toThrow('could not be asked');
    await stage.handleAlert('a1', true);
    expect(await stage.alerts.unhandled()).toEqual(['a1']);
    stage.world.found = located(web);
    await stage.sweep();
    await stage.handleAlert('a1');

    expect((await stage.onlyIncident('a1')).workload).toEqual(web);
  });
});
