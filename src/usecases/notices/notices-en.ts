import type { Catalogue } from '../../core/language/catalogue.js';
import { code, moment, person, quote, say, sentences, word } from '../../core/language/prose.js';
import { duration, joined, names } from '../../core/language/words.js';
import type { NoticeShapes } from './notices.js';
import {
  approvers,
  distrustWords,
  leftBecause,
  refusedWords,
  said,
  stateWords,
  uncertainLeft,
  unreadableWords,
} from './notices-words.js';

/** What use cases tell people, in English. */
export const noticesEn: Catalogue<NoticeShapes>['en'] = {
  'not-authorised': ({ workload, cluster, users, groups }) =>
    sentences(
      say`You can look at ${code(workload)}, but not approve changes to it in ${code(cluster)}.`,
      approvers('en', users, groups),
    ),
  'may-not-silence': ({ workload, cluster, users, groups }) =>
    sentences(
      say`The policy does not allow you to change silences of ${code(workload)} in ${code(cluster)}.`,
      approvers('en', users, groups),
    ),
  'may-not-stop-changes': ({ users, groups }) =>
    sentences(
      say`The policy does not allow you to stop changes or to allow them again.`,
      approvers('en', users, groups),
    ),
  'changes-stopped': ({ reason, by, at }) =>
    by === undefined || at === undefined
      ? say`The policy stops all changes: ${quote(reason)}.`
      : say`${person(by)} stopped all changes on ${moment(at)}: ${quote(reason)}.`,
  'changes-frozen': ({ workload, reason, until }) =>
    say`Changes to ${code(workload)} are frozen until ${moment(until)}: ${quote(reason)}.`,
  'too-many-changes': ({ workload, changesPerHour, freeAt }) =>
    say`The policy allows ${changesPerHour} ${word(changesPerHour === 1 ? 'change' : 'changes')} of ${code(workload)} in an hour. The next change is possible at ${moment(freeAt)}.`,
  'change-cancelled': ({ by }) =>
    say`${person(by)} cancelled the change before it was sent. Nothing was changed.`,
  'second-step-cancelled': ({ by, pods }) =>
    say`${person(by)} cancelled step 2. Step 1 is made, and ${names('en', pods)} ${word(pods.length === 1 ? 'was' : 'were')} not deleted.`,
  'second-step-left': ({ pods, because, message }) =>
    sentences(
      uncertainLeft.has(because)
        ? say`Step 1 is made. It is not known whether step 2 deleted ${names('en', pods)}: ${leftBecause('en', because, message)}.`
        : say`Step 1 is made. Step 2 did not delete ${names('en', pods)}: ${leftBecause('en', because, message)}.`,
      because === 'protected' ? [] : said('en', message),
    ),
  'too-late-to-cancel': ({ workload }) =>
    say`The change to ${code(workload)} cannot be cancelled: it has been sent, or it has ended. The card shows its state.`,
  'not-a-member': ({ workload }) =>
    say`Only full members of this workspace can approve changes to ${code(workload)}.`,
  'nothing-visible': () =>
    say`You may not see any workload with Rollout Doctor. Full members of this workspace see what the policy allows them; a guest or a person of another workspace has to be named in the ${code('view')} section of the policy. Ask an administrator of Rollout Doctor.`,
  'channel-shared': () =>
    say`This channel is shared with another workspace, so I show no workloads here. Ask in a channel that only this workspace reads, or ask an administrator of Rollout Doctor to list this channel under ${code('channels')} in the policy with ${code('shared: true')}.`,
  'channel-unknown': () =>
    say`Slack did not report whether this channel is shared with another workspace, so I show no workloads here. Invite me with ${code('/invite @rollout-doctor')} and ask again, or ask in another channel.`,
  'channel-unknown-scope': () =>
    say`I cannot check whether this channel is shared with another workspace, so I show no workloads here. My Slack app lacks the scope ${code('channels:read')}, or ${code('groups:read')} for private channels. An administrator adds both scopes and reinstalls the app, or lists this channel under ${code('channels')} in the policy with ${code('shared: true')}.`,
  'channel-not-listed': () =>
    say`The policy lists no namespace that this channel may show. Ask in another channel, or ask an administrator of Rollout Doctor to list this channel under ${code('channels')} in the policy.`,
  'not-shown-here': () =>
    say`The policy does not allow this channel to show the result. Ask in a channel that may show the namespace.`,
  'own-request': ({ workload }) =>
    say`You asked for this diagnosis of ${code(workload)}, triggered it or opened this review. The policy wants another person to approve the change.`,
  'same-person': ({ missing }) =>
    say`Your approval is already counted. ${missing} more ${word(missing === 1 ? 'person has' : 'people have')} to approve.`,
  'name-not-typed': ({ workload }) =>
    say`Here an approval counts only with the name typed: ${code(workload)}. Open the review again.`,
  'already-decided': ({ by, secondsAgo, state }) =>
    sentences(
      by === undefined
        ? say`This was decided before.`
        : say`${person(by)} decided this ${secondsAgo === undefined ? word('before you') : [...duration('en', secondsAgo), word(' before you')]}.`,
      say`It is ${word(stateWords.en[state] ?? state)}. Nothing was done twice.`,
    ),
  'groups-unknown': ({ workload, cluster, users, error }) =>
    sentences(
      say`Slack does not show its user groups (${code(error)}). Only people whom the policy names by id can approve changes to ${code(workload)} in ${code(cluster)}.`,
      approvers('en', users, []),
    ),
  'approvers-unknown': ({ workload }) =>
    say`Slack did not confirm in time that the approvers may still approve changes to ${code(workload)}. The approval has expired and nothing was changed. Press Review again.`,
  'approvers-missing': ({ workload, lost, missing }) =>
    sentences(
      say`The policy does not accept this approval of a change to ${code(workload)} any more. Nothing was changed.`,
      lost.length === 0 ? [] : say`Without the right to approve now: ${joined('en', lost.map(person))}.`,
      say`${missing} more ${word(missing === 1 ? 'person has' : 'people have')} to approve. Press Review again.`,
    ),
  'approval-distrusted': ({ id, because }) =>
    say`The stored record ${code(id)} is not an approval that Rollout Doctor signed: ${word(distrustWords.en[because] ?? because)}. Rollout Doctor does not act on it. Press Review again.`,
  'approval-expired': ({ minutes }) =>
    say`This review is older than ${minutes} minutes and no longer counts. Press Review again to see the cluster as it is now.`,
  'approval-unknown': ({ id }) =>
    say`There is no review ${code(id)} that you may see. It may have ended: ask for the diagnosis again.`,
  'incident-unknown': ({ id }) =>
    say`There is no incident ${code(id)} that you may see. It may have ended: ask for the diagnosis again.`,
  'remediation-unknown': ({ id }) =>
    say`${code(id)} is not offered for this incident any more. The card shows what is.`,
  'still-looking': ({ workload }) =>
    say`${code(workload)} is being looked at right now. The card changes in a moment; review from there.`,
  'change-under-way': ({ workload, by }) =>
    by.length === 0
      ? say`A change to ${code(workload)} is under way. Wait for its verdict on the card.`
      : say`A change to ${code(workload)}, approved by ${joined('en', by.map(person))}, is under way. Wait for its verdict on the card.`,
  'workload-changed': ({ workload, known, now }) =>
    say`${code(workload)} was changed since this card was made (generation ${now}, the card knows ${known}). I am looking again; see the card.`,
  'workload-replaced': ({ workload }) =>
    say`${code(workload)} was deleted and created again since this card was made. I am looking again; see the card.`,
  'workload-gone': ({ workload, cluster }) =>
    say`${code(workload)} does not exist in ${code(cluster)} any more.`,
  'finding-gone': ({ workload }) =>
    say`The cause is no longer there: ${code(workload)} has moved on by itself. I am looking again; see the card.`,
  'plan-changed': ({ workload }) =>
    say`What this change would do to ${code(workload)} is no longer what you reviewed. Nothing was changed. I am looking again; see the card.`,
  'nothing-to-undo': ({ workload }) => say`There is no change to ${code(workload)} that could be put back.`,
  'change-overtaken': ({ workload }) =>
    say`This change to ${code(workload)} was put back or followed by another one since. The card says how it stands now.`,
  'dry-run-refused': ({ workload, because, message }) =>
    sentences(
      say`The API server would not take this change to ${code(workload)} (${word(refusedWords.en[because] ?? because)}). Nothing was changed.`,
      said('en', message),
    ),
  'dry-run-unknown': ({ workload, cluster, because, message }) =>
    sentences(
      say`The API server of ${code(cluster)} gave no usable answer to a dry run of this change to ${code(workload)}: ${word(unreadableWords.en[because] ?? because)}. Nothing was changed. Press Review again.`,
      said('en', message),
    ),
  'dry-run-missing': ({ workload }) =>
    say`The API server has not accepted this change to ${code(workload)} in a dry run that Rollout Doctor signed, so the change cannot be applied. Nothing was changed. Press Review again.`,
  'reviewers-unknown': ({ workload }) =>
    say`Slack did not confirm that the people who review this change to ${code(workload)} may approve it, so the API server was not asked. Nothing was changed. Press Review again.`,
  'apply-refused': ({ workload, because, message }) =>
    sentences(
      say`The API server did not take the change to ${code(workload)} (${word(refusedWords.en[because] ?? because)}). Nothing was changed.`,
      said('en', message),
    ),
  unreadable: ({ workload, cluster, because, message }) =>
    sentences(
      say`I could not look at ${code(workload)} in ${code(cluster)}: ${word(unreadableWords.en[because] ?? because)}.`,
      said('en', message),
    ),
  'change-unknown': ({ workload, cluster, because, message }) =>
    sentences(
      say`I do not know whether ${code(workload)} in ${code(cluster)} was changed: ${word(unreadableWords.en[because] ?? because)}. The next look shows what is there.`,
      said('en', message),
    ),
  'card-refused': ({ workload, error }) =>
    say`I could not show the card of ${code(workload)} where you asked: Slack answered ${code(error)}. Ask again in a channel that I am in, or invite me with ${code('/invite @rollout-doctor')}.`,
  'cannot-queue': ({ workload }) =>
    say`I could not take up ${code(workload)}: my queue (Redis) does not answer. Ask again in a minute.`,
  'failed-inside': ({ reference }) =>
    say`Something failed inside Rollout Doctor, and nothing was changed. The log has it under ${code(reference)}.`,
  'diagnosis-ended': ({ workload, because, seconds }) =>
    sentences(
      because === 'memory'
        ? say`I ended the diagnosis of ${code(workload)} because it needed too much memory.`
        : say`I ended the diagnosis of ${code(workload)} after ${seconds} seconds because it took too long.`,
      say`The workload is probably too large to compute. Check ${code('spec.replicas')} and the number of pods and nodes, correct a wrong value, and then diagnose again.`,
    ),
  'diagnosis-ended-before': ({ workload, minutes }) =>
    say`I did not diagnose ${code(workload)} again: the last diagnosis was too large to compute, and the workload has not changed since. Change the workload, or wait ${minutes} ${word(minutes === 1 ? 'minute' : 'minutes')}, and then diagnose again.`,
  'diagnosis-busy': ({ workload }) =>
    say`I could not compute ${code(workload)} because too many other diagnoses are running. Nothing was changed. Try again in a minute.`,
  'diagnosis-stalled': ({ workload, reference }) =>
    say`I stopped the diagnosis of ${code(workload)} because the worker that ran it ended unexpectedly more than once. Nothing was changed. Search the worker logs for ${code(reference)}, and then diagnose again.`,
};
