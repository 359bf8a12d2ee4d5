import { compareText } from '../../../engine/collections/collections.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say } from '../../../engine/language/prose.js';
import { parseSchedulerMessage } from '../../../engine/messages/parse-scheduler-message.js';
import type { MessageReasonId, SchedulerMessage } from '../../../engine/messages/scheduler-message.js';
import type { OwnedPods } from '../../../engine/neighbours/owned-pods.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import type { Evaluation } from '../../../engine/scheduler/evaluation.js';
import type { RuledOut } from '../finding.js';
import type { HolderValue } from './facts.js';
import { waiting } from './text.js';

/** What the scheduler wrote into the pod's PodScheduled condition: evidence, and a check on the engine. */
export type Sentence = { readonly text: string; readonly message: SchedulerMessage };

/** `undefined` where the condition has no text. */
export function sentenceOf(pod: Pod): Sentence | undefined {
  const text = conditionOf(pod.status, 'PodScheduled')?.message ?? '';
  return text === '' ? undefined : { text, message: parseSchedulerMessage(text) };
}

/**
 * False when the scheduler names other kinds of reasons than the engine, or counts nodes that we did not see.
 * Counts may differ: each version orders its plugins a little differently, and nodes come and go between two
 * attempts.
 */
export function agrees(sentence: Sentence | undefined, evaluation: Evaluation): boolean {
  if (sentence === undefined) return true;
  const { nodes } = sentence.message;
  if (nodes !== undefined && nodes > evaluation.nodes.length) return false;
  const theirs = idsIn(sentence.message);
  const ours = evaluation.message();
  if (ours === undefined || theirs.has('unknown')) return true;
  const told = idsIn(parseSchedulerMessage(ours));
  return theirs.size === told.size && [...theirs].every((id) => told.has(id));
}

/**
 * A node left out by PreFilter is one that node affinity refuses (since 1.32 in words of their own). What
 * other plugins and schedulers refuse for, the engine does not simulate.
 */
export function idsIn({ reasons }: SchedulerMessage): ReadonlySet<MessageReasonId> {
  return new Set(
    reasons.map(({ reason, detail }) =>
      reason !== 'plugin' ? reason : detail === 'NodeAffinity' ? 'node-affinity' : 'unknown',
    ),
  );
}

/** Gates that were not recorded are ruled out only by the scheduler's own words: it tries no gated pod. */
export function gatesRuledOut(snapshot: Snapshot, pod: Pod): readonly RuledOut[] {
  const cause = 'scheduling-gated';
  if (!isUnrecorded(snapshot, 'Pod', 'spec.schedulingGates')) {
    return [{ cause, because: waiting('because-no-gates') }];
  }
  return sentenceOf(pod) === undefined ? [] : [{ cause, because: waiting('because-tried') }];
}

/** A holder as plain data of a statement. */
export function holderValue({ owner, pods, priority }: OwnedPods): HolderValue {
  return {
    kind: owner.kind,
    workload: `${owner.namespace}/${owner.name}`,
    priority,
    pods: pods.map(({ metadata }) => metadata.name),
    nodes: [...new Set(pods.map(({ spec }) => spec.nodeName ?? ''))].sort(compareText),
  };
}

/**
 * What is held or missing, as a thing: `nvidia.com/gpu` is a name, `podAntiAffinity` is none that people use.
 */
export function resourceWords(language: Language, resource: string): Prose {
  const words = Object.hasOwn(special[language], resource) ? special[language][resource] : undefined;
  return words ?? say`${code(resource)}`;
}

const special: { readonly [Each in Language]: Readonly<Record<string, Prose>> } = {
  en: {
    pods: say`pod slots`,
    hostPort: say`a host port`,
    ReadWriteOncePod: say`a volume claim`,
    csiVolumeLimit: say`volume attachments`,
    podAntiAffinity: say`a node that its anti-affinity allows`,
    topologySpread: say`a node that its topology spread allows`,
    deviceClaim: say`a device`,
  },
  ko: {
    pods: say`파드 슬롯`,
    hostPort: say`호스트 포트`,
    ReadWriteOncePod: say`볼륨 클레임`,
    csiVolumeLimit: say`볼륨 연결`,
    podAntiAffinity: say`안티어피니티가 허용하는 노드`,
    topologySpread: say`분산 제약이 허용하는 노드`,
    deviceClaim: say`장치`,
  },
};

/** Reasons that are quoted, and characters of each; the rest stays in the evidence. */
const maxReasons = 5;
const maxCharacters = 300;

/**
 * What a scheduler writes of a pod beyond the reasons that kube-scheduler itself gives: the words of other
 * plugins, of extenders and of other schedulers, and an error of the scheduler itself. Bounded; empty where
 * there is nothing.
 */
export function pluginWords(pod: Pod): readonly string[] {
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason === 'SchedulingGated') return [];
  const sentence = sentenceOf(pod);
  if (sentence === undefined) return [];
  if (scheduled.reason !== 'Unschedulable') return [bounded(sentence.text)];
  const words = sentence.message.reasons.flatMap(({ reason, detail, text }) =>
    reason === 'unknown' || (reason === 'plugin' && detail !== 'NodeAffinity') ? [bounded(text)] : [],
  );
  return [...new Set(words)].filter((text) => text !== '').slice(0, maxReasons);
}

function bounded(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`;
}
