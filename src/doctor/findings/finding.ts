import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Event } from '../../engine/objects/event.js';
import { ObjectRef } from '../../engine/objects/metadata.js';
import { type Pod, refOf } from '../../engine/objects/pod.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { Owner } from '../../engine/owners/field-drift.js';
import { NotRecommended, Remediation } from '../fixes/remediation.js';
import { CauseId, Confidence, Severity } from './cause-id.js';
import { WaitSteps } from './wait-cycle.js';

/** One observed fact: which object, which field, what it said, since when, and what that says. */
export const Evidence = z.object({
  object: ObjectRef,
  /**
   * Path as the API spells it, e.g. `status.conditions[PodScheduled]`,
   * `spec.strategy.rollingUpdate.maxSurge`.
   */
  field: z.string(),
  /** The field's value as text; foreign text, redacted by the code that shows it. */
  value: z.string(),
  /** RFC3339. */
  at: z.string().optional(),
  says: Statement,
});
export type Evidence = Immutable<z.output<typeof Evidence>>;

/** What an event reports; nothing where there is none. */
export function eventEvidence(
  event: Event | undefined,
  says: Statement,
  at = event?.lastSeen,
): readonly Evidence[] {
  if (event === undefined) return [];
  const { namespace, name } = event.metadata;
  return [{ object: { kind: 'Event', namespace, name }, field: 'message', value: event.message, at, says }];
}

/** On which node each of these pods runs. */
export function nodeEvidence(pods: readonly Pod[], says: (pod: Pod) => Statement): readonly Evidence[] {
  return pods.map((pod) => ({
    object: refOf(pod),
    field: 'spec.nodeName',
    value: pod.spec.nodeName ?? '',
    at: pod.status.startTime,
    says: says(pod),
  }));
}

/**
 * What it could have been taken for, and by what it is not. `cause` may name a look-alike outside the
 * catalogue.
 */
export const RuledOut = z.object({ cause: z.string(), because: Statement });
export type RuledOut = Immutable<z.output<typeof RuledOut>>;

/** What to do that no button does. `snippet` is ready YAML. */
export const Advice = z.object({ title: Statement, text: Statement, snippet: z.string().optional() });
export type Advice = Immutable<z.output<typeof Advice>>;

/** An object outside the workload that is to blame and may affect other workloads as well. */
export const Blamed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Node'), name: z.string() }),
  z.object({ kind: z.literal('ResourceQuota'), namespace: z.string(), name: z.string() }),
  /** A queue of Kueue. */
  z.object({ kind: z.literal('ClusterQueue'), name: z.string() }),
  /** A registry of images, by the host that image names state. */
  z.object({ kind: z.literal('Registry'), name: z.string() }),
]);
export type Blamed = Immutable<z.output<typeof Blamed>>;

/** What a rule found. Plain data: it survives JSON and says nothing in any language by itself. */
export const Finding = z.object({
  cause: CauseId,
  confidence: Confidence,
  severity: Severity,
  /** The object that suffers, usually the workload. */
  subject: ObjectRef,
  /** The one container it is about; absent where it is about pods or the workload. */
  container: z.string().optional(),
  /**
   * What is missing, in the design's words: an extended resource's name, `cpu`, `hostPort`,
   * `podAntiAffinity`, …
   */
  resource: z.string().optional(),
  nodes: z.array(z.string()),
  /** The pods or other objects that hold what is missing. */
  holders: z.array(ObjectRef),
  /** What the rule worked out, by the schema of its cause; absent in records of earlier versions. */
  facts: z.record(z.string(), z.unknown()).optional(),
  /**
   * The one object to blame; absent where the workload itself is, where it is not certain, or where several
   * are.
   */
  blames: Blamed.optional(),
  /** Who waits for what, in order; absent where nobody waits for each other. */
  waitCycle: WaitSteps.optional(),
  /** What shows the cause better than words: pods by node, of both revisions or of the newest one. */
  shows: z.enum(['pods-by-node', 'pods-by-node-and-revision']).optional(),
  /** A note that is the answer where nothing is wrong. */
  isAnswer: z.literal(true).optional(),
  /** The verdict in one whole sentence. */
  summary: Statement,
  /** What it means while nobody acts, in one sentence. */
  standing: Statement.optional(),
  /** Why that is so, step by step. */
  reasoning: z.array(Statement),
  evidence: z.array(Evidence),
  ruledOut: z.array(RuledOut),
  /** When Kubernetes tries again, and what for. */
  nextAttempt: z.object({ at: z.string().optional(), what: Statement }).optional(),
  owners: z.array(Owner),
  remediations: z.array(Remediation),
  withheld: z.array(NotRecommended),
  advice: z.array(Advice),
  /** What could not be read or simulated and weakens this finding. */
  weakenedBy: z.array(Statement),
});
export type Finding = Immutable<z.output<typeof Finding>>;

/** The fixes that a finding offers, best first, and those that it does not recommend. */
export type Fixes = Pick<Finding, 'remediations' | 'withheld'>;

/** The node to blame where there is exactly one. */
export function blamedNode(nodes: readonly string[]): { readonly blames?: Blamed } {
  const [name, ...others] = nodes;
  return name === undefined || others.length > 0 ? {} : { blames: { kind: 'Node', name } };
}

/** The quota to blame where only one is exceeded. */
export function blamedQuota(
  namespace: string,
  exceeded: readonly { readonly quota: string }[],
): { readonly blames?: Blamed } {
  const [name, ...others] = new Set(exceeded.map(({ quota }) => quota));
  return name === undefined || others.length > 0
    ? {}
    : { blames: { kind: 'ResourceQuota', namespace, name } };
}
