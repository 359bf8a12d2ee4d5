import * as z from 'zod';
import { Plan } from '../../doctor/fixes/plan.js';
import { Remediation } from '../../doctor/fixes/remediation.js';
import { GitTarget } from '../../doctor/git-edits/git-target.js';
import { Approval, DryRun } from '../../doctor/incidents/approval.js';
import { originShape } from '../../doctor/incidents/change-origin.js';
import { Incident } from '../../doctor/incidents/incident.js';
import { Statement } from '../../engine/language/statement.js';

const people = z.array(z.string());

const ReadablePlan = z.object({
  incident: Incident,
  remediationId: z.string(),
  approvers: z.object({ users: people, groups: people }),
  proposal: z.object({
    remediation: Remediation,
    plan: Plan,
    undoes: z.boolean(),
    ...originShape,
    gitTarget: GitTarget.optional(),
  }),
  warnings: z.array(Statement),
});

const Refused = z.object({
  type: z.literal('refused'),
  because: Statement,
  byHand: z.string().exactOptional(),
  readable: ReadablePlan.exactOptional(),
});

/** What a remediation worker answers to a person's wish to review a fix. */
export const ReviewAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('review'),
    incident: Incident,
    approval: Approval,
    dryRun: z.union([
      DryRun,
      z.object({ type: z.literal('asked'), ask: z.number() }),
      z.object({ type: z.literal('unanswered'), seconds: z.number() }),
    ]),
    demands: z.object({
      approvers: z.number(),
      notRequester: z.boolean(),
      typeName: z.boolean(),
      login: z.boolean(),
    }),
    warnings: z.array(Statement).exactOptional(),
    mayDecide: z.boolean(),
  }),
  Refused,
]);

/** What a remediation worker answers to a person's decision. */
export const DecisionAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approved'), incident: Incident, approval: Approval }),
  z.object({ type: z.literal('login'), approval: Approval }),
  z.object({ type: z.literal('awaiting'), approval: Approval, missing: z.number() }),
  z.object({ type: z.literal('rejected'), approval: Approval }),
  Refused,
]);
