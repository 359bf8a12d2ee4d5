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
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }
    >
  >;
}
const read = (name: string): Workflow =>
  parse(readFileSync(join(root, '.github/workflows', name), 'utf8')) as Workflow;
const release = read('release.yml');
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

  it.each([
    [`v${version}`, 0],
    ['v99.0.0', 1],
  ])('checks the versions: the tag %s ends with status %i', (tag, expected) => {
    const check = steps.find(({ name }) => name?.startsWith('Check that the tag'));
    const { status } = spawnSync('bash', ['-e', '-c', check?.run ?? 'exit 9'], {
      cwd: root,
      env: { ...process.env, GITHUB_REF_NAME: tag, GITHUB_ENV: '/dev/null' },
    });
    expect(status).toBe(expected);
  });
});
