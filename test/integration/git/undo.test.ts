import { describe, expect, it } from 'vitest';
import {
  applied,
  approve,
  merged,
  patchLive,
  pullRequestOf,
  repository,
  reviewed,
  type Stage,
  startStage,
  withStages,
} from './git-stage.js';

withStages();

/** A strategy that a pull request changed, in effect in the cluster. */
async function recovered() {
  const stage = await startStage({});
  const shown = await reviewed(stage);
  await approve(stage, shown);
  await stage.rig.work();
  await merged(stage);
  await applied(stage);
  expect(await pullRequestOf(stage)).toMatchObject({ state: 'recovered', hasUndo: true });
  return { stage, approvalId: shown.approval.id };
}

const undo = ({ rig, incident }: Stage, change: string) =>
  rig.usecases.review({ incidentId: incident.id, remediationId: 'undo', change, inGit: true, by: 'U0DANA' });

describe('the removal of what a pull request changed', () => {
  it('takes the same lines out again in a second pull request, and is itself no change to undo', async () => {
    const { stage, approvalId } = await recovered();
    const { rig, git } = stage;
    const shown = await undo(stage, approvalId);
    if (shown.type === 'refused') throw new Error(JSON.stringify(shown.because));
    expect(shown).toMatchObject({
      approval: { undoes: true, gitTarget: { repository } },
      dryRun: { type: 'accepted', edit: { diff: expect.arrayContaining(['-      maxSurge: 0']) } },
    });
    const writesBefore = rig.writes();
    await approve(stage, shown);
    await rig.work();
    const [, pull] = git.pulls(repository);
    expect(pull?.title).toContain('Undo of');
    const text = git.repository(repository).textOf(pull?.head ?? '', 'prod/api.yaml');
    expect(text).not.toContain('maxSurge: 0');
    expect(rig.writes()).toEqual(writesBefore);
    const second = await pullRequestOf(stage);
    expect(second).toMatchObject({ state: 'open', number: 2, undoes: true });
    expect(second?.hasUndo).toBeUndefined();
    expect(await undo(stage, approvalId)).toMatchObject({ because: { key: 'change-overtaken' } });
  });

  it('is refused where the cluster has other values by now, or another pull request came after it', async () => {
    const { stage, approvalId } = await recovered();
    expect(await undo(stage, 'another-approval')).toMatchObject({
      type: 'refused',
      because: { key: 'change-overtaken' },
    });
    await patchLive(stage.rig, { spec: { strategy: { rollingUpdate: { maxUnavailable: 2 } } } });
    expect(await undo(stage, approvalId)).toMatchObject({ type: 'refused', because: { key: 'drifted' } });
  });
});
