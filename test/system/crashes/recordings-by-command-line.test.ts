import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disagreements } from '#support/scenarios/compare-answer.js';
import type { Scenario } from '#support/scenarios/expectation.js';
import { rolloutDoctor } from '../cli/run.js';
import { crashRecordings } from './crash-recordings.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const folder = `node_modules/.cache/rollout-doctor/crashes-${process.pid}`;

function argumentsFor({ folder: recording, expect: expected }: Scenario): readonly string[] {
  const { kind, namespace, name } = expected.workload;
  const what = ['diagnose', `${kind.toLowerCase()}/${name}`, '-n', namespace];
  return [...what, '--from', recording, '--at', expected.takenAt, '-o', 'json'];
}

describe('recorded crashes through the built command line', () => {
  beforeAll(async () => {
    await run('node', ['scripts/bundle.mjs', folder], { cwd: root });
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
    const program = join(root, folder, 'rollout-doctor.js');
    const { status, out, err } = await rolloutDoctor(argumentsFor(recording), { program });

    expect(err).toBe('');
    expect(disagreements(recording.expect, { status, text: out })).toEqual([]);
  });
});
