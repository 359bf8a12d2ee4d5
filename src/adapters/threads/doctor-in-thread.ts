import type { Snapshot } from '../../core/cluster/snapshot.js';
import type { Doctor } from '../../usecases/diagnose/doctor.js';
import { answerCalls } from './answer-calls.js';
import { type OwnPart, snapshotFrom } from './snapshot-pieces.js';

/** The functions of a doctor by name, each with its snapshot apart from the rest of its input. */
export type DoctorCalls = {
  readonly diagnose: Parameters<Doctor['diagnose']>[1];
  readonly plan: Parameters<Doctor['plan']>[0];
  readonly planUndo: Parameters<Doctor['planUndo']>[0];
  readonly forecastUndo: Parameters<Doctor['forecastUndo']>[0];
  readonly stands: Parameters<Doctor['stands']>[0];
  readonly check: Parameters<Doctor['check']>[0];
  readonly judge: Omit<Parameters<Doctor['judge']>[0], 'snapshot'>;
};

export interface DoctorCall<Method extends keyof DoctorCalls> {
  readonly own: OwnPart;
  readonly input: DoctorCalls[Method];
}

/** Answers for a doctor in its thread. */
export function answerForDoctor(doctor: Doctor): void {
  const methods: {
    readonly [Method in keyof DoctorCalls]: (input: DoctorCalls[Method], snapshot: Snapshot) => unknown;
  } = {
    diagnose: (requested, snapshot) => doctor.diagnose(snapshot, requested),
    plan: (remediation, snapshot) => doctor.plan(remediation, snapshot),
    planUndo: (change, snapshot) => doctor.planUndo(change, snapshot),
    forecastUndo: (change, snapshot) => doctor.forecastUndo(change, snapshot),
    stands: (remediation, snapshot) => doctor.stands(remediation, snapshot),
    check: (manifest, snapshot) => doctor.check(manifest, snapshot),
    judge: (input, snapshot) => doctor.judge({ ...input, snapshot }),
  };
  answerCalls((method, args, pieces) => {
    const { own, input } = args as DoctorCall<keyof DoctorCalls>;
    return methods[method as keyof DoctorCalls](input as never, snapshotFrom(own, pieces));
  });
}
