import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { runAction } from '#src/edges/cli/action-command.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { bareEnvironment, shippedFolder } from '../../support/shipped-programs.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The published schema. Zod takes `uri-reference` for an absolute URL, so formats are left out. */
const Sarif = z.fromJSONSchema(
  JSON.parse(JSON.stringify(sarifSchema, (key, value) => (key === 'format' ? undefined : value))),
);

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required: boolean; readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}

let folder: string;
/** The repository of a user, with a recording of the cluster. */
let repository: string;
let action: Action;

/** What the runner gives a step: inputs and files by the environment, defaults from the metadata. */
type RunStep = (
  env: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly out: string }>;

/** Starts the action's program as the runner does. */
const inProcess: RunStep = (env) =>
  run(process.execPath, [join(shippedFolder('action'), action.runs.main)], {
    cwd: repository,
    env: { ...bareEnvironment(), ...env },
  }).then(
    ({ stdout }) => ({ status: 0, out: stdout }),
    ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ status: code, out: stdout }),
  );

/** The same from the sources, in this process, for what differs only in its inputs. */
const fromSources: RunStep = async (env) => {
  const [cwd, out]: [string, string[]] = [process.cwd(), []];
  process.chdir(repository);
  try {
    return { status: await runAction(env, (text) => void out.push(text)), out: out.join('') };
  } finally {
    process.chdir(cwd);
  }
};

async function step(inputs: Readonly<Record<string, string>>, runStep = fromSources) {
  const temporary = await mkdtemp(join(folder, 'step-'));
  const [summaryFile, outputFile] = [join(temporary, 'summary.md'), join(temporary, 'output')];
  await Promise.all([writeFile(summaryFile, ''), writeFile(outputFile, '')]);
  const given = Object.entries(action.inputs).map(([name, { default: standard = '' }]) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? standard,
  ]);
  const ran = await runStep({
    ...Object.fromEntries(given),
    HOME: folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: repository,
    GITHUB_STEP_SUMMARY: summaryFile,
    GITHUB_OUTPUT: outputFile,
  });
  const [summary, output] = await Promise.all([readFile(summaryFile, 'utf8'), readFile(outputFile, 'utf8')]);
  const outputs = outputsIn(output);
  return { ...ran, summary, outputs };
}

/** As the runner reads them (docs.github.com: workflow commands, multiline strings). */
function outputsIn(text: string): Readonly<Record<string, string>> {
  const line =
    /^(?:(?<long>[\w-]+)<<(?<end>.+)\n(?<lines>[\s\S]*?)\n\k<end>|(?<name>[\w-]+)=(?<value>.*))$/gmu;
  return Object.fromEntries(
    [...text.matchAll(line)].map(({ groups = {} }) => [
      groups.long ?? groups.name,
      groups.lines ?? groups.value,
    ]),
  );
}

const inPlace = `apiVersion: apps/v1
kind: Deployment
metadata: {name: inference, namespace: shop}
spec:
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  selector: {matchLabels: {app: inference}}
  template:
    metadata: {labels: {app: inference}}
    spec:
      containers:
        - {name: inference, image: 'inference:3', resources: {limits: {nvidia.com/gpu: 1}}}
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-action-'));
  repository = join(folder, 'repository');
  action = parse(await readFile(join(shippedFolder('action'), 'action.yml'), 'utf8')) as Action;
  await mkdir(join(repository, 'deploy'), { recursive: true });
  await mkdir(join(repository, '.rollout-doctor'));
  await cp(
    join(root, 'test/scenarios/gpu-one-node/objects.json'),
    join(repository, '.rollout-doctor/o.json'),
  );
  await cp(join(root, 'docs/examples/inference.yaml'), join(repository, 'deploy/a b.yaml'));
  await writeFile(join(repository, 'in-place.yaml'), inPlace);
  await mkdir(join(repository, 'empty'));
  const recorded = await readFile(join(repository, '.rollout-doctor/o.json'), 'utf8');
  await writeFile(join(repository, 'cut.json'), recorded.slice(0, 5_000));
  for (const name of ['empty.json', 'empty.yaml']) await writeFile(join(repository, name), '');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the GitHub Action', () => {
  it('fails for an update that would deadlock, and reports where', async () => {
    const inputs = {
      files: 'in-place.yaml\ndeploy',
      against: '.rollout-doctor',
      'sarif-file': 'result.sarif',
    };
    const { status, out, summary, outputs } = await step(inputs, inProcess);
    expect({ status, out, summary, outputs }).toEqual(await step(inputs));
    expect(status).toBe(1);
    expect(out).toMatch(/^::error file=deploy\/a b\.yaml,line=1,title=The update of shop\/inference would/);
    expect(outputs).toEqual({ result: 'deadlock', sarif: 'result.sarif' });
    expect(summary).toContain('| `deploy/a b.yaml:1` | deadlock |');
  });

  it('writes SARIF that follows the published schema, with a fingerprint that does not depend on the line', async () => {
    const read = async () => JSON.parse(await readFile(join(repository, 'result.sarif'), 'utf8'));
    const inputs = { files: 'deploy', against: '.rollout-doctor', 'sarif-file': 'result.sarif' };
    await step(inputs);
    const first = await read();
    const manifest = join(repository, 'deploy/a b.yaml');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, `# One line more.\n${text}`);
    await step(inputs);
    const second = await read();
    await writeFile(manifest, text);

    expect(Sarif.safeParse(first).error).toBeUndefined();
    expect(Sarif.safeParse({ ...first, runs: [{ ...first.runs[0], tool: {} }] }).success).toBe(false);
    expect(first.runs[0].automationDetails.id).toBe('rollout-doctor/.rollout-doctor/');
    const [[before], [after]] = [first.runs[0].results, second.runs[0].results];
    expect(before.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: 'deploy/a%20b.yaml' },
      region: { startLine: 1 },
    });
    expect(after.locations[0].physicalLocation.region.startLine).toBe(2);
    expect(after.partialFingerprints).toEqual(before.partialFingerprints);
    expect(first.runs[0].tool.driver.rules[before.ruleIndex].id).toBe(before.ruleId);
  });

  it('reports no result for an update that completes', async () => {
    const inputs = { files: 'in-place.yaml', against: '.rollout-doctor', 'sarif-file': 'fine.sarif' };
    const { status, out, outputs } = await step(inputs);
    const sarif = JSON.parse(await readFile(join(repository, 'fine.sarif'), 'utf8'));

    expect([status, out, outputs.result]).toEqual([0, '', 'completes']);
    expect(Sarif.safeParse(sarif).error).toBeUndefined();
    expect(sarif.runs[0].results).toEqual([]);
  });

  it('writes no other output where the name of a file has a line break', async () => {
    const name = 'two\nevil=lines.sarif';
    const { outputs } = await step({ files: 'deploy', against: '.rollout-doctor', 'sarif-file': name });
    expect(outputs).toEqual({ result: 'deadlock', sarif: name });
  });

  it.each([
    ['never', 0],
    ['problem', 1],
    ['unknown', 1],
  ])('with fail-on %s ends with status %i for a deadlock', async (failOn, expected) => {
    const { status, out } = await step({ files: 'deploy', against: '.rollout-doctor', 'fail-on': failOn });
    expect(status).toBe(expected);
    expect(out).toContain('::error ');
  });

  it.each([
    ['an input that is invalid', { 'fail-on': 'always', files: 'deploy' }, 'fail-on'],
    ['the name of a built-in property', { 'fail-on': 'constructor', files: 'deploy' }, 'fail-on'],
    ['no files', {}, 'The input files is missing.'],
    ['a language that does not exist', { files: 'deploy', lang: 'fr' }, 'Valid values: en and ko'],
    [
      'a name that is no namespace',
      { files: 'deploy', against: '.rollout-doctor', namespace: '../x' },
      '../x',
    ],
    ['a file that does not exist', { files: 'none.yaml' }, 'none.yaml'],
    ['a pattern, which is no file', { files: 'deploy/*.yaml' }, 'deploy/*.yaml: there is no such file'],
    ['an empty folder', { files: 'empty' }, 'holds no .json or .yaml file; folders in it are not read'],
    ['a file without an object', { files: 'empty.yaml' }, 'No Kubernetes object found'],
    ['a recording that does not exist', { files: 'deploy', against: './none' }, 'none'],
    ['a recording that ends too early', { files: 'deploy', against: 'cut.json' }, 'ends too early'],
    ['an empty recording', { files: 'deploy', against: 'empty.json' }, 'the file is empty'],
    [
      'a recording whose name is misspelt',
      { files: 'deploy', against: 'recording' },
      'recording is not a file',
    ],
    ['neither a recording nor a kubeconfig', { files: 'deploy' }, 'set against'],
    [
      'a folder for SARIF that does not exist',
      { files: 'deploy', against: '.rollout-doctor', 'sarif-file': 'none/x.sarif' },
      'The folder of none/x.sarif does not exist.',
    ],
  ])('fails with one annotation for %s', async (_, inputs, names) => {
    const { status, out } = await step(inputs);
    expect(status).toBe(1);
    expect(out).toMatch(/^::error::.*\n$/);
    expect(out).toContain(names);
  });

  it('writes one annotation where the name of a file looks like a command of the runner', async () => {
    const name = '100%\n::error::x,y:z.yaml';
    await mkdir(join(repository, 'odd'), { recursive: true });
    await cp(join(repository, 'deploy/a b.yaml'), join(repository, 'odd', name));
    const inputs = { files: 'odd', against: '.rollout-doctor', 'sarif-file': 'odd.sarif' };
    const { out, summary } = await step(inputs);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toMatch(/^::error file=odd\/100%25%0A%3A%3Aerror%3A%3Ax%2Cy%3Az\.yaml,line=1,title=/);
    expect(summary).not.toMatch(/^::/m);
    const sarif = JSON.parse(await readFile(join(repository, 'odd.sarif'), 'utf8'));
    expect(Sarif.safeParse(sarif).error).toBeUndefined();
    const [{ locations }] = sarif.runs[0].results;
    expect(decodeURIComponent(locations[0].physicalLocation.artifactLocation.uri)).toBe(`odd/${name}`);
  });

  it('has the same category where no manifest is a workload, so that older alerts are closed', async () => {
    const service = '{apiVersion: v1, kind: Service, metadata: {name: a}}';
    await writeFile(join(repository, 'service.yaml'), service);
    const inputs = { files: 'service.yaml', against: '.rollout-doctor', 'sarif-file': 'none.sarif' };
    const { status, outputs } = await step(inputs);
    expect([status, outputs]).toEqual([0, { result: 'none', sarif: 'none.sarif' }]);
    const [run] = JSON.parse(await readFile(join(repository, 'none.sarif'), 'utf8')).runs;
    expect([run.automationDetails.id, run.results]).toEqual(['rollout-doctor/.rollout-doctor/', []]);
  });

  it('runs with the inputs of the workflow on docs/pull-requests.md', async () => {
    const page = await readFile(join(root, 'docs/pull-requests.md'), 'utf8');
    const workflows = [...page.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm)].map(([, yaml = '']) => parse(yaml));
    const { steps } = workflows.find((each) => 'permissions' in each).jobs.rollouts;
    const check = steps.find(({ id }: { readonly id?: string }) => id === 'check');
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(check.with)));
    const { status, outputs } = await step(check.with, inProcess);
    expect([status, outputs]).toEqual([1, { result: 'deadlock', sarif: steps.at(-1).with.sarif_file }]);
    expect(steps.at(-1).if).toContain('steps.check.outputs.sarif');
  });

  it('fails as its program too for an input that is invalid', async () => {
    const inputs = { 'fail-on': 'always', files: 'deploy' };
    expect(await step(inputs, inProcess)).toEqual(await step(inputs));
  });

  it('is described in docs/pull-requests.md with each input', async () => {
    const page = await readFile(join(root, 'docs/pull-requests.md'), 'utf8');
    const [, table = ''] = page.match(/<!-- inputs[^>]*-->\n([\s\S]*?)<!-- end of inputs -->/) ?? [];
    const rows = [...table.matchAll(/^\| `([a-z-]+)` *\| (yes|no) *\| (?:`(.+)`)? *\|$/gm)].map(
      ([, name, required, standard]) => [name, required === 'yes', standard],
    );
    expect(rows).toEqual(
      Object.entries(action.inputs).map(([name, each]) => [name, each.required, each.default]),
    );
    expect(action.runs.using).toBe('node24');
  });
});

describe('the code quality report for GitLab', () => {
  it('has one issue for an update that would deadlock, and none for one that completes', async () => {
    const check = (file: string) =>
      rolloutDoctor(['check', '-f', file, '--against', '.rollout-doctor', '-o', 'gitlab'], {
        cwd: repository,
      });
    const [deadlock, fine] = await Promise.all([check('deploy/a b.yaml'), check('in-place.yaml')]);
    expect([deadlock.status, fine.status]).toEqual([1, 0]);
    expect(JSON.parse(fine.out)).toEqual([]);
    expect(JSON.parse(deadlock.out)).toEqual([
      {
        description: expect.stringContaining('would deadlock'),
        check_name: 'rollout-deadlock',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: 'critical',
        location: { path: 'deploy/a b.yaml', lines: { begin: 1 } },
      },
    ]);
  });
});
