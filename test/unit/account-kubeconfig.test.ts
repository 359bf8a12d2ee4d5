import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers what the script asks; the name of the context comes from the environment. */
const kubectl = `#!/bin/sh
case "$*" in
  *data.token*) printf dG9rZW4= ;;
  *ca.crt*) printf Y2E= ;;
  *--minify*) printf https://example:6443 ;;
  *current-context*) printf '%s\\n' "$CONTEXT" ;;
esac
`;

it.each([
  'arn:aws:eks:eu-west-1:1:cluster/prod',
  String.raw`default/api-example:6443/CORP\user`,
  `the "team's" cluster`,
])('names a context as it is in a kubeconfig of an account: %s', (context) => {
  const file = join(folder, 'kubectl');
  writeFileSync(file, kubectl);
  chmodSync(file, 0o755);
  const printed = execFileSync('sh', ['deploy/rbac/tokens/kubeconfig.sh', 'reader'], {
    cwd: root,
    env: { PATH: [folder, '/usr/bin', '/bin'].join(delimiter), CONTEXT: context },
    encoding: 'utf8',
  });

  expect(parse(printed)).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': context,
    clusters: [
      { name: context, cluster: { server: 'https://example:6443', 'certificate-authority-data': 'Y2E=' } },
    ],
    users: [{ name: 'rollout-doctor-reader', user: { token: 'token' } }],
    contexts: [{ name: context, context: { cluster: context, user: 'rollout-doctor-reader' } }],
  });
});

it('waits until the Secret has its token, which Kubernetes writes a moment later', () => {
  const asked = join(folder, 'asked');
  const withoutToken = `*data.token*) [ -e ${asked} ] && printf dG9rZW4= || { touch ${asked}; printf '<no value>'; } ;;`;
  writeFileSync(join(folder, 'kubectl'), kubectl.replace('*data.token*) printf dG9rZW4= ;;', withoutToken), {
    mode: 0o755,
  });
  const printed = execFileSync('sh', ['deploy/rbac/tokens/kubeconfig.sh', 'patcher'], {
    cwd: root,
    env: { PATH: [folder, '/usr/bin', '/bin'].join(delimiter), CONTEXT: 'prod' },
    encoding: 'utf8',
  });

  expect(parse(printed)).toMatchObject({
    users: [{ name: 'rollout-doctor-patcher', user: { token: 'token' } }],
  });
});
