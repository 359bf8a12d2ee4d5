import { describe } from 'vitest';
import { casesOf } from './harness/common-cases.js';
import { testDeclaredForms, testRecreate } from './harness/declared-forms.js';
import type { PlayDeps } from './harness/play.js';
import { testOwners, withOwners } from './harness/with-owners.js';
import { kubectlClientSide, kubectlServerSide } from './kubectl.js';

/** Real `kubectl apply`, by both methods, after each change of ours. */
describe('changes of a workload that kubectl declares', () => {
  let deps: PlayDeps;
  withOwners((started) => {
    deps = started;
  });

  testOwners(
    [
      { owner: kubectlClientSide, cases: casesOf('threeWay') },
      { owner: kubectlServerSide, cases: casesOf('serverSide') },
    ],
    () => deps,
  );

  testDeclaredForms(kubectlClientSide, () => deps);
  testDeclaredForms(kubectlServerSide, () => deps);
  testRecreate(kubectlClientSide, () => deps, { plain: [], withNull: [] });
  testRecreate(kubectlServerSide, () => deps, {
    plain: ['nothing', 'the type alone'],
    withNull: ['nothing', 'the type alone', 'maxSurge alone'],
  });
});
