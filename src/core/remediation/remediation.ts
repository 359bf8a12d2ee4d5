import { z } from 'zod';
import { ObjectRef } from '../cluster/metadata.js';
import type { Immutable } from '../cluster/wire.js';
import { Statement } from '../language/statement.js';
import { TemplateSource } from './plan.js';

export const remediationKinds = [
  'patch-strategy',
  'scale-down-old',
  'undo-rollout',
  'delete-pod',
  'exclude-nodes',
  'restart-rollout',
  'resume-rollout',
] as const;
export const RemediationKind = z.enum(remediationKinds);
export type RemediationKind = z.output<typeof RemediationKind>;

/** What a remediation costs, shown before anyone may approve it. */
export const Price = z.object({
  downtime: z.object({
    /** `gap`: a time with no ready pod. `reduced`: fewer ready pods than wanted, never none. */
    kind: z.enum(['none', 'reduced', 'gap']),
    /** Estimated length; absent when nothing observed allows an estimate. */
    seconds: z.number().optional(),
    /** Fewest ready pods on the way, of `replicas` wanted. */
    readyAtLeast: z.number().optional(),
    replicas: z.number().optional(),
  }),
  /** Where the cluster then differs from what Git or an owner declares. */
  drift: z.enum(['none', 'strategy', 'template', 'replicas']),
  blastRadius: z.object({
    /** Pods that are stopped. */
    pods: z.number(),
    /** Other workloads that may be touched, by name. */
    others: z.array(ObjectRef),
  }),
});
export type Price = Immutable<z.output<typeof Price>>;

/** What the engines say will happen; compared afterwards with what did. */
export const Prediction = z.object({
  /** Pods the controller would delete, first ones first. */
  victims: z.array(ObjectRef),
  /** Pods it may begin with in place of the first victim, since no rule tells them apart; absent when it is certain. */
  orElse: z.array(ObjectRef).optional(),
  /** Where the waiting pods would then be placed. */
  placements: z.array(z.object({ pod: ObjectRef, node: z.string() })),
  /** `contested`: it completes unless the competitors get what becomes free. */
  ends: z.enum(['complete', 'progressing', 'contested', 'stuck', 'unknown']),
  /** Waiting pods of others that could take what becomes free, in the order of the scheduling queue. */
  competitors: z.array(ObjectRef),
});
export type Prediction = Immutable<z.output<typeof Prediction>>;

const offered = {
  /** Stable within an incident: kind and arguments. Travels in button values. */
  id: z.string(),
  /** What it does, in a few words. */
  title: Statement,
  /** What will happen, step by step. */
  effects: z.array(Statement),
  price: Price,
  prediction: Prediction,
};

export const Remediation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('patch-strategy'),
    ...offered,
    strategy: z.union([
      z.object({
        type: z.literal('RollingUpdate'),
        maxSurge: z.union([z.number(), z.string()]),
        maxUnavailable: z.union([z.number(), z.string()]),
      }),
      z.object({ type: z.literal('Recreate') }),
    ]),
  }),
  z.object({
    kind: z.literal('scale-down-old'),
    ...offered,
    replicaSet: z.string(),
    uid: z.string(),
    from: z.number(),
    to: z.number(),
  }),
  z.object({
    kind: z.literal('undo-rollout'),
    ...offered,
    toRevision: z.number(),
    /** Keeps the template to go back to. */
    from: TemplateSource,
    /** Pods that an OrderedReady StatefulSet does not replace by itself: the second step of the plan deletes them. */
    thenDelete: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('delete-pod'),
    ...offered,
    pod: z.string(),
    uid: z.string(),
    /** `experiment`: what becomes of its replacement decides between two causes. */
    purpose: z.enum(['experiment', 'unstick']),
    /** Seconds the replacement must stay ready to count as recovered: beyond the time it took to crash. */
    mustStayReadySeconds: z.number(),
  }),
  z.object({
    kind: z.literal('exclude-nodes'),
    ...offered,
    nodes: z.array(z.object({ name: z.string(), hostname: z.string() })),
    remindAfterHours: z.number(),
  }),
  z.object({ kind: z.literal('restart-rollout'), ...offered }),
  z.object({ kind: z.literal('resume-rollout'), ...offered }),
]);
export type Remediation = Immutable<z.output<typeof Remediation>>;
export type RemediationOf<Kind extends RemediationKind> = Extract<Remediation, { readonly kind: Kind }>;

/** Whether its purpose is to decide between two causes rather than to end the incident. */
export function isExperiment(remediation: Remediation): boolean {
  return remediation.kind === 'delete-pod' && remediation.purpose === 'experiment';
}

/** Whether no undo exists for it: a stopped pod does not come back, and removing a restart's annotation restarts again. */
export function isIrreversible(remediation: Remediation): boolean {
  switch (remediation.kind) {
    case 'scale-down-old':
    case 'delete-pod':
    case 'restart-rollout':
      return true;
    case 'undo-rollout':
    case 'patch-strategy':
    case 'exclude-nodes':
    case 'resume-rollout':
      return false;
  }
}

/** A remediation that people would reach for and that must not be offered here, with the reason. */
export const Withheld = z.object({ kind: RemediationKind, because: Statement });
export type Withheld = Immutable<z.output<typeof Withheld>>;
