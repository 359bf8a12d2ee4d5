import { z } from 'zod';

/** What the measured process tells the one that measures it. */
export const Phase = z.object({
  phase: z.enum(['ready', 'listed', 'done']),
  /** Heap and buffers after a collection, in bytes. */
  bytes: z.number(),
  resident: z.number(),
  /** Processor time of the process so far, in milliseconds. */
  processorMs: z.number(),
  clockMs: z.number(),
  followed: z.number(),
  written: z.number(),
});
export type Phase = z.output<typeof Phase>;
