import { afterAll, beforeAll, describe, it } from 'vitest';
import { nodeIncidents } from './incidents/all-incidents.js';
import { type Observer, openObserver } from './observer.js';
import { type RealCluster, startRealCluster } from './real-cluster.js';

let real: RealCluster;
let observer: Observer;
beforeAll(async () => {
  real = await startRealCluster();
  observer = await openObserver(real);
});
afterAll(async () => {
  await real?.stop();
  await observer?.end();
});

// Many at a time: most of their time is back-off.
describe.concurrent('an incident on a real node', () => {
  it.each(nodeIncidents)('$id: $title', async (incident) => {
    await observer.begin(incident);
    await observer.expectDiagnosis(incident);
  });
});
