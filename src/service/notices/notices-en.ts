import { code, moment, person, quote, say, sentences, word } from '../../engine/language/prose.js';
import { duration, joined, names } from '../../engine/language/words.js';
import {
  approvers,
  distrustWords,
  isDecision,
  leftBecause,
  originalMessage,
  redisWords,
  refusedWords,
  stateWords,
  uncertainLeft,
  unreadableWords,
} from './notices-words.js';

type Approvers = { readonly users: readonly string[]; readonly groups: readonly string[] };
type OfCluster = { readonly workload: string; readonly cluster: string };
type OfWorkload = { readonly workload: string };
/** `because` is a code, `message` what the API server or the connection answered. */
type Failure = { readonly because: string; readonly message: string };

/** The notices of the use cases, in English. */
export const noticesEn = {
  'not-authorised': ({ workload, cluster, users, groups }: Approvers & OfCluster) =>
    sentences(
      say`You can view ${code(workload)}, but you cannot approve changes to it in cluster ${code(cluster)}.`,
      approvers('en', users, groups),
    ),
  'may-not-silence': ({ workload, cluster, users, groups }: Approvers & OfCluster) =>
    sentences(
      say`The policy does not allow you to silence or unsilence ${code(workload)} in cluster ${code(cluster)}.`,
      approvers('en', users, groups),
    ),
  'may-not-stop-changes': ({ users, groups }: Approvers) =>
    sentences(say`The policy does not allow you to stop or allow changes.`, approvers('en', users, groups)),
  /** `by` and `at` are absent where the policy stops all changes. */
  'changes-stopped': (values: { reason: string; by: string | undefined; at: string | undefined }) =>
    values.by === undefined || values.at === undefined
      ? say`The policy stops all changes: ${quote(values.reason)}.`
      : say`${person(values.by)} stopped all changes ${moment(values.at)}: ${quote(values.reason)}.`,
  'changes-frozen': ({ workload, reason, until }: { workload: string; reason: string; until: string }) =>
    say`Changes to ${code(workload)} are frozen until ${moment(until)}: ${quote(reason)}.`,
  'too-many-changes': ({
    workload,
    changesPerHour,
    freeAt,
  }: OfWorkload & { changesPerHour: number; freeAt: string }) =>
    say`The policy allows ${changesPerHour} ${word(changesPerHour === 1 ? 'change' : 'changes')} of ${code(workload)} in an hour. The next change is possible ${moment(freeAt)}.`,
  'change-cancelled': ({ by }: { by: string }) =>
    say`${person(by)} cancelled the change before it was sent. Nothing was changed.`,
  /** The second step of a change whose first one is made. */
  'second-step-cancelled': ({ by, pods }: { by: string; pods: readonly string[] }) =>
    say`${person(by)} cancelled step 2. Step 1 is applied, and ${names('en', pods)} ${word(pods.length === 1 ? 'was' : 'were')} not deleted.`,
  /**
   * It was not carried out for these pods; `because` is a code, `message` what the API server answered, or a
   * name.
   */
  'second-step-left': ({ pods, because, message }: Failure & { pods: readonly string[] }) =>
    sentences(
      uncertainLeft.has(because)
        ? say`Step 1 is applied. It is unknown whether step 2 deleted ${names('en', pods)}: ${leftBecause('en', because, message)}.`
        : say`Step 1 is applied. Step 2 did not delete ${names('en', pods)}: ${leftBecause('en', because, message)}.`,
      because === 'protected' ? [] : originalMessage('en', message),
    ),
  'too-late-to-cancel': ({ workload }: { workload: string }) =>
    say`The change to ${code(workload)} cannot be cancelled because it was already sent or has ended. The card shows its state.`,
  'not-a-member': ({ workload }: { workload: string }) =>
    say`Only full members of this workspace can approve changes to ${code(workload)}.`,
  /** The policy names nothing that this person may see. */
  'nothing-visible': () =>
    say`The policy does not allow you to see any workload. Guests and members of other workspaces must be named in the ${code('view')} section of the policy. Ask an administrator of Rollout Doctor.`,
  /** An assistant without a person asks for a change by its name. */
  'proposal-needs-person': () =>
    say`This assistant acts for a user group, so it cannot request a change by name. Leave the change out to propose what the diagnosis recommends.`,
  /** An assistant proposes a change where the diagnosis recommends none. */
  'nothing-to-propose': () =>
    say`The diagnosis recommends no change, so nothing was proposed. The tool ${code('diagnose_rollout')} states what was found.`,
  'channel-shared': () =>
    say`This channel is shared with another workspace, so Rollout Doctor shows no workloads here. Use a channel of this workspace only. Or ask an administrator to list this channel under ${code('channels')} in the policy with ${code('shared: true')}.`,
  'channel-unknown': () =>
    say`Slack did not report whether this channel is shared with another workspace, so Rollout Doctor shows no workloads here. Invite it with ${code('/invite @rollout-doctor')} and try again, or use another channel.`,
  /** The app may not ask Slack who reads the channel. */
  'channel-unknown-scope': () =>
    say`Rollout Doctor cannot check whether this channel is shared with another workspace, so it shows no workloads here. The Slack app lacks the scope ${code('channels:read')}, or ${code('groups:read')} for private channels. Ask an administrator to add both scopes and reinstall the app. Or ask to list this channel under ${code('channels')} in the policy with ${code('shared: true')}.`,
  'channel-not-listed': () =>
    say`The policy lists no namespace that this channel may show. Use another channel, or ask an administrator to list this channel under ${code('channels')} in the policy.`,
  /** The card of an incident may not be shown in its channel. */
  'not-shown-here': () =>
    say`The policy does not allow this channel to show the result. Use a channel that may show the namespace.`,
  /** To somebody who asks others to approve what they may approve themselves. */
  'may-approve': ({ workload }: { workload: string }) =>
    say`You can approve changes to ${code(workload)} yourself. Press Review fix on the card.`,
  /** The approvers of this fix were asked before. */
  'approval-requested': ({ by }: { by: string }) =>
    say`${person(by)} already requested this approval in the thread. Your click changed nothing.`,
  'approval-requests-full': ({ workload, max }: { workload: string; max: number }) =>
    say`Approvers of ${code(workload)} were already asked ${max} times in this incident. Your click changed nothing.`,
  /** Nobody can be on an incident that is over. */
  'incident-over': ({ workload }: { workload: string }) =>
    say`The incident of ${code(workload)} is over. Press Diagnose again to see the present state.`,
  'assignee-cannot-view': ({ workload, user }: { workload: string; user: string }) =>
    say`The policy does not allow ${person(user)} to view ${code(workload)}. Nothing was changed.`,
  /** To somebody whom another person puts on an incident, or takes it from. */
  'handed-to-you': ({ workload, by }: { workload: string; by: string }) =>
    say`${person(by)} handed the incident of ${code(workload)} over to you. The card states that you are on it.`,
  'taken-from-you': ({ workload, by }: { workload: string; by: string }) =>
    say`${person(by)} took over the incident of ${code(workload)} from you.`,
  'own-request': ({ workload }: { workload: string }) =>
    say`You requested this diagnosis of ${code(workload)}, triggered it or opened this review. The policy requires another person to approve the change.`,
  /** The policy wants the company's login, and this app has no settings for it. */
  'login-not-set-up': ({ workload }: { workload: string }) =>
    say`The policy requires approvals for ${code(workload)} to be confirmed with the company login, and ${code('LOGIN_ISSUER')} is not set. Nothing was changed. Ask an administrator of Rollout Doctor to set it.`,
  /** What says that the person logged in was not signed for this approval. */
  'login-distrusted': ({ workload }: { workload: string }) =>
    say`This login does not confirm this approval of ${code(workload)}. Nothing was changed. Press Review again.`,
  /** Nothing waits under the id of this link any more. */
  'login-link-used': () =>
    say`This link was already used or has expired. The card shows whether your approval was recorded. If it was not, press Review again.`,
  'same-person': ({ missing }: { missing: number }) =>
    say`Your approval is already recorded. ${missing} more ${word(missing === 1 ? 'person' : 'people')} must approve.`,
  'name-not-typed': ({ workload }: { workload: string }) =>
    say`To approve this change, type the name ${code(workload)}. Open the review again.`,
  'already-decided': (values: { by: string | undefined; secondsAgo: number | undefined; state: string }) =>
    sentences(
      values.by === undefined
        ? say`This change was already decided.`
        : say`${person(values.by)} already ${word(values.state === 'rejected' ? 'rejected' : 'approved')} this${values.secondsAgo === undefined ? [] : say` ${duration('en', values.secondsAgo)} ago`}.`,
      values.by !== undefined && isDecision(values.state)
        ? []
        : say`Current state: ${word(stateWords.en[values.state] ?? values.state)}.`,
      say`Your click changed nothing.`,
    ),
  /** Slack keeps its user groups from the app; `error` is its code. */
  'groups-unknown': ({
    workload,
    cluster,
    users,
    error,
  }: OfCluster & { users: readonly string[]; error: string }) =>
    sentences(
      say`Slack did not return its user groups (${code(error)}). Only people that the policy names by ID can approve changes to ${code(workload)} in cluster ${code(cluster)}.`,
      approvers('en', users, []),
    ),
  'approvers-unknown': ({ workload }: { workload: string }) =>
    say`Slack did not confirm in time that the approvers may still approve changes to ${code(workload)}. The approval has expired and nothing was changed. Press Review again.`,
  'approvers-missing': ({
    workload,
    lost,
    missing,
  }: OfWorkload & { lost: readonly string[]; missing: number }) =>
    sentences(
      say`The policy no longer accepts this approval of a change to ${code(workload)}. Nothing was changed.`,
      lost.length === 0 ? [] : say`No longer allowed to approve: ${joined('en', lost.map(person))}.`,
      say`${missing} more ${word(missing === 1 ? 'person' : 'people')} must approve. Press Review again.`,
    ),
  /** A stored record claims to be an approval and is none; `because` is a `Distrust`. */
  'approval-distrusted': ({ id, because }: { id: string; because: string }) =>
    say`The stored record ${code(id)} is not an approval that Rollout Doctor signed: ${word(distrustWords.en[because] ?? because)}. Rollout Doctor ignores it. Press Review again.`,
  'approval-expired': ({ minutes }: { minutes: number }) =>
    say`This review expired after ${minutes} minutes. Press Review again to see the current state of the cluster.`,
  /** The record of the approval of a pull request is gone. */
  'pull-request-lost': ({ workload }: { workload: string }) =>
    say`Redis lost the approval of the pull request for ${code(workload)}. Check in Git whether the pull request exists and is merged. The next diagnosis shows the state of the cluster.`,
  'approval-unknown': ({ id }: { id: string }) =>
    say`Review ${code(id)} does not exist, or you may not see it. It may have ended. Request a new diagnosis.`,
  'incident-unknown': ({ id }: { id: string }) =>
    say`Incident ${code(id)} does not exist, or you may not see it. It may have ended. Request a new diagnosis.`,
  'remediation-unknown': ({ id }: { id: string }) =>
    say`${code(id)} is no longer a fix for this incident. The card shows the current fixes.`,
  'still-looking': ({ workload }: { workload: string }) =>
    say`A diagnosis of ${code(workload)} is running. Wait until the card is updated, then review the fix there.`,
  'change-under-way': ({ workload, by }: { workload: string; by: readonly string[] }) =>
    by.length === 0
      ? say`A change to ${code(workload)} is in progress. Wait for its result on the card.`
      : say`A change to ${code(workload)}, approved by ${joined('en', by.map(person))}, is in progress. Wait for its result on the card.`,
  'workload-changed': ({ workload, known, now }: { workload: string; known: number; now: number }) =>
    say`${code(workload)} changed since this card was created (generation ${now}, was ${known}). A new diagnosis is running. See the card.`,
  'workload-replaced': ({ workload }: { workload: string }) =>
    say`${code(workload)} was deleted and created again since this card was created. A new diagnosis is running. See the card.`,
  'workload-gone': ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`${code(workload)} no longer exists in cluster ${code(cluster)}. If another workload replaced it, diagnose that one.`,
  /** What was read for the card could not be read when the plan was made again. */
  'read-in-part': ({ workload, cluster, kinds }: OfCluster & { kinds: readonly string[] }) =>
    say`Objects of these kinds in cluster ${code(cluster)} could not be read this time: ${names('en', kinds)}. Without them, the change to ${code(workload)} cannot be checked. Nothing was changed. Press Review again.`,
  'finding-gone': ({ workload }: { workload: string }) =>
    say`The cause is no longer found for ${code(workload)}. A new diagnosis is running. See the card.`,
  'plan-changed': ({ workload }: { workload: string }) =>
    say`The effect of this change on ${code(workload)} differs from what you reviewed. Nothing was changed. A new diagnosis is running. See the card.`,
  'nothing-to-undo': ({ workload }: { workload: string }) =>
    say`No change to ${code(workload)} can be undone.`,
  'undo-key-removed': ({ workload }: { workload: string }) =>
    say`The change to ${code(workload)} cannot be undone here: its approval is signed with a key that is not in ${code('APPROVAL_KEYS')}. Nothing was changed. Undo it with ${code('kubectl')}, or have the key added again.`,
  'change-overtaken': ({ workload }: { workload: string }) =>
    say`This change to ${code(workload)} was undone or replaced by a later change. The card shows the current state.`,
  'dry-run-refused': ({ workload, because, message }: OfWorkload & Failure) =>
    sentences(
      say`The API server rejected this change to ${code(workload)} in a dry run (${word(refusedWords.en[because] ?? because)}). Nothing was changed.`,
      originalMessage('en', message),
    ),
  /** The served version of a custom resource lacks these fields, separated by commas. */
  'dry-run-dropped': ({ object, fields }: { object: string; fields: string }) =>
    say`The API server dropped ${code(fields)} from ${code(object)} in a dry run: the version that this cluster serves has no such field. Nothing was changed. Update the controller of this kind, or choose another fix.`,
  /** The API server gave no usable answer to a dry run; `because` is an `UnseenReason`. */
  'dry-run-unknown': ({ workload, cluster, because, message }: OfCluster & Failure) =>
    sentences(
      say`The API server of cluster ${code(cluster)} did not return a usable result for a dry run of this change to ${code(workload)}: ${word(unreadableWords.en[because] ?? because)}. Nothing was changed. Press Review again.`,
      originalMessage('en', message),
    ),
  /** No signed record says that the API server accepted the plan. */
  'dry-run-missing': ({ workload }: { workload: string }) =>
    say`This change to ${code(workload)} has no signed record of an accepted dry run, so it cannot be applied. Nothing was changed. Press Review again.`,
  /** Slack could not say whether the people who reviewed a plan may do so. */
  'reviewers-unknown': ({ workload }: { workload: string }) =>
    say`Slack did not confirm that the reviewers of this change to ${code(workload)} may approve it, so no dry run was made. Nothing was changed. Press Review again.`,
  'apply-refused': ({ workload, because, message }: { workload: string; because: string; message: string }) =>
    sentences(
      say`The API server rejected the change to ${code(workload)} (${word(refusedWords.en[because] ?? because)}). Nothing was changed.`,
      originalMessage('en', message),
    ),
  /** The cluster has no running worker that may change it. */
  'cluster-name-shared': ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`Workers of two different clusters run with ${code(`CLUSTER_NAME=${cluster}`)}, so changes to ${code(workload)} cannot be reviewed or approved. Nothing was changed. Give one of the clusters another name.`,
  'no-remediation-worker': ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`No remediation worker of cluster ${code(cluster)} is running, so changes to ${code(workload)} cannot be reviewed or approved. Nothing was changed.`,
  /** Whether a worker of the cluster carried out a review or a decision is unknown. */
  'worker-did-not-answer': ({ workload, cluster, seconds }: OfCluster & { seconds: number }) =>
    say`The remediation worker of cluster ${code(cluster)} did not answer within ${duration('en', seconds)}. The card of ${code(workload)} shows whether a decision counted.`,
  /** The answer is not signed with a key of this process. */
  'worker-answer-distrusted': ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`The answer about ${code(workload)} is not signed with a key of this app, so it is not used. The app and the remediation worker of cluster ${code(cluster)} need the same ${code('APPROVAL_KEYS')}.`,
  unreadable: ({ workload, cluster, because, message }: OfCluster & Failure) =>
    sentences(
      say`${code(workload)} in cluster ${code(cluster)} could not be read: ${word(unreadableWords.en[because] ?? because)}.`,
      originalMessage('en', message),
    ),
  /** It cannot be told whether the API server made the change. */
  'change-unknown': ({ workload, cluster, because, message }: OfCluster & Failure) =>
    sentences(
      say`It is unknown whether ${code(workload)} in cluster ${code(cluster)} was changed: ${word(unreadableWords.en[because] ?? because)}. The next diagnosis shows the actual state.`,
      originalMessage('en', message),
    ),
  /** Slack does not take the card in the channel; `error` is its code. */
  'card-refused': ({ workload, error }: { workload: string; error: string }) =>
    say`Slack refused the card of ${code(workload)} in that conversation: ${code(error)}. Use a channel that has this app, or invite it with ${code('/invite @rollout-doctor')}.`,
  /** `code` is that of Redis, such as `OOM`. */
  'redis-refuses-writes': ({ code: found }: { code: string }) =>
    say`Redis accepts no writes (${code(found)}${word(redisWords.en[found] ?? '')}), so it cannot record your request now. Nothing was changed in the cluster. Ask the people who run Rollout Doctor to mend Redis, then try again.`,
  /** The user of the connection may not run the command, which may read or write. */
  'redis-denies-command': () =>
    say`Redis denies a command to the user of Rollout Doctor (${code('NOPERM')}), so your request cannot be handled now. Nothing was changed in the cluster. Ask the people who run Rollout Doctor to correct the rights of that user, then try again.`,
  'cannot-queue': ({ workload }: { workload: string }) =>
    say`The diagnosis of ${code(workload)} could not be queued because Redis does not answer. Try again in a minute.`,
  'failed-inside': ({ reference }: { reference: string }) =>
    say`Rollout Doctor failed with an internal error. Nothing was changed. Search the log for ${code(reference)}.`,
  /** The computation was ended: `deadline` or `memory`. */
  'diagnosis-ended': ({ workload, because, seconds }: OfWorkload & { because: string; seconds: number }) =>
    sentences(
      because === 'memory'
        ? say`The diagnosis of ${code(workload)} was stopped because it needed too much memory.`
        : say`The diagnosis of ${code(workload)} was stopped because it took longer than ${seconds} seconds.`,
      say`The workload is probably too large to compute. Check ${code('spec.replicas')} and the number of pods and nodes. Correct any wrong value, then diagnose again.`,
    ),
  /**
   * The same computation was ended a short while ago, and nothing that it depends on has changed in the
   * workload.
   */
  'diagnosis-ended-before': ({ workload, minutes }: { workload: string; minutes: number }) =>
    say`${code(workload)} was not diagnosed again: the last diagnosis was too large to compute, and the workload has not changed. Change the workload or wait ${minutes} ${word(minutes === 1 ? 'minute' : 'minutes')}, then diagnose again.`,
  'diagnosis-busy': ({ workload }: { workload: string }) =>
    say`${code(workload)} could not be diagnosed because too many other diagnoses are running. Nothing was changed. Try again in a minute.`,
  /** The process that worked on it ended without warning, several times. */
  'diagnosis-stalled': ({ workload, reference }: { workload: string; reference: string }) =>
    say`The diagnosis of ${code(workload)} was stopped because its worker ended unexpectedly more than once. Nothing was changed. Search the worker logs for ${code(reference)}, then diagnose again.`,
};
