import type { Advice } from '../../finding.js';
import type { Inaction } from './inaction.js';
import { state } from './text.js';

export const defaultScheduler = 'default-scheduler';

/** Where to look, one piece for each component that has not acted. */
export function adviceOn(inactions: readonly Inaction[]): readonly Advice[] {
  const schedulers = inactions.flatMap((each) => (each.kind === 'not-scheduled' ? [each.scheduler] : []));
  return [
    ...(schedulers.length < inactions.length ? [inspectComponent('kube-controller-manager')] : []),
    ...schedulers.map((scheduler) =>
      scheduler === defaultScheduler ? inspectComponent('kube-scheduler') : nameOf(scheduler),
    ),
  ];
}

function inspectComponent(component: string): Advice {
  return {
    title: state('advice-component-title', { component }),
    text: state('advice-component', { component }),
    snippet: `kubectl -n kube-system get lease ${component} -o yaml\nkubectl -n kube-system get pods -l component=${component}\n`,
  };
}

function nameOf(scheduler: string): Advice {
  return {
    title: state('advice-name-title', { scheduler }),
    text: state('advice-name', { scheduler }),
    snippet: `spec:\n  template:\n    spec:\n      schedulerName: ${defaultScheduler}\n`,
  };
}
