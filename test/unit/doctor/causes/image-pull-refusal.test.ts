import { describe, expect, it } from 'vitest';
import { type PullRefusal, pullRefusalOf } from '#src/doctor/causes/image-pull-failure/refusal.js';

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
    ['no-tls', `${pull}http: server gave HTTP response to HTTPS client`],
    ['no-tls', `${pull}tls: first record does not look like a TLS handshake`],
    ['tls', `${pull}remote error: tls: handshake failure`],
    ['name-not-resolved', `${pull}dial tcp: lookup registry.example on 10.0.0.2:53: no such host`],
    ['unreachable', `${pull}dial tcp 10.1.2.3:443: i/o timeout`],
    ['unreachable', `${pull}dial tcp 10.1.2.3:443: connect: connection refused`],
    ['architecture', `${pull}no match for platform in manifest: not found`],
    ['no-space', `${pull}write /var/lib/containerd/x: no space left on device`],
    [
      'other-content',
      `${pull}failed commit on ref "config-sha256:2d08": unexpected commit digest sha256:5cdc, expected sha256:2d08: failed precondition`,
    ],
    [
      'other-content',
      `${pull}failed commit on ref "layer-sha256:2d08": unexpected commit size 12, expected 4096: failed precondition`,
    ],
    ['other-content', `${pull}copying config: Digest did not match, expected sha256:2d08, got sha256:5cdc`],
    ['other-content', `${pull}filesystem layer verification failed for digest sha256:2d08`],
    ['not-found', `${pull}failed to resolve reference "web@sha256:2d08": content at digest: not found`],
    ['unknown', `${pull}something nobody has seen`],
    ['unknown', ''],
  ])('is %s for the message: %s', (refusal, message) => {
    expect(pullRefusalOf('ErrImagePull', [message])).toBe(refusal);
  });

  it.each<[PullRefusal, string]>([
    ['invalid-name', 'InvalidImageName'],
    ['never-pull', 'ErrImageNeverPull'],
    ['no-answer', 'Pulling'],
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

  const host = '10.77.0.1:5055';
  const older = (image: string, rest: string) =>
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${rest}`;
  const newer = (image: string, rest: string) =>
    `failed to pull and unpack image "${image}": failed to resolve image: ${rest}`;
  type Written = [refusal: PullRefusal, image: string, by16: string, by24: string];
  it.each<Written>([
    [
      'registry-error',
      `${host}/broken/app:1`,
      older(
        `${host}/broken/app:1`,
        `pulling from host ${host} failed with status code [manifests 1]: 500 Internal Server Error`,
      ),
      newer(
        `${host}/broken/app:1`,
        `unexpected status from HEAD request to http://${host}/v2/broken/app/manifests/1: 500 Internal Server Error`,
      ),
    ],
    [
      'registry-error',
      `${host}/app:1`,
      older(
        `${host}/app:1`,
        `pulling from host ${host} failed with status code [manifests 1]: 503 Service Unavailable`,
      ),
      newer(
        `${host}/app:1`,
        `unexpected status from GET request to https://${host}/v2/app/blobs/sha256:4f: 502 Bad Gateway`,
      ),
    ],
    [
      'rate-limited',
      `${host}/limited/app:1`,
      older(
        `${host}/limited/app:1`,
        `pulling from host ${host} failed with status code [manifests 1]: 429 Too Many Requests`,
      ),
      newer(
        `${host}/limited/app:1`,
        `unexpected status from HEAD request to http://${host}/v2/limited/app/manifests/1: 429 Too Many Requests`,
      ),
    ],
    [
      'not-authorised',
      `${host}/private/app:1`,
      older(
        `${host}/private/app:1`,
        `pulling from host ${host} failed with status code [manifests 1]: 401 Unauthorized`,
      ),
      newer(
        `${host}/private/app:1`,
        'pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials',
      ),
    ],
    [
      'not-found',
      `${host}/app:nope`,
      `rpc error: code = NotFound desc = ${older(`${host}/app:nope`, `${host}/app:nope: not found`)}`,
      `rpc error: code = NotFound desc = ${newer(`${host}/app:nope`, `${host}/app:nope: not found`)}`,
    ],
    [
      'unreachable',
      '10.77.0.1:1/app:1',
      older(
        '10.77.0.1:1/app:1',
        'failed to do request: Head "http://10.77.0.1:1/v2/app/manifests/1": dial tcp 10.77.0.1:1: connect: connection refused',
      ),
      newer(
        '10.77.0.1:1/app:1',
        'failed to do request: Head "https://10.77.0.1:1/v2/app/manifests/1": dial tcp 10.77.0.1:1: connect: connection refused',
      ),
    ],
    [
      'invalid-name',
      'registry.example/UPPER:1',
      'failed to parse image reference "registry.example/UPPER:1": invalid reference format: repository name must be lowercase',
      'failed to parse image reference "registry.example/UPPER:1": invalid reference format: repository name (UPPER) must be lowercase',
    ],
  ])('is %s for %s in the words of containerd 1.6 and of 2.4', (refusal, image, by16, by24) => {
    expect(pullRefusalOf('ErrImagePull', [by16], image)).toBe(refusal);
    expect(pullRefusalOf('ErrImagePull', [by24], image)).toBe(refusal);
  });

  it.each<[PullRefusal, string, string]>([
    ['not-found', 'registry.example/ratelimit:1', 'repository registry.example/ratelimit not found'],
    ['unreachable', 'registry.example/web:1', 'dial tcp 10.0.0.1:500: connect: connection refused'],
    ['unreachable', 'registry.example/web:503', 'Head: context deadline exceeded after 500 ms'],
    ['unknown', 'registry.example/web:1', 'layer of 500 bytes has another digest'],
  ])('is %s for %s where only a number or a name resembles another answer', (refusal, image, message) => {
    expect(pullRefusalOf('ErrImagePull', [message], image)).toBe(refusal);
  });

  it('is found in limited time in an endless message', () => {
    expect(pullRefusalOf('ErrImagePull', ['a '.repeat(1_000_000)])).toBe('unknown');
  });
});
