import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { DiagnosisEngine } from '../../service/diagnose/engine.js';
import { answerCalls } from './answer-calls.js';
import { type OwnPart, snapshotFrom } from './snapshot-pieces.js';

/** The functions of an engine by name, each with its snapshot apart from the rest of its input. */
export type EngineCalls = {
  readonly diagnose: {
    readonly requested: Parameters<DiagnosisEngine['diagnose']>[1];
    readonly about: Parameters<DiagnosisEngine['diagnose']>[2];
  };
  readonly plan: Parameters<DiagnosisEngine['plan']>[0];
  readonly planUndo: Parameters<DiagnosisEngine['planUndo']>[0];
  readonly forecastUndo: Parameters<DiagnosisEngine['forecastUndo']>[0];
  readonly stands: Parameters<DiagnosisEngine['stands']>[0];
  readonly check: Parameters<DiagnosisEngine['check']>[0];
  readonly judge: Omit<Parameters<DiagnosisEngine['judge']>[0], 'snapshot'>;
};

export interface EngineCall<Method extends keyof EngineCalls> {
  readonly own: OwnPart;
  readonly input: EngineCalls[Method];
}

/** Answers for an engine in its thread. */
export function answerForEngine(engine: DiagnosisEngine): void {
  const methods: {
    readonly [Method in keyof EngineCalls]: (input: EngineCalls[Method], snapshot: Snapshot) => unknown;
  } = {
    diagnose: ({ requested, about }, snapshot) => engine.diagnose(snapshot, requested, about),
    plan: (remediation, snapshot) => engine.plan(remediation, snapshot),
    planUndo: (change, snapshot) => engine.planUndo(change, snapshot),
    forecastUndo: (change, snapshot) => engine.forecastUndo(change, snapshot),
    stands: (remediation, snapshot) => engine.stands(remediation, snapshot),
    check: (manifest, snapshot) => engine.check(manifest, snapshot),
    judge: (input, snapshot) => engine.judge({ ...input, snapshot }),
  };
  answerCalls((method, args, pieces) => {
    const { own, input } = args as EngineCall<keyof EngineCalls>;
    return methods[method as keyof EngineCalls](input as never, snapshotFrom(own, pieces));
  });
}
