import { describe } from 'vitest';
import { type ArgoCd, argoCd, startArgoCd } from './argo-cd.js';
import { casesOf } from './harness/common-cases.js';
import { typeAlone } from './harness/declarations.js';
import { testDeclaredForms } from './harness/declared-forms.js';
import type { OwnerCase, PlayDeps } from './harness/play.js';
import { testOwners, withOwners } from './harness/with-owners.js';

const isCleared = ({ change, declares }: OwnerCase): boolean =>
  change === 'strategy-in-place' && declares('').spec?.strategy === typeAlone;

/** An old ReplicaSet, and a pause that a resume takes away like the next sync. */
const isOutsideOfGit = ({ change, declares }: OwnerCase): boolean =>
  change === 'scale-down-old' || (change === 'resume-rollout' && declares('').spec?.paused !== true);

/** Argo CD's real application controller after each change of ours. */
describe('changes of a workload that Argo CD declares', () => {
  let deps: PlayDeps;
  withOwners(async (started) => {
    deps = started;
    const running: ArgoCd = await startArgoCd(started.cluster);
    return running.stop;
  });

  const managedFieldsManagers = ['rollout-doctor'];
  const ignored = { group: 'apps', kind: 'Deployment', managedFieldsManagers };
  const serverSide = { syncOptions: ['ServerSideApply=true'] };
  const clientSide = argoCd({ name: 'Argo CD', heals: false });
  const forced = argoCd({ name: 'Argo CD, ServerSideApply', heals: false, ...serverSide });
  testOwners(
    [
      { owner: clientSide, cases: casesOf('threeWay') },
      { owner: argoCd({ name: 'Argo CD, selfHeal', heals: true }), cases: casesOf('threeWay') },
      { owner: forced, cases: casesOf('forced') },
      {
        owner: argoCd({ name: 'Argo CD, ServerSideApply and selfHeal', heals: true, ...serverSide }),
        cases: casesOf('forced'),
      },
      {
        owner: argoCd({
          name: 'Argo CD, selfHeal, our fields ignored',
          heals: true,
          syncOptions: ['RespectIgnoreDifferences=true'],
          ignoreDifferences: [ignored],
        }),
        cases: casesOf('threeWay').map((one) => ({
          ...one,
          // Where a declared key clears it, or where nobody owns `paused: false`.
          leaves: one.declares('').spec?.paused === true || isCleared(one) ? 'reverted' : 'kept',
        })),
      },
      {
        owner: argoCd({ name: 'Argo CD, Replace', heals: false, syncOptions: ['Replace=true'] }),
        cases: casesOf('threeWay').map((one) => ({
          ...one,
          leaves: isOutsideOfGit(one) ? 'kept' : 'reverted',
        })),
      },
    ],
    () => deps,
  );

  testDeclaredForms(clientSide, () => deps);
  testDeclaredForms(forced, () => deps);
});
