import type { App } from '@slack/bolt';
import type { ListenerDeps } from '../deps.js';
import * as askApproval from './ask-approval.js';
import * as assign from './assign.js';
import * as chooseWorkload from './choose-workload.js';
import * as cancel from './decide.js';
import * as diagnoseAgain from './diagnose-again.js';
import * as group from './group.js';
import * as home from './home.js';
import * as menu from './menu.js';
import * as openLink from './open-link.js';
import * as proof from './proof.js';
import * as reject from './reject.js';
import * as request from './request.js';
import * as review from './review.js';
import * as share from './share.js';
import * as undo from './undo.js';
import * as unknown from './unknown.js';

export function register(app: App, deps: ListenerDeps): void {
  review.register(app, deps);
  undo.register(app, deps);
  reject.register(app, deps);
  askApproval.register(app, deps);
  cancel.register(app, deps);
  diagnoseAgain.register(app, deps);
  assign.register(app, deps);
  proof.register(app, deps);
  share.register(app, deps);
  group.register(app, deps);
  menu.register(app, deps);
  chooseWorkload.register(app, deps);
  request.register(app, deps);
  openLink.register(app);
  home.register(app, deps);
  unknown.register(app, deps);
}
