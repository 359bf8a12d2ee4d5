import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadKubeconfig } from '#src/edges/kubernetes/kubeconfig.js';

const authority = 'Q0VSVElGSUNBVEU=';

/** One cluster, user and context, as the tools that make kubeconfigs write them. */
function kubeconfig(cluster: string, user: string): string {
  return `apiVersion: v1
kind: Config
preferences: {}
clusters:
  - name: prod
    cluster: {server: "https://10.0.0.1:6443", ${cluster}}
users:
  - name: me
    user: {${user}}
contexts:
  - name: prod
    context: {cluster: prod, user: me}
current-context: prod
`;
}

const written = [
  [
    'kind and kubeadm',
    `certificate-authority-data: ${authority}`,
    'client-certificate-data: YQ==, client-key-data: Yg==',
  ],
  ['minikube', 'certificate-authority: ca.crt', 'client-certificate: client.crt, client-key: client.key'],
  [
    'EKS',
    `certificate-authority-data: ${authority}`,
    'exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: aws, args: [eks, get-token]}',
  ],
  ['GKE', `certificate-authority-data: ${authority}`, 'exec: {command: gke-gcloud-auth-plugin}'],
  ['a ServiceAccount token', `certificate-authority-data: ${authority}`, 'token: abc'],
  [
    'a local cluster without TLS checks',
    'insecure-skip-tls-verify: true',
    'username: admin, password: secret',
  ],
  ['a proxy', `certificate-authority-data: ${authority}, proxy-url: "http://proxy:3128"`, 'tokenFile: token'],
] as const;

describe('a kubeconfig', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-kubeconfig-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(written)('is read when written for %s', async (name, cluster, user) => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.yaml`);
    await writeFile(path, kubeconfig(cluster, user));
    const read = loadKubeconfig(path);
    expect(read.currentContext).toBe('prod');
    expect(read.clusters).toMatchObject([
      { name: 'prod', server: 'https://10.0.0.1:6443', skipTLSVerify: cluster.includes('insecure') },
    ]);
    expect(read.users).toMatchObject([{ name: 'me' }]);
    expect(read.contexts).toMatchObject([{ name: 'prod', cluster: 'prod', user: 'me' }]);
  });

  it('that omits the server is refused with the name of the field', async () => {
    const path = join(folder, 'broken.yaml');
    await writeFile(path, kubeconfig('x: y', 'token: abc').replace('server: "https://10.0.0.1:6443", ', ''));
    expect(() => loadKubeconfig(path)).toThrow('clusters[0].cluster.server is missing or of the wrong type');
  });
});
