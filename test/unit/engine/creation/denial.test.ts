import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { denialOf } from '#src/engine/creation/denial.js';

/** The kind, and everything that was read, in the order of its fields. */
function valuesOf(read: unknown): readonly string[] {
  if (Array.isArray(read)) return read.flatMap(valuesOf);
  return typeof read === 'object' && read !== null ? Object.values(read).flatMap(valuesOf) : [String(read)];
}

const forbidden = (rest: string) => `Error creating: pods "web-5c96d-x7k2p" is forbidden: ${rest}`;

describe('the reason why an object was not created', () => {
  it.each<[string, string, string]>([
    [
      'a quota that is used up',
      forbidden('exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2'),
      'quota | exceeded | team | pods | 1 | 2 | 2',
    ],
    [
      'a quota that wants limits named',
      forbidden('failed quota: team: must specify limits.cpu for: app'),
      'quota | must-specify | team | limits.cpu | app',
    ],
    [
      'a priority that needs a quota of its own',
      forbidden('insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]'),
      'quota-scope | [{PriorityClass In [system-node-critical]}]',
    ],
    [
      'Pod Security, violation by violation',
      forbidden(
        'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
      ),
      'pod-security | restricted:latest | allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false) | unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
    ],
    [
      'a security context constraint',
      forbidden('unable to validate against any security context constraint: [provider "anyuid": Forbidden]'),
      'security-policy | security context constraint',
    ],
    [
      'a webhook that denies the request',
      'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/shop/web was blocked',
      'webhook-denied | validate.kyverno.svc-fail | resource Pod/shop/web was blocked',
    ],
    [
      'a webhook that does not answer',
      'Error creating: Internal error occurred: failed calling webhook "inject.mesh.io": failed to call webhook: Post "https://inject.mesh.svc:443/?timeout=10s": no endpoints available for service "inject"',
      'webhook-unreachable | inject.mesh.io | failed to call webhook: Post "https://inject.mesh.svc:443/?timeout=10s": no endpoints available for service "inject"',
    ],
    [
      'an admission policy',
      forbidden(
        "ValidatingAdmissionPolicy 'signed-images' with binding 'prod' denied request: image is not signed",
      ),
      'admission-policy | signed-images | prod | image is not signed',
    ],
    [
      'one bound of a LimitRange',
      forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi'),
      'limit-range | maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'several bounds of a LimitRange',
      forbidden(
        '[minimum cpu usage per Container is 100m, but request is 50m, cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000]',
      ),
      'limit-range | minimum cpu usage per Container is 100m, but request is 50m | cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
    ],
    [
      'a missing ServiceAccount',
      forbidden('error looking up service account shop/builder: serviceaccount "builder" not found'),
      'service-account | shop | builder',
    ],
    [
      'a missing PriorityClass',
      forbidden('no PriorityClass with name urgent was found'),
      'priority-class | urgent',
    ],
    [
      'a missing RuntimeClass',
      forbidden('pod rejected: RuntimeClass "gvisor" not found'),
      'runtime-class | gvisor',
    ],
    [
      'a namespace that is going',
      forbidden('unable to create new content in namespace shop because it is being terminated'),
      'namespace-terminating | shop',
    ],
    [
      'a pod that admission has made invalid',
      'Error creating: Pod "web-x" is invalid: [spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 500m, spec.initContainers[0].name: Duplicate value: "a"]',
      'invalid | spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 500m | spec.initContainers[0].name: Duplicate value: "a"',
    ],
    ['an unknown plugin', forbidden('not on a Tuesday'), 'forbidden | not on a Tuesday'],
    [
      'no refusal at all',
      'Error creating: Timeout: request did not complete within requested timeout',
      'failed | Error creating: Timeout: request did not complete within requested timeout',
    ],
  ])('%s', (_, message, denial) => {
    expect(valuesOf(denialOf(message)).join(' | ')).toBe(denial);
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
