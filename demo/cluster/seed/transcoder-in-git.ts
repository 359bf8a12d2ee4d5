import { applyManifest, kustomizationName } from '../../git-owner/apply-manifest.js';
import { demoPath, transcoderManifest, versionBefore, versionNow } from '../../git-owner/declared-in-git.js';
import { create, dayMinutes, type IncidentSeed, namespaceObject } from './incident-seed.js';

/**
 * Deployment `media/transcoder`, which Flux applies from Git. Its update waits for the one GPU of its kind,
 * as `ml/inference` does, but a live change lasts only until Flux applies the manifest again.
 */
export const transcoderInGit: IncidentSeed = {
  workload: 'deploy/transcoder -n media',
  nodes: [
    {
      name: 'media-a',
      number: 31,
      cpu: '16',
      memory: '32Gi',
      extended: { 'amd.com/gpu': '1' },
      taints: [{ key: 'node.example/pool', value: 'media', effect: 'NoSchedule' }],
    },
  ],
  conduct: [],
  steps: [
    {
      minutesAgo: 3 * dayMinutes,
      happens(registry) {
        create(registry, namespaceObject('media'));
        create(registry, namespaceObject(kustomizationName.namespace));
        create(registry, {
          apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
          kind: 'Kustomization',
          metadata: { ...kustomizationName },
          spec: {
            interval: '10m',
            path: `./${demoPath}`,
            prune: true,
            sourceRef: { kind: 'GitRepository', name: 'deploy' },
          },
        });
        applyManifest(registry, transcoderManifest(versionBefore));
      },
    },
    {
      minutesAgo: 14,
      happens: (registry) => applyManifest(registry, transcoderManifest(versionNow)),
    },
  ],
};
