import { z } from 'zod';

export const LooksTaken = z.object({
  /** Milliseconds of reading and of diagnosing, and requests sent. */
  looks: z.array(z.object({ reading: z.number(), diagnosing: z.number(), requests: z.number() })),
  /** Of the requests of the last look. */
  paths: z.array(z.string()),
});
export type LooksTaken = z.output<typeof LooksTaken>;
