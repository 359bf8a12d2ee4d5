import { describe, expect, it } from 'vitest';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { isPlanOfKind, needsConfirmation, planRemediation } from '#src/doctor/fixes/remediation.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastUndo } from '#src/doctor/requested/forecast-undo.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { kubectlCommands } from '#src/edges/terminal/kubectl-command.js';
import { plain } from '#src/engine/language/prose.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createTell } from '#src/service/create-engine.js';
import { keysOf, planned } from '../../../support/remediation-builders.js';
import { scenarios } from '../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../support/scenarios/snapshot-of.js';

const tell = createTell();
type UpdateChange = Exclude<RequestedChange['kind'], 'exclude-nodes'>;

async function recorded(name: string): Promise<Snapshot> {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/${name}`));
  if (scenario === undefined) throw new Error(`${name} is not recorded`);
  return snapshotOf(scenario);
}

async function requested(kind: UpdateChange, name: string) {
  const snapshot = await recorded(name);
  return { snapshot, forecast: forecastRequested({ kind }, snapshot) };
}

async function possible(kind: UpdateChange, name: string) {
  const { snapshot, forecast } = await requested(kind, name);
  if (forecast.type !== 'possible') throw new Error(`impossible: ${forecast.because.key}`);
  const { remediation, verdict, warnings } = forecast;
  return { snapshot, remediation, verdict, warnings, plan: planned(planRemediation(remediation, snapshot)) };
}

const status = (body: object) =>
  ({ verb: 'patch', patchType: 'merge', subresource: 'status', body: { status: body } }) as const;
const promoted = status({ pauseConditions: null });

describe('a requested change of an update of Argo Rollouts', () => {
  it.each<[UpdateChange, string, object, string, readonly string[], readonly string[]]>([
    [
      ...(['promote-rollout', 'argo-rollouts/pause-step', promoted, 'complete'] as const),
      ['goes-to-promoted', 'stops-until-then', 'skips-nothing', 'no-undo'],
      [],
    ],
    [
      ...(['promote-rollout', 'argo-rollouts/pause-before-the-promotion', promoted, 'complete'] as const),
      ['goes-to-promoted', 'stops-until-then', 'skips-nothing', 'no-undo'],
      [],
    ],
    [
      'promote-rollout',
      'argo-rollouts/analysis-without-a-conclusion',
      status({ pauseConditions: null, controllerPause: false, currentStepIndex: 2 }),
      'complete',
      ['goes-to-step', 'skips-nothing', 'no-undo'],
      [],
    ],
    [
      'retry-rollout',
      'argo-rollouts/aborted-by-an-analysis',
      status({ abort: false }),
      'complete',
      ['starts-again', 'goes-to-step', 'stops-until-then'],
      ['withheld-analysis'],
    ],
    [
      'abort-rollout',
      'argo-rollouts/pause-step',
      status({ abort: true }),
      'complete',
      ['keeps-stable', 'removes-new', 'template-stays'],
      [],
    ],
    [
      'resume-rollout',
      'argo-rollouts/paused-before-the-update',
      { verb: 'patch', patchType: 'merge', body: { spec: { paused: false } } },
      'complete',
      ['continues', 'goes-to-promoted', 'stops-until-then', 'new-pod-placed', 'undo'],
      [],
    ],
  ])(
    '%s of %s sends what its plug-in of kubectl sends',
    async (kind, name, request, ends, effects, warned) => {
      const { snapshot, remediation, warnings, plan } = await possible(kind, name);

      expect(plan.request).toEqual(request);
      expect(remediation.prediction.ends).toBe(ends);
      expect(keysOf(remediation.effects).filter((key) => key !== 'ready-last-time')).toEqual(effects);
      expect(keysOf(warnings)).toEqual(warned);
      const workload = { cluster: 'test', kind: 'Rollout', namespace: 'shop', name: 'inference' } as const;
      expect(isPlanOfKind({ workload, remediation, undoes: false, plan })).toBe(true);
      expect(plan.target).toMatchObject({ kind: 'Rollout', uid: snapshot.workload.metadata.uid });
      for (const { catalogue, key, values } of [...remediation.effects, ...warnings]) {
        for (const language of ['en', 'ko'] as const)
          expect(plain(tell({ catalogue, key, values }, language))).not.toContain(`${catalogue}: `);
      }
    },
  );

  it.each<[UpdateChange, string]>([
    ['retry-rollout', 'argo-rollouts/aborted'],
    ['retry-rollout', 'argo-rollouts/quota-full-after-the-abort'],
    ['resume-rollout', 'argo-rollouts/paused-by-a-person'],
    ['resume-rollout', 'argo-rollouts/quota-while-a-person-pauses'],
  ])('%s of %s warns of the deadlock', async (kind, name) => {
    const { verdict, remediation } = await possible(kind, name);

    expect(verdict?.key).toBe('would-deadlock');
    expect(remediation.prediction.ends).toBe('stuck');
    expect(needsConfirmation(remediation)).toBe(true);
  });

  it.each<[UpdateChange, string, string]>([
    ['promote-rollout', 'argo-rollouts/healthy', 'no-update'],
    ['promote-rollout', 'argo-rollouts/aborted', 'aborted'],
    ['promote-rollout', 'argo-rollouts/paused-by-a-person', 'paused'],
    ['promote-rollout', 'argo-rollouts/canary-without-steps', 'waits-at-no-pause'],
    ['promote-rollout', 'argo-rollouts/analysis-beside-the-steps', 'waits-at-no-pause'],
    ['promote-rollout', 'healthy-mid-rollout', 'needs-argo-rollout'],
    ['promote-rollout', 'knative/healthy', 'needs-argo-rollout'],
    ['retry-rollout', 'argo-rollouts/pause-step', 'not-aborted'],
    ['retry-rollout', 'argo-rollouts/healthy', 'not-aborted'],
    ['retry-rollout', 'leader-worker-sets/healthy', 'needs-argo-rollout'],
    ['abort-rollout', 'argo-rollouts/healthy', 'no-update'],
    ['abort-rollout', 'argo-rollouts/aborted', 'already-aborted'],
    ['abort-rollout', 'healthy-mid-rollout', 'needs-argo-rollout'],
    ['resume-rollout', 'argo-rollouts/pause-step', 'resume-not-paused'],
    ['resume-rollout', 'leader-worker-sets/healthy', 'resume-needs-deployment'],
  ])('%s of %s is impossible: %s', async (kind, name, key) => {
    const { forecast } = await requested(kind, name);

    expect(forecast).toMatchObject({ type: 'impossible', because: { key } });
    if (forecast.type !== 'impossible') return;
    expect(plain(tell(forecast.because, 'ko'))).toMatch(/[가-힣]/u);
  });

  it.each<[UpdateChange, string, string]>([
    ['promote-rollout', 'argo-rollouts/pause-step', 'kubectl argo rollouts promote inference -n shop'],
    ['abort-rollout', 'argo-rollouts/pause-step', 'kubectl argo rollouts abort inference -n shop'],
    [
      'retry-rollout',
      'argo-rollouts/aborted-by-an-analysis',
      'kubectl argo rollouts retry rollout inference -n shop',
    ],
  ])('%s has the command of the plug-in', async (kind, name, command) => {
    const { plan, remediation } = await possible(kind, name);

    expect(kubectlCommands(plan, remediation, {})).toEqual([command]);
  });
});

it('the end of an update beside an analysis is not known because of the analysis, not because of unread pods', async () => {
  const { snapshot } = await possible('promote-rollout', 'argo-rollouts/pause-step');
  const { workload } = snapshot;
  if (workload.kind !== 'Rollout') throw new Error('no Rollout');
  const { canary } = workload.spec.strategy;
  const strategy = { ...workload.spec.strategy, canary: canary && { ...canary, analysis: {} } };
  const analysed = { ...snapshot, workload: { ...workload, spec: { ...workload.spec, strategy } } };

  const forecast = forecastRequested({ kind: 'promote-rollout' }, analysed);

  expect(forecast.type === 'possible' && keysOf(forecast.warnings)).toEqual([
    'end-unknown',
    'because-analysis',
  ]);
});

describe('the plan of a promotion', () => {
  it('shows when the pause began, so that an approval never ends a later pause', async () => {
    const { plan, snapshot, remediation } = await possible('promote-rollout', 'argo-rollouts/pause-step');
    const { workload } = snapshot;
    if (workload.kind !== 'Rollout') throw new Error('no Rollout');
    const [pause] = workload.status.pauseConditions;
    const later = { reason: pause?.reason ?? '', startTime: '2026-11-25T02:00:00Z' };
    const moved = { ...workload, status: { ...workload.status, pauseConditions: [later] } };

    expect(plan.changes).toEqual([{ path: 'status.pauseConditions', before: [pause] }]);
    expect(planned(planRemediation(remediation, { ...snapshot, workload: moved })).changes).not.toEqual(
      plan.changes,
    );
  });

  it('is refused after an experiment without a conclusion, because the controller pauses again', async () => {
    const { snapshot, remediation } = await possible('promote-rollout', 'argo-rollouts/pause-step');
    const { workload } = snapshot;
    if (workload.kind !== 'Rollout') throw new Error('no Rollout');
    const pauseConditions = [{ reason: 'InconclusiveExperiment', startTime: '2026-11-25T02:00:00Z' }];
    const held = { ...snapshot, workload: { ...workload, status: { ...workload.status, pauseConditions } } };

    const refused = planRemediation(remediation, held);
    const forecast = forecastRequested({ kind: 'promote-rollout' }, held);

    expect(refused).toMatchObject({ type: 'refusal', because: { key: 'pauses-again' } });
    expect(forecast).toMatchObject({ type: 'impossible', because: { key: 'pauses-again' } });
  });

  it('is refused once the pause is over, and while a person pauses the Rollout', async () => {
    const { snapshot, remediation } = await possible('promote-rollout', 'argo-rollouts/pause-step');
    const { workload } = snapshot;
    if (workload.kind !== 'Rollout') throw new Error('no Rollout');
    const over = { ...workload, status: { ...workload.status, pauseConditions: [] } };
    const paused = { ...workload, spec: { ...workload.spec, paused: true } };

    for (const [changed, reason] of [
      [over, 'already-applied'],
      [paused, 'paused'],
    ] as const) {
      expect(planRemediation(remediation, { ...snapshot, workload: changed })).toMatchObject({
        type: 'refusal',
        reason,
      });
    }
  });
});

describe('the undo of a change of an update', () => {
  it('of a retry is refused once the update is promoted, because the controller takes such an abort back', async () => {
    const { snapshot, remediation, plan } = await possible(
      'retry-rollout',
      'argo-rollouts/aborted-by-an-analysis',
    );
    const { workload } = snapshot;
    if (workload.kind !== 'Rollout' || plan.undo === undefined) throw new Error('no undo');
    const { currentPodHash } = workload.status;
    const status = { ...workload.status, abort: false, abortedAt: undefined, stableRS: currentPodHash };
    const promoted = { ...snapshot, workload: { ...workload, status } };

    expect(planUndo(remediation.id, plan.undo, promoted)).toMatchObject({
      type: 'refusal',
      because: { key: 'update-over' },
    });
  });

  it.each<[UpdateChange, string, object, string]>([
    [
      'retry-rollout',
      'argo-rollouts/aborted-by-an-analysis',
      { abort: false },
      'Undo aborts the update again.',
    ],
    [
      'abort-rollout',
      'argo-rollouts/pause-step',
      { abort: true },
      'Undo retries the update from its first step.',
    ],
  ])('of %s sets the field back, and its effect is forecast', async (kind, name, changed, words) => {
    const { snapshot, remediation, plan } = await possible(kind, name);
    const { workload } = snapshot;
    if (workload.kind !== 'Rollout' || plan.undo === undefined) throw new Error('no undo');
    const after = { ...snapshot, workload: { ...workload, status: { ...workload.status, ...changed } } };

    const undo = planUndo(remediation.id, plan.undo, after);

    expect(undo).toMatchObject({ type: 'plan', request: { subresource: 'status' } });
    const forecast = forecastUndo(remediation, plan.undo, after);
    expect(forecast?.effects.map((each) => plain(tell(each, 'en'))).join(' ')).toContain(words);
  });
});
