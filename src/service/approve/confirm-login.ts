import * as z from 'zod';
import { canonicalJson } from '../../doctor/fixes/plan.js';
import type { Approval, AuthenticApproval, LoginFacts } from '../../doctor/incidents/approval.js';
import { Seal } from '../../doctor/incidents/approval.js';
import { sealedText } from '../../doctor/incidents/approval-authority.js';
import { isPastExpiry } from '../../doctor/incidents/approval-transitions.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { visibleApproval, visibleIncident } from '../../doctor/incidents/visible-incident.js';
import { redact } from '../../doctor/redaction/redact.js';
import { incidentFor, nameOf, type ViewDeps } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import { refuse } from '../notices/notices.js';
import { idsOfPerson } from '../people/assign-incident.js';
import type { DecideApproval, Decided } from '../people/conversation.js';
import type { PeopleDirectory } from '../people/people-ports.js';
import { approvalEntry } from '../records/audit-entries.js';
import type { AuditLog, Clock, NewId, SharedClock } from '../records/process-ports.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalSigner, ApprovalStore } from './approval-ports.js';

/**
 * An approval that counts once its person has logged in. Redis stores it and is not trusted, so it is signed.
 */
const WaitingDecision = z.object({
  id: z.string(),
  approvalId: z.string(),
  by: z.string(),
  /** RFC3339: when the person pressed Apply. */
  at: z.string(),
  reason: z.string(),
  typedName: z.string().exactOptional(),
  seal: Seal,
});
type WaitingDecision = z.output<typeof WaitingDecision>;

/** Texts by id, each kept until its time is up. */
export interface WaitingDecisionStore {
  put(id: string, text: string, ttlMs: number): Promise<void>;
  get(id: string): Promise<string | undefined>;
  /** Takes it out: of several who take it, one gets it. */
  take(id: string): Promise<string | undefined>;
}

/** Who logged in, as the issuer names them: by an address that it verified, or by the id of the chat. */
export interface LoggedIn extends LoginFacts {
  readonly person:
    | { readonly type: 'email'; readonly email: string }
    | { readonly type: 'chat-id'; readonly id: string };
}

/** How an attempt to confirm with the login ended. */
export const loginOutcomes = [
  'confirmed',
  'refused',
  'declined',
  'other-person',
  'too-old',
  'too-weak',
  'no-person',
  'failed',
  'unavailable',
] as const;
export type LoginOutcome = (typeof loginOutcomes)[number];

export interface ConfirmLoginDeps extends ViewDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly audit: AuditLog;
  readonly authority: Pick<ApprovalAuthority, 'authenticate' | 'sealLogin'>;
  readonly clock: Clock;
  readonly decideApproval: DecideApproval;
  readonly newId: NewId;
  readonly people: Pick<PeopleDirectory, 'person'>;
  readonly sharedClock: SharedClock;
  readonly signer: ApprovalSigner;
  readonly waiting: WaitingDecisionStore;
  /** The address at which a waiting decision is confirmed; absent where no login is set up. */
  readonly urlOf: ((id: string) => string) | undefined;
}

/** A decision that waits, with what its person may see of the change. */
export interface Waiting {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  readonly approval: Approval;
  readonly incident: Incident;
}

export interface ConfirmLogin {
  /** Counts a decision, or keeps it until the person has logged in, where the policy asks for it. */
  readonly decideApproval: DecideApproval;
  /** Undefined where nothing waits under this id any more. Changes nothing. */
  read(id: string): Promise<Waiting | undefined>;
  /**
   * Whether the one who logged in is the person who pressed Apply; recorded where it is another person.
   * `no-person`: their Slack profile has no address.
   */
  identify(waiting: Waiting, login: LoggedIn): Promise<'same' | 'other-person' | 'no-person'>;
  /** Counts the decision, once. */
  confirm(id: string, login: LoginFacts): Promise<Decided>;
}

/**
 * Approvals that the policy wants confirmed with the company's login. The decision waits in Redis until its
 * approval expires; the login then signs it for exactly this approval, plan, person and expiry
 * (`approval-authority`), and it goes the way of every decision. The remediation worker checks that signature
 * again before the change.
 */
export function createConfirmLogin(deps: ConfirmLoginDeps): ConfirmLogin {
  const { approvals, authority, decideApproval, sharedClock, signer, urlOf, waiting } = deps;
  const ttlOf = async ({ expiresAt }: Approval) =>
    Math.max(1, Date.parse(expiresAt) - (await sharedClock.now()).getTime());

  async function authenticOf(approvalId: string): Promise<AuthenticApproval | undefined> {
    const stored = await approvals.get(approvalId);
    const approval = stored && authority.authenticate(approvalId, stored);
    return approval === undefined || isDistrusted(approval) ? undefined : approval;
  }

  function parsed(id: string, text: string | undefined): WaitingDecision | undefined {
    const found = WaitingDecision.safeParse(jsonOf(text)).data;
    if (found?.id !== id) return undefined;
    return signer.check(waitingText(found), found.seal) === 'valid' ? found : undefined;
  }

  return {
    async decideApproval(request) {
      const decided = await decideApproval(request);
      if (decided.type !== 'login') return decided;
      const { approval } = decided;
      if (urlOf === undefined) return refuse('login-not-set-up', { workload: nameOf(approval) });
      const id = deps.newId();
      const at = (await sharedClock.now()).toISOString();
      const { approvalId, by, reason, typedName } = request;
      const fields = {
        id,
        approvalId,
        by,
        at,
        reason: redact(reason),
        ...(typedName === undefined ? {} : { typedName }),
      };
      const sealed = { ...fields, seal: signer.sign(waitingText(fields)) };
      await waiting.put(id, JSON.stringify(sealed), await ttlOf(approval));
      return { type: 'login', approval, url: urlOf(id) };
    },

    async read(id) {
      const found = parsed(id, await waiting.get(id));
      const approval = found && (await authenticOf(found.approvalId));
      if (found === undefined || approval?.state !== 'open') return undefined;
      if (isPastExpiry(approval, (await sharedClock.now()).getTime())) return undefined;
      const incident = await incidentFor(deps, approval.incidentId, found.by);
      if (incident === undefined) return undefined;
      const sight = await deps.sights.ofPerson(found.by);
      const { by, at, reason } = found;
      return {
        by,
        at,
        reason,
        approval: visibleApproval(approval, incident, sight),
        incident: visibleIncident(incident, sight),
      };
    },

    async identify({ by, approval }, { person, issuer, subject }) {
      if (person.type === 'email') {
        const email = (await deps.people.person(by))?.email;
        if (email === undefined) return 'no-person';
        if (isSameAddress(person.email, email)) return 'same';
      } else if ((await idsOfPerson(deps.people, by, [person.id])).has(person.id)) return 'same';
      const details = { because: 'login-other-person', issuer, subject };
      await deps.audit.append(
        approvalEntry(approval, 'approval-refused', { at: deps.clock.now(), by, details }),
      );
      return 'other-person';
    },

    async confirm(id, login) {
      const text = await waiting.take(id);
      const found = parsed(id, text);
      const approval = found && (await authenticOf(found.approvalId));
      if (text === undefined || found === undefined || approval === undefined) {
        return refuse('login-link-used');
      }
      const { approvalId, by, reason, typedName } = found;
      try {
        return await decideApproval({
          approvalId,
          by,
          reason,
          decision: 'approve',
          ...(typedName === undefined ? {} : { typedName }),
          login: authority.sealLogin(approval, by, login),
        });
      } catch (error) {
        // The person presses the button again.
        if (error instanceof DoctorError && error.retryable)
          await waiting.put(id, text, await ttlOf(approval));
        throw error;
      }
    },
  };
}

function waitingText(fields: Omit<WaitingDecision, 'seal'>): string {
  const { id, approvalId, by, at, reason, typedName } = fields;
  return sealedText('login-request', canonicalJson({ id, approvalId, by, at, reason, typedName }));
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSameAddress(one: string, other: string): boolean {
  return withSmallLetters(one) === withSmallLetters(other);
}

/**
 * Of ASCII alone: `toLowerCase` makes a `k` of the Kelvin sign, so another account would have the same
 * address.
 */
function withSmallLetters(address: string): string {
  return address.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
}
