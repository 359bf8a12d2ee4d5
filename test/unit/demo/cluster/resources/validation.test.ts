import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../demo/cluster/json.js';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { create, deployment, patch, refusalOf, testCluster } from '../builders.js';

const percentDetail =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

const affinityField =
  'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/** Messages as kube-apiserver 1.36.3 gave them to the same requests. */
const refusedPatches: readonly (readonly [string, JsonObject, string])[] = [
  [
    'both bounds 0',
    { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  [
    'both bounds 0 %',
    { spec: { strategy: { rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } } } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'a number as a text',
    { spec: { strategy: { rollingUpdate: { maxSurge: '1' } } } },
    `spec.strategy.rollingUpdate.maxSurge: Invalid value: "1": ${percentDetail}`,
  ],
  [
    'more than all',
    { spec: { strategy: { rollingUpdate: { maxUnavailable: '200%' } } } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "200%": must not be greater than 100%',
  ],
  [
    'less than none',
    { spec: { strategy: { rollingUpdate: { maxUnavailable: -1 } } } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'Recreate that keeps rollingUpdate',
    { spec: { strategy: { type: 'Recreate' } } },
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'an unknown strategy',
    { spec: { strategy: { type: 'Foo' } } },
    'spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":{"MaxUnavailable":"25%","MaxSurge":"25%"}}: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    'a deadline before readiness',
    { spec: { progressDeadlineSeconds: 5, minReadySeconds: 10 } },
    'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
  ],
  ['another uid', { metadata: { uid: 'abc' } }, 'metadata.uid: Invalid value: "abc": field is immutable'],
  [
    'another selector',
    { spec: { selector: { matchLabels: { z: 'y' } }, template: { metadata: { labels: { z: 'y' } } } } },
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","z":"y"}}: field is immutable',
  ],
  [
    'a node affinity without terms',
    affinityPatch([]),
    `${affinityField}: Required value: must have at least one node selector term`,
  ],
  [
    'a field requirement with two values',
    affinityPatch([{ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a', 'b'] }] }]),
    `${affinityField}[0].matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
  ],
];

function affinityPatch(nodeSelectorTerms: readonly JsonObject[]): JsonObject {
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { spec: { template: { spec: { affinity: { nodeAffinity: required } } } } };
}

describe('patches that the API server refuses', () => {
  it.each(refusedPatches)('%s', (_sentence, body, message) => {
    const { state } = testCluster();
    const made = create(state, deployment());
    const refusal = refusalOf(() => patch(state, made, (object) => applyMergePatch(object, body)));
    expect(refusal).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `Deployment.apps "web" is invalid: ${message}`,
    });
  });
});

describe('objects that the API server refuses', () => {
  const gpu = (requests: JsonObject, limits: JsonObject): JsonObject =>
    deployment({}, { containers: [{ name: 'app', image: 'x', resources: { requests, limits } }] });

  it.each<readonly [string, JsonObject, number, string]>([
    [
      'a name with capitals',
      { ...deployment(), metadata: { name: 'Web' } },
      422,
      'metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain',
    ],
    [
      'no name at all',
      { ...deployment(), metadata: {} },
      422,
      'metadata.name: Required value: name or generateName is required',
    ],
    [
      'no containers',
      deployment({}, { containers: [] }),
      422,
      'spec.template.spec.containers: Required value',
    ],
    [
      'a container without an image',
      deployment({}, { containers: [{ name: 'app' }] }),
      422,
      'spec.template.spec.containers[0].image: Required value',
    ],
    [
      'a template that its selector does not select',
      deployment({ selector: { matchLabels: { app: 'api' } } }),
      422,
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      'a restart policy that no Deployment may have',
      deployment({}, { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] }),
      422,
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      'a GPU request that differs from its limit',
      gpu({ 'nvidia.com/gpu': '2' }, { 'nvidia.com/gpu': '1' }),
      422,
      'resources.requests: Invalid value: "2": must be equal to nvidia.com/gpu limit of 1',
    ],
    [
      'a GPU request without a limit',
      gpu({ 'nvidia.com/gpu': '1' }, {}),
      422,
      'resources.limits: Required value: Limit must be set for non overcommitable resources',
    ],
    [
      'more memory than its limit',
      gpu({ memory: '2Gi' }, { memory: '1Gi' }),
      422,
      'must be less than or equal to memory limit of 1Gi',
    ],
    ['a quantity that is none', gpu({ cpu: 'x y' }, {}), 400, 'quantities must match the regular expression'],
    [
      'replicas as a text',
      deployment({ replicas: '3' }),
      400,
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'an object of another kind',
      { ...deployment(), kind: 'StatefulSet' },
      400,
      'cannot be handled as a Deployment',
    ],
    [
      'a resourceVersion on a new object',
      { ...deployment(), metadata: { name: 'web', resourceVersion: '5' } },
      500,
      'resourceVersion should not be set on objects to be created',
    ],
  ])('%s', (_sentence, object, code, message) => {
    const { state } = testCluster();
    const refusal = refusalOf(() => create(state, object, 'shop', 'Deployment'));
    expect(refusal).toMatchObject({ code });
    expect(refusal.message).toContain(message);
  });
});
