import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { freePorts } from '../../../demo/free-ports.js';
import { type Beside, openBeside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { untilReady } from '../harness/component.js';
import { addressOf, createDeclaredWebhooks } from '../harness/manifest-webhooks.js';
import { answersOk } from '../harness/readiness.js';
import { collectionPath } from '../harness/resources.js';
import { ensureTool } from '../harness/tools.js';
import { createDefinitions } from '../owners/harness/custom-objects.js';
import { untilListed } from '../services/played-controllers.js';

const system = 'kserve';
/** Without an annotation, no Knative Service is made, and there is no gateway. */
const settings: Readonly<Record<string, object>> = {
  deploy: { defaultDeploymentMode: 'Standard' },
  ingress: { disableIngressCreation: true, disableIstioVirtualHost: true },
};

/**
 * Creates the definitions of KServe and starts both managers with their webhooks beside the control plane, on
 * free ports. They show the API server's certificate, which is made for 127.0.0.1, and which they look for
 * below `TMPDIR`.
 */
export async function startKserve(cluster: Cluster): Promise<Beside> {
  const tool = await ensureTool('kserve');
  const config = (...path: readonly string[]): string => join(tool.definitions, ...path);
  const definitions = ['', 'clusterstoragecontainer', 'llmisvc'].map((name) => config('crd', 'full', name));
  await createDefinitions(cluster, ...(await Promise.all(definitions.map(manifestsIn))).flat());
  await untilListed(cluster, collectionPath('InferenceService'));
  await untilListed(cluster, collectionPath('LLMInferenceService'));
  await cluster.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: system } });
  await cluster.objects.create(configured(await documentIn(config('configmap', 'inferenceservice.yaml'))));

  const beside = await openBeside(cluster, 'kserve');
  const { folder } = beside;
  const { certificateAuthority, adminKubeconfig } = cluster.controlPlane;
  await beside.certify('k8s-webhook-server', 'serving-certs');
  const start = async (name: string, aHook: string) => {
    const [webhooks = 0, health = 0] = await freePorts(2);
    const manager = await beside.start({
      name: `kserve-${name}`,
      file: join(dirname(tool.file), name),
      args: [
        ...[`--webhook-port=${webhooks}`, `--health-probe-addr=127.0.0.1:${health}`],
        ...['--metrics-addr=0', '--zap-log-level=error'],
      ],
      env: { KUBECONFIG: adminKubeconfig, POD_NAMESPACE: system, TMPDIR: folder },
    });
    await untilReady(manager, () => answersOk({ url: `http://127.0.0.1:${health}/readyz` }), 120_000);
    // A webhook answers a request that it cannot read, once it is registered.
    const url = `https://127.0.0.1:${webhooks}${aHook}`;
    await untilReady(manager, () => answersOk({ url, certificateAuthority }));
    return webhooks;
  };
  const services = await start('manager', '/mutate-pods');
  await createDeclaredWebhooks(cluster, config('webhook', 'manifests.yaml'), services);
  await cluster.objects.create(await documentIn(config('storagecontainers', 'default.yaml')));
  const models = await start('llmisvc', '/mutate-serving-kserve-io-v1alpha2-llminferenceservice');
  await convertBy(cluster, models);
  await createDeclaredWebhooks(cluster, config('webhook', 'llmisvc', 'manifests.yaml'), models);
  for (const file of await manifestsIn(config('llmisvcconfig'))) {
    const { metadata, ...preset } = await documentIn(file);
    await cluster.objects.create({ ...preset, metadata: { ...metadata, namespace: system } });
  }
  return beside.running(tool.version);
}

const documentIn = async (file: string): Promise<KubernetesObject> =>
  parse(await readFile(file, 'utf8')) as KubernetesObject;

/** Files that kubectl cannot apply alone are for Kustomize. */
const manifestsIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder))
    .filter((name) => /^(config-|serving\.).*\.yaml$/.test(name))
    .sort()
    .map((name) => join(folder, name));

/** As an administrator leaves it: without the examples, and with our settings. */
function configured(object: KubernetesObject): V1ConfigMap {
  const { data = {}, ...rest }: V1ConfigMap = object;
  const { _example, ...own } = data;
  const changed = Object.entries(settings).map(([key, fields]) => [
    key,
    JSON.stringify({ ...(JSON.parse(own[key] ?? '{}') as object), ...fields }),
  ]);
  return { ...rest, data: { ...own, ...Object.fromEntries(changed) } };
}

/** The manager of LLMInferenceServices converts them and their presets between versions. */
async function convertBy(cluster: Cluster, port: number): Promise<void> {
  const call = createApiCall(cluster.config);
  const clientConfig = await addressOf(cluster, port, '/convert');
  const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
  for (const plural of ['llminferenceservices', 'llminferenceserviceconfigs']) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.serving.kserve.io`;
    const body = { spec: { conversion } };
    await call({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
  }
}
