import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { conclusionOf, mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import { causesWanted } from '../support/scenarios/compare-answer.js';
import { type Scenario, scenarios } from '../support/scenarios/expectation.js';
import { ensureTool } from './harness/tools.js';

const engine = createEngine();
const printed: { readonly scenario: Scenario; readonly file: string; readonly at: string }[] = [];
let folder = '';

/** Kinds that kubectl describes by fields of their own. */
const described: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

beforeAll(async () => {
  const { file } = await ensureTool('kubectl-describe');
  folder = mkdtempSync(join(tmpdir(), 'described-'));
  const chosen = scenarios().filter(({ expect: { workload } }) => described.includes(workload.kind));
  const input = chosen.map(({ folder: from, expect: { takenAt } }, at) =>
    JSON.stringify({ objects: join(from, 'objects.json'), takenAt, to: join(folder, String(at)) }),
  );
  try {
    execFileSync(file, { input: input.join('\n'), stdio: 'pipe' });
  } catch {
    // Recordings that no API server would hold are not printed: their files are missing.
  }
  for (const [at, scenario] of chosen.entries()) {
    const to = join(folder, String(at));
    if (existsSync(`${to}.txt`))
      printed.push({ scenario, file: `${to}.txt`, at: readFileSync(`${to}.at`, 'utf8') });
  }
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly id: string;
  readonly wanted: readonly string[];
  readonly diagnosis: Diagnosis;
}

async function answers(withTime: boolean): Promise<readonly Answer[]> {
  const all: Answer[] = [];
  for (const { scenario, file, at } of printed) {
    const wanted = causesWanted(scenario.expect);
    if (wanted === undefined) continue;
    const { reader, cluster } = await recordedSource(file, withTime ? at : undefined);
    const { workload } = scenario.expect;
    const ref = { cluster, ...workload, kind: WorkloadKind.parse(workload.kind) };
    const read = await reader.snapshot(ref, new Set());
    if (read.type !== 'snapshot') throw new Error(`${scenario.folder}: no workload in ${file}`);
    all.push({ id: scenario.expect.id, wanted, diagnosis: engine.diagnose(read.snapshot) });
  }
  return all;
}

const causeOf = ({ diagnosis }: Answer): string | undefined => mainFindingOf(diagnosis).main?.cause;

/** It names the cause of the objects as one that text leaves open. */
function namesIt({ diagnosis, wanted }: Answer): boolean {
  const beside = mainFindingOf(diagnosis).main?.weakenedBy ?? [];
  return beside.some(
    ({ key, values: { causes } }) =>
      key === 'better-unread' && Array.isArray(causes) && wanted.some((each) => causes.includes(each)),
  );
}

const idsOf = (found: readonly Answer[]): readonly string[] => found.map(({ id }) => id);

/**
 * The recorded incidents as kubectl 1.36.3 describes their nodes, workloads, pods, claims and quotas, with
 * their events.
 */
describe.each([
  ['with the time when they were printed', true],
  ['without a time', false],
] as const)('descriptions of the recorded incidents, %s', (_, withTime) => {
  let all: readonly Answer[] = [];
  beforeAll(async () => {
    all = await answers(withTime);
    expect(all.length).toBeGreaterThan(700);
  }, 600_000);

  it('never state that there is no problem', () => {
    expect(idsOf(all.filter(({ diagnosis }) => conclusionOf(diagnosis) === 'nothing'))).toEqual([]);
  });

  it('prove nothing, and no rule fails', () => {
    const proven = all.filter(({ diagnosis }) =>
      diagnosis.findings.some(({ severity, confidence }) => severity !== 'info' && confidence === 'proven'),
    );
    expect(idsOf(proven)).toEqual([]);
    expect(all.flatMap(({ diagnosis }) => diagnosis.defects)).toEqual([]);
  });

  it('show no cause where the objects show none', () => {
    const alarms = all.filter((answer) => answer.wanted.length === 0 && causeOf(answer) !== undefined);
    expect(idsOf(alarms)).toEqual([]);
  });

  it('show the cause of the objects, leave it open, or name it as not checked, in all but a few incidents', () => {
    const incidents = all.filter(({ wanted }) => wanted.length > 0);
    const isRight = (answer: Answer): boolean => answer.wanted.includes(causeOf(answer) ?? '');
    const [right, wrong] = [incidents.filter(isRight), incidents.filter((answer) => !isRight(answer))];
    const named = wrong.filter(namesIt);
    const other = wrong.filter((answer) => causeOf(answer) !== undefined && !namesIt(answer));
    const open = wrong.filter((answer) => causeOf(answer) === undefined && !namesIt(answer));
    console.log(
      `described: ${all.length - incidents.length} without a problem, ${incidents.length} incidents: right ${right.length}, open ${open.length}, named ${named.length}, another ${other.length}: ${idsOf(other).join(', ')}`,
    );
    expect(right.length / incidents.length).toBeGreaterThan(0.85);
    expect(right.length / (incidents.length - named.length)).toBeGreaterThan(0.94);
    expect(other.length / incidents.length).toBeLessThan(0.01);
  });
});
