import { describe, expect, it } from 'vitest';
import { type PullRefusal, pullRefusalOf } from '#src/core/diagnosis/causes/image-pull-failure/refusal.js';

const pull = 'Failed to pull image "registry.example/web:1": ';

describe('the reason why an image cannot be pulled', () => {
  it.each<[PullRefusal, string]>([
    [
      'not-found',
      `${pull}rpc error: code = NotFound desc = failed to resolve reference: registry.example/web:1: not found`,
    ],
    ['not-found', `${pull}manifest unknown: manifest tagged by "1" is not found`],
    ['not-authorised', `${pull}failed to authorize: 401 Unauthorized`],
    ['not-authorised', `${pull}pull access denied, repository does not exist or may require authorization`],
    ['not-authorised', `${pull}no basic auth credentials`],
    ['rate-limited', `${pull}429 Too Many Requests - toomanyrequests: You have reached your pull rate limit`],
    ['tls', `${pull}tls: failed to verify certificate: x509: certificate signed by unknown authority`],
    ['tls', `${pull}http: server gave HTTP response to HTTPS client`],
    ['name-not-resolved', `${pull}dial tcp: lookup registry.example on 10.0.0.2:53: no such host`],
    ['unreachable', `${pull}dial tcp 10.1.2.3:443: i/o timeout`],
    ['unreachable', `${pull}dial tcp 10.1.2.3:443: connect: connection refused`],
    ['architecture', `${pull}no match for platform in manifest: not found`],
    ['no-space', `${pull}write /var/lib/containerd/x: no space left on device`],
    ['unknown', `${pull}something nobody has seen`],
    ['unknown', ''],
  ])('is %s for the message: %s', (refusal, message) => {
    expect(pullRefusalOf('ErrImagePull', [message])).toBe(refusal);
  });

  it.each<[PullRefusal, string]>([
    ['invalid-name', 'InvalidImageName'],
    ['never-pull', 'ErrImageNeverPull'],
  ])('is %s for the waiting reason %s', (refusal, reason) => {
    expect(pullRefusalOf(reason, ['not found'])).toBe(refusal);
  });

  it('is searched in every message, not only in the back-off message', () => {
    expect(
      pullRefusalOf('ImagePullBackOff', ['Back-off pulling image "web:1"', `${pull}401 Unauthorized`]),
    ).toBe('not-authorised');
  });

  it.each<[PullRefusal, string, string]>([
    [
      'not-found',
      'registry.example/web:401',
      'failed to resolve reference "registry.example/web:401": not found',
    ],
    [
      'not-found',
      'registry.example/denied:429',
      'Failed to pull image "registry.example/denied:429": manifest unknown',
    ],
    [
      'not-authorised',
      'registry.example/web:404',
      'unexpected status from HEAD request to https://registry.example/v2/web/manifests/404: 403 Forbidden',
    ],
  ])('is %s whatever the name of the image: %s', (refusal, image, message) => {
    expect(pullRefusalOf('ErrImagePull', [message], image)).toBe(refusal);
  });

  it('is found in limited time in an endless message', () => {
    expect(pullRefusalOf('ErrImagePull', ['a '.repeat(1_000_000)])).toBe('unknown');
  });
});
