import * as z from 'zod';
import type { AuthenticApproval, SkippedPod, VerifiedApproval } from '../../doctor/incidents/approval.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { isReady, isTerminating, Pod } from '../../engine/objects/pod.js';
import { podRevisionName } from '../../engine/workloads/controller-revisions.js';
import type { FirstStepRead, Lapsed, SecondStepOutcome } from '../../service/change/workload-patcher.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import { DoctorError } from '../../service/errors.js';
import { type ApiCall, notUnderstood, unanswered } from './api-call.js';
import type { ApiObject, Expected, NotMade } from './change-body.js';
import { approvalAnnotation, bodyOf, expectedObject, isDeletion, outcomeOf, refused } from './change-body.js';
import { boundedEntries } from './object-schema.js';
import { objectPath } from './resource-paths.js';

interface SecondStepOptions {
  /** Deadline of one call in milliseconds. */
  readonly timeoutMs: number;
  /** Asked right before each deletion leaves. */
  readonly lapse: (approval: AuthenticApproval) => Promise<Lapsed | undefined>;
  /** How often a deletion that was overtaken is sent again at most. */
  readonly rounds: number;
}

type PlannedPod = NonNullable<AuthenticApproval['plan']['afterwards']>['pods'][number];

type Deleted = { readonly type: 'deleted' };
type Skipped = { readonly type: 'skipped'; readonly because: SkippedPod['because'] };

interface FoundPod {
  readonly current: ApiObject;
  readonly path: string;
  readonly expected: Expected & { readonly uid: string };
}

const StatefulSet = z.looseObject({
  spec: z.looseObject({ podManagementPolicy: z.string().optional() }),
  status: z.looseObject({ observedGeneration: z.number().optional(), updateRevision: z.string().optional() }),
});

/**
 * Deletes the pods that the second step of a plan names; `workload-patcher.ts` makes the requests its own.
 */
export function createSecondStep({ timeoutMs, lapse, rounds }: SecondStepOptions) {
  return {
    /** Has the API server try the deletions, as far as they are still to be made. */
    async tryOut(
      call: ApiCall,
      approval: AuthenticApproval,
      isReviewed: boolean,
    ): Promise<NotMade | Lapsed | undefined> {
      for (const pod of approval.plan.afterwards?.pods ?? []) {
        const tried = await deletePod(call, approval, pod, { updateRevision: undefined, dryRun: true });
        if (tried.type === 'deleted') continue;
        if (tried.type !== 'skipped') return tried;
        if (isReviewed) return refused('stale', `pod ${pod.name} is ${tried.because}`);
      }
      return undefined;
    },

    async read(call: ApiCall, approval: AuthenticApproval): Promise<FirstStepRead> {
      const first = await readFirstStep(call, approval);
      return 'updateRevision' in first ? { type: 'observed' } : first;
    },

    async send(call: ApiCall, approval: VerifiedApproval): Promise<SecondStepOutcome> {
      const deleted: string[] = [];
      const skipped: SkippedPod[] = [];
      for (const pod of approval.plan.afterwards?.pods ?? []) {
        const outcome = await sendOne(call, approval, pod);
        if (outcome.type === 'deleted') deleted.push(pod.name);
        else if (outcome.type === 'skipped') skipped.push({ pod: pod.name, because: outcome.because });
        else return { deleted, skipped, failed: outcome };
      }
      return { deleted, skipped };
    },
  };

  async function sendOne(
    call: ApiCall,
    approval: VerifiedApproval,
    pod: PlannedPod,
  ): Promise<Deleted | Skipped | NotMade | Lapsed> {
    try {
      const first = await readFirstStep(call, approval);
      if (first.type === 'waiting') return refused('stale', 'the controller has not observed the change');
      if (first.type !== 'observed') return first;
      return await deletePod(call, approval, pod, { updateRevision: first.updateRevision, dryRun: false });
    } catch (error) {
      return unansweredRequest(error);
    }
  }

  /** The target must be as this approval's first step left it: same uid, its mark, its generation. */
  async function readFirstStep(
    call: ApiCall,
    { id, plan: { target }, applied }: AuthenticApproval,
  ): Promise<
    { readonly type: 'observed'; readonly updateRevision: string } | { readonly type: 'waiting' } | NotMade
  > {
    if (target.kind !== 'StatefulSet') return refused('unsupported', target.kind);
    const path = objectPath(target.kind, target.namespace, target.name);
    const read = await call({ path, signal: AbortSignal.timeout(timeoutMs) });
    if (read.status !== 200) return outcomeOf(read);
    const object = expectedObject(read.body, target);
    const { data } = StatefulSet.safeParse(boundedEntries(read.body));
    if (object === undefined || data === undefined) return notUnderstood(target.kind);
    const { uid, generation, annotations = {} } = object.metadata;
    if (uid !== target.uid) return refused('stale', `uid is ${uid}, the plan was made for ${target.uid}`);
    if (annotations[approvalAnnotation] !== id)
      return refused('stale', 'the first step is not the last change');
    if (generation === undefined || generation !== applied?.generation) {
      return refused('stale', `generation is ${generation}, the first step left ${applied?.generation}`);
    }
    if (data.spec.podManagementPolicy === 'Parallel')
      return refused('stale', 'podManagementPolicy is Parallel');
    const { observedGeneration = 0, updateRevision = '' } = data.status;
    return observedGeneration < generation || updateRevision === ''
      ? { type: 'waiting' }
      : { type: 'observed', updateRevision };
  }

  /**
   * @param options.updateRevision what the controller gives new pods; absent before the first step
   */
  async function deletePod(
    call: ApiCall,
    approval: AuthenticApproval,
    planned: PlannedPod,
    { updateRevision, dryRun }: { updateRevision: string | undefined; dryRun: boolean },
  ): Promise<Deleted | Skipped | NotMade | Lapsed> {
    const { target } = approval.plan;
    const expected = { kind: 'Pod', namespace: target.namespace, name: planned.name };
    const path = objectPath('Pod', target.namespace, planned.name);
    /** A request for good may have been carried out whatever it is answered; the pod shows it. */
    let isSent = false;
    const gone = (): Deleted | Skipped =>
      isSent ? { type: 'deleted' } : { type: 'skipped', because: 'gone' };
    for (let round = 1; ; round += 1) {
      const read = await readPod(call, expected, planned, path);
      if (read.type === 'gone') return gone();
      if (read.type !== 'found') return read;
      const { pod, current } = read;
      const owner = controllerOf(pod);
      if (owner?.kind !== target.kind || owner.uid !== target.uid) {
        return refused('stale', `pod ${planned.name} is not controlled by ${target.kind} ${target.name}`);
      }
      if (isReady(pod)) return { type: 'skipped', because: 'ready' };
      if (updateRevision !== undefined && podRevisionName(pod) === updateRevision) {
        return { type: 'skipped', because: 'updated' };
      }
      const found = { current, path, expected: { ...expected, uid: planned.uid } };
      const tried = await request(call, approval, found, true);
      isSent ||= !dryRun && tried.type === 'deleted';
      const made =
        dryRun || tried.type !== 'deleted'
          ? tried
          : await request(call, approval, found, false).catch(unansweredRequest);
      if (made.type === 'deleted' || made.type === 'lapsed') return made;
      const isOvertaken = made.type === 'refused' && (made.because === 'stale' || made.because === 'gone');
      if (isOvertaken && round < rounds) continue;
      if (!isSent) return made;
      return (await readPod(call, expected, planned, path)).type === 'gone' ? { type: 'deleted' } : made;
    }
  }

  async function readPod(
    call: ApiCall,
    expected: Expected,
    { uid }: PlannedPod,
    path: string,
  ): Promise<
    | { readonly type: 'found'; readonly current: ApiObject; readonly pod: Pod }
    | { readonly type: 'gone' }
    | NotMade
  > {
    const read = await call({ path, signal: AbortSignal.timeout(timeoutMs) });
    if (read.status === 404) return { type: 'gone' };
    if (read.status !== 200) return outcomeOf(read);
    const current = expectedObject(read.body, expected);
    const pod = Pod.safeParse(boundedEntries(read.body)).data;
    if (current === undefined || pod === undefined) return notUnderstood('Pod');
    return pod.metadata.uid !== uid || isTerminating(pod)
      ? { type: 'gone' }
      : { type: 'found', current, pod };
  }

  async function request(
    call: ApiCall,
    approval: AuthenticApproval,
    { current, path, expected }: FoundPod,
    dryRun: boolean,
  ): Promise<Deleted | NotMade | Lapsed> {
    const lapsed = await lapse(approval);
    if (lapsed !== undefined) return lapsed;
    const answer = await call({
      ...bodyOf({ verb: 'delete' }, current, { mark: approval.id, dryRun }),
      path,
      query: dryRun ? { dryRun: 'All' } : {},
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200 && answer.status !== 202) return outcomeOf(answer);
    return isDeletion(answer, expected, expected.uid) ? { type: 'deleted' } : notUnderstood('Pod');
  }
}

/** @throws DoctorError as it is: the shared clock could not be read, and nothing was sent */
function unansweredRequest(error: unknown): Unreadable {
  if (error instanceof DoctorError) throw error;
  return unanswered(error);
}
