import { describe, expect, it } from 'vitest';
import { imagePullFailure } from '#src/doctor/causes/image-pull-failure/rule.js';
import { sandboxFailure } from '#src/doctor/causes/sandbox-failure.js';
import { node } from '../../../support/placement-builders.js';
import { crashSnapshot, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { has, lacks, mustFind, told } from './run-rule.js';

const waiting = (reason: string, message: string) =>
  failingPod({
    phase: 'Pending',
    containers: [{ state: { waiting: { reason, message } }, ready: false }],
  });

describe('an image without a version for the platform of a node', () => {
  const message =
    'Back-off pulling image "web:1": ErrImagePull: no match for platform in manifest: not found';
  const on = (system: string) => {
    const pod = waiting('ImagePullBackOff', message);
    const labels = { 'kubernetes.io/os': system, 'kubernetes.io/arch': 'amd64' };
    return told(
      mustFind(
        imagePullFailure,
        crashSnapshot({ pods: [pod], nodes: [node(pod.spec.nodeName ?? '', { labels })] }),
      ),
    );
  };

  it('names the operating system where it is another one, with the selector', () => {
    expect(on('windows')).toMatchObject({
      reasoning: has('operating-system'),
      snippets: expect.stringContaining('kubernetes.io/os: linux'),
    });
  });

  it('names the architecture where the system is the usual one', () => {
    const found = on('linux');
    expect(found).toMatchObject({
      reasoning: has('architecture'),
      snippets: expect.stringContaining('kubernetes.io/arch'),
    });
    expect(found.reasoning).toEqual(lacks('operating-system'));
  });
});

describe('a network that gives a pod no address', () => {
  const summaryOf = (message: string) =>
    mustFind(
      sandboxFailure,
      crashSnapshot({
        pods: [waiting('ContainerCreating', '')],
        events: [kubeletEvent('FailedCreatePodSandBox', message, { first: 600, last: 30 })],
      }),
    ).facts;

  it.each([
    'plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container',
    'plugin type="azure-vnet" failed (add): IPAM Invoker Add failed with error: no addresses available',
    'plugin type="host-local" failed (add): failed to allocate for range 0: no IP addresses available in range set',
    'failed to setup network: cannot allocate an IP address: InsufficientFreeAddressesInSubnet',
  ])('has used up its addresses: %s', (message) => {
    expect(summaryOf(message)).toMatchObject({ part: 'addresses' });
  });

  it.each([
    'failed to setup network for sandbox "2585": plugin type="calico" failed (add): no route',
    'plugin type="aws-cni" failed (add): add cmd: Error received from AddNetwork gRPC call: connection refused',
  ])('fails for another reason: %s', (message) => {
    expect(summaryOf(message)).toMatchObject({ part: 'network' });
  });
});
