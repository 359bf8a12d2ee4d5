import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { DoctorError } from '../errors.js';
import { notice } from '../notices/notices.js';
import type { DiagnosisEngine } from './engine.js';

/** A workload as one specification: a change of it may make it computable. */
export interface ComputedWorkload {
  readonly cluster: string;
  readonly uid: string;
  readonly generation: number;
}

/** Which workloads were too large to compute, for all processes; each is forgotten after a while. */
export interface EndedDiagnoses {
  /** Milliseconds until the workload is computed again; 0 when it may be computed now. */
  waitMs(workload: ComputedWorkload): Promise<number>;
  note(workload: ComputedWorkload): Promise<void>;
  /** Counts a computation that begins; gives how many began before it and have not finished. */
  begin(workload: ComputedWorkload): Promise<number>;
  /** Discounts a computation, whatever came of it; one whose process died stays counted for a while. */
  finish(workload: ComputedWorkload): Promise<void>;
}

/**
 * A thread cannot survive one allocation beyond its heap, and takes its process along. Fewer computations
 * than this of one workload run at the same time in different processes.
 */
const maxUnfinished = 3;

/**
 * An engine that does not compute again, for a while, what was too large to compute: however many people ask,
 * a workload costs one deadline. Diagnoses of the same workload run one after the other, so that the second
 * one knows of the first.
 */
export function withBackOff<Each extends DiagnosisEngine>(engine: Each, ended: EndedDiagnoses): Each {
  const running = new Map<string, Promise<unknown>>();
  return { ...engine, diagnose };

  async function diagnose(...question: Question) {
    const [snapshot] = question;
    const { uid, generation = 0 } = snapshot.workload.metadata;
    const workload = { cluster: snapshot.cluster, uid, generation };
    const key = JSON.stringify(workload);
    for (;;) {
      const other = running.get(key);
      if (other === undefined) break;
      await other;
    }
    const computed = compute(workload, question);
    const over = computed.catch(() => undefined).finally(() => running.delete(key));
    running.set(key, over);
    return computed;
  }

  async function compute(workload: ComputedWorkload, question: Question) {
    const [snapshot] = question;
    const waitMs = await ended.waitMs(workload);
    if (waitMs > 0) throw endedBefore(snapshot, waitMs);
    try {
      if ((await ended.begin(workload)) >= maxUnfinished) throw endedProcesses(snapshot);
      return await engine.diagnose(...question);
    } catch (error) {
      if (isEnded(error)) await ended.note(workload);
      throw error;
    } finally {
      await ended.finish(workload);
    }
  }
}

type Question = Parameters<DiagnosisEngine['diagnose']>;

/** Whether a computation was ended, or not begun, because the workload is too large to compute. */
export function isEnded(error: unknown): error is DoctorError {
  return error instanceof DoctorError && error.code === 'diagnosis-ended';
}

/** The diagnosis, or `undefined` where the workload is too large to compute. */
export async function diagnosisUnlessEnded(
  engine: Pick<DiagnosisEngine, 'diagnose'>,
  snapshot: Snapshot,
): Promise<Diagnosis | undefined> {
  try {
    return await engine.diagnose(snapshot);
  } catch (error) {
    if (isEnded(error)) return undefined;
    throw error;
  }
}

function endedProcesses({ workload }: Snapshot): DoctorError {
  const { namespace, name } = workload.metadata;
  return new DoctorError({
    code: 'diagnosis-ended',
    message: 'the processes that computed a workload ended',
    retryable: false,
    tells: notice('diagnosis-ended', { workload: `${namespace}/${name}`, because: 'memory', seconds: 0 }),
  });
}

function endedBefore({ workload }: Snapshot, waitMs: number): DoctorError {
  const { namespace, name } = workload.metadata;
  return new DoctorError({
    code: 'diagnosis-ended',
    message: 'a workload that was too large to compute was not computed again',
    retryable: false,
    tells: notice('diagnosis-ended-before', {
      workload: `${namespace}/${name}`,
      minutes: Math.ceil(waitMs / 60_000),
    }),
  });
}
