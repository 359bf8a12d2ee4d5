/** An object as the API spells it. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec?: object;
  readonly status?: object;
  readonly [field: string]: unknown;
}

/** A uid that is always the same for the same number. */
export function uidOf(group: number, number: number): string {
  return `${group.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
