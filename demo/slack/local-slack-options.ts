import type { Delivery } from './delivery/delivery.js';
import type { DemoState } from './demo-state.js';
import type { WorkspaceOptions } from './workspace/workspace.js';

/** Words of the page in English and, where it is shown in Korean, in Korean. */
export interface Label {
  readonly en: string;
  readonly ko: string;
}

/** A command of the page's demo panel, with a button that runs it as the person who is played. */
export interface PanelCommand {
  readonly title: Label;
  readonly line: string;
}

/** A button of the page's demo panel. */
export interface ExtraButton {
  readonly label: Label;
  /** What it does, in a few words. */
  readonly hint?: Label;
  /**
   * Names of the channels in which its effect appears; the page opens the first unless it shows one of them.
   */
  readonly channels?: readonly string[];
  /**
   * Shown while it runs. With it, nothing else can be done on the page meanwhile: clicks wait for its end.
   */
  readonly busyLabel?: Label;
  readonly run: () => void | Promise<void>;
}

export interface LocalSlackOptions extends WorkspaceOptions {
  /** The app's manifest, parsed from its file; scopes, events, commands and shortcuts are taken from it. */
  readonly manifest?: unknown;
  /** How the app is told: over Socket Mode, or over HTTP once `talksTo` named its address. */
  readonly delivery?: 'socket' | 'http';
  /** Port on 127.0.0.1; a free one when absent. */
  readonly port?: number;
  /** Milliseconds since 1970, for timestamps and expiries; the machine's clock when absent. */
  readonly now?: () => number;
  /** Real milliseconds the app has to acknowledge; 3000 when absent. */
  readonly ackLimitMs?: number;
  /** Real milliseconds before each further attempt to deliver an event. */
  readonly eventRetryDelaysMs?: readonly number[];
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
  readonly extraButtons?: readonly ExtraButton[];
  readonly panel?: readonly PanelCommand[];
  /** What the page shows of the demo, read again for each update of the page. */
  readonly demo?: () => DemoState | undefined;
  /** Receives everything that is sent to the app. */
  readonly onDelivery?: (delivery: Delivery) => void;
  /**
   * Whether to serve the page in the browser; true when absent. Tests that need none start faster without.
   */
  readonly page?: boolean;
}
