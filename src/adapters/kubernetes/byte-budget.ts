import type { ApiCall } from './api-call.js';

/** Bytes of all answers that one diagnosis reads, after decompression. */
export const maxBytesPerDiagnosis = 256_000_000;
/** The same for a scan, which reads the pods of a whole cluster. */
export const maxBytesPerScan = 512_000_000;

/** The same call, whose answers are `AnswerTooLarge` when they would have more bytes together than the budget. */
export function withByteBudget(call: ApiCall, maxBytes: number): ApiCall {
  let left = maxBytes;
  return (request) =>
    call({
      ...request,
      take: (bytes) => {
        left -= bytes;
        return left >= 0;
      },
    });
}
