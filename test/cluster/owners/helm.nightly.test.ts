import { describe } from 'vitest';
import { casesOf } from './harness/common-cases.js';
import type { PlayDeps } from './harness/play.js';
import { testOwners, withOwners } from './harness/with-owners.js';
import { helm3, helm3Then4, helm4, helm4ClientSide } from './helm.js';

/** Real `helm upgrade`, of Helm 3 and 4 and by both methods, after each change of ours. */
describe('changes of a workload that Helm declares', () => {
  let deps: PlayDeps;
  withOwners((started) => {
    deps = started;
  });

  testOwners(
    [
      { owner: helm3, cases: casesOf('threeWay') },
      { owner: helm4, cases: casesOf('serverSide') },
      { owner: helm4ClientSide, cases: casesOf('threeWay') },
      { owner: helm3Then4, cases: casesOf('threeWay') },
    ],
    () => deps,
  );
});
