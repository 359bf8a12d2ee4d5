import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '#src/edges/telemetry/version.js';

const root = join(import.meta.dirname, '../..');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly environment?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps: readonly Step[];
      }
    >
  >;
}
const read = (name: string): Workflow =>
  parse(readFileSync(join(root, '.github/workflows', name), 'utf8')) as Workflow;
const release = read('release.yml');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly publishConfig: object;
  readonly scripts: Readonly<Record<string, string>>;
};
const steps = release.jobs.publish?.steps ?? [];

describe('the release workflow', () => {
  const everyStep = readdirSync(join(root, '.github/workflows')).flatMap((name) =>
    Object.values(read(name).jobs).flatMap((job) => job.steps),
  );

  it('pins every action of others by its commit', () => {
    const used = everyStep.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((each) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(each))).toEqual([]);
  });

  it('leaves no credentials in a checkout, and runs no scripts of packages', () => {
    const checkouts = everyStep.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
    const commands = [
      ...everyStep.map(({ run = '' }) => run),
      readFileSync(join(root, 'Dockerfile'), 'utf8'),
    ].flatMap((text) => text.match(/npm ci.*/g) ?? []);
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
  });

  it('may write packages and sign, and nothing else', () => {
    expect(release.permissions).toEqual({ contents: 'read' });
    expect(release.jobs.publish?.permissions).toEqual({
      contents: 'read',
      packages: 'write',
      'id-token': 'write',
    });
  });

  it('builds two platforms with SBOM and provenance, and signs the digest', () => {
    const build = steps.find(({ uses = '' }) => uses.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
    expect(steps.map(({ run = '' }) => run).join('\n')).toContain('cosign sign --yes "$IMAGE@$DIGEST"');
  });

  it('starts only when a person starts it, and then waits for the people of an environment', () => {
    for (const { on, jobs } of [release, read('release-command-line.yml')]) {
      expect(Object.keys(on)).toEqual(['workflow_dispatch']);
      expect(Object.values(jobs).map(({ environment }) => environment)).toEqual(['release']);
    }
  });

  it('publishes the package under a scope of its own, with the proof of where it was built', () => {
    const { name, publishConfig } = manifest;
    expect(name).toMatch(/^@rollout-doctor\//u);
    expect(manifest).not.toHaveProperty('private');
    expect(publishConfig).toEqual({ access: 'public', provenance: true });
    const { permissions, steps: own = [] } = read('release-command-line.yml').jobs.release ?? {};
    expect(permissions).toMatchObject({ 'id-token': 'write' });
    const published = own.map(({ run = '' }) => run).join('\n');
    expect(published).toContain('assemble-package.mjs built/package "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"');
    expect(published).toContain(`npm publish built/${name.slice(1).replace('/', '-')}-*.tgz`);
  });

  it('publishes no clone: only the folder that is made for it', () => {
    const { status } = spawnSync('bash', ['-c', manifest.scripts.prepublishOnly ?? ''], { cwd: root });
    expect(status).toBe(1);
  });

  it.each([
    [`v${version}`, 'tag', 0],
    [`v${version}`, 'branch', 1],
    ['v99.0.0', 'tag', 1],
  ])('checks the versions: %s as a %s ends with status %i', (tag, type, expected) => {
    const check = steps.find(({ name }) => name?.startsWith('Check that the tag'));
    const { status } = spawnSync('bash', ['-e', '-c', check?.run ?? 'exit 9'], {
      cwd: root,
      env: { ...process.env, GITHUB_REF_NAME: tag, GITHUB_REF_TYPE: type, GITHUB_ENV: '/dev/null' },
    });
    expect(status).toBe(expected);
  });
});
