import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { failingWorkloads } from '../../../demo/storm/failing-workloads.js';
import { stormBodies } from '../../../demo/storm/storm-alerts.js';
import { type StormStack, startStormStack } from '../../../demo/storm/storm-stack.js';
import { eventually } from '../../support/eventually.js';
import type { LogLine } from '../../support/faults-rig.js';

const each = 20;
const reached = failingWorkloads(8, ['checkout', 'search', 'payments', 'ml']);
const unreachable = [{ namespace: 'closed', name: 'svc-closed' }];
/**
 * Fires after the faults: a process that is killed keeps no log and no counters of what it was refused
 * before.
 */
const late = [{ namespace: 'closed', name: 'svc-late' }];
const within = { withinMs: 240_000 };

describe.runIf(hasRedisServer())('an alert storm in which every part fails once', () => {
  let storm: StormStack;
  const logged: LogLine[] = [];
  const parts = () => [...storm.stack.apps, ...storm.stack.workers];
  const counted = async () => {
    const incidents = await storm.incidents();
    return Object.fromEntries(incidents.map(({ workload, occurrences }) => [workload, occurrences]));
  };
  const wanted = Object.fromEntries(
    [...reached, ...unreachable].map(({ namespace, name }) => [`${namespace}/${name}`, each]),
  );

  beforeAll(async () => {
    storm = await startStormStack({
      workloads: [...reached, ...unreachable, ...late],
      routes: { closed: 'ml-oncall' },
      apps: 2,
      workers: 2,
      ownRedis: true,
      onLog: (process, line) => {
        if (line.startsWith('{'))
          logged.push({ process, ...(JSON.parse(line) as Omit<LogLine, 'process'>) } as LogLine);
      },
    });
    const { slack, redis } = storm.stack;
    slack.removeApp('ml-oncall');
    slack.faults.breakAfterSuccess({ method: 'chat.postMessage', times: 2 });
    slack.faults.serverError({ method: 'chat.postMessage', times: 2 });
    slack.faults.rateLimit({ method: 'chat.postMessage', retryAfterSeconds: 2, times: 1 });
    slack.faults.serverError({ method: 'chat.update', times: 3 });
    const startsAt = new Date().toISOString();
    const bodies = stormBodies([...reached, ...unreachable], { each, group: 5, startsAt });
    const sent = bodies.map((body) => storm.post(body));
    await slack.until(() => storm.cards('incidents').length > 0, { ...within, what: 'the first card' });
    await redis.kill();
    const [app] = storm.stack.apps;
    const [worker] = storm.stack.workers;
    await Promise.all([app?.kill(), worker?.kill()]);
    await redis.start();
    await Promise.all([app?.start(), worker?.start()]);
    await Promise.all(sent);
    await Promise.all(bodies.map((body) => storm.post(body)));
    const shown = () => JSON.stringify(storm.cards('incidents').map(({ blocks }) => blocks));
    await slack.until(() => shown().includes(`${reached.length} workloads`), {
      ...within,
      what: 'the card that counts all workloads',
    });
    await eventually('all are counted', async () => {
      const sum = Object.values(await counted()).reduce((total, occurrences) => total + occurrences, 0);
      return sum >= (reached.length + 1) * each;
    });
  }, 300_000);

  afterAll(() => storm.stop(), 60_000);

  it('counts every alert exactly once although Redis, an app and a worker were killed and all alerts were sent again', async () => {
    expect(await counted()).toEqual(wanted);
  });

  it('posts no message twice although Slack broke connections, failed and throttled', () => {
    const keys = storm.keys('incidents');
    expect(storm.cards('incidents')).toHaveLength(1);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('reports the channel that refuses its card, and leaves no delivery waiting', async () => {
    const bodies = stormBodies(late, { each: 1, group: 1, startsAt: new Date().toISOString() });
    await Promise.all(bodies.map((body) => storm.post(body)));
    const refused = { msg: 'Slack refused a message for good', error: 'not_in_channel' };
    await eventually('the refusal to be logged', () =>
      logged.some(({ msg, error }) => msg === refused.msg && error === refused.error),
    );
    await eventually(
      'no delivery waits',
      async () => {
        const { redis, prefix } = storm;
        const of = (state: string) => `${prefix}-jobs:delivery:${state}`;
        const waiting = await Promise.all(
          ['prioritized', 'delayed', 'failed'].map((each) => redis.zcard(of(each))),
        );
        return waiting.every((count) => count === 0);
      },
      180_000,
    );

    expect(storm.cards('ml-oncall')).toEqual([]);
    const pages = await Promise.all(
      parts().map(async ({ statusPort }) => (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text()),
    );
    expect(pages.join('\n')).toMatch(/rollout_doctor_messages_refused_total\{kind="card"\} [1-9]/);
  });
});
