import type { Reason, ResourceReason } from '../../../placement/reason.js';
import type { Advice } from '../../finding.js';
import { refusalsIn } from '../../waiting/refusal.js';
import { requirementText } from '../../waiting/refusal-words.js';
import type { RefusingNode } from '../../waiting/refusing-node.js';
import type { AddedLabel } from './added-labels.js';
import { state } from './text.js';

/**
 * What would make the nearest node acceptable, one piece for each thing that it lacks: the pod's template
 * first, the node second.
 */
export function adviceFor(nearest: readonly RefusingNode[], added: readonly AddedLabel[]): readonly Advice[] {
  const node = nearest.find((each) => !each.reasons.some(isAbsent)) ?? nearest[0];
  if (node === undefined) return [];
  return node.reasons
    .filter(({ resolvable }) => !resolvable)
    .flatMap((reason) => forReason(node.name, reason, added));
}

/** Hardware that is not there; a label or a taint is easier to change. */
function isAbsent(reason: Reason): boolean {
  return reason.id === 'extended-resource' && reason.allocatable === '0';
}

function forReason(node: string, reason: Reason, added: readonly AddedLabel[]): readonly Advice[] {
  switch (reason.id) {
    case 'node-affinity':
      return [...forAddedLabels(node, reason, added), ...forLabels(node, reason, added)];
    case 'taint': {
      const { key, value, effect } = reason.taint;
      return [
        {
          title: state('advice-toleration-title'),
          text: state('advice-toleration', {
            node,
            taint: `${key}${value === '' ? '' : `=${value}`}:${effect}`,
          }),
          snippet: template([
            'tolerations:',
            `  - key: ${key}`,
            ...(value === '' ? ['    operator: Exists'] : ['    operator: Equal', `    value: "${value}"`]),
            `    effect: ${effect}`,
          ]),
        },
      ];
    }
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'extended-resource':
      return [forSize(node, reason)];
    case 'volume-affinity':
    case 'volume-zone':
      return [
        {
          title: state('advice-volume-title'),
          text: state('advice-volume', { volume: reason.volume, claim: reason.claim }),
        },
      ];
    default:
      return [];
  }
}

/** A change of the template removes no label that something else writes into the pods. */
function forAddedLabels(node: string, reason: Reason, added: readonly AddedLabel[]): readonly Advice[] {
  return labelsIn(reason).flatMap(({ key, text }): readonly Advice[] => {
    const label = added.find((each) => each.key === key);
    if (label === undefined) return [];
    return label.by === undefined
      ? [{ title: state('advice-added-title'), text: state('advice-added', { node, label: text }) }]
      : [
          {
            title: state('advice-flavor-title', { flavor: label.by.flavor }),
            text: state('advice-flavor', { label: text, ...label.by }),
          },
        ];
  });
}

function labelsIn(reason: Reason) {
  return refusalsIn(reason).flatMap((refusal) =>
    refusal.what === 'label' ? [{ ...refusal, text: requirementText(refusal) }] : [],
  );
}

function forLabels(node: string, reason: Reason, added: readonly AddedLabel[]): readonly Advice[] {
  const labels = labelsIn(reason).filter(({ key }) => !added.some((each) => each.key === key));
  if (labels.length === 0) return [];
  const [first] = labels;
  const found = labels.filter((label) => label.found !== undefined);
  const missing = labels.filter(({ operator, values }) => operator === 'In' && values.length > 0);
  return [
    {
      title: state('advice-selector-title'),
      text: state('advice-selector', { node, labels: labels.map(({ text }) => text) }),
      ...(found.length === labels.length && first !== undefined
        ? {
            snippet: template([
              'nodeSelector:',
              ...found.map(({ key, found: value }) => `  ${key}: "${value ?? ''}"`),
            ]),
          }
        : {}),
    },
    ...(missing.length === labels.length
      ? [
          {
            title: state('advice-label-title'),
            text: state('advice-label', { node }),
            snippet: `kubectl label node ${node} --overwrite ${missing
              .map(({ key, values }) => `${key}=${values[0] ?? ''}`)
              .join(' ')}\n`,
          },
        ]
      : []),
  ];
}

function forSize(node: string, reason: ResourceReason): Advice {
  const { resource, allocatable, requested } = reason;
  if (isAbsent(reason)) {
    return {
      title: state('advice-device-title', { resource }),
      text: state('advice-device', { resource }),
    };
  }
  return {
    title: state('advice-size-title', { resource }),
    text: state('advice-size', { resource, node, allocatable, requested }),
  };
}

function template(lines: readonly string[]): string {
  return `${['spec:', '  template:', '    spec:', ...lines.map((line) => `      ${line}`)].join('\n')}\n`;
}
