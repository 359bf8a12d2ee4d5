import { describe, expect, it } from 'vitest';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { sandboxFailure } from '#src/doctor/causes/sandbox-failure.js';
import { examined } from '../../../support/remediation-builders.js';
import {
  type ContainerShape,
  crashSnapshot,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
} from '../findings/crashes/build.js';
import { foundBy, mustFind, told } from './run-rule.js';

const creating = { waiting: { reason: 'ContainerCreating', message: '' } };

describe('a token for which the ServiceAccount is missing', () => {
  const message =
    'MountVolume.SetUp failed for volume "kube-api-access-x7k2d" : failed to fetch token: serviceaccounts "reader" not found';
  const volume = { name: 'kube-api-access-x7k2d', projected: { sources: [] } };
  const withAccount = (account: string, former?: string) =>
    crashSnapshot({
      pods: [
        failingPod({
          phase: 'Pending',
          containers: [{ state: creating }],
          spec: { serviceAccountName: account, volumes: [volume] },
        }),
        ...(former === undefined
          ? []
          : [
              failingPod({
                name: 'web-0-a',
                revision: '0',
                spec: { serviceAccountName: former },
                status: { conditions: [{ type: 'Ready', status: 'True' }] },
              }),
            ]),
      ],
      events: [kubeletEvent('FailedMount', message, { first: 600, last: 5 })],
    });
  const find = (account: string) => mustFind(mountFailure, withAccount(account));

  it('is answered with the account, and not with a storage driver', () => {
    const { reasoning, advice } = told(find('reader'));
    expect(reasoning).toContain('account-missing');
    expect(advice).toEqual(['advice-account-title']);
  });

  it.each<[string, string, string]>([
    ['the template where the former revision has another account', 'writer', 'template'],
    ['the surroundings where it has the same', 'reader', 'surroundings'],
  ])('is a matter of %s', (_, former, origin) => {
    const [found] = [mountFailure.detect(examined(withAccount('reader', former)))].flat();
    expect(found?.origin).toBe(origin);
  });

  it('is not the account of another pod', () => {
    expect(told(find('default')).reasoning).not.toContain('account-missing');
  });
});

describe('a path that is no device', () => {
  const message = 'failed to generate container "0c11" spec: failed to generate spec: not a device node';
  const claim = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
  const refused = (spec: NonNullable<ContainerShape['spec']>, volumes: Volumes) =>
    crashSnapshot({
      pods: [
        failingPod({
          phase: 'Pending',
          spec: { volumes },
          containers: [
            { spec, state: { waiting: { reason: 'CreateContainerError', message } }, ready: false },
          ],
        }),
      ],
      events: [kubeletEvent('Failed', `Error: ${message}`, { container: 'app', first: 600, last: 4 })],
    });

  it('is one of the volume that the container uses as a device', () => {
    const snapshot = refused({ volumeDevices: [{ name: 'data', devicePath: '/dev/xvda' }] }, [claim]);
    const finding = mustFind(mountFailure, snapshot);
    expect(finding.facts?.volume).toBe('data');
    expect(told(finding)).toMatchObject({ advice: ['advice-device-title'] });
    expect(told(finding).reasoning).toContain('no-device');
    expect(foundBy(sandboxFailure, snapshot)).toBeUndefined();
  });

  it('is one of a device plug-in where no volume is used as a device', () => {
    const snapshot = refused({ volumeMounts: [{ name: 'data', mountPath: '/data' }] }, [claim]);
    expect(foundBy(mountFailure, snapshot)).toBeUndefined();
    expect(mustFind(sandboxFailure, snapshot).facts?.part).toBe('device');
  });
});

type Volumes = NonNullable<NonNullable<FailingPodShape['spec']>['volumes']>;
