import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { runCli } from '#src/cli/run-cli.js';
import { disagreements } from '#support/scenarios/compare-answer.js';
import type { Scenario } from '#support/scenarios/expectation.js';
import { rolloutDoctor } from '../cli/run.js';
import { crashRecordings } from './crash-recordings.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const folder = `node_modules/.cache/rollout-doctor/crashes-${process.pid}`;

interface Answer {
  readonly status: number | null;
  readonly text: string;
  readonly err: string;
}

function argumentsFor({ folder: recording, expect: expected }: Scenario): readonly string[] {
  const { kind, namespace, name } = expected.workload;
  const what = ['diagnose', `${kind.toLowerCase()}/${name}`, '-n', namespace];
  return [...what, '--from', recording, '--at', expected.takenAt, '-o', 'json'];
}

/** Uses the output of `npm run build` without its type check. */
describe('recorded crashes through the built command line', () => {
  let diagnose: (recording: Scenario) => Promise<Answer>;

  beforeAll(async () => {
    await run('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder], {
      cwd: root,
    });
    const built = (await import(join(root, folder, 'src', 'cli', 'run-cli.js'))) as { runCli: typeof runCli };
    diagnose = async (recording) => {
      const answer = { status: 0, text: '', err: '' };
      answer.status = await built.runCli(argumentsFor(recording), {
        out: (text) => {
          answer.text += text;
        },
        err: (text) => {
          answer.err += text;
        },
        paint: { colour: false, width: 80 },
        watched: false,
      });
      return answer;
    };
  });

  afterAll(async () => {
    await rm(join(root, folder), { recursive: true, force: true });
  });

  it('include more than thirty', () => {
    expect(crashRecordings.length).toBeGreaterThan(30);
  });

  it.each(
    crashRecordings.map((recording) => [recording.expect.id, recording.expect.title, recording] as const),
  )('%s (%s) has the expected diagnosis', async (_, __, recording) => {
    const answer = await diagnose(recording);

    expect(answer.err).toBe('');
    expect(disagreements(recording.expect, answer)).toEqual([]);
  });

  it.each(['crash-on-one-node', 'image-tag-missing', 'healthy-slow-start'])(
    '%s has the same diagnosis in its own process',
    async (id) => {
      const recording = crashRecordings.find((each) => each.expect.id === id);
      if (recording === undefined) throw new Error(`no recording ${id}`);
      const program = join(root, folder, 'src', 'cli.js');
      const { status, out, err } = await rolloutDoctor(argumentsFor(recording), { program });

      expect({ status, text: out, err }).toEqual(await diagnose(recording));
    },
  );
});
