/** A function of the product that processes foreign text, and how a test calls it. */
export interface ForeignTextReader {
  readonly name: string;
  /** Words of the grammar that the function knows: hostile texts are made of near misses of it. */
  readonly words: readonly string[];
  readonly run: (text: string) => unknown;
  /** The function promises errors for some texts; running out of stack is never among them. */
  readonly mayThrow?: boolean;
}
