import { Histogram, type Registry } from 'prom-client';

/** One request to an API server. */
interface ClusterRequest {
  readonly cluster: string;
  /** Lower-case method of HTTP, or `watch`. */
  readonly verb: string;
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined;
  readonly seconds: number;
}

export interface RequestMeters {
  /** @param request to one cluster of the settings, which bound how many names there are */
  onClusterRequest(request: ClusterRequest): void;
  /** @param method one that the product calls, such as `chat.postMessage`, or `response_url` */
  onSlackRequest(method: string, outcome: string, seconds: number): void;
}

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function createRequestMeters(registers: Registry[]): RequestMeters {
  const cluster = new Histogram({
    name: 'rollout_doctor_cluster_request_duration_seconds',
    help: 'Requests to API servers by cluster, verb and outcome; of a watch, the time until it begins',
    labelNames: ['cluster', 'verb', 'outcome'],
    buckets,
    registers,
  });
  const slack = new Histogram({
    name: 'rollout_doctor_slack_request_duration_seconds',
    help: 'Calls to Slack by method and outcome; rate-limited is status 429',
    labelNames: ['method', 'outcome'],
    buckets,
    registers,
  });
  return {
    onClusterRequest: ({ cluster: name, verb, status, seconds }) =>
      cluster.observe({ cluster: name, verb, outcome: outcomeOf(status) }, seconds),
    onSlackRequest: (method, outcome, seconds) => slack.observe({ method, outcome }, seconds),
  };
}

function outcomeOf(status: number | undefined): string {
  if (status === undefined) return 'no-answer';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'error';
  return status >= 400 ? 'refused' : 'ok';
}
