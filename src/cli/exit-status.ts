/** 0: nothing above informational. 1: something found. 2: wrong usage. 3: could not look. */
export const exitStatus = { nothing: 0, found: 1, usage: 2, unseen: 3 } as const;

/** Ends a command with a line for the person and a status for the script. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly status: number;

  constructor(status: (typeof exitStatus)[keyof typeof exitStatus], message: string) {
    super(message);
    this.status = status;
  }
}
