import { z } from 'zod';

/** What one process measured of one cluster. */
export const MeasuredRun = z.object({
  /** Milliseconds of a diagnosis with nothing remembered, the index of the objects included. */
  samples: z.array(z.object({ clock: z.number(), processor: z.number() })),
  /** Resident bytes before there was any object, with all objects, and at most while diagnosing. */
  bytes: z.object({ program: z.number(), objects: z.number(), most: z.number() }),
});
export type MeasuredRun = z.output<typeof MeasuredRun>;
