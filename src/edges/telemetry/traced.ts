import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { DoctorError } from '../../service/errors.js';

/** How a traced piece of work relates to its trace: `entry` begins one, `call` asks another program. */
type Traced = 'entry' | 'call';

const kinds = { entry: SpanKind.SERVER, call: SpanKind.CLIENT } as const satisfies Record<Traced, SpanKind>;

/**
 * Runs a piece of work as a span. Without tracing it only runs. Attributes come from closed lists: names of
 * workloads and people are visible in Slack to those who may see them, and traces to others. Of an error only
 * its code is kept.
 */
export function traced<Value>(
  kind: Traced,
  name: string,
  attributes: Attributes,
  run: () => Promise<Value>,
): Promise<Value> {
  return trace
    .getTracer('rollout-doctor')
    .startActiveSpan(name, { kind: kinds[kind], attributes }, async (span) => {
      try {
        return await run();
      } catch (error) {
        const code = error instanceof DoctorError ? error.code : 'unexpected';
        span.setStatus({ code: SpanStatusCode.ERROR, message: code });
        throw error;
      } finally {
        span.end();
      }
    });
}

/** Fields of a log line by which it is found from its trace; none outside of one. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const span = trace.getActiveSpan();
  if (span === undefined) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
