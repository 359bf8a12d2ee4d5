import * as z from 'zod';
import { Language } from '../../engine/language/language.js';
import { Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { isStillOurs, LastWriter, lastWriterOf } from '../../engine/owners/declaration.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { AlertSource, AlertStatus } from '../alerts/alert.js';
import { CauseId, Severity } from '../findings/cause-id.js';
import { Diagnosis } from '../findings/diagnosis.js';
import { fieldOf } from '../fixes/field-at.js';
import { isAfter } from '../fixes/forecast-change.js';
import { undoneObjectOf } from '../fixes/owner-target.js';
import { FieldChange, UndoPlan } from '../fixes/plan.js';
import { lostFields } from '../fixes/plan-undo.js';
import { Remediation } from '../fixes/remediation.js';
import { RequestedChange } from '../fixes/requested-change.js';
import { templateChanges, templateFrom } from '../fixes/template-changes.js';
import { ApprovalRequest, SecondStepEnd } from './approval.js';
import { ChangeRequester, GivenReason, hasOneOrigin, originShape } from './change-origin.js';
import { PullRequest } from './pull-request.js';
import { ReadyReadings } from './ready-readings.js';
import { SharedRoot } from './shared-root.js';

const maxPaths = 10;

/** Fields of a change that another client wrote after it. */
export const Reversal = z.object({
  paths: z.array(z.string()),
  /** Whether they have the values from before the change. */
  isFormer: z.boolean(),
  /** Absent where nobody owns the fields. */
  by: LastWriter.optional(),
});
export type Reversal = Immutable<z.output<typeof Reversal>>;

/** The part of a change that decides. */
interface MadeChange {
  readonly undoes: boolean;
  readonly appliedAt?: string | undefined;
  readonly undo?: UndoPlan | undefined;
}

/**
 * What another client wrote of a change's fields; `undefined` where they hold, or where the change keeps no
 * undo.
 */
export function reversalOf(
  { undoes, appliedAt, undo }: MadeChange,
  snapshot: Snapshot,
): Reversal | undefined {
  if (undoes || appliedAt === undefined || undo === undefined) return undefined;
  const object = undoneObjectOf(undo, snapshot);
  if (object === undefined) return undefined;
  const lost = lostFields(undo, snapshot).filter(
    ({ path }) => path !== 'spec.template' && !isStillOurs(object, path),
  );
  if (lost.length === 0) return undefined;
  const paths = lost.map(({ path }) => path);
  const by = lastWriterOf(object, paths, appliedAt);
  const fields = lost.every(({ path, before }) => isAfter({ path, after: before }, fieldOf(object, path)));
  return {
    paths: paths.slice(0, maxPaths),
    isFormer: undo.request.verb === 'restore-template' ? hasFormerTemplate(undo, snapshot) : fields,
    ...(by === undefined ? {} : { by }),
  };
}

function hasFormerTemplate({ request }: UndoPlan, snapshot: Snapshot): boolean {
  if (request.verb !== 'restore-template') return false;
  const former = templateFrom(rolloutStateOf(snapshot), request.from);
  if (former === undefined) return false;
  return templateChanges(former.raw, snapshot.workload.spec.template.raw).length === 0;
}

/** Where a card is, within the channel of its group. */
export const CardPlace = z.object({
  ts: z.string(),
  /** The thread it is in; absent where it stands in the channel. */
  threadTs: z.string().optional(),
});
export type CardPlace = Immutable<z.output<typeof CardPlace>>;

/** Another incident of the same root, as the leading card tells of it. */
export const GroupMember = z.object({
  /** The incident. */
  id: z.string(),
  workload: WorkloadRef,
  /** `well`: it was looked at, and the root is not its trouble any more. */
  state: z.enum(['sick', 'well']),
  card: CardPlace.optional(),
  /** RFC3339: when the cluster was read for its last diagnosis; absent where there is none. */
  diagnosedAt: z.string().optional(),
  /** As its last diagnosis found it; absent where there is none. */
  severity: Severity.optional(),
  ready: z.object({ pods: z.number(), wanted: z.number() }).optional(),
  /** How often its alerts fired; absent where no alert opened it. */
  alerts: z.number().optional(),
});
export type GroupMember = Immutable<z.output<typeof GroupMember>>;

/**
 * What an incident has in common with others of its channel: one of them leads, the others stand under its
 * card.
 */
export const IncidentGroup = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('leads'),
    root: SharedRoot,
    members: z.array(GroupMember),
    /** Its thread was deleted: it takes nobody in any more. */
    closed: z.boolean().optional(),
    /** RFC3339: when the group began, or took its last member. */
    since: z.string().optional(),
  }),
  z.object({
    role: z.literal('follows'),
    root: SharedRoot,
    /** The incident that leads. */
    lead: z.string(),
    workload: WorkloadRef,
    /** Where its card was when this one joined it. */
    card: CardPlace.optional(),
  }),
]);
export type IncidentGroup = Immutable<z.output<typeof IncidentGroup>>;

/** The person who works on an incident. */
export const Assignee = z.object({
  /** Slack user id. */
  by: z.string(),
  /** RFC3339. */
  at: z.string(),
  /** The cause that the incident had then. */
  cause: CauseId,
});
export type Assignee = Immutable<z.output<typeof Assignee>>;

/** What makes two troubles of one workload the same incident. */
export const IncidentIdentity = z.object({ revision: z.string(), cause: CauseId });
export type IncidentIdentity = Immutable<z.output<typeof IncidentIdentity>>;

/** An alert that led to the incident, as it was told of last. */
export const IncidentAlert = z.object({
  /** Id of the alert's record. */
  id: z.string(),
  name: z.string(),
  source: AlertSource,
  status: AlertStatus,
  /** How many of its firings are counted in `occurrences`. */
  firings: z.number(),
  /** RFC3339 by our clock: when it was told of last. */
  at: z.string(),
  /** RFC3339 by our clock: when its record began; absent in incidents of earlier versions. */
  recordedAt: z.string().optional(),
});
export type IncidentAlert = Immutable<z.output<typeof IncidentAlert>>;

/** Who or what asked, for the audit and for four eyes. */
export const Origin = z.object({
  via: z.enum(['command', 'mention', 'shortcut', 'alert', 'sentinel']),
  /** Slack user id; absent where no person asked. */
  by: z.string().optional(),
  /**
   * Name of the assistant that asked, for `by` or for a user group. Older versions read the record as one of
   * a command.
   */
  assistant: z.string().optional(),
  text: z.string().optional(),
  /** What the sentinel saw first, in Kubernetes' word for it, and when by the cluster's clock (RFC3339). */
  refusal: z.object({ reason: z.string(), at: z.string() }).optional(),
});
export type Origin = Immutable<z.output<typeof Origin>>;

/**
 * `undone`: of an undo whose values the controller has observed. Older records call that `recovered`.
 * `reverted`: another client wrote the fields again, and the change did not help. A record keeps it as
 * `unchanged` with its `reversal`, so that older versions can read it.
 */
export const verdicts = ['recovered', 'undone', 'progressing', 'unchanged', 'worse', 'reverted'] as const;
export type Verdict = (typeof verdicts)[number];
const StoredVerdict = z.enum(verdicts).exclude(['reverted']);
export const storedVerdicts = StoredVerdict.options;

const ChangeFields = z.object({
  approvalId: z.string(),
  ...originShape,
  remediation: Remediation,
  /** True when this change puts back what an earlier one replaced. */
  undoes: z.boolean(),
  /**
   * What an undo puts back outside the pod template; absent in changes that undo nothing, and in older
   * records.
   */
  restored: z.array(FieldChange).optional(),
  approvedBy: z.array(z.string()),
  /** Of the approvers; absent in older records. */
  reasons: z.array(GivenReason).optional(),
  approvedAt: z.string(),
  /**
   * RFC3339; absent until the API server has accepted the change. While it is `applying`, a second step
   * follows.
   */
  appliedAt: z.string().optional(),
  /** The target's generation after the change. */
  generation: z.number().optional(),
  undo: UndoPlan.optional(),
  /** Only of a plan in two steps. */
  secondStep: SecondStepEnd.optional(),
  /** RFC3339; after it the verdict is given whatever was seen. */
  verifyUntil: z.string().optional(),
  /** What the latest diagnosis during verification saw. */
  progress: Statement.optional(),
  /** Pods replaced so far, as the diagnoses during verification counted them. */
  replaced: z.number().optional(),
  /** Absent in older records, and where no pod was ready before the change. */
  readings: ReadyReadings.optional(),
  verdict: StoredVerdict.optional(),
  /** Only with the verdict `unchanged`, which is then read as `reverted`. */
  reversal: Reversal.optional(),
  verdictAt: z.string().optional(),
  /** Why the change was not applied, or what stopped it. */
  failure: Statement.optional(),
});
/** One remediation on its way through the cluster. */
export const Change = ChangeFields.refine(hasOneOrigin, 'exactly one origin');
export type Change = Immutable<z.output<typeof ChangeFields>>;

export const phases = [
  'diagnosing',
  'diagnosed',
  'awaiting',
  'applying',
  'verifying',
  'settled',
  'failed',
] as const;
export const Phase = z.enum(phases);
export type Phase = z.output<typeof Phase>;

/**
 * The record that ties workload, thread, diagnoses, approvals and verdicts together. The Slack message is a
 * function of it. `version` counts writes; a write names the version it read.
 */
export const Incident = z.object({
  v: z.literal(1),
  id: z.string(),
  version: z.number(),
  phase: Phase,
  workload: WorkloadRef,
  origin: Origin,
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Language of what the whole channel sees. */
  language: Language,
  channel: z.string(),
  /** Slack thread it was asked in; absent: the card opens its own thread. */
  threadTs: z.string().optional(),
  /** How often the same was asked or alerted. */
  occurrences: z.number(),
  /** Slack user ids of the people who asked or pressed Diagnose again, beside `origin.by`. */
  askers: z.array(z.string()).optional(),
  /**
   * The last approval record that named this incident and did not pass verification, or was lost while people
   * were deciding.
   */
  distrusted: z
    .object({
      approvalId: z.string(),
      at: z.string(),
      because: Statement,
      isLost: z.literal(true).optional(),
    })
    .optional(),
  /** A person has asked for it too, where an alert had opened it. */
  asked: z.boolean().optional(),
  /** Its result was for one person only, who shared it with the channel. */
  shared: z.boolean().optional(),
  /** Alerts of it, the newest last. */
  alerts: z.array(IncidentAlert).optional(),
  /** Counts diagnoses; an approval is bound to the one it was made from. */
  look: z.number(),
  diagnosis: Diagnosis.optional(),
  /**
   * The diagnosis that the last approved fix was made from, its look, and who was on it: the proof outlives
   * its cause. Undos leave it.
   */
  beforeFix: z.object({ look: z.number(), diagnosis: Diagnosis, assignee: Assignee.optional() }).optional(),
  /** The change that a person asked for last; gone once a change has its verdict. */
  requested: ChangeRequester.extend({ change: RequestedChange }).optional(),
  /** The approval people may decide on now (phase `awaiting`). */
  approvalId: z.string().optional(),
  /** The change under way or the last one made. */
  change: Change.optional(),
  /** The last pull request with a fix. */
  pullRequest: PullRequest.optional(),
  /** Who works on it, see `assigneeOf`. */
  assignee: Assignee.optional(),
  /** Who asked whom to approve a fix; one for each fix. */
  approvalRequests: z.array(ApprovalRequest).optional(),
  /** The incident that goes on in its place, once another revision or cause was found for its alerts. */
  successor: z.string().optional(),
  /** Other incidents of the same workload and alerts, by what they are about: one that comes back goes on. */
  lineage: z.array(IncidentIdentity.extend({ id: z.string() })).optional(),
  /** Other incidents of this channel that are sick of the same node or quota. */
  group: IncidentGroup.optional(),
  /** Why no change may be made now, as far as it was known when the card was written last. */
  brake: Statement.optional(),
  /** Why there is no diagnosis (phase `failed`). */
  failure: Statement.optional(),
  /** The workload does not exist any more (phase `failed`). */
  gone: z.literal(true).optional(),
});
export type Incident = Immutable<z.output<typeof Incident>>;
