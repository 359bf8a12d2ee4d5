import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { stopFirst } from '../../support/shown-words.js';

const hasRedis = hasRedisServer() && spawnSync('redis-cli', ['--version']).status === 0;

describe.runIf(hasRedis)('a backup of Redis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-backup-'));
  const backup = join(folder, 'backup.rdb');
  let rig: Rig;
  /** Changes of which one is verified when the backup is written, and one is on its way. */
  let verified: Rig;
  let underway: Rig;
  let recovered: Message;

  /** Ends all processes and Redis, and starts them with the backup. */
  async function restore(): Promise<void> {
    const parts = [...rig.apps, ...rig.workers];
    await Promise.all(parts.map((part) => part.stop()));
    await rig.redis.kill();
    await rig.redis.restore(backup);
    const admin = new Redis(rig.redis.url);
    await admin.config('SET', 'appendonly', 'yes');
    admin.disconnect();
    await Promise.all(parts.map((part) => part.start()));
  }

  beforeAll(async () => {
    rig = await startRig({ ownRedis: true, scenario: 'none' });
    verified = await rig.also('verified');
    underway = await rig.also('underway');
    for (const at of [verified, underway]) await at.ask(`deploy/inference -n ${at.namespace}`);
    await verified.approve('dana', await verified.untilDeadlock());
    recovered = await verified.untilRecovered();

    const card = await underway.untilDeadlock();
    rig.cluster.faults.add({
      match: { verbs: ['patch'], resources: ['deployments'], dryRun: false },
      effect: { type: 'delay', ms: 3_000 },
    });
    await underway.approve('dana', card);
    await eventually('the patch is on its way', () => underway.changes().length === 1);
    // As docs/redis.md describes it.
    execFileSync('redis-cli', ['-u', rig.redis.url, '--rdb', backup], { stdio: 'ignore' });
    await underway.untilRecovered();
    rig.cluster.faults.clear();
    await restore();
  });

  afterAll(async () => {
    await rig?.stop();
    rmSync(folder, { recursive: true });
  });

  it('holds the incidents, the audit log and the undo of a change', async () => {
    await verified.ask('history verified/inference', 'min-jun');
    await rig.untilTold('min-jun', 'verified/inference');
    await verified.ask('audit verified/inference');
    expect(await rig.untilTold('dana', /verified\/inference[^\n]*deadlock/)).toContain(stopFirst);
    await rig.slack.as('dana').clicks(rig.slack.message(recovered) ?? recovered, 'Undo');
    const review = await rig.slack.until(() => {
      const view = rig.slack.as('dana').modal();
      return view?.submit === undefined ? undefined : view;
    });
    await rig.slack.as('dana').submits(review, { reason: 'back to the settings in Git' });
    await verified.untilCard('Undone');
    expect(verified.changes()).toHaveLength(2);
  });

  it('from the middle of a change does not make the change twice', async () => {
    await underway.untilRecovered();
    await underway.ask('audit underway/inference');
    await rig.untilTold('dana', /underway\/inference[^\n]*deadlock/);
    expect(isChanged(underway)).toBe(true);
    const applied = rig.cluster
      .list('v1', 'Event', underway.namespace)
      .filter(({ reason }) => reason === 'RemediationApplied');
    expect(applied).toHaveLength(1);
    expect(underway.changes()).toHaveLength(1);
  });
});
