import { setTimeout } from 'node:timers/promises';
import { type Attributes, SpanKind } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  SamplingDecision,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { redactValue } from '../../doctor/redaction/redact.js';
import { version } from './version.js';

export interface TracingOptions {
  /**
   * Base address of an OpenTelemetry collector that takes OTLP over HTTP; spans go to `/v1/traces` below it.
   */
  readonly endpoint: string;
  readonly process: 'app' | 'worker';
}

/** A collector that does not answer keeps no process from ending. */
const exportMs = 2_000;

/** Work that nobody began, such as a diagnosis for the next job or a watch of nodes, has no trace. */
const beginning: ReadonlySet<SpanKind> = new Set([SpanKind.SERVER, SpanKind.PRODUCER, SpanKind.CONSUMER]);

/**
 * Sends spans to a collector. Secrets are redacted in every text of a span, since libraries record messages
 * of errors.
 *
 * @returns the function that sends what is left and ends
 */
export function startTracing({ endpoint, process }: TracingOptions): () => Promise<void> {
  const url = `${endpoint.replace(/\/$/u, '')}/v1/traces`;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `rollout-doctor-${process}`,
      'service.version': version,
    }),
    sampler: new ParentBasedSampler({
      root: {
        shouldSample: (_context, _traceId, _name, kind) => ({
          decision: beginning.has(kind) ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
        }),
        toString: () => 'what somebody began',
      },
    }),
    spanProcessors: [
      new BatchSpanProcessor(redacting(new OTLPTraceExporter({ url, timeoutMillis: exportMs })), {
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
  provider.register();
  return () => Promise.race([provider.shutdown(), setTimeout(exportMs, undefined, { ref: false })]);
}

function redacting(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redacted), done),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The span itself is not changed: its other fields are getters of its class. */
function redacted(span: ReadableSpan): ReadableSpan {
  const { status } = span;
  const message = status.message === undefined ? {} : { message: redactValue('message', status.message) };
  return Object.create(span, {
    attributes: { value: redactedAttributes(span.attributes) },
    events: {
      value: span.events.map((event) => ({
        ...event,
        attributes: redactedAttributes(event.attributes ?? {}),
      })),
    },
    status: { value: { ...status, ...message } },
  }) as ReadableSpan;
}

function redactedAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? redactValue(name, value) : value,
    ]),
  );
}
