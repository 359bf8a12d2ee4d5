import { describe } from 'vitest';
import { type Flux, flux, startFlux } from './flux.js';
import { casesOf } from './harness/common-cases.js';
import type { PlayDeps } from './harness/play.js';
import { testOwners, withOwners } from './harness/with-owners.js';

/** Flux's real kustomize-controller after each change of ours. */
describe('changes of a workload that Flux declares', () => {
  let deps: PlayDeps;
  let running: Flux;
  withOwners(async (started) => {
    deps = started;
    running = await startFlux(started.cluster);
    return running.stop;
  });

  testOwners([{ owner: flux(() => running, { interval: '10m' }), cases: casesOf('forced') }], () => deps);
});
