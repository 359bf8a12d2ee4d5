import type { ResourceKind } from '../../../engine/objects/cluster-objects.js';
import type { Fields } from './fields.js';

/** An object as the API has it, as far as text states it. */
export interface TextObject {
  readonly kind: string;
  readonly metadata: TextMeta;
  readonly [field: string]: unknown;
}

export interface TextMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly [field: string]: unknown;
}

export function isOfKind({ kind }: { readonly kind: string }, wanted: ResourceKind): boolean {
  return kind === wanted;
}

/** What a block of text comes to. */
export interface Described {
  readonly object: TextObject;
  /** Objects of other kinds of which the text states something. */
  readonly others?: readonly TextObject[];
  /**
   * Seconds since the deletion was due, where the text states that the object is being deleted; 0: it is not
   * due.
   */
  readonly deletedFor?: number;
}

/** How `kubectl describe` prints one kind. It prints no kind: the fields tell. */
export interface DescribedKind {
  readonly kind: ResourceKind;
  /** Fields at the left margin, of newer and older versions. */
  readonly fields: readonly string[];
  isDescribed(fields: Fields): boolean;
  /** Paths of fields that the text does not state, or not in full, although rules read them. */
  readonly notStated: readonly string[];
  read(fields: Fields): Described;
}

/** An identity in place of the uid, which no description states. */
export function textUid(kind: string, namespace: string, name: string): string {
  return `described:${kind}/${namespace}/${name}`;
}

/** Whether an object of this uid was read as text. */
export function isOfText(uid: string): boolean {
  return uid.startsWith('described:');
}

/** A pod template as it came, and the revision that its object states. */
interface KnownTemplate {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly revision: string | undefined;
}

/** An object that was read as JSON or YAML, or a description of one. */
export interface KnownObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** A manifest, or an object from which people took the status: its description states more. */
  readonly isWithoutStatus?: boolean;
  readonly template?: KnownTemplate;
}

/** The description of a node, for what it states of its pods. */
export type BlockOfNode = { readonly name: string; readonly fields: Fields };
