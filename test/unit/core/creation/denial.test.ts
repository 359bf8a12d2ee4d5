import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Denial, denialOf } from '#src/core/creation/denial.js';

const forbidden = (rest: string) => `Error creating: pods "web-5c96d-x7k2p" is forbidden: ${rest}`;

describe('the reason why an object was not created', () => {
  it.each<[string, string, Denial]>([
    [
      'a quota that is used up',
      forbidden('exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2'),
      {
        kind: 'quota',
        refusal: {
          kind: 'exceeded',
          quota: 'team',
          resources: [{ resource: 'pods', requested: '1', used: '2', limited: '2' }],
        },
      },
    ],
    [
      'a quota that wants limits named',
      forbidden('failed quota: team: must specify limits.cpu for: app'),
      {
        kind: 'quota',
        refusal: {
          kind: 'must-specify',
          quota: 'team',
          missing: [{ resource: 'limits.cpu', containers: ['app'] }],
        },
      },
    ],
    [
      'a priority that needs a quota of its own',
      forbidden('insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]'),
      { kind: 'quota-scope', scopes: '[{PriorityClass In [system-node-critical]}]' },
    ],
    [
      'Pod Security, violation by violation',
      forbidden(
        'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
      ),
      {
        kind: 'pod-security',
        level: 'restricted:latest',
        violations: [
          'allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
          'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
        ],
      },
    ],
    [
      'a security context constraint',
      forbidden('unable to validate against any security context constraint: [provider "anyuid": Forbidden]'),
      { kind: 'security-policy', policy: 'security context constraint' },
    ],
    [
      'a webhook that denies the request',
      'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/shop/web was blocked',
      {
        kind: 'webhook-denied',
        webhook: 'validate.kyverno.svc-fail',
        said: 'resource Pod/shop/web was blocked',
      },
    ],
    [
      'a webhook that does not answer',
      'Error creating: Internal error occurred: failed calling webhook "inject.mesh.io": failed to call webhook: Post "https://inject.mesh.svc:443/?timeout=10s": no endpoints available for service "inject"',
      {
        kind: 'webhook-unreachable',
        webhook: 'inject.mesh.io',
        said: 'failed to call webhook: Post "https://inject.mesh.svc:443/?timeout=10s": no endpoints available for service "inject"',
      },
    ],
    [
      'an admission policy',
      forbidden(
        "ValidatingAdmissionPolicy 'signed-images' with binding 'prod' denied request: image is not signed",
      ),
      { kind: 'admission-policy', policy: 'signed-images', binding: 'prod', said: 'image is not signed' },
    ],
    [
      'one bound of a LimitRange',
      forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi'),
      { kind: 'limit-range', violations: ['maximum memory usage per Container is 1Gi, but limit is 2Gi'] },
    ],
    [
      'several bounds of a LimitRange',
      forbidden(
        '[minimum cpu usage per Container is 100m, but request is 50m, cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000]',
      ),
      {
        kind: 'limit-range',
        violations: [
          'minimum cpu usage per Container is 100m, but request is 50m',
          'cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
        ],
      },
    ],
    [
      'a missing ServiceAccount',
      forbidden('error looking up service account shop/builder: serviceaccount "builder" not found'),
      { kind: 'service-account', namespace: 'shop', name: 'builder' },
    ],
    [
      'a missing PriorityClass',
      forbidden('no PriorityClass with name urgent was found'),
      { kind: 'priority-class', name: 'urgent' },
    ],
    [
      'a missing RuntimeClass',
      forbidden('pod rejected: RuntimeClass "gvisor" not found'),
      { kind: 'runtime-class', name: 'gvisor' },
    ],
    [
      'a namespace that is going',
      forbidden('unable to create new content in namespace shop because it is being terminated'),
      { kind: 'namespace-terminating', namespace: 'shop' },
    ],
    [
      'a pod that admission has made invalid',
      'Error creating: Pod "web-x" is invalid: [spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 500m, spec.initContainers[0].name: Duplicate value: "a"]',
      {
        kind: 'invalid',
        fields: [
          'spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 500m',
          'spec.initContainers[0].name: Duplicate value: "a"',
        ],
      },
    ],
    ['an unknown plugin', forbidden('not on a Tuesday'), { kind: 'forbidden', said: 'not on a Tuesday' }],
    [
      'no refusal at all',
      'Error creating: Timeout: request did not complete within requested timeout',
      { kind: 'failed', said: 'Error creating: Timeout: request did not complete within requested timeout' },
    ],
  ])('%s', (_, message, denial) => {
    expect(denialOf(message)).toEqual(denial);
  });

  it('never throws and always ends, whatever the text', () => {
    const pieces = fc.constantFrom(
      'exceeded quota: ',
      ', requested: ',
      'violates PodSecurity "',
      '": ',
      '(((',
      "ValidatingAdmissionPolicy '",
      ' is forbidden: [',
      'maximum  usage per ',
      '" is invalid: [',
      ']',
    );
    const texts = fc.array(fc.oneof(pieces, fc.string({ maxLength: 12 })), { maxLength: 40 });
    fc.assert(
      fc.property(texts, (parts) => {
        expect(denialOf(parts.join('')).kind).toBeTypeOf('string');
      }),
      { numRuns: 300 },
    );
  });
});
