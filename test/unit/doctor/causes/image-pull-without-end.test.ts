import { describe, expect, it } from 'vitest';
import { imagePullFailure } from '#src/doctor/causes/image-pull-failure/rule.js';
import { backingOff, crashSnapshot, ended, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { expectFindings, mustFind, type Row, told } from './run-rule.js';

const creating = { waiting: { reason: 'ContainerCreating', message: '' } };
const pending = failingPod({ containers: [{ state: creating }], phase: 'Pending' });
const seen = (reason: string, secondsAgo: number, container = 'app') =>
  kubeletEvent(reason, `${reason} image "registry.example/web:1.0"`, {
    container,
    first: secondsAgo,
    last: secondsAgo,
    type: 'Normal',
    count: 1,
  });
type Events = ReturnType<typeof seen>[];
const rows: readonly Row<Events>[] = [
  [
    'has an event of its start, and nothing for a quarter of an hour',
    [seen('Pulling', 900)],
    { confidence: 'possible', facts: expect.objectContaining({ refusal: 'no-answer' }) },
  ],
  ['is not reported while an image of usual size may arrive', [seen('Pulling', 420)]],
  ['is not reported where the image has arrived', [seen('Pulling', 900), seen('Pulled', 880)]],
  [
    'is not reported where it failed, and the status gives the reason',
    [seen('Pulling', 900), seen('Failed', 880)],
  ],
  ['is not reported of another container', [seen('Pulling', 900, 'proxy')]],
];

describe('a pull without an end', () => {
  expectFindings<Events>(imagePullFailure, (events) => crashSnapshot({ pods: [pending], events }), rows);
});

describe('an image that cannot be pulled any more', () => {
  const waiting = {
    waiting: { reason: 'ErrImagePull', message: 'pulling failed: 500 Internal Server Error' },
  };
  const find = (container: object) =>
    told(mustFind(imagePullFailure, crashSnapshot({ pods: [failingPod({ containers: [container] })] })));

  it('is a finding beside the crash that came before it', () => {
    const finding = find({ state: waiting, ready: false, lastState: ended({ exitCode: 3 }), restarts: 4 });
    expect(finding.reasoning).toEqual(expect.arrayContaining(['ran-before', 'pulls-again']));
    expect(finding.ruledOut).not.toContain('application-crash');
  });

  it('is the only finding where the container never ran', () => {
    const finding = find({ state: waiting, ready: false });
    expect(finding.reasoning).not.toContain('ran-before');
    expect(finding.ruledOut).toContain('application-crash');
  });

  it('is not found in a crash loop that has its image', () => {
    const pods = [failingPod({ containers: [{ state: backingOff, ready: false, lastState: ended() }] })];
    expect(() => mustFind(imagePullFailure, crashSnapshot({ pods }))).toThrow('finds nothing');
  });
});

describe('the image of a volume', () => {
  const asked = 'ghcr.io/acme/model:v2';
  const waiting = (image: string) => ({
    waiting: {
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "${image}": ${image}: not found`,
    },
  });
  const find = (pulled: string, mounts: readonly string[]) => {
    const container = {
      state: waiting(pulled),
      ready: false,
      spec: { volumeMounts: mounts.map((name) => ({ name, mountPath: '/model' })) },
    };
    const spec = { volumes: [{ name: 'model', image: { reference: asked } }] };
    return mustFind(
      imagePullFailure,
      crashSnapshot({ pods: [failingPod({ containers: [container], spec })] }),
    );
  };

  it('is named where the pull is of it', () => {
    const finding = find(asked, ['model']);
    expect(finding.facts).toMatchObject({ image: asked, refusal: 'not-found' });
    expect(told(finding).reasoning).toContain('of-volume');
  });

  it.each<[string, string, readonly string[]]>([
    ['the pull is of the image of the container', 'registry.example/web:1.0', ['model']],
    ['another container mounts it', asked, []],
  ])('is not named where %s', (_, pulled, mounts) => {
    const finding = find(pulled, mounts);
    expect(finding.facts?.image).not.toBe(asked);
    expect(told(finding).reasoning).not.toContain('of-volume');
  });
});
