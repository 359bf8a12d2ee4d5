import { readdir, readFile } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { freePorts } from '../../../demo/free-ports.js';
import { type Beside, openBeside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { type Component, untilReady } from '../harness/component.js';
import { ensureTool } from '../harness/tools.js';
import { createDefinitions, readCustom } from '../owners/harness/custom-objects.js';
import { playDataPath } from './played-data-path.js';

const system = 'knative-serving';
/** Tests must not wait minutes for the autoscaler. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'config-autoscaler': { 'stable-window': '6s', 'scale-to-zero-grace-period': '6s' },
  'config-deployment': {
    'queue-sidecar-image': 'registry.example/queue:1',
    'registries-skipping-tag-resolving': 'registry.example',
  },
  'config-network': { 'ingress-class': 'played.ingress.networking.knative.dev' },
};
/** Addresses that nobody calls: endpoints may not be on the loopback. */
const nobody = { activator: '192.0.2.3', autoscaler: '192.0.2.4' };

/**
 * Creates the definitions of Knative Serving and starts its controller, autoscaler and webhook beside the
 * control plane. The ingress and the requests are played, and no activator runs. The ports of the autoscaler
 * are fixed, so it has a network namespace of its own, which needs root.
 */
export async function startKnative(cluster: Cluster): Promise<Beside> {
  const tool = await ensureTool('knative');
  const place = dirname(tool.definitions);
  const binary = (name: string): string => join(place, 'bin', name);
  const declared = async (...folders: readonly string[]): Promise<readonly KubernetesObject[]> =>
    (await Promise.all(folders.map(documentsIn))).flat();
  const manifests = (folder: string): string => join(tool.definitions, folder);
  await createDefinitions(cluster, manifests('300-resources'));
  for (const file of ['certificate', 'domain-claim', 'ingress', 'serverlessservice'])
    await createDefinitions(cluster, join(place, 'networking', `${file}.yaml`));
  await createDefinitions(cluster, join(place, 'caching', 'image.yaml'));
  await cluster.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: system } });
  for (const object of await declared(manifests('configmaps'), join(place, 'networking')))
    if (object.kind === 'ConfigMap') await cluster.objects.create(configured(object));
  const [webhookPort = 0, ...ports] = await freePorts(4);
  const [controllerProfiling, webhookProfiling, probes] = ports.map(String);
  await createService(cluster, 'webhook', { address: ownAddress(), port: webhookPort, at: 443 });
  await createService(cluster, 'activator-service', { address: nobody.activator, port: 8012, at: 80 });
  for (const object of await declared(manifests('webhooks'))) await cluster.objects.create(object);

  const beside = await openBeside(cluster, 'knative');
  const { folder } = beside;
  const dataPath = playDataPath(cluster);
  const servers = [
    [pass(Number(new URL(cluster.controlPlane.url).port)), 'api.sock'],
    [createWebServer(dataPath.answer), 'pods.sock'],
  ] as const;
  for (const [server, name] of servers)
    await new Promise<void>((done) => server.listen(join(folder, name), done));
  const start = (name: string, command: readonly string[], env: Readonly<Record<string, string>>) =>
    beside.start({
      name: `knative-${name}`,
      file: command[0] ?? '',
      args: command.slice(1),
      env: {
        KUBECONFIG: cluster.controlPlane.adminKubeconfig,
        SYSTEM_NAMESPACE: system,
        CONFIG_LOGGING_NAME: 'config-logging',
        CONFIG_OBSERVABILITY_NAME: 'config-observability',
        POD_NAME: `${name}-1`,
        ...env,
      },
    });
  const proxyPort = 3128;
  const doors = [
    `${new URL(cluster.controlPlane.url).port}=${join(folder, 'api.sock')}`,
    `${proxyPort}=${join(folder, 'pods.sock')}`,
  ];
  // Node 20 runs no TypeScript by itself.
  const node = [process.execPath, '--import', 'tsx'];
  const isolated = ['unshare', '--net', '--pid', '--fork', '--kill-child', ...node];
  const components: readonly Component[] = [
    await start('webhook', [binary('webhook')], {
      WEBHOOK_NAME: 'webhook',
      WEBHOOK_PORT: String(webhookPort),
      PROFILING_PORT: webhookProfiling ?? '',
    }),
    await start('controller', [binary('controller')], {
      PROFILING_PORT: controllerProfiling ?? '',
      KNATIVE_HEALTH_PROBES_PORT: probes ?? '',
    }),
    await start(
      'autoscaler',
      [...isolated, ownNetwork, ...doors, '--', binary('autoscaler')],
      // The addresses of simulated pods lead nowhere.
      { POD_IP: nobody.autoscaler, HTTP_PROXY: `http://127.0.0.1:${proxyPort}` },
    ),
  ];
  const running = beside.running(tool.version, () => {
    for (const [server] of servers) server.close();
  });
  const stop = (): Promise<void> => {
    dataPath.stop();
    return running.stop();
  };
  try {
    for (const component of components) await untilReady(component, () => hasCertificates(cluster), 120_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...running, stop };
}

const ownNetwork = fileURLToPath(new URL('../harness/own-network.ts', import.meta.url));

/** Passes each connection on to a loopback port. */
const pass = (port: number): Server =>
  createServer((near) => {
    const far = connect(port, '127.0.0.1');
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
    near.pipe(far).pipe(near);
  });

/** The webhook has made its certificate and has written it where the API server reads it. */
async function hasCertificates(cluster: Cluster): Promise<boolean> {
  const names = { MutatingWebhookConfiguration: '', ValidatingWebhookConfiguration: 'validation.' } as const;
  for (const [kind, prefix] of Object.entries(names)) {
    const metadata = { name: `${prefix}webhook.serving.knative.dev` };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const read = await readCustom(cluster, { apiVersion, kind, metadata });
    const { webhooks = [] } = read as {
      readonly webhooks?: readonly { clientConfig: { caBundle?: string } }[];
    };
    if (!webhooks.every(({ clientConfig }) => (clientConfig.caBundle ?? '') !== '')) return false;
  }
  return true;
}

async function documentsIn(folder: string): Promise<readonly KubernetesObject[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => parseAllDocuments(text).map((each) => each.toJS() as KubernetesObject));
}

/** As an administrator leaves it: without the examples, and with our settings. */
function configured(object: KubernetesObject): V1ConfigMap {
  const { data = {}, ...rest }: V1ConfigMap = object;
  const { _example, ...own } = data;
  const { annotations, ...metadata } = rest.metadata ?? {};
  return { ...rest, metadata, data: { ...own, ...settings[metadata.name ?? ''] } };
}

async function createService(
  cluster: Cluster,
  name: string,
  { address, port, at }: { readonly address: string; readonly port: number; readonly at: number },
): Promise<void> {
  const metadata = { namespace: system, name };
  const ports = [{ name: 'http', port }];
  const objects = [
    { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ name: 'http', port: at, targetPort: port }] } },
    { apiVersion: 'v1', kind: 'Endpoints', subsets: [{ addresses: [{ ip: address }], ports }] },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports,
    },
  ];
  const labels = {
    Service: {},
    Endpoints: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
    EndpointSlice: { 'kubernetes.io/service-name': name },
  };
  for (const object of objects)
    await cluster.objects.create({
      ...object,
      metadata: { ...metadata, labels: labels[object.kind as keyof typeof labels] },
    } as KubernetesObject);
}

/** The API server calls the webhook at its endpoint, which may not be on the loopback. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = all.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined) throw new Error('Knative’s webhook needs an address besides the loopback');
  return found.address;
}
