import { z } from 'zod';

export const LooksTaken = z.object({
  looks: z.array(
    z.object({
      /** Milliseconds. */
      reading: z.number(),
      diagnosing: z.number(),
      /** Of this process, in milliseconds. */
      processor: z.number(),
      requests: z.number(),
      /** On the wire in both directions. */
      bytes: z.number(),
      isProven: z.boolean(),
    }),
  ),
  /** Of the requests of the last diagnosis. */
  paths: z.array(z.string()),
  /** Bytes of heap that the cache of the nodes holds; 0 in a version without. */
  cache: z.number(),
  /** The same of the pods. */
  pods: z.number(),
});
export type LooksTaken = z.output<typeof LooksTaken>;
