import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEverything } from '../../../demo/cluster/api/access.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { seedInference } from '../../../demo/cluster/seed/inference-gpu.js';
import { eventually } from '../../support/eventually.js';
import { createKubectl, hasKubectl, type Kubectl } from './kubectl.js';

const scenarios = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const oldFirst = '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}';

describe.runIf(hasKubectl)('kubectl on the seeded incident', () => {
  let cluster: LocalCluster;
  let kubectl: Kubectl;

  beforeEach(async () => {
    cluster = await createLocalCluster({
      kubelet: { usual: { startMs: 300, readyMs: 100, terminationMs: 300 } },
    });
    await seedInference(cluster);
    kubectl = await createKubectl(cluster.kubeconfig());
  });

  afterEach(async () => {
    await kubectl.remove();
    await cluster.close();
  });

  it('prints the usual tables with get', async () => {
    const pods = (await kubectl('get pods -n ml -o wide')).out;
    expect(pods).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES$/m);
    expect(pods).toMatch(/^inference-\S+ +1\/1 +Running +0 +3d +10\.\S+ +gpu-a +<none> +<none>$/m);
    expect(pods).toMatch(/^inference-\S+ +0\/1 +Pending +0 +25m +<none> +<none> +<none> +<none>$/m);
    const workloads = (await kubectl('get deploy,rs -n ml')).out;
    expect(workloads).toMatch(/^deployment.apps\/inference +1\/1 +1 +1 +3d$/m);
    expect(workloads).toMatch(/^replicaset.apps\/inference-\S+ +1 +1 +0 +25m$/m);
    expect((await kubectl('get nodes')).out).toMatch(/^gpu-a +Ready +<none> +3d +v1\.36\.3$/m);
    expect((await kubectl('get events -n ml')).out).toMatch(
      /Warning +FailedScheduling +pod\/inference-\S+ +0\/3 nodes are available: 3 Insufficient nvidia\.com\/gpu\./,
    );
    expect((await kubectl('get pods -A --field-selector=status.phase=Pending -o name')).out).toMatch(
      /^pod\/inference-\S+\n$/,
    );
  });

  it('shows the deadlock with describe', async () => {
    const deployment = (await kubectl('describe deploy inference -n ml')).out;
    expect(deployment).toContain(
      'Replicas:               1 desired | 1 updated | 2 total | 1 available | 1 unavailable',
    );
    expect(deployment).toMatch(/Progressing +False +ProgressDeadlineExceeded/);
    expect(deployment).toMatch(/NewReplicaSet: +inference-\S+ \(1\/1 replicas created\)/);
    const pods = (await kubectl('describe pods -n ml')).out;
    expect(pods).toMatch(/Warning +FailedScheduling .* default-scheduler +0\/3 nodes are available/);
    const node = (await kubectl('describe node gpu-a')).out;
    expect(node).toMatch(/nvidia\.com\/gpu +1 +1/);
    expect(node).toMatch(/ml +inference-\S+ +2 \(12%\)/);
  });

  it('follows the end of the deadlock with rollout status and get -w', async () => {
    const stuck = await kubectl('rollout status deploy/inference -n ml --timeout=20s');
    expect(stuck).toMatchObject({ code: 1, err: expect.stringContaining('exceeded its progress deadline') });
    const watched = kubectl.follow('get pods -n ml -w');
    await eventually('the watch has printed both pods', () => watched.lines.length >= 3);
    expect((await kubectl('patch deploy inference -n ml --type=merge -p', oldFirst)).out).toContain(
      'patched',
    );
    const done = await kubectl('rollout status deploy/inference -n ml --timeout=20s');
    expect(done.out).toContain('deployment "inference" successfully rolled out');
    const hasPrinted = (status: string) => watched.lines.some((line) => line.includes(status));
    await eventually('the watch has printed the running pod', () =>
      watched.lines.some((line) => /1\/1 +Running +0 +25m/.test(line)),
    );
    watched.stop();
    expect(['Terminating', 'ContainerCreating'].map(hasPrinted)).toEqual([true, true]);
  });

  it('patches on the server, as a dry run and with a refusal', async () => {
    const dry = await kubectl(
      'patch deploy inference -n ml --dry-run=server --type=merge -o jsonpath={.spec.strategy} -p',
      oldFirst,
    );
    expect(JSON.parse(dry.out)).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
    expect(cluster.find('apps/v1', 'Deployment', 'ml', 'inference')?.metadata.generation).toBe(2);
    const refused = await kubectl(
      'patch deploy inference -n ml -p',
      '{"spec":{"strategy":{"type":"Recreate"}}}',
    );
    expect(refused.err).toBe(
      'The Deployment "inference" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is \'Recreate\'\n',
    );
    const retained = await kubectl(
      'patch deploy inference -n ml -o jsonpath={.spec.strategy.type} -p',
      '{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}',
    );
    expect(retained.out).toBe('Recreate');
  });

  it('replaces one stuck ReplicaSet by another with rollout restart, and ends the deadlock with undo', async () => {
    expect((await kubectl('rollout restart deploy/inference -n ml')).out).toContain('restarted');
    await eventually('a third ReplicaSet waits', () => {
      const sizes = cluster
        .list('apps/v1', 'ReplicaSet', 'ml')
        .map(({ spec }) => (spec as { replicas?: number }).replicas ?? 0);
      return sizes.length === 3 && sizes.filter((size) => size === 1).length === 2;
    });
    expect((await kubectl('rollout history deploy/inference -n ml')).out).toMatch(
      /1 +<none>\n2 +<none>\n3 +<none>/,
    );
    expect((await kubectl('rollout undo deploy/inference -n ml --to-revision=1')).out).toContain(
      'rolled back',
    );
    expect((await kubectl('rollout status deploy/inference -n ml --timeout=20s')).out).toContain(
      'successfully rolled out',
    );
    expect(cluster.list('v1', 'Pod', 'ml')).toHaveLength(1);
  });

  it('scales, pauses, resumes, labels, annotates, sets an image and deletes', async () => {
    const answers = [
      await kubectl('scale deploy/inference -n ml --replicas=0'),
      await kubectl('rollout pause deploy/inference -n ml'),
      await kubectl('rollout resume deploy/inference -n ml'),
      await kubectl('label deploy/inference -n ml team=ml'),
      await kubectl('annotate deploy/inference -n ml note=yes'),
      await kubectl('set image deploy/inference -n ml server=registry.example/ml/inference:2.0.0'),
      await kubectl('delete deploy/inference -n ml'),
    ];
    expect(answers.map(({ out }) => out.trim().split(' ').slice(1).join(' '))).toEqual([
      'scaled',
      'paused',
      'resumed',
      'labeled',
      'annotated',
      'image updated',
      '"inference" deleted',
    ]);
    await eventually('its pods are deleted', () => cluster.list('v1', 'Pod', 'ml').length === 0);
  });

  it('drains a node within the disruption budget', async () => {
    cluster.create([
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'keep', namespace: 'ml' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'inference' } } },
      },
    ]);
    const refused = await kubectl('drain gpu-a --timeout=1s');
    expect(refused.err).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    await kubectl('delete pdb keep -n ml');
    expect((await kubectl('drain gpu-a --timeout=20s')).out).toContain('node/gpu-a drained');
    expect((await kubectl('get nodes gpu-a')).out).toMatch(/Ready,SchedulingDisabled/);
    expect((await kubectl('uncordon gpu-a')).out).toContain('uncordoned');
  });
});

describe.runIf(hasKubectl)('kubectl on a plain cluster', () => {
  let cluster: LocalCluster;
  let kubectl: Kubectl;

  beforeAll(async () => {
    cluster = await createLocalCluster({
      users: [{ name: 'reader', token: 'reader', rules: [readEverything] }],
      kubelet: { usual: { startMs: 100, readyMs: 0 } },
    });
    kubectl = await createKubectl(cluster.kubeconfig());
  });

  afterAll(async () => {
    await kubectl.remove();
    await cluster.close();
  });

  const manifest = (replicas: number, image = 'registry.example/web:1'): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: app, image: "${image}", env: [{name: A, value: b}]}
`;

  it('creates, keeps and changes with apply, and removes list items that the file no longer has', async () => {
    const path = await kubectl.file('web.yaml', manifest(1));
    expect((await kubectl(`apply -f ${path}`)).out).toBe('deployment.apps/web created\n');
    expect((await kubectl(`apply -f ${path}`)).out).toBe('deployment.apps/web unchanged\n');
    await kubectl.file('web.yaml', manifest(2).replace(', env: [{name: A, value: b}]', ''));
    expect((await kubectl(`apply -f ${path}`)).out).toBe('deployment.apps/web configured\n');
    expect(
      (await kubectl('get deploy web -o jsonpath={.spec.replicas}{.spec.template.spec.containers[0].env}'))
        .out,
    ).toBe('2');
    expect((await kubectl(`diff -f ${path}`)).code).toBe(0);
    expect((await kubectl(`delete -f ${path}`)).out).toContain('deleted');
  });

  it('reports conflicts of server-side apply, and can force them', async () => {
    const path = await kubectl.file('ssa.yaml', manifest(1).replaceAll('web', 'ssa'));
    expect((await kubectl(`apply --server-side -f ${path}`)).out).toContain('serverside-applied');
    await kubectl('scale deploy/ssa --replicas=3');
    const refused = await kubectl(`apply --server-side -f ${path}`);
    expect(refused.err).toMatch(
      /Apply failed with 1 conflict: conflict with "kubectl"(?: with subresource "scale")? using apps\/v1: \.spec\.replicas/,
    );
    expect((await kubectl(`apply --server-side --force-conflicts -f ${path}`)).code).toBe(0);
    expect((await kubectl('get deploy ssa -o jsonpath={.spec.replicas}')).out).toBe('1');
  });

  it('creates objects that it sends as protobuf', async () => {
    expect((await kubectl('create namespace team')).out).toBe('namespace/team created\n');
    expect(
      (await kubectl('create deployment d -n team --image=registry.example/d:1 --replicas=2 --port=80')).out,
    ).toContain('created');
    expect(cluster.find('apps/v1', 'Deployment', 'team', 'd')?.spec).toMatchObject({
      replicas: 2,
      selector: { matchLabels: { app: 'd' } },
      template: {
        spec: { containers: [{ name: 'd', image: 'registry.example/d:1', ports: [{ containerPort: 80 }] }] },
      },
    });
    expect((await kubectl('create configmap c -n team --from-literal=a=b')).out).toContain('created');
    expect((await kubectl('create serviceaccount robot -n team')).out).toContain('created');
    expect((await kubectl('delete namespace team --timeout=20s')).out).toContain('deleted');
    expect((await kubectl('get ns team')).err).toContain('namespaces "team" not found');
  });

  it('answers auth can-i by the rules of each user', async () => {
    expect((await kubectl('auth can-i delete pods')).out).toBe('yes\n');
    expect((await kubectl('auth can-i list pods --as reader')).out).toBe('yes\n');
    expect(await kubectl('auth can-i patch deployments --as reader')).toMatchObject({ code: 1, out: 'no\n' });
    expect((await kubectl('get pods --as nobody')).err).toContain(
      'User "nobody" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  it('accepts the short name of every resource', async () => {
    const { out, code } = await kubectl(
      'get ns,no,po,ev,cm,svc,sa,pv,pvc,quota,limits,deploy,rs,sts,ds,sc,pdb,hpa,pc,leases -A',
    );
    expect(code).toBe(0);
    expect(out).toContain('namespace/kube-system');
    expect(
      (await kubectl('api-resources --api-group=apps -o name')).out.split('\n').filter(Boolean).sort(),
    ).toEqual([
      'controllerrevisions.apps',
      'daemonsets.apps',
      'deployments.apps',
      'replicasets.apps',
      'statefulsets.apps',
    ]);
  });
});

describe.runIf(hasKubectl)('kubectl on a recorded incident', () => {
  it('reads the logs of the present and of the previous container', async () => {
    const cluster = await createLocalCluster();
    await cluster.loadRecording(`${scenarios}app-crash-with-log`);
    const kubectl = await createKubectl(cluster.kubeconfig());
    try {
      const [pod] = (await kubectl('get pods -n shop -o jsonpath={.items[*].metadata.name}')).out.split(' ');
      const whole = (await kubectl(`logs -n shop ${pod} --previous`)).out;
      expect(whole.trim().split('\n').length).toBeGreaterThan(1);
      const last = (await kubectl(`logs -n shop ${pod} --previous --tail=1`)).out;
      expect(whole.endsWith(last) && last.trim().split('\n').length).toBe(1);
      expect((await kubectl(`logs -n shop ${pod} -c nope`)).err).toContain(
        'container nope is not valid for pod',
      );
      expect((await kubectl('get pods -n shop')).out).toMatch(/CrashLoopBackOff +\d+ \(\S+ ago\)/);
    } finally {
      await kubectl.remove();
      await cluster.close();
    }
  });
});
