import { type Alert, boundingAlert, type RawAlert } from '#src/doctor/alerts/alert.js';
import { finished } from '#src/doctor/redaction/span.js';

/** The alert as it is kept, computed at once. */
export function boundedAlert(raw: RawAlert): Alert {
  return finished(boundingAlert(raw));
}

/** An alert as Alertmanager would send it, with what a test changes. */
export function buildAlert(changes: Partial<RawAlert> = {}): Alert {
  return boundedAlert({
    source: 'alertmanager',
    status: 'firing',
    fingerprint: 'c0ffee0123456789',
    startsAt: '2026-11-21T03:00:00Z',
    labels: { alertname: 'KubeDeploymentRolloutStuck', namespace: 'shop', deployment: 'web' },
    ...changes,
  });
}
