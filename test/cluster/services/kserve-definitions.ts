import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';
import { untilListed } from './played-controllers.js';

const object = (properties: object): object => ({ type: 'object', properties });
const map = { type: 'object', additionalProperties: { type: 'string' } };
const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const amount = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const bounds = object({ maxSurge: amount, maxUnavailable: amount });
const containers = { type: 'array', items: any };

/** The fields of a component that this program and the played controller read. */
const component = {
  minReplicas: { type: 'integer' },
  annotations: map,
  labels: map,
  affinity: any,
  containers,
  deploymentStrategy: object({ type: { type: 'string' }, rollingUpdate: bounds }),
};
const inferenceService = object({
  predictor: object({ ...component, workerSpec: object({ containers, affinity: any }) }),
  transformer: object(component),
  explainer: object(component),
});

const workers = (hasStrategy: boolean) => ({
  replicas: { type: 'integer' },
  annotations: map,
  labels: map,
  template: object({ containers, affinity: any }),
  parallelism: object({ pipeline: { type: 'integer' } }),
  worker: object({ containers, affinity: any }),
  ...(hasStrategy ? { rolloutStrategy: bounds } : {}),
});
const llmInferenceService = (hasStrategy: boolean) =>
  object({
    model: object({ uri: { type: 'string' } }),
    ...workers(hasStrategy),
    prefill: object(workers(hasStrategy)),
  });

interface Version {
  readonly name: string;
  readonly spec: object;
}

const definition = (kind: string, shortName: string, versions: readonly Version[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.serving.kserve.io` },
  spec: {
    group: 'serving.kserve.io',
    scope: 'Namespaced',
    names: {
      kind,
      plural: `${kind.toLowerCase()}s`,
      singular: kind.toLowerCase(),
      listKind: `${kind}List`,
      shortNames: [shortName],
    },
    versions: versions.map(({ name, spec }, at) => ({
      name,
      served: true,
      storage: at === 0,
      subresources: { status: {} },
      schema: { openAPIV3Schema: object({ spec, status: any }) },
    })),
  },
});

/**
 * Definitions of KServe, reduced to a structural schema of the fields that are needed: a field that it lacks
 * is dropped, as by the real ones (kserve aaac4e294, after 0.20:
 * `config/crd/full/serving.kserve.io_inferenceservices.yaml`,
 * `config/crd/full/llmisvc/serving.kserve.io_llminferenceservices.yaml`). Release 0.20 has no
 * `rolloutStrategy`.
 */
export async function defineKserve(cluster: Cluster, release: '0.20' | 'newer' = 'newer'): Promise<void> {
  const llm = llmInferenceService(release === 'newer');
  const items = [
    definition('InferenceService', 'isvc', [{ name: 'v1beta1', spec: inferenceService }]),
    definition('LLMInferenceService', 'llmisvc', [
      { name: 'v1alpha2', spec: llm },
      { name: 'v1alpha1', spec: llm },
    ]),
  ];
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-kserve-'));
  try {
    const file = join(folder, 'definitions.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await createDefinitions(cluster, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await untilListed(cluster, collectionPath('InferenceService'));
  await untilListed(cluster, collectionPath('LLMInferenceService'));
}
