import * as z from 'zod';

/** The id of a public or private channel; a name may be given to another channel, an id never is. */
export const ChannelId = z
  .string()
  .regex(/^[CG][A-Z0-9]{2,20}$/, 'the id of a Slack channel, such as C012ABCDEF');
