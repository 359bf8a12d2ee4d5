import { describe, expect, it } from 'vitest';
import { type NodeGroup, parseAutoscalerStatus } from '#src/engine/objects/autoscaler-status.js';

const at = '2026-11-20 09:29:50.123456789 +0000 UTC';

const yaml = (groups: string, status = 'Running') => `time: ${at}
autoscalerStatus: ${status}
clusterWide:
  health:
    status: Healthy
nodeGroups:
${groups}`;

const pool = `- name: gpu-pool
  health:
    status: Healthy
    nodeCounts:
      registered:
        total: 9
    cloudProviderTarget: 2
    minSize: 1
    maxSize: 4
  scaleUp:
    status: Backoff
    backoffInfo:
      errorCode: QUOTA_EXCEEDED
      errorMessage: 'Instance not created.
        maxSize: 77'
  scaleDown:
    status: NoCandidates
`;
const gpuPool: NodeGroup = {
  name: 'gpu-pool',
  target: 2,
  max: 4,
  scaleUp: 'Backoff',
  errorCode: 'QUOTA_EXCEEDED',
  errorMessage: 'Instance not created.',
};

const older = `Cluster-autoscaler status at ${at}:
Cluster-wide:
  Health:      Healthy (ready=3 unready=0 (resourceUnready=0) notStarted=0 longNotStarted=0 registered=3 longUnregistered=0)
               LastProbeTime:      2026-11-20 09:29:50.1 +0000 UTC m=+60.1

NodeGroups:
  Name:        https://cloud.example/zones/a/gpu-pool
  Health:      Healthy (ready=2 unready=0 (resourceUnready=0) notStarted=0 longNotStarted=0 registered=2 longUnregistered=0 cloudProviderTarget=2 (minSize=1, maxSize=4))
               LastProbeTime:      2026-11-20 09:29:50.1 +0000 UTC m=+60.1
  ScaleUp:     Backoff (ready=2 cloudProviderTarget=2)
               LastProbeTime:      2026-11-20 09:29:50.1 +0000 UTC m=+60.1
  ScaleDown:   NoCandidates (candidates=0)

`;

describe('the status of cluster-autoscaler', () => {
  it.each<[string, string, readonly NodeGroup[]]>([
    ['in YAML', yaml(pool), [gpuPool]],
    [
      'in YAML with deeper lists',
      yaml(
        pool
          .split('\n')
          .map((line) => `    ${line}`)
          .join('\n'),
      ),
      [gpuPool],
    ],
    ['in YAML with a quoted name', yaml(pool.replace('gpu-pool', '"gpu-pool"')), [gpuPool]],
    [
      'in the text of versions until 1.29',
      older,
      [{ ...gpuPool, name: 'https://cloud.example/zones/a/gpu-pool', errorCode: '', errorMessage: '' }],
    ],
    ['without node groups', yaml(''), []],
  ])('is read %s', (_name, text, groups) => {
    expect(parseAutoscalerStatus(text)).toEqual({ at: '2026-11-20T09:29:50.000Z', groups });
  });

  it('takes a group whose sizes are missing for one that may grow', () => {
    const [group] =
      parseAutoscalerStatus(yaml('- name: gpu-pool\n  health:\n    status: Healthy\n'))?.groups ?? [];

    expect(group).toMatchObject({ target: 0, max: Number.MAX_SAFE_INTEGER });
  });

  it.each([
    ['of an autoscaler that is still starting', yaml(pool, 'Initializing')],
    ['without a time', yaml(pool).replace(/^time: .*$/mu, 'time: soon')],
    ['of another form', '{"nodeGroups":[]}'],
    ['that is empty', ''],
    ['that is too large', yaml(pool) + ' '.repeat(1_000_001)],
  ])('is not read %s', (_name, text) => {
    expect(parseAutoscalerStatus(text)).toBeUndefined();
  });
});
