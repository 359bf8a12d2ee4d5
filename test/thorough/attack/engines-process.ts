import { ZodError } from 'zod';
import { checkManifests } from '#src/doctor/forecasts/check-manifests.js';
import { scanReport } from '#src/doctor/scans/scan-record.js';
import { plain } from '#src/engine/language/prose.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { rawCluster, snapshotOf } from '../../support/hostile-snapshots.js';
import { attacks } from './hostile-attacks.js';

/** What the engines answered to one attack. */
export interface EnginesAnswer {
  readonly name: string;
  readonly milliseconds: number;
  readonly findings: readonly string[];
  readonly defects: readonly string[];
  readonly fixes: readonly string[];
  readonly check: string;
  readonly bytes: number;
  readonly error?: string;
  /** The object was refused at the border: the field that the API server would not have stored either. */
  readonly refused?: string;
}

const engine = createEngine();
const tell = createTell();

function answer(position: number): EnginesAnswer {
  const attack = attacks[position];
  if (attack === undefined) throw new Error(`no attack ${position}`);
  const { name } = attack;
  const from = performance.now();
  try {
    const snapshot = snapshotOf(attack);
    const diagnosis = engine.diagnose(snapshot);
    const sentences = diagnosis.findings.flatMap((finding) =>
      [finding.summary, ...finding.reasoning, ...finding.withheld.map(({ because }) => because)].map(
        (statement) => plain(tell(statement, 'ko')),
      ),
    );
    const report = scanReport([diagnosis], {
      takenAt: diagnosis.takenAt,
      skipped: 0,
      skippedBecause: undefined,
      unseen: [],
    } as never);
    const raw = rawCluster(attack.kind);
    attack.change(raw);
    const manifest = {
      ...raw.workload,
      spec: { ...raw.workload.spec, template: manifestTemplate(raw.template) },
    };
    const [checked] = checkManifests({
      index: snapshot.index,
      unseen: [],
      cluster: 'prod',
      now: Date.parse(snapshot.takenAt),
      manifests: [{ kind: attack.kind as WorkloadKind, namespace: 'shop', name: 'web', raw: manifest }],
      companions: { ResourceQuota: [], LimitRange: [], PriorityClass: [], PersistentVolumeClaim: [] },
    });
    const offered = diagnosis.findings.flatMap(({ remediations }) => remediations);
    return {
      name,
      milliseconds: Math.round(performance.now() - from),
      findings: diagnosis.findings.map(({ cause, confidence }) => `${cause} ${confidence}`),
      defects: diagnosis.defects.map(({ cause, message }) => `${cause}: ${message}`),
      fixes: offered.map(({ id }) => id),
      check: `${checked?.outcome} ${checked?.reasoning.map(({ key }) => key).join()}`,
      bytes: JSON.stringify([diagnosis, report, checked, sentences]).length,
    };
  } catch (error) {
    const refused = error instanceof ZodError ? String(error.issues[0]?.path.join('.')) : undefined;
    if (refused !== undefined) {
      return { name, milliseconds: 0, findings: [], defects: [], fixes: [], check: '', bytes: 0, refused };
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const milliseconds = Math.round(performance.now() - from);
    return { name, milliseconds, findings: [], defects: [], fixes: [], check: '', bytes: 0, error: text };
  }
}

function manifestTemplate({ metadata, spec }: { metadata: object; spec: object }): object {
  return { metadata: { ...metadata, annotations: { build: '3' } }, spec };
}

process.on('message', (position: number) => process.send?.(answer(position)));
