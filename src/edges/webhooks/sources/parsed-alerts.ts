import type { RawAlert } from '../../../doctor/alerts/alert.js';

/** The alerts of one request. */
export interface ParsedAlerts {
  readonly alerts: readonly RawAlert[];
  /** How many more the request had; nobody reads them. */
  readonly dropped: number;
}
