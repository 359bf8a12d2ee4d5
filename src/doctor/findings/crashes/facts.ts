import * as z from 'zod';
import { greatestOf, leastOf } from '../../../engine/collections/collections.js';
import { endingKinds } from '../../log-lines/ending-kinds.js';
import { fact } from '../facts.js';
import type { FailureGroup } from './failure-group.js';
import type { ProbeUse } from './probe-use.js';

/** Facts of every cause about failing pods. The container is a field of the finding. */
export const crashFacts = {
  pods: fact.names('Names of the failing pods, those that fail now first'),
  podsOfRevision: fact.count('Pods of the same revision that have a node, failing or not'),
  revision: fact.text('The label pod-template-hash or controller-revision-hash of the failing pods'),
  ongoing: fact.flag('Some of the pods fail now; false after a failure that is over'),
  reason: fact.text('The reason that Kubernetes reports for the first pod'),
  message: fact
    .text('The message that Kubernetes reports for the first pod; absent where the container wrote it')
    .optional(),
  exitCode: fact.number('Exit code of the last run of the first pod; absent where nothing ran').optional(),
  signal: fact.number('Signal that ended this run').optional(),
  restarts: fact.count('Restarts of the container, in the pod that has most'),
  shortestRunSeconds: fact.seconds('Length of the shortest last run').optional(),
  longestRunSeconds: fact.seconds('Length of the longest last run').optional(),
} as const;

/** The program that a container starts. */
export const programFacts = {
  image: fact.text('Image of the container'),
  command: fact
    .text('Command and arguments of the container; absent where those of the image run')
    .optional(),
} as const;

/** What a container may use of the memory. */
export const memoryFacts = {
  request: fact.quantity('Memory request of the container').optional(),
  qosClass: fact.text('Quality of service class of the first pod').optional(),
} as const;

/** An object that a pod needs and that does not exist, or lacks a key. */
export const missingObjectFacts = {
  kind: fact.oneOf(['ConfigMap', 'Secret'], 'Kind of the object'),
  name: fact.text('Name of the object, in the namespace of the workload'),
  key: fact.text('The key that the object lacks; absent where the object is missing').optional(),
} as const;

/** A failure that the kubelet reports on its nodes before a container starts. */
export const timesFact = fact.count('How often the failure was reported for the first pod');
export const sameFailureFact = fact.names(
  'Pods of others, as `namespace/name`, that fail the same way on these nodes',
);

/** Why a program ended, by its log. */
export const endingFact = fact
  .oneOf(endingKinds, 'What kind of reason the log names; absent where it names none that is known')
  .optional();

/** Of a program that no known signal or probe ended. */
export const CrashFacts = z.strictObject({ ...crashFacts, ending: endingFact });
export type CrashFacts = ReturnType<typeof crashFactsOf>;

export function crashFactsOf({ cause, podFailures, siblings, revision, ongoing }: FailureGroup) {
  const [{ run, reason, message }] = podFailures;
  // Messages about a hook repeat what its program wrote, as termination messages do.
  const isOwnWords = run !== undefined || cause === 'application-crash';
  const lengths = podFailures.flatMap((each) => each.run?.seconds ?? []);
  return {
    pods: podFailures.map(({ pod }) => pod.metadata.name),
    podsOfRevision: siblings.length,
    revision,
    ongoing,
    reason,
    message: isOwnWords || message === '' ? undefined : message,
    exitCode: run?.exitCode,
    signal: run?.signal,
    restarts: Math.max(0, ...podFailures.map(({ container }) => container?.status?.restartCount ?? 0)),
    shortestRunSeconds: lengths.length === 0 ? undefined : leastOf(lengths),
    longestRunSeconds: lengths.length === 0 ? undefined : greatestOf(lengths),
  };
}

/** A probe that fails, and what it asks. */
export const probeFacts = {
  probe: z
    .strictObject({
      by: fact.text('`httpGet`, `tcpSocket`, `exec` or `grpc`'),
      what: fact.text('What it asks: `GET :8080/healthz`, `:5432`, a command'),
      periodSeconds: fact.seconds('Time between two checks'),
      timeoutSeconds: fact.seconds('Time that an answer may take'),
      failureThreshold: fact.count('Failures in a row after which it has failed'),
      initialDelaySeconds: fact.seconds('Its first check after the start of the container'),
    })
    .describe('The probe that fails'),
  answer: fact.text('What the kubelet reports of the last check').optional(),
  answerTimes: fact.count('How often it reported this').optional(),
  declaredPorts: fact
    .names('Ports that the container declares, where the probe asks none of them')
    .optional(),
} as const;

export function probeFactsOf({ probe, target, answer, declaredInstead }: ProbeUse) {
  const { initialDelaySeconds, periodSeconds, timeoutSeconds, failureThreshold } = probe;
  const { by, what } = target;
  return {
    probe: { by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds },
    answer: answer?.message,
    answerTimes: answer?.times,
    declaredPorts: declaredInstead,
  };
}

/** Of both causes about a probe whose failure makes the kubelet kill the container. */
export const ProbeKillFacts = z.strictObject({
  ...crashFacts,
  ...probeFacts,
  earliestKillSeconds: fact.seconds('The earliest end of a run that the probe allows'),
  graceSeconds: fact.seconds('Time between SIGTERM and SIGKILL'),
  cpuCut: z
    .strictObject({
      limit: fact.quantity('The CPU limit now'),
      before: fact.quantity('CPU limit of that revision; absent where it had none').optional(),
      revision: fact.count('Number of the former revision'),
    })
    .describe('The present revision lowered the CPU limit')
    .optional(),
});
