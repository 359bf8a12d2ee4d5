import * as z from 'zod';
import { workloadKinds } from '../../../engine/objects/workload.js';

/** Action ids of everything people press; anything else is refused. */
export const actionIds = {
  review: 'remediation.review',
  /** The same for the fix as a pull request. */
  reviewInGit: 'remediation.review-in-git',
  undo: 'remediation.undo',
  /** The same by another pull request, for what one has changed. */
  undoInGit: 'remediation.undo-in-git',
  reject: 'approval.reject',
  askApproval: 'approval.ask',
  cancel: 'change.cancel',
  diagnoseAgain: 'incident.look-again',
  /** Opens the reasoning and evidence of a diagnosis in a modal. */
  proof: 'incident.proof',
  /** Opens the post-mortem of an incident in a modal. */
  postMortem: 'incident.post-mortem',
  /** Posts a result that one person sees in the channel. */
  share: 'incident.share',
  /** Opens the list of a group in a modal. */
  group: 'group.list',
  /** Another page of that list; a number follows. */
  groupPage: 'group.page',
  /** Diagnoses one workload of a group. */
  member: 'group.member',
  /** I'm on it. */
  assign: 'incident.assign',
  takeOver: 'incident.take-over',
  /** A choice of a person; the id of its block names the incident. */
  handOver: 'incident.hand-over',
  handBack: 'incident.hand-back',
  /** The menu of a card: each of its entries stands for a button. */
  menu: 'incident.menu',
  /** One of several choices of one message: a number follows, since ids must differ within a block. */
  chooseWorkload: 'workload.choose',
  /** A request as it would be typed, in place of the message with the choices; a number follows. */
  chooseRequest: 'request.choose',
  /** A request as it would be typed, beside the message; a number follows. */
  makeRequest: 'request.make',
  /** Opens the search of the Home page; the value is the channel for a new card. */
  search: 'home.search',
  refresh: 'home.refresh',
} as const;

/** Those that a number follows. */
export const numberedActionIds: readonly string[] = [
  actionIds.chooseWorkload,
  actionIds.chooseRequest,
  actionIds.makeRequest,
  actionIds.groupPage,
];

/** A button that only opens an address; Slack reports the press all the same. */
export const linkActionPrefix = 'link.';

/** An entry of a menu that only opens an address. */
export const linkEntry = `${linkActionPrefix}page` as const;

export const callbackIds = {
  review: 'remediation.review',
  diagnoseThis: 'diagnose_this',
  search: 'home.search',
} as const;

/** Blocks and elements of the review modal whose state is read. */
export const reviewInputs = {
  reason: { block: 'reason', action: 'reason' },
  name: { block: 'name', action: 'name' },
} as const;

/** Inputs of the search modal. */
export const searchInputs = {
  name: { block: 'name', action: 'name' },
  channel: { block: 'channel', action: 'channel' },
} as const;

const recordId = z.string().regex(/^[A-Za-z0-9-]{1,80}$/);

/** Value of a review button: which remediation of which incident. Nothing else travels in it. */
export const RemediationValue = z
  .string()
  .max(2_000)
  .transform((value, context) => {
    const dot = value.indexOf('.');
    const incidentId = recordId.safeParse(value.slice(0, Math.max(0, dot)));
    const remediationId = value.slice(dot + 1);
    if (!incidentId.success || !isRemediationId(remediationId)) {
      context.addIssue({ code: 'custom', message: 'not incidentId.remediationId' });
      return z.NEVER;
    }
    return { incidentId: incidentId.data, remediationId };
  });
export type RemediationValue = z.output<typeof RemediationValue>;

/** Slack takes 2,000 characters as a button's value; the incident's id stands before. */
const maxRemediationId = 1_900;

function isRemediationId(id: string): boolean {
  return id.length <= maxRemediationId && /^[^\p{Cc}\p{Cf}]+$/u.test(id);
}

/**
 * Value of an undo button: the incident, and which change of it where the message may outlive that change.
 */
export const UndoValue = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,80}(\.[A-Za-z0-9-]{1,80})?$/)
  .transform((value) => {
    const [incidentId = '', change] = value.split('.');
    return { incidentId, ...(change === undefined ? {} : { change }) };
  });
export type UndoValue = z.output<typeof UndoValue>;

export const IncidentValue = recordId;

const page = z.coerce.number().int().min(0).max(1_000);

/** Value of a page button: the incident that leads the group, and the page. */
export const GroupPageValue = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,80}\.\d{1,4}$/)
  .transform((value) => {
    const [incidentId = '', at = ''] = value.split('.');
    return { incidentId, page: page.parse(at) };
  });

/**
 * Value of the button of one workload in the list: the leading incident, the workload's own, and the page.
 */
export const MemberValue = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,80}\.[A-Za-z0-9-]{1,80}\.\d{1,4}$/)
  .transform((value) => {
    const [incidentId = '', memberId = '', at = ''] = value.split('.');
    return { incidentId, memberId, page: page.parse(at) };
  });
/** Value of the button that takes an incident over: the incident, and from whom. */
export const TakeOverValue = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,80}\.[A-Z0-9]{1,30}$/)
  .transform((value) => {
    const [incidentId = '', from = ''] = value.split('.');
    return { incidentId, from };
  });

/** Id of the block with the choice of a person: the incident that is handed over. */
export const HandOverBlock = z
  .string()
  .regex(/^hand-over\.[A-Za-z0-9-]{1,80}$/)
  .transform((id) => id.slice('hand-over.'.length));

/** A Slack user id. */
export const UserValue = z.string().regex(/^[UW][A-Z0-9]{1,30}$/);

export const ApprovalValue = recordId;

const namePart = z
  .string()
  .max(300)
  .regex(/^[^\s<>]*$/);

/**
 * Value of a choice: `[cluster, kind, namespace, name]`, empty where not said. Asking is free, so names may
 * travel.
 */
export const WorkloadValue = z
  .string()
  .max(2_000)
  .transform((value, context) => {
    const parsed = z
      .tuple([namePart, z.enum(['', ...workloadKinds]), namePart, namePart.min(1)])
      .safeParse(json(value));
    if (!parsed.success) {
      context.addIssue({ code: 'custom', message: 'not a workload' });
      return z.NEVER;
    }
    const [cluster, kind, namespace, name] = parsed.data;
    return {
      name,
      ...(cluster === '' ? {} : { cluster }),
      ...(kind === '' ? {} : { kind }),
      ...(namespace === '' ? {} : { namespace }),
    };
  });
export type WorkloadValue = z.output<typeof WorkloadValue>;

/** Buttons that the menu of a card may stand for. */
const menuActions = [
  actionIds.review,
  actionIds.assign,
  actionIds.diagnoseAgain,
  actionIds.proof,
  actionIds.postMortem,
  actionIds.makeRequest,
  linkEntry,
] as const;
export type MenuAction = (typeof menuActions)[number];

/** Slack's limit for the value of an entry of a menu. */
const maxMenuValue = 150;

/** The value of a menu's entry, or `undefined` if it is too long for Slack. */
export function menuValue(action: MenuAction, value: string): string | undefined {
  const text = `${action}|${value}`;
  return text.length <= maxMenuValue ? text : undefined;
}

/**
 * Value of a menu's entry: the button that it stands for, and that button's value, which its own schema
 * checks.
 */
export const MenuValue = z
  .string()
  .max(maxMenuValue)
  .transform((text, context) => {
    const bar = text.indexOf('|');
    const action = menuActions.find((each) => each === text.slice(0, Math.max(0, bar)));
    if (action === undefined) {
      context.addIssue({ code: 'custom', message: 'not an entry of a menu' });
      return z.NEVER;
    }
    return { action, value: text.slice(bar + 1) };
  });

/** Value of a request button: what somebody might type. Forging one can do no more than typing can. */
export const RequestValue = z.string().min(1).max(2_000);

/** What the review modal carries from opening to submission. */
export const ReviewMetadata = z.object({
  approvalId: recordId,
  channel: z.string().max(40),
  threadTs: z.string().max(40).optional(),
  /** `namespace/name` that has to be typed, where it is asked for. */
  typedName: z.string().max(400).optional(),
});
export type ReviewMetadata = z.output<typeof ReviewMetadata>;

/** What the modal of a search carries: where a card is posted that somebody asks for in it. */
export const SearchMetadata = z.object({ channel: z.string().max(40) });

export function remediationValue(incidentId: string, remediationId: string): string {
  return `${incidentId}.${remediationId}`;
}

export function takeOverValue(incidentId: string, from: string): string {
  return `${incidentId}.${from}`;
}

export function handOverBlock(incidentId: string): string {
  return `hand-over.${incidentId}`;
}

export function undoValue(incidentId: string, change: string): string {
  return `${incidentId}.${change}`;
}

export function groupPageValue(incidentId: string, at: number): string {
  return `${incidentId}.${at}`;
}

export function memberValue(incidentId: string, memberId: string, at: number): string {
  return `${incidentId}.${memberId}.${at}`;
}

export function workloadValue(query: {
  readonly cluster?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}): string {
  return JSON.stringify([query.cluster ?? '', query.kind ?? '', query.namespace ?? '', query.name]);
}

/** Slack's limit of `private_metadata`; values of buttons are shorter. */
const maxJson = 3_000;

/** Reads JSON that may be anything; what is none, or longer than Slack keeps it, gives undefined. */
export function json(text: string): unknown {
  if (typeof text !== 'string' || text.length > maxJson) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
