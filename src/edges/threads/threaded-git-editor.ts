import type { GitPlace } from '../../doctor/git-edits/git-target.js';
import { gitRefusal } from '../../doctor/git-edits/refusal.js';
import { DoctorError } from '../../service/errors.js';
import type { EditedTree, GitEditor, GitSubject, NotEdited } from '../../service/git/edit-in-git.js';
import { refusedTree } from '../../service/git/edit-in-git.js';
import { answerCalls } from './answer-calls.js';
import { type CallOutcome, createThreadPool, type ThreadPoolOptions } from './thread-pool.js';

export interface ThreadedGitEditorOptions
  extends Pick<ThreadPoolOptions, 'entry' | 'data'>,
    Partial<Pick<ThreadPoolOptions, 'maxComputingMs' | 'deadlineMs' | 'maxHeapMb'>> {
  /** An edit was ended before its result. */
  readonly onEnded?: (ended: { readonly repository: string; readonly because: string }) => void;
}

/** One repository leaves a thread for the others. */
const maxThreads = 2;
const maxWaiting = 32;
const maxWaitMs = 60_000;
/** The largest tree that is read takes a third of it. */
const maxComputingMs = 15_000;
/** Of what an edit computes and waits for: each request has a deadline of its own. */
const deadlineMs = 180_000;
const maxHeapMb = 768;
/** A thread that starts again asks the host for a new token. */
const idleMs = 600_000;
const busyRetryMs = 5_000;

type Method = keyof GitEditor;
type CallArgs = { readonly [Each in Method]: Parameters<GitEditor[Each]> };

/**
 * An editor that works in threads, so that no file of a repository keeps the process from its other work.
 * More work or memory than is allowed is the refusal `too-large`: a further attempt would end the same way.
 */
export function createThreadedGitEditor({
  onEnded,
  ...options
}: ThreadedGitEditorOptions): GitEditor & { close(): Promise<void> } {
  const pool = createThreadPool({
    maxThreads,
    maxWaiting,
    maxWaitMs,
    maxComputingMs,
    deadlineMs,
    maxHeapMb,
    idleMs,
    ...options,
  });

  async function ask<Name extends Method>(
    method: Name,
    repository: string,
    args: CallArgs[Name],
  ): Promise<Awaited<ReturnType<GitEditor[Name]>> | 'too-large'> {
    const outcome = await pool.run({ method, args, fairnessKey: repository });
    if (outcome.type === 'answered') return outcome.value as Awaited<ReturnType<GitEditor[Name]>>;
    if (outcome.type === 'ended') onEnded?.({ repository, because: outcome.because });
    if (outcome.type === 'ended' && (outcome.because === 'computing' || outcome.because === 'memory')) {
      return 'too-large';
    }
    throw failureOf(outcome);
  }

  async function edit(
    method: 'editSources' | 'editPlace',
    place: GitPlace,
    subject: GitSubject,
  ): Promise<EditedTree | NotEdited> {
    const edited = await ask(method, place.repository, [place, subject]);
    return edited === 'too-large' ? refusedTree(gitRefusal(edited), place, subject) : edited;
  }

  return {
    editSources: (target, subject) => edit('editSources', target, subject),
    editPlace: (place, subject) => edit('editPlace', place, subject),
    async fileOn(repository, branch, path) {
      const found = await ask('fileOn', repository, [repository, branch, path]);
      // Nothing in it is this program's own.
      return found === 'too-large' ? { message: '', text: undefined } : found;
    },
    close: () => pool.close(),
  };
}

/** Answers for an editor in its thread. */
export function answerForGitEditor(editor: GitEditor): void {
  const methods: { readonly [Name in Method]: (...args: CallArgs[Name]) => unknown } = {
    editSources: (target, subject) => editor.editSources(target, subject),
    editPlace: (place, subject) => editor.editPlace(place, subject),
    fileOn: (repository, branch, path) => editor.fileOn(repository, branch, path),
  };
  answerCalls((method, args) =>
    (methods[method as Method] as (...each: readonly unknown[]) => unknown)(...(args as readonly unknown[])),
  );
}

function failureOf(outcome: Exclude<CallOutcome, { readonly type: 'answered' }>): unknown {
  if (outcome.type === 'threw') return outcome.error;
  if (outcome.type === 'ended' && outcome.because === 'failure') {
    return new Error('the thread of an edit in Git failed');
  }
  const message =
    outcome.type === 'busy' ? 'no thread was free for an edit' : 'an edit waited too long for its host';
  return new DoctorError({ code: 'git-unavailable', message, retryable: true, retryAfterMs: busyRetryMs });
}
