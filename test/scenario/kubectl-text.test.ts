import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import { collapses } from '../support/collapsed-spaces.js';
import { scenariosFolder } from '../support/scenarios/scenario-folders.js';

const folder = join(import.meta.dirname, '../kubectl-text');
const engine = createEngine();

interface Expected {
  readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly cause: string;
}

async function diagnosisFrom(
  incident: string,
  file: string,
  path = join(folder, incident, file),
): Promise<Diagnosis> {
  const { workload } = expectedOf(incident);
  const at = readFileSync(join(folder, incident, 'at'), 'utf8').trim();
  const { reader, cluster } = await recordedSource(path, at);
  const ref = { cluster, ...workload, kind: WorkloadKind.parse(workload.kind) };
  const read = await reader.snapshot(ref, new Set());
  if (read.type !== 'snapshot') throw new Error(`${incident}/${file} holds no ${workload.name}`);
  return engine.diagnose(read.snapshot);
}

function expectedOf(incident: string): Expected {
  return JSON.parse(readFileSync(join(scenariosFolder, incident, 'expect.json'), 'utf8')) as Expected;
}

/** Texts of kubectl 1.36.3 from kube-apiserver 1.36.3 (`test/cluster/record-kubectl-text.ts`). */
describe.each(readdirSync(folder))('what kubectl prints of %s', (incident) => {
  it('has the cause of the recorded objects as descriptions, and no proof', async () => {
    const diagnosis = await diagnosisFrom(incident, 'describe.txt');
    const { main } = mainFindingOf(diagnosis);
    expect(main?.cause).toBe(expectedOf(incident).cause);
    expect(diagnosis.findings.filter(({ confidence }) => confidence === 'proven')).toEqual([]);
    expect(diagnosis.unseen).toContainEqual(
      expect.objectContaining({ what: 'Pod', because: 'partly-recorded' }),
    );
  });

  it('has the same cause as a whole folder, where JSON and descriptions meet', async () => {
    expect(mainFindingOf(await diagnosisFrom(incident, '.')).main?.cause).toBe(expectedOf(incident).cause);
  });
});

describe.each(collapses)('descriptions whose spaces a chat collapsed %s', (_, collapse) => {
  let collapsed = '';
  beforeAll(() => {
    collapsed = mkdtempSync(join(tmpdir(), 'collapsed-'));
  });
  afterAll(() => rmSync(collapsed, { recursive: true }));

  it.each(readdirSync(folder))('have the findings of what kubectl printed: %s', async (incident) => {
    const path = join(collapsed, `${incident}.txt`);
    writeFileSync(path, collapse(readFileSync(join(folder, incident, 'describe.txt'), 'utf8')));
    const { findings } = await diagnosisFrom(incident, 'describe.txt');
    expect((await diagnosisFrom(incident, '', path)).findings).toEqual(findings);
  });
});

describe.each(['gpu-one-node', 'crash-on-one-node', 'image-tag-missing'])('a dump of %s', (incident) => {
  it('has the cause of the recorded objects', async () => {
    const { main } = mainFindingOf(await diagnosisFrom(incident, 'dump.txt'));
    expect(main?.cause).toBe(expectedOf(incident).cause);
  });
});
