import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import type { ClusterObjects } from '#src/core/cluster/cluster-objects.js';
import { Namespace } from '#src/core/cluster/policy.js';
import { LimitRange, PriorityClass } from '#src/core/cluster/quota.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { admissionDenied } from '#src/core/diagnosis/causes/admission-denied/rule.js';
import { text } from '#src/core/diagnosis/causes/admission-denied/text.js';
import {
  creationEvent,
  exceededMessage,
  quota,
  type RefusedFields,
  refused,
} from '../../../creation/build.js';
import { foundBy, keysOf, mustFind, renderFinding } from '../run-rule.js';

const forbidden = (rest: string) => `pods "web-2-x7k2p" is forbidden: ${rest}`;
const restricted = forbidden(
  'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
);

function snapshotWith(
  message: string,
  objects: Partial<ClusterObjects> = {},
  fields: RefusedFields = {},
): Snapshot {
  const snapshot = refused({ message, quotas: [], ...fields });
  return { ...snapshot, index: indexObjects({ ...snapshot.index.objects, ...objects }) };
}

const find = (message: string, objects: Partial<ClusterObjects> = {}, fields: RefusedFields = {}) =>
  mustFind(admissionDenied, snapshotWith(message, objects, fields));

const shop = (metadata: object) => Namespace.parse({ metadata: { name: 'shop', ...metadata } });
const range = LimitRange.parse({
  metadata: { name: 'bounds', namespace: 'shop' },
  spec: { limits: [{ type: 'Container', max: { memory: '1024Mi' } }] },
});
const system = PriorityClass.parse({ metadata: { name: 'system-node-critical' }, value: 2000001000 });

describe('pods that admission denies', () => {
  it.each<[string, string, string, string]>([
    [
      'Pod Security',
      restricted,
      'pod-security',
      'Namespace shop enforces the Pod Security Standard restricted:latest.',
    ],
    [
      'a LimitRange',
      forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi'),
      'limit-range',
      'A LimitRange of the namespace forbids it: maximum memory usage per Container is 1Gi, but limit is 2Gi.',
    ],
    [
      'a missing ServiceAccount',
      forbidden('error looking up service account shop/builder: serviceaccount "builder" not found'),
      'service-account',
      'The template uses the ServiceAccount builder, which does not exist in namespace shop.',
    ],
    [
      'a webhook',
      'admission webhook "validate.kyverno.svc-fail" denied the request: image must be signed',
      'webhook-denied',
      'The admission webhook validate.kyverno.svc-fail denies it: image must be signed.',
    ],
    [
      'a webhook that is down',
      'Internal error occurred: failed calling webhook "inject.mesh.io": no endpoints available',
      'webhook-unreachable',
      'whose failurePolicy refuses pods in this case: no endpoints available.',
    ],
    [
      'a policy',
      forbidden("ValidatingAdmissionPolicy 'signed' with binding 'prod' denied request: not signed"),
      'admission-policy',
      'The ValidatingAdmissionPolicy signed (binding prod) denies it: not signed.',
    ],
    [
      'a missing RuntimeClass',
      forbidden('pod rejected: RuntimeClass "gvisor" not found'),
      'runtime-class',
      'The template uses the RuntimeClass gvisor, which does not exist in the cluster.',
    ],
    [
      'an unknown plugin',
      forbidden('not on a Tuesday'),
      'forbidden',
      'The API server forbids it: not on a Tuesday.',
    ],
    [
      'a pod that admission made invalid',
      'Pod "web-x" is invalid: spec.containers[0].name: Duplicate value: "a"',
      'invalid',
      'The pod is invalid after defaults and webhooks were applied: spec.containers[0].name: Duplicate value: "a".',
    ],
  ])('%s is reported with its reason', (_, message, kind, sentence) => {
    const finding = find(message);
    const { en, ko } = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'likely', severity: 'warning' });
    expect(finding.reasoning[1]?.key).toBe(kind);
    expect(en.join('\n')).toContain(sentence);
    expect(ko).toHaveLength(en.length);
    expect(keysOf(finding.weakenedBy)).toEqual(['only-said']);
  });

  it.each<[string, string, Partial<ClusterObjects>, string]>([
    [
      'the label of the namespace',
      restricted,
      { Namespace: [shop({ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } })] },
      'metadata.labels[pod-security.kubernetes.io/enforce]',
    ],
    [
      'the bound of a LimitRange in any spelling',
      forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi'),
      { LimitRange: [range] },
      'spec.limits[Container].max[memory]',
    ],
    [
      'the deletion of the namespace',
      forbidden('unable to create new content in namespace shop because it is being terminated'),
      { Namespace: [shop({ deletionTimestamp: '2026-11-20T09:00:00Z' })] },
      'metadata.deletionTimestamp',
    ],
    [
      'a quota that the engine refuses the pod for',
      forbidden('failed quota: team: must specify limits.memory for: app'),
      { ResourceQuota: [quota({ hard: { 'limits.memory': '4Gi' }, used: {} })] },
      'spec.hard',
    ],
  ])('are proven by %s', (_, message, objects, field) => {
    const finding = find(message, objects);

    expect(finding).toMatchObject({ confidence: 'proven', weakenedBy: [] });
    expect(finding.evidence.map((each) => each.field)).toContain(field);
  });

  it('are proven by a PriorityClass that is missing in the cluster', () => {
    const message = forbidden('no PriorityClass with name urgent was found');
    const snapshot = snapshotWith(message, { PriorityClass: [system] });
    const { workload } = snapshot;
    const { template } = workload.spec;
    const named = { ...template, spec: { ...template.spec, priorityClassName: 'urgent' } };
    const finding = mustFind(admissionDenied, {
      ...snapshot,
      workload: { ...workload, spec: { ...workload.spec, template: named } } as typeof workload,
    });

    expect(finding.confidence).toBe('proven');
    expect(find(message, { PriorityClass: [] }).confidence).toBe('likely');
  });

  it('are not proven by another bound, another level or another quota', () => {
    const half = LimitRange.parse({
      metadata: { name: 'bounds', namespace: 'shop' },
      spec: { limits: [{ type: 'Container', max: { memory: '512Mi' } }] },
    });

    expect(
      find(forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi'), { LimitRange: [half] })
        .confidence,
    ).toBe('likely');
    expect(
      find(restricted, {
        Namespace: [shop({ labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } })],
      }).confidence,
    ).toBe('likely');
  });

  it('get the YAML that Pod Security requires, and no more', () => {
    const [advice] = find(restricted).advice;

    expect(advice?.snippet).toBe(
      '# in each container\nsecurityContext:\n  allowPrivilegeEscalation: false\n  seccompProfile:\n    type: RuntimeDefault\n',
    );
  });

  it('get the resources that a quota requires', () => {
    const [advice] = find(
      forbidden('failed quota: team: must specify limits.memory for: app; requests.cpu for: app'),
    ).advice;

    expect(advice?.snippet).toContain('  requests:\n    cpu: 100m\n  limits:\n    memory: 128Mi\n');
  });

  it('may be rolled back to the serving revision, where the template is denied', () => {
    const unreachable =
      'Internal error occurred: failed calling webhook "inject.mesh.io": no endpoints available';

    expect(find(restricted).remediations.map(({ kind }) => kind)).toEqual(['undo-rollout']);
    expect(find(unreachable).remediations).toEqual([]);
    expect(find(unreachable).withheld[0]).toMatchObject({
      kind: 'undo-rollout',
      because: { key: 'undo-withheld' },
    });
  });

  it('are critical when no pod of the workload is ready, and then no strategy finding is reported', () => {
    const finding = find(restricted, {}, { old: 0 });

    expect(finding.severity).toBe('critical');
    expect(finding.withheld.map(({ kind }) => kind)).toEqual(['restart-rollout']);
  });
});

describe('admission does not deny pods with', () => {
  it('an exhausted quota', () => {
    const memory = { 'requests.memory': '1Gi' };

    expect(
      foundBy(admissionDenied, snapshotWith(exceededMessage('team', memory, memory, memory))),
    ).toBeUndefined();
  });

  it('a new timeout, and a lasting one is at most possible', () => {
    const message = 'Timeout: request did not complete within requested timeout';

    expect(foundBy(admissionDenied, snapshotWith(message, {}, { since: 60 }))).toBeUndefined();
    expect(find(message, {}, { since: 600 }).confidence).toBe('possible');
  });

  it('a denial after which the controller has created its pods', () => {
    expect(
      foundBy(admissionDenied, snapshotWith(restricted, {}, { missing: 0, newPods: [{ name: 'new-0' }] })),
    ).toBeUndefined();
    expect(
      foundBy(
        admissionDenied,
        refused({
          message: undefined,
          events: [
            creationEvent('FailedCreate', `Error creating: ${restricted}`, 90),
            creationEvent('SuccessfulCreate', 'Created pod: web-2-a', 30),
          ],
        }),
      ),
    ).toBeUndefined();
  });
});
