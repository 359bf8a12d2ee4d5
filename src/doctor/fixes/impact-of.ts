import type { Pod } from '../../engine/objects/pod.js';
import { refOf } from '../../engine/objects/pod-key.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import type { Impact, Prediction } from './offered-fields.js';

/** A forecast as the impact people see before they approve. */
export function impactOf({ downtime, victims }: Forecast, drift: Impact['drift']): Impact {
  return {
    downtime: {
      kind: downtime?.kind ?? 'none',
      ...(downtime?.seconds === undefined ? {} : { seconds: Math.round(downtime.seconds) }),
      ...(downtime === undefined ? {} : { readyAtLeast: downtime.readyMin, replicas: downtime.ofReplicas }),
    },
    drift,
    blastRadius: { pods: victims.length, others: [] },
  };
}

/** Pods of each list of a prediction, the first ones; the impact says how many there are. */
const maxPredicted = 500;

/** A forecast as what the verification compares the cluster with afterwards. */
export function predictionOf(forecast: Forecast): Prediction {
  const { victims, steps, placements, ends, winners = [] } = forecast;
  const orElse = steps.find(({ deleted }) => deleted.length > 0)?.orElse ?? [];
  const refs = (pods: readonly Pod[]) => pods.slice(0, maxPredicted).map(refOf);
  return {
    victims: refs(victims),
    ...(orElse.length === 0 ? {} : { orElse: refs(orElse) }),
    placements: placements.slice(0, maxPredicted).map(({ pod, node }) => ({ pod: refOf(pod), node })),
    ends: ends === 'too-large' ? 'unknown' : ends,
    competitors: [...winners.slice(0, maxPredicted)],
  };
}

/** Seconds; 0 without pods. A list of pods may be longer than a call may have arguments. */
export function longestGrace(pods: readonly Pod[]): number {
  return pods.reduce((longest, { spec }) => Math.max(longest, spec.terminationGracePeriodSeconds), 0);
}
