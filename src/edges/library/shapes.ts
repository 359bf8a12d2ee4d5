import * as z from 'zod';
import { Confidence, Severity } from '../../doctor/findings/cause-id.js';
import { Blamed } from '../../doctor/findings/finding.js';
import { WaitSteps } from '../../doctor/findings/wait-cycle.js';
import { Impact, Prediction } from '../../doctor/fixes/offered-fields.js';
import { SchedulerMessage } from '../../engine/messages/scheduler-message.js';
import { SnapshotAge } from '../../engine/objects/snapshot.js';
import { WorkloadKind, WorkloadRef } from '../../engine/objects/workload.js';
import { FieldDrift, Owner } from '../../engine/owners/field-drift.js';

/**
 * The answers of the command line in `rollout-doctor/v1`, as the npm package types them and the MCP server
 * declares them. Every recorded incident is compared with them in a test.
 */
const apiVersion = z.literal('rollout-doctor/v1');
const sentence = z.string().describe('A sentence in the language that was asked for');
const time = z.string().describe('RFC 3339');
const ref = z.object({
  kind: z.string(),
  namespace: z.string().describe('Empty for the cluster'),
  name: z.string(),
});

const Remediation = z.object({
  kind: z.string().describe('The kind of the change, such as patch-strategy'),
  id: z.string().describe('Stable for the same kind and arguments'),
  summary: sentence,
  effects: z.array(sentence).describe('What will happen, step by step'),
  price: z
    .object({
      downtime: z.string(),
      downtimeSeconds: z.number().optional().describe('Absent where nothing allows an estimate'),
      drift: Impact.shape.drift,
      blastRadius: Impact.shape.blastRadius,
      inFull: z.array(z.string()),
    })
    .describe('What the change costs'),
  prediction: Prediction.describe('What the engines predict'),
  recommended: z.boolean().describe('False where an owner reverts the change before it can help'),
  survival: FieldDrift.optional().describe('The field of the change that lasts shortest'),
  patch: z.record(z.string(), z.unknown()).describe('The arguments of the kind'),
  kubectl: z.array(z.string()).optional().describe('Commands that make the same change'),
});

const Finding = z.object({
  cause: z.string().describe('The id of the cause, such as surge-deadlock'),
  confidence: Confidence,
  severity: Severity,
  summary: sentence,
  standing: sentence.optional().describe('What it means while nobody acts'),
  subject: ref,
  resource: z.string().optional().describe('What is missing'),
  nodes: z.array(z.string()),
  holders: z.array(ref).describe('The objects that hold what is missing'),
  blames: Blamed.optional().describe('The one object to blame'),
  waitCycle: WaitSteps.optional().describe('Who waits for what; the last party waits for the first'),
  facts: z.record(z.string(), z.unknown()).optional().describe('What the rule worked out, by cause'),
  owner: Owner.optional(),
  owners: z.array(Owner).optional().describe('Who else writes the workload'),
  evidence: z.array(
    ref.extend({ field: z.string(), value: z.string(), at: time.optional(), says: sentence }),
  ),
  reasoning: z.array(sentence),
  ruledOut: z.array(z.object({ cause: z.string(), because: sentence })),
  nextAttempt: z
    .object({ at: time.optional(), what: sentence })
    .optional()
    .describe('When Kubernetes tries again'),
  remediations: z.array(Remediation),
  withheld: z.array(z.object({ kind: z.string(), because: sentence })).describe('Fixes that would not help'),
  advice: z.array(z.object({ title: sentence, text: sentence, snippet: z.string().optional() })),
  weakenedBy: z.array(sentence).optional().describe('What could not be read or simulated'),
});

export const DiagnosisAnswer = z
  .object({
    apiVersion,
    kind: z.literal('Diagnosis'),
    takenAt: time,
    durations: z
      .literal('at-least')
      .optional()
      .describe('All durations are lower bounds: a recording states no time'),
    workload: WorkloadRef.extend({ uid: z.string(), revision: z.string() }),
    ownedBy: z
      .object({ kind: z.string(), name: z.string() })
      .optional()
      .describe('The object that people own and name in place of the workload'),
    ready: z.object({ pods: z.number(), wanted: z.number(), old: z.number().optional() }),
    conclusion: z
      .enum(['found', 'nothing', 'unread', 'unexplained', 'in-part', 'unchecked'])
      .describe('`nothing` alone means that no problem was found; the last four leave the question open'),
    completion: z
      .enum(['complete', 'moving', 'stopped'])
      .optional()
      .describe('With all pods, on the way, or neither'),
    missing: z
      .array(
        z.object({
          what: z.string(),
          because: z.string(),
          causes: z.array(z.string()),
          command: z.string().optional(),
        }),
      )
      .optional()
      .describe('What leaves the question open, and the command that shows it'),
    findings: z.array(Finding).describe('Worst first'),
    unseen: z
      .array(z.object({ what: z.string(), because: z.string(), weakens: z.array(z.string()) }))
      .describe('What could not be read, and which causes could not be determined for that reason'),
    age: SnapshotAge.optional().describe('How new the objects were; absent for recorded objects'),
    workSpent: z.literal(true).optional().describe('The diagnosis reached its limit of work'),
    defects: z.array(z.object({ cause: z.string(), message: z.string() })).optional(),
  })
  .describe('Why one workload is stuck');
export type DiagnosisAnswer = z.output<typeof DiagnosisAnswer>;

export const DiagnosisListAnswer = z
  .object({ apiVersion, kind: z.literal('DiagnosisList'), items: z.array(DiagnosisAnswer) })
  .describe('Every workload, worst first');
export type DiagnosisListAnswer = z.output<typeof DiagnosisListAnswer>;

const Downtime = z.object({
  kind: Impact.shape.downtime.shape.kind,
  readyMin: z.number(),
  ofReplicas: z.number(),
  seconds: z.number().optional(),
  ends: z.boolean(),
});

export const RolloutCheckListAnswer = z
  .object({
    apiVersion,
    kind: z.literal('RolloutCheckList'),
    takenAt: time,
    cluster: z.string(),
    items: z.array(
      z.object({
        file: z.string().describe('- for text without a file'),
        line: z.number(),
        workload: z.object({
          cluster: z.string(),
          kind: WorkloadKind,
          namespace: z.string(),
          name: z.string(),
        }),
        outcome: z.enum(['deadlock', 'stuck', 'refused', 'completes', 'unchanged', 'cannot-tell']),
        confidence: z.enum(['proven', 'likely']).optional(),
        summary: sentence,
        reasoning: z.array(sentence),
        resource: z.string().optional(),
        nodes: z.array(z.string()),
        holders: z.array(ref),
        message: z.string().optional().describe('What the scheduler or the API server would report'),
        downtime: Downtime.optional(),
        wayOut: z
          .object({
            strategy: z.discriminatedUnion('type', [
              z.object({
                type: z.literal('RollingUpdate'),
                maxSurge: z.number(),
                maxUnavailable: z.number(),
              }),
              z.object({ type: z.literal('Recreate') }),
            ]),
            downtime: Downtime.optional(),
            summary: sentence,
          })
          .optional()
          .describe('A strategy with which the same update completes'),
      }),
    ),
  })
  .describe('Whether updates complete');
export type RolloutCheckListAnswer = z.output<typeof RolloutCheckListAnswer>;

export const ExplanationAnswer = z
  .object({
    apiVersion,
    kind: z.literal('SchedulerExplanation'),
    explanation: z.array(sentence),
    message: SchedulerMessage.describe('The message, taken apart'),
  })
  .describe('What a message of a scheduler means');
export type ExplanationAnswer = z.output<typeof ExplanationAnswer>;

const Incident = z.object({
  id: z.string(),
  phase: z.string().describe('How far it is, such as diagnosed, awaiting or verifying'),
  workload: WorkloadRef,
  createdAt: time,
  updatedAt: time,
  occurrences: z.number().describe('How often the same was asked or alerted'),
  cause: z.string().optional(),
  confidence: Confidence.optional(),
  severity: Severity.optional(),
  summary: sentence.optional().describe('Absent while nothing is found'),
});
const card = z.url().optional().describe('Address of the card in Slack; absent while it is not posted');

export const IncidentListAnswer = z
  .object({
    apiVersion,
    kind: z.literal('IncidentList'),
    items: z.array(Incident),
    omitted: z.int().describe('Further open incidents'),
  })
  .describe('Incidents that need somebody, newest first');
export type IncidentListAnswer = z.output<typeof IncidentListAnswer>;

export const IncidentAnswer = z
  .object({
    apiVersion,
    kind: z.literal('Incident'),
    ...Incident.shape,
    channel: z.string().describe('Slack channel of the card'),
    card,
    diagnosis: DiagnosisAnswer.optional().describe('The newest diagnosis; absent while the first one runs'),
    change: z
      .object({
        kind: z.string().describe('The kind of the change, such as patch-strategy'),
        approvedAt: time,
        appliedAt: time.optional().describe('Absent until the API server accepted the change'),
        verdict: z
          .string()
          .optional()
          .describe('Such as recovered, unchanged or worse; absent until verified'),
        failure: sentence.optional().describe('Why the change was not made'),
      })
      .optional()
      .describe('A change that people approved'),
  })
  .describe('One incident: what is stuck, why, and how far its fix is');
export type IncidentAnswer = z.output<typeof IncidentAnswer>;

export const ProposalAnswer = z
  .object({
    apiVersion,
    kind: z.literal('Proposal'),
    incident: z.string().describe('Id of the incident, for get_incident'),
    workload: WorkloadRef,
    isNew: z.boolean().describe('False where the incident was open already and nothing was opened'),
    channel: z.string().describe('Slack channel where people review it'),
    card,
    summary: sentence,
  })
  .describe('What people were asked to review');
export type ProposalAnswer = z.output<typeof ProposalAnswer>;

export { Certificate, NoCertificate } from '../../doctor/findings/deadlock/certificate.js';
