import type { z } from 'zod';
import type { AnyCatalogue } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { OfferedRemediation } from './offered-fields.js';
import type { Plan, PlanSubject, Refusal, UndoSubject } from './plan.js';

/** A kind of remediation: its record, its words, how it is planned, and which plans it can make. */
export interface Kind<Remediation extends OfferedRemediation = OfferedRemediation> {
  readonly kind: Remediation['kind'];
  /** What a record of it holds: `offeredFields` and its own arguments. */
  readonly schema: z.ZodType<Remediation>;
  /** Its sentences. `name` is what it is called where no remediation of the kind is at hand. */
  readonly text: AnyCatalogue & { readonly [Each in Language]: { readonly name: () => Prose } };
  /** Kinds of objects it must see besides those that the rules which offer it need. */
  readonly needs?: readonly ResourceKind[];
  readonly plan: (remediation: Remediation, snapshot: Snapshot) => Plan | Refusal;
  /** Whether the kind can make this plan, leaving its undo aside. */
  readonly isPlan: (subject: PlanSubject<Remediation>) => boolean;
  /** Whether the kind can make this way back; absent where nothing can be undone. */
  readonly isUndo?: (subject: UndoSubject<Remediation>) => boolean;
  /** What its undo does besides moving pods. */
  readonly undoEffects?: (remediation: Remediation) => readonly Statement[];
  /** People are reminded of the change after this time, if it is still in force by then. */
  readonly reminder?: {
    readonly afterHours: (remediation: Remediation) => number;
    readonly isInForce: (remediation: Remediation, snapshot: Snapshot) => boolean;
  };
}
