import type { Manifest } from './manifest.js';
import type { AppBot } from './workspace/workspace.js';

/** The app as this Slack knows it. */
export interface AppIdentity extends AppBot {
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  /** The obsolete verification token that payloads still carry. */
  readonly verificationToken: string;
  readonly manifest: Manifest;
}
