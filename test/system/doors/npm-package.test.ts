import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { shippedFolder } from '../../support/shipped-programs.js';
import { isDeadlocked } from '../../support/shown-words.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = await readFile(join(root, 'docs/npm.md'), 'utf8');
const examples = [...page.matchAll(/^```(js|ts)\n([\s\S]*?)\/\/ prints: (.*)\n```$/gm)].map(
  ([, language = '', code = '', output = '']) => ({ language, code, output }),
);

/** A user's folder with the package installed from its tarball, without a registry. */
let folder: string;

/** Of a user whose npm downloads nothing. */
function offline() {
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    KUBECONFIG: '/nonexistent',
    npm_config_offline: 'true',
  };
}

async function npx(...args: readonly string[]): Promise<{ readonly status: unknown; readonly out: string }> {
  return run('npx', ['@rollout-doctor/cli', ...args], { cwd: folder, env: offline() }).then(
    ({ stdout }) => ({ status: 0, out: stdout }),
    ({ code, stdout }: { readonly code: unknown; readonly stdout: string }) => ({
      status: code,
      out: stdout,
    }),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-user-'));
  await run('npm', ['pack', shippedFolder('package')], { cwd: folder });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
  await cp(join(root, 'test/scenarios/gpu-one-node/objects.json'), join(folder, 'incident.json'));
  await cp(join(root, 'docs/examples/inference.yaml'), join(folder, 'inference.yaml'));
  // As in a clone after `npm run build`, and in a folder with such a clone.
  await mkdir(join(folder, 'rollout-doctor'));
  for (const clone of ['.', 'rollout-doctor'])
    await symlink(join(shippedFolder('image'), 'dist'), join(folder, clone, 'dist'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the npm package', () => {
  it('installs nothing but itself', async () => {
    const installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
    const [manifest, licences] = await Promise.all([
      readFile(join(folder, 'node_modules/@rollout-doctor/cli/package.json'), 'utf8'),
      readFile(join(folder, 'node_modules/@rollout-doctor/cli/dist/third-party-licences.txt'), 'utf8'),
    ]);
    expect(installed).toEqual(['@rollout-doctor']);
    expect(JSON.parse(manifest)).toMatchObject({ publishConfig: { access: 'public', provenance: true } });
    expect(JSON.parse(manifest)).not.toHaveProperty('dependencies');
    for (const name of ['zod', 'yaml', 'commander', 'undici']) expect(licences).toContain(`\n${name} `);
    for (const name of ['bullmq', 'ioredis', '@slack/bolt']) expect(licences).not.toContain(`\n${name} `);
  });

  it('has the JSON Schema of its answers', async () => {
    const code = `import schema from '@rollout-doctor/cli/schema.json' with { type: 'json' }; console.log(Object.keys(schema.$defs).join());`;
    const { stdout } = await run('node', ['--input-type=module', '-e', code], { cwd: folder });

    expect(stdout).toMatch(/^Diagnosis,DiagnosisList,RolloutCheckList,/);
  });

  it('runs the command that docs/npm.md does not show, in Korean', async () => {
    const ran = await npx('admission-policy', '--lang', 'ko');
    expect(ran.status).toBe(0);
    expect(ran.out).toContain('kind: ValidatingAdmissionPolicyBinding');
    expect(ran.out).toContain('교착 상태에 빠집니다');
  });

  describe('with a cluster', () => {
    let cluster: LocalCluster;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      cluster = await createLocalCluster();
      await cluster.loadRecording(join(root, 'test/scenarios/gpu-one-node'));
      const KUBECONFIG = join(folder, 'cluster.yaml');
      const { contexts, ...config } = parse(cluster.kubeconfig());
      const [context] = contexts;
      const named = { 'current-context': 'prod-eu', contexts: [{ ...context, name: 'prod-eu' }] };
      await writeFile(KUBECONFIG, stringify({ ...config, ...named }));
      await mkdir(join(folder, 'deploy'));
      await cp(join(folder, 'inference.yaml'), join(folder, 'deploy/inference.yaml'));
      env = { ...offline(), KUBECONFIG };
    });
    afterAll(async () => {
      for (const name of ['deploy', '.rollout-doctor']) {
        await rm(join(folder, name), { recursive: true, force: true });
      }
      await cluster.close();
    });

    async function outputsOf(commands: string): Promise<readonly string[]> {
      const outputs: string[] = [];
      for (const command of commands.split('\n')) {
        const ran = run('bash', ['-c', command], { cwd: folder, env });
        outputs.push(
          await ran.then(({ stdout }) => `0 ${stdout}`).catch(({ code, stdout }) => `${code} ${stdout}`),
        );
      }
      return outputs;
    }

    it('runs each command of docs/npm.md as it is written', async () => {
      const [, commands = ''] = /^```\n(npx [\s\S]*?)\n```$/m.exec(page) ?? [];
      expect(await outputsOf(commands)).toEqual([
        expect.stringMatching(new RegExp(`^1 shop/inference ${isDeadlocked}`)),
        expect.stringMatching(/^1 [\s\S]*surge-deadlock/),
        expect.stringMatching(/^1 The update of shop\/inference would deadlock/),
        expect.stringMatching(/^0 None of the 3 nodes can run the pod/),
      ]);
    });

    it('records the cluster as docs/pull-requests.md states, for its checks without a cluster', async () => {
      const text = await readFile(join(root, 'docs/pull-requests.md'), 'utf8');
      const [, commands = ''] = /^```\n(mkdir [\s\S]*? record [\s\S]*?)\n```$/m.exec(text) ?? [];
      expect(await outputsOf(commands)).toEqual(['0 ', expect.stringMatching(/^0 Recorded \d+ objects/)]);
      const checked = await npx('check', '-f', 'deploy/', '--against', '.rollout-doctor');
      expect([checked.status, checked.out]).toEqual([1, expect.stringContaining('would deadlock')]);
    });
  });

  it('has every command but the one that needs Slack and Redis', async () => {
    const { out } = await npx('--help');
    for (const command of ['diagnose', 'scan', 'check', 'explain', 'completion']) {
      expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
    expect(out).not.toMatch(/^ {2}doctor /m);
  });

  /** By both ways to find a package. A field that an answer does not have is refused in the same run of the compiler. */
  async function compile(file: string): Promise<void> {
    for (const name of ['@types/node', 'undici-types'])
      await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
    const wrong = join(folder, 'wrong.ts');
    await writeFile(wrong, "import { explain } from '@rollout-doctor/cli';\nexplain('x').findings;\n");
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const strict = ['--strict', '--target', 'es2022', '--lib', 'es2022', '--types', 'node'];
    const bundler = ['--module', 'preserve', '--moduleResolution', 'bundler', '--noEmit'];
    await run('node', [tsc, ...strict, ...bundler, file], { cwd: folder });
    const refused = run('node', [tsc, ...strict, '--module', 'nodenext', file, wrong], { cwd: folder });
    await expect(refused).rejects.toMatchObject({
      stdout: expect.stringMatching(/^wrong\.ts\(2,14\): error [^\n]*'findings'[^\n]*\n$/),
    });
  }

  it.each(examples.map((each, position) => ({ ...each, position })))(
    'prints what docs/npm.md shows for example $position in $language',
    async ({ language, code, output, position }) => {
      const file = join(folder, `example-${position}.${language}`);
      await writeFile(file, code);
      if (language === 'ts') await compile(file);
      const program = file.replace(/\.ts$/, '.js');
      const { stdout } = await run('node', [program], { cwd: folder });
      expect(stdout.trimEnd()).toBe(output);
    },
  );

  it('starts the tools for assistants by the settings of docs/mcp.md', async () => {
    const text = await readFile(join(root, 'docs/mcp.md'), 'utf8');
    const [, json = ''] = /^```json\n([\s\S]*?)\n```$/m.exec(text) ?? [];
    const settings = JSON.parse(json.replace('/path/to/clone', folder));
    const { command, args } = settings.mcpServers['rollout-doctor'];
    const KUBECONFIG = join(folder, 'kubeconfig');
    await writeFile(
      KUBECONFIG,
      'clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]\nusers: [{name: a, user: {token: t}}]\ncontexts: [{name: prod-eu, context: {cluster: a, user: a}}]\n',
    );
    const client = new Client({ name: 'test', version: '1.0.0' });
    const env = { ...offline(), KUBECONFIG };
    await client.connect(new StdioClientTransport({ command, args, cwd: folder, env }));
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'diagnose_rollout', arguments: { workload: 'a/b' } });
    await client.close();
    expect([tools.length, answer.isError]).toEqual([5, true]);
    expect(JSON.stringify(answer.content)).toContain('the cluster does not answer');

    const without = run(command, args, { cwd: folder, env: offline() });
    await expect(without).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('kubeconfig') });
  });

  it('writes the report by the job of GitLab on docs/pull-requests.md', async () => {
    const text = await readFile(join(root, 'docs/pull-requests.md'), 'utf8');
    const jobs = [...text.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm)].map(([, yaml = '']) => parse(yaml));
    const job = jobs.find((each) => 'rollouts' in each).rollouts;
    for (const name of ['deploy', '.rollout-doctor']) await mkdir(join(folder, name));
    await cp(join(folder, 'inference.yaml'), join(folder, 'deploy/inference.yaml'));
    await cp(join(folder, 'incident.json'), join(folder, '.rollout-doctor/cluster.json'));
    const ran = run('bash', ['-ec', job.script.join('\n')], { cwd: folder, env: offline() });
    await expect(ran).rejects.toMatchObject({ code: 1 });
    const report = JSON.parse(await readFile(join(folder, job.artifacts.reports.codequality), 'utf8'));
    expect(report).toMatchObject([{ location: { path: 'deploy/inference.yaml' } }]);
    await rm(join(folder, 'deploy'), { recursive: true });
    const without = run('bash', ['-ec', job.script.join('\n')], { cwd: folder, env: offline() });
    await expect(without).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('deploy/') });
  });

  it('refuses what it cannot use with RolloutDoctorError, by the names of the library', async () => {
    await writeFile(
      join(folder, 'refused.js'),
      `import { readFileSync } from 'node:fs';
import { check, diagnose, RolloutDoctorError, scan } from '@rollout-doctor/cli';
const objects = [JSON.parse(readFileSync('incident.json', 'utf8'))];
for (const call of [
  () => diagnose({ objects }, 'shop/none'),
  () => diagnose({ objects, takenAt: 'yesterday' }, 'shop/inference'),
  () => diagnose({ objects: [] }, 'shop/inference'),
  () => diagnose({ objects: ['text'] }, 'shop/inference'),
  () => scan({ objects }, { namespace: '../x' }),
  () => scan({ objects }, { language: 'fr' }),
  () => check('kind: [', { objects }),
  () => check('', { objects }),
  () => check('{apiVersion: v1, kind: Service}', { objects }, { namespace: '../x' }),
]) await call().then(console.log, (error) => console.log(error instanceof RolloutDoctorError, error.message));
`,
    );
    const { stdout } = await run('node', ['refused.js'], { cwd: folder });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'true Workload shop/none not found in the recording.',
      'true "yesterday" is not a valid time. Use RFC3339, such as 2026-11-20T09:30:00Z.',
      'true recording: it holds no Kubernetes object that could be diagnosed',
      'true recording, object 1: this is no Kubernetes object: it has no kind',
      expect.stringMatching(/^true "\.\.\/x" is not a valid namespace name\./),
      'true The language must be one of en, ko.',
      'true manifests, line 1: unexpected end of the stream within a flow collection',
      'true No Kubernetes object found in manifests.',
      expect.stringMatching(/^true "\.\.\/x" is not a valid namespace name\./),
    ]);
  });

  it('has at least four examples, also in TypeScript', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
    expect(examples.map(({ language }) => language)).toContain('ts');
  });
});
