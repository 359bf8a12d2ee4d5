import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { RayService } from '#src/engine/objects/ray-service.js';
import { mustFind, snapshotOf, told } from '../run-rule.js';

const folder = join(import.meta.dirname, '../../../../scenarios/ray-services/deadlock-of-two-heads');

/** One RayCluster serves image 1, and the head of another one with image 2 waits for the only GPU. */
async function found(image: string, requests: object) {
  const { objects } = await readRecording(folder);
  const [recorded] = objects.RayService;
  if (recorded === undefined) throw new Error('no RayService');
  const containers = [
    { name: 'ray-head', image, resources: { limits: { 'nvidia.com/gpu': '1' }, requests } },
  ];
  const rayClusterConfig = { headGroupSpec: { template: { spec: { containers } } }, workerGroupSpecs: [] };
  const service = RayService.parse({ ...recorded, spec: { rayClusterConfig } });
  const { takenAt } = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as { takenAt: string };
  const changed = { ...objects, RayService: [service] };
  return told(mustFind(surgeDeadlock, snapshotOf(service, changed, { takenAt })));
}

const gpu = { cpu: '1', 'nvidia.com/gpu': '1' };

describe('a RayCluster that is prepared for a spec that was taken back', () => {
  it('is named, and nothing is advised that would let KubeRay switch to it', async () => {
    const { reasoning, advice } = await found('registry.example/ray:1', gpu);

    expect(reasoning).toContain('ray-taken-back');
    expect(advice).toEqual(['advice-taken-back-title']);
  });

  it.each([
    ['the present spec', 'registry.example/ray:2', gpu],
    ['a spec that neither runs', 'registry.example/ray:3', gpu],
    ['a spec that requests something else than both', 'registry.example/ray:1', { ...gpu, cpu: '2' }],
  ])('is none where it is for %s', async (_, image, requests) => {
    const { reasoning, advice } = await found(image, requests);

    expect(reasoning).not.toContain('ray-taken-back');
    expect(advice).toContain('advice-ray-title');
  });
});
