import { fairnessKeyOf } from '../../doctor/alerts/label-names.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { DiagnosisEngine } from '../../service/diagnose/engine.js';
import { DoctorError } from '../../service/errors.js';
import { notice } from '../../service/notices/notices.js';
import type { EngineCall, EngineCalls } from './engine-in-thread.js';
import { ownPartOf, piecesOf } from './snapshot-pieces.js';
import { type CallOutcome, createThreadPool, type ThreadPoolOptions } from './thread-pool.js';

interface ThreadedEngineOptions extends Pick<ThreadPoolOptions, 'entry' | 'maxThreads'> {
  readonly needs: DiagnosisEngine['needs'];
  /** How long one computation takes at most, in seconds. */
  readonly deadlineSeconds?: number;
  /** A computation was ended before its result. */
  readonly onEnded?: (ended: { readonly workload: string; readonly because: string }) => void;
}

/** The largest clusters of the benchmarks take a tenth of it. */
const defaultDeadlineSeconds = 15;
/** A snapshot of 5,000 nodes and 50,000 pods fits. */
const maxHeapMb = 768;
/** Each one that waits holds its snapshot. */
const maxWaiting = 32;
const maxWaitMs = 60_000;
const idleMs = 30_000;
const busyRetryMs = 5_000;

/**
 * An engine that computes in threads, so that no input keeps the process from its other work.
 *
 * The functions throw `diagnosis-ended`, not retryable, for what took too long or needed too much memory, and
 * `diagnosis-busy`, retryable, where no thread was free; both carry the sentence for people.
 */
export function createThreadedEngine(
  options: ThreadedEngineOptions,
): DiagnosisEngine & { close(): Promise<void> } {
  const { entry, maxThreads, needs, deadlineSeconds = defaultDeadlineSeconds, onEnded } = options;
  const deadlineMs = deadlineSeconds * 1_000;
  const pool = createThreadPool({ entry, maxThreads, maxWaiting, maxWaitMs, deadlineMs, maxHeapMb, idleMs });

  async function ask<Method extends keyof EngineCalls>(
    method: Method,
    snapshot: Snapshot,
    input: EngineCalls[Method],
  ): Promise<Awaited<ReturnType<DiagnosisEngine[Method]>>> {
    const { namespace, name } = snapshot.workload.metadata;
    const args: EngineCall<Method> = { own: ownPartOf(snapshot), input };
    const outcome = await pool.run({
      method,
      args,
      shared: { key: snapshot.index, pieces: () => piecesOf(snapshot) },
      fairnessKey: fairnessKeyOf({ cluster: snapshot.cluster, namespace }),
    });
    if (outcome.type === 'answered') return outcome.value as Awaited<ReturnType<DiagnosisEngine[Method]>>;
    if (outcome.type === 'ended') onEnded?.({ workload: `${namespace}/${name}`, because: outcome.because });
    throw failureOf(outcome, `${namespace}/${name}`, deadlineSeconds);
  }

  return {
    needs,
    diagnose: (snapshot, requested, about) => ask('diagnose', snapshot, { requested, about }),
    plan: (remediation, snapshot) => ask('plan', snapshot, remediation),
    planUndo: (change, snapshot) => ask('planUndo', snapshot, change),
    forecastUndo: (change, snapshot) => ask('forecastUndo', snapshot, change),
    stands: (remediation, snapshot) => ask('stands', snapshot, remediation),
    check: (manifest, snapshot) => ask('check', snapshot, manifest),
    judge: ({ snapshot, ...input }) => ask('judge', snapshot, input),
    close: () => pool.close(),
  };
}

function failureOf(
  outcome: Exclude<CallOutcome, { readonly type: 'answered' }>,
  workload: string,
  seconds: number,
): unknown {
  if (outcome.type === 'threw') return outcome.error;
  if (outcome.type === 'busy') {
    return new DoctorError({
      code: 'diagnosis-busy',
      message: 'no thread was free for a diagnosis',
      retryable: true,
      retryAfterMs: busyRetryMs,
      tells: notice('diagnosis-busy', { workload }),
    });
  }
  const { because } = outcome;
  if (because !== 'deadline' && because !== 'memory') return new Error('the thread of a diagnosis failed');
  return new DoctorError({
    code: 'diagnosis-ended',
    message: 'a diagnosis was ended before its result',
    retryable: false,
    tells: notice('diagnosis-ended', { workload, because, seconds }),
  });
}
