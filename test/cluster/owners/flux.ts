import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import { Kustomization } from '#src/engine/objects/gitops.js';
import { freePorts } from '../../../demo/free-ports.js';
import type { Cluster } from '../harness/cluster.js';
import { startComponent, untilReady } from '../harness/component.js';
import { startGuard } from '../harness/guard.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';
import { type ArtifactServer, startArtifactServer } from './harness/artifact-server.js';
import { createDefinitions, readCustom, untilCustom } from './harness/custom-objects.js';
import type { WorkloadOwner } from './harness/owner.js';
import type { Stage } from './harness/stage.js';

/** Kinds that the controller watches; it does not start without them. */
const sourceKinds = [
  ['GitRepository', 'gitrepositories'],
  ['OCIRepository', 'ocirepositories'],
  ['Bucket', 'buckets'],
  ['ExternalArtifact', 'externalartifacts'],
] as const;

/** A definition that accepts every field: the test is the source controller, and writes what Flux reads. */
function definitionOf(kind: string, plural: string): object {
  const group = 'source.toolkit.fluxcd.io';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

/** The running kustomize-controller. */
export interface Flux {
  readonly artifacts: ArtifactServer;
  logs(): string;
  stop(): Promise<void>;
}

/** Starts the controller and, in place of a source controller, a server for its artifacts. */
export async function startFlux(cluster: Cluster): Promise<Flux> {
  const tool = await ensureTool('kustomize-controller');
  await createDefinitions(cluster, tool.definitions);
  const artifacts = await startArtifactServer();
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-flux-'));
  const sources = join(folder, 'sources.json');
  const items = sourceKinds.map(([kind, plural]) => definitionOf(kind, plural));
  await writeFile(sources, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  await createDefinitions(cluster, sources);
  const guard = startGuard(folder);
  const [health = 0] = await freePorts(1);
  const controller = await startComponent(
    {
      name: 'kustomize-controller',
      file: tool.file,
      logFile: join(folder, 'kustomize-controller.log'),
      args: [
        '--watch-all-namespaces=true',
        '--enable-leader-election=false',
        '--metrics-addr=0',
        `--health-addr=127.0.0.1:${health}`,
        '--interval-jitter-percentage=0',
      ],
      env: {
        KUBECONFIG: cluster.controlPlane.adminKubeconfig,
        RUNTIME_NAMESPACE: 'default',
        TMPDIR: folder,
      },
    },
    guard,
  );
  await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${health}/readyz` }));
  return {
    artifacts,
    logs: () => controller.lastLines(),
    async stop() {
      await controller.stop();
      await artifacts.stop();
      guard.release();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const repositoryOf = ({ workload: { namespace, name } }: Stage) => ({
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'GitRepository',
  metadata: { namespace, name },
});

const kustomizationOf = ({ workload: { namespace, name } }: Stage) => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { namespace, name },
});

let commits = 0;

/** What the source controller does after a commit: an artifact, and the status that names it. */
async function commit(stage: Stage, { artifacts }: Flux): Promise<void> {
  commits += 1;
  const { url, digest, size } = artifacts.publish('deployment.yaml', stringify(stage.manifest()));
  const revision = `main@sha1:${commits.toString(16).padStart(40, '0')}`;
  const at = new Date().toISOString();
  const status = {
    artifact: { url, digest, size, revision, path: 'deployment.yaml', lastUpdateTime: at },
    conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', message: '', lastTransitionTime: at }],
  };
  await stage.mustRun('kubectl', [
    ...[
      'patch',
      '-n',
      stage.workload.namespace,
      `gitrepositories.source.toolkit.fluxcd.io/${stage.workload.name}`,
    ],
    ...['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })],
  ]);
}

/** Requests a reconciliation, as `flux reconcile` does, and waits until the controller has handled it. */
async function reconcile(stage: Stage): Promise<string> {
  const token = `${Date.now()}-${Math.random()}`;
  await stage.mustRun('kubectl', [
    'annotate',
    '--overwrite',
    '-n',
    stage.workload.namespace,
    `kustomizations.kustomize.toolkit.fluxcd.io/${stage.workload.name}`,
    `reconcile.fluxcd.io/requestedAt=${token}`,
  ]);
  const { status } = await untilCustom(
    stage.cluster,
    kustomizationOf(stage),
    (object) => object.status?.lastHandledReconcileAt === token && !isReconciling(object.status),
  );
  return JSON.stringify(status?.conditions);
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

const conditionsOf = (status: Readonly<Record<string, unknown>> | undefined): readonly Condition[] =>
  (status?.conditions ?? []) as readonly Condition[];

const isReconciling = (status: Readonly<Record<string, unknown>>): boolean =>
  conditionsOf(status).some(({ type, status: value }) => type === 'Reconciling' && value === 'True');

/** `interval`: at which the controller reconciles by itself; `spec`: other fields of the Kustomization. */
export const flux = (
  running: () => Flux,
  { interval, spec = {} }: { readonly interval: string; readonly spec?: object },
): WorkloadOwner => ({
  name: 'Flux kustomize-controller',
  async install(stage) {
    await stage.cluster.objects.create({
      ...repositoryOf(stage),
      spec: { interval: '1h' },
    } as KubernetesObject);
    await commit(stage, running());
    await stage.cluster.objects.create({
      ...kustomizationOf(stage),
      spec: {
        interval,
        path: './',
        prune: true,
        sourceRef: { kind: 'GitRepository', name: stage.workload.name },
        ...spec,
      },
    } as KubernetesObject);
    await stage.cluster.until<V1Deployment, true>({
      what: `Flux to apply ${stage.workload.namespace}/${stage.workload.name}`,
      selection: { kind: 'Deployment', namespace: stage.workload.namespace },
      check: (all) => all.length > 0,
      deadlineMilliseconds: 20_000,
    });
    await reconcile(stage);
  },
  async act(stage) {
    await commit(stage, running());
    return { conflicts: [], report: await reconcile(stage) };
  },
  async objects(stage) {
    const object = Kustomization.parse(await readCustom(stage.cluster, kustomizationOf(stage)));
    return { kustomization: { type: 'found', object } };
  },
  reverts: ['reverted-within'],
});
