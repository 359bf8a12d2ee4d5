import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';

const digest = 'sha256:4bcff63911fcb4448bd4fdacec207030997caf25e9bea4045fa6c8c44de311d1';

/** What people need to see in full. */
const diagnostics: readonly string[] = [
  'FATAL: password authentication failed for user "app"',
  'pq: password authentication failed for user "app"',
  "Access denied for user 'app'@'10.0.3.7' (using password: YES)",
  'Error: secret "db-credentials" not found',
  'MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found',
  'MountVolume.SetUp failed for volume "cfg" : references non-existent config key: app.yaml',
  'MountVolume.SetUp failed for volume "tls" : references non-existent secret key: tls.key',
  "couldn't find key DB_PASSWORD in Secret shop/db-credentials",
  "couldn't find key DB_URL in ConfigMap shop/api",
  'key DB_URL not found in ConfigMap',
  "DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
  'password:  16 bytes',
  'tls.key:  1704 bytes',
  'token: expired',
  'invalid token: expired at 10:00',
  'error getting token: connection refused',
  'failed to read secret: permission denied',
  'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.',
  'FailedToRetrieveImagePullSecret',
  'secretKeyRef: {name: db, key: password}',
  '{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"key":"password","name":"db"}}}',
  'secretName: db-credentials',
  'imagePullSecrets:\n- name: regcred',
  'automountServiceAccountToken: false',
  'serviceAccountToken:\n  expirationSeconds: 3607\n  path: token',
  'volumes:\n- name: tls\n  secret:\n    secretName: web-tls\n    defaultMode: 420',
  'secret: db-credentials',
  'open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory',
  'PASSWORD_FILE=/run/secrets/db-password',
  'DB_PASSWORD_FILE=/run/secrets/db',
  'TOKEN_PATH=/var/run/token',
  'PWD=/app',
  'OLDPWD=/srv/www/current',
  `Successfully pulled image "nginx@${digest}" in 1.2s`,
  `docker-pullable://registry.example.com:5000/shop/api@${digest}`,
  `imageID: docker-pullable://nginx@${digest}`,
  'containerd://4bcff63911fcb4448bd4fdacec207030997caf25e9bea4045fa6c8c44de311d1',
  'uid: 3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607',
  'involvedObject.uid=3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607',
  'pod/api-6f459bf796-2frjr on node gke-prod-pool-1-8f2a6c1d-x7kq',
  'Back-off restarting failed container app in pod api-6f459bf796-2frjr_shop(3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607)',
  'ip-10-0-3-7.eu-central-1.compute.internal',
  '0/5 nodes are available: 2 Insufficient nvidia.com/gpu, 3 node(s) had untolerated taint {nvidia.com/gpu: present}.',
  'nodeAffinity key kubernetes.io/hostname operator NotIn',
  'topologyKey: topology.kubernetes.io/zone',
  '- key: node.kubernetes.io/not-ready\n  operator: Exists',
  'limits: cpu 500m, memory 512Mi, nvidia.com/gpu 1',
  'Container app was using 524288Ki, request is 256Mi',
  'max_tokens: 4096',
  'total_tokens=512 prompt_tokens=12',
  'token_type: bearer',
  'token_count=17',
  'SyntaxError: Unexpected token } in JSON at position 17',
  'SyntaxError: Unexpected token: punc (})',
  'CACHE_KEY=user:42',
  'partition_key: orders',
  'duplicate key value violates unique constraint "users_pkey"',
  'DETAIL:  Key (email)=(a@example.com) already exists.',
  'WWW-Authenticate: Bearer realm="https://auth.docker.io/token",service="registry.docker.io"',
  'Basic realm="restricted"',
  'HTTP 401: Bearer authentication failed',
  'pull access denied for shop/api, repository does not exist or may require authorization: server message: insufficient_scope',
  'authorization: RBAC: access denied',
  'clusterroles.rbac.authorization.k8s.io is forbidden: User "system:serviceaccount:shop:api" cannot list resource',
  'apiVersion: rbac.authorization.k8s.io/v1',
  'if token === undefined && password == null',
  'failed to get secret: shop/db: not found',
  'secret "db-credentials": not found',
  'error when evicting pod "password-reset-7d9f8c6b5-x2x4q": context deadline exceeded',
  'pods "token-service-0" is forbidden: exceeded quota: compute',
  'updating PersistentVolume[shop/db-credentials]: set phase Bound',
  'volume "db-credentials" changed status to "vault-token": kubernetes.io/tls',
  'unable to write private key to file "db-credentials": x509: certificate has expired',
  'failed to load DB_PASSWORD: file not found',
  'while parsing shop/db-credentials: dial tcp 10.0.0.1:443: i/o timeout',
  'while signing jwt: &{Name:web Key:password}',
  'unable to remove "db-credentials": &{Name:web Key:password}',
  'unknown flag: --token',
  'flag --password is required',
  'use --token to authenticate',
  'PASSWORD=$(DB_PASSWORD)',
  'postgres://app:$(DB_PASSWORD)@db:5432/shop',
  'dial tcp 10.96.0.1:443: connect: connection refused',
  'https://db.example.com:8443/path@v2/x',
  'Get "https://registry.example.com:5000/v2/": x509: certificate signed by unknown authority',
  'git@github.com:shop/api.git',
  'ssh://git@github.com/shop/api.git',
  'panic: runtime error: invalid memory address or nil pointer dereference',
  'goroutine 1 [running]:\nmain.main()\n\t/app/main.go:17 +0x1d',
  '    at com.example.shop.KeyService.loadKey(KeyService.java:42)',
  'java.lang.IllegalStateException: no key with id 7',
  '2026-11-20T09:30:00.123456789Z level=info msg="listening" addr=:8080',
  'Liveness probe failed: HTTP probe failed with statuscode: 503',
  'OOMKilled (exit code 137)',
  'hasPassword: true',
  'password: null',
  'failed to find "-----BEGIN RSA PRIVATE KEY-----": asn1 error',
  'tls: failed to find any PEM data in key input',
  'integrity sha512-+h6wz5Nv0QZs2u7mKk4bYVlQ1b1x9o1n4o8m9i4k5l6j7h8g9f0d1s2a3q4w5e6r7t8y9u0i1o2p3a4s5d6f7g== mismatch',
  'session expired after 30m',
  'session: closed',
  'trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7',
  'AAAAAAAAAAAAAAAAAAAA',
  'us-east-1a t1.micro sl.example.com',
  'next_token=page-2',
  'pipeline step "rotate-keys": 3 keys rotated',
  'the token has 3 segments',
  'ImagePullBackOff: unauthorized: authentication required',
  'pass: 12 fail: 3',
  'Ran 12 tests: pass=11 fail=1',
];

describe('redaction keeps diagnostics', () => {
  it.each(diagnostics)('%s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('keeps certificates, which are public', () => {
    const line = 'MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ';
    const pem = [
      '-----BEGIN CERTIFICATE-----',
      line.slice(0, 64),
      line.slice(0, 64),
      '-----END CERTIFICATE-----',
    ].join('\n');
    expect(redact(pem)).toBe(pem);
  });

  it('keeps user and host of a connection, which show the attempt', () => {
    expect(redact('postgres://app:hunter2Canary@db:5432/shop?sslmode=require')).toBe(
      'postgres://app:[redacted password]@db:5432/shop?sslmode=require',
    );
  });

  it('has a large corpus of texts', () => {
    expect(diagnostics.length).toBeGreaterThanOrEqual(80);
  });
});
