import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, type TestContext } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { stopFirst } from '../../support/shown-words.js';

const hasRedis = hasRedisServer() && spawnSync('redis-cli', ['--version']).status === 0;

interface Stage {
  readonly rig: Rig;
  /** Writes a backup as docs/redis.md describes it. */
  backUp(): void;
  /** Ends all processes and Redis, and starts them with the backup. */
  restore(): Promise<void>;
}

async function started({ onTestFinished }: TestContext): Promise<Stage> {
  const rig = await startRig({ ownRedis: true });
  onTestFinished(() => rig.stop());
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const backup = join(folder, 'backup.rdb');
  return {
    rig,
    backUp: () => void execFileSync('redis-cli', ['-u', rig.redis.url, '--rdb', backup], { stdio: 'ignore' }),
    async restore() {
      const parts = [...rig.apps, ...rig.workers];
      await Promise.all(parts.map((part) => part.stop()));
      await rig.redis.kill();
      await rig.redis.restore(backup);
      const admin = new Redis(rig.redis.url);
      await admin.config('SET', 'appendonly', 'yes');
      admin.disconnect();
      await Promise.all(parts.map((part) => part.start()));
    },
  };
}

const eventsOf = ({ cluster }: Rig) =>
  cluster.list('v1', 'Event', 'shop').filter(({ reason }) => reason === 'RemediationApplied');

describe.runIf(hasRedis).concurrent('a backup of Redis', () => {
  it('holds the incidents, the audit log and the undo of a change', async (context) => {
    const { rig, backUp, restore } = await started(context);
    await rig.ask('deploy/inference -n shop');
    await rig.approve('dana', await rig.untilDeadlock());
    const card = await rig.untilRecovered();
    backUp();
    await restore();

    await rig.ask('history shop/inference', 'min-jun');
    await rig.untilTold('min-jun', 'shop/inference');
    await rig.ask('audit shop/inference');
    expect(await rig.untilTold('dana', 'deadlock')).toContain(stopFirst);
    await rig.slack.as('dana').clicks(rig.slack.message(card) ?? card, 'Undo');
    const review = await rig.slack.until(() => {
      const view = rig.slack.as('dana').modal();
      return view?.submit === undefined ? undefined : view;
    });
    await rig.slack.as('dana').submits(review, { reason: 'back to the settings in Git' });
    await rig.untilCard('Undone');
    expect(rig.changes()).toHaveLength(2);
  });

  it('from the middle of a change does not make the change twice', async (context) => {
    const { rig, backUp, restore } = await started(context);
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilDeadlock();
    rig.cluster.faults.add({
      match: { verbs: ['patch'], resources: ['deployments'], dryRun: false },
      effect: { type: 'delay', ms: 3_000 },
    });
    await rig.approve('dana', card);
    await eventually('the patch is on its way', () => rig.changes().length === 1);
    backUp();
    await rig.untilRecovered();
    rig.cluster.faults.clear();
    await restore();

    await rig.untilRecovered();
    await rig.ask('audit shop/inference');
    await rig.untilTold('dana', 'deadlock');
    expect(isChanged(rig)).toBe(true);
    expect(eventsOf(rig)).toHaveLength(1);
    expect(rig.changes()).toHaveLength(1);
  });
});
