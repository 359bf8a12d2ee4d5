import type { Language } from '../../engine/language/language.js';
import { type Prose, plain } from '../../engine/language/prose.js';
import type {
  FailingKind,
  NodeStrip,
  PodCounts,
  PodState,
  StripGroup,
  StripRow,
} from '../findings/picture.js';
import { columnsOf, proseText, shortened, shownName } from './columns.js';
import { countedTogether, podsIn, presentIn, statesOf, troubledIn, troubles } from './seen-pods.js';
import { pictureText, type Trouble } from './text.js';

/** One row as every surface shows it: the signs of the pods, the node, and the same in words. */
export interface ShownRow {
  /** '' where it is no node's. */
  readonly name: string;
  /** One for each pod drawn, the worst first. */
  readonly states: readonly PodState[];
  /** Pods of the row that are not drawn. */
  readonly hidden: number;
  readonly troubled: boolean;
  /** The number of pods in each state, most important first. */
  readonly words: readonly [string, ...string[]];
}

export interface ShownGroup {
  readonly heading: Prose;
  readonly rows: readonly ShownRow[];
  /** About the nodes that have no row of their own; '' where all have. */
  readonly rest: string;
}

interface StripLimits {
  /** Rows of all groups together. */
  readonly rows: number;
  /** Signs in a row, the count of hidden pods aside. */
  readonly signs: number;
  readonly nameColumns: number;
}

/** The strip's groups and rows with their words; what has no row is counted in `rest`. */
export function shownGroups(
  strip: NodeStrip,
  language: Language,
  limits: StripLimits,
): readonly ShownGroup[] {
  const text = pictureText[language];
  const perGroup = Math.max(1, Math.floor(limits.rows / Math.max(1, strip.groups.length)));
  const { failing } = strip;
  const trouble = troubleOf(countedTogether(strip.groups.map(podsOfGroup)), failing);
  return strip.groups.map((group) => {
    const shown = group.rows.slice(0, perGroup);
    const beyond = group.rows.slice(perGroup);
    const nodes = beyond.length + group.folded.nodes;
    const pods = countedTogether([...beyond.map((row) => row.pods), group.folded.pods]);
    const nodeNames = shortNames(
      shown.map(({ node }) => node),
      limits.nameColumns,
    );
    const counts = countsIn(pods, { trouble, failing }, language).map((words) =>
      proseText(words, limits.nameColumns),
    );
    return {
      heading: headingOf(group, language),
      rows: shown.map((row, at) => rowOf(row, nodeNames[at] ?? '', { trouble, failing }, language, limits)),
      rest: nodes === 0 ? '' : plain(text.folded({ nodes, counts: counts.join(', ') })),
    };
  });
}

/** Of the whole strip. */
type OfStrip = { readonly trouble: Trouble | undefined; readonly failing: FailingKind | undefined };

function rowOf(
  row: StripRow,
  name: string,
  ofStrip: OfStrip,
  language: Language,
  { signs, nameColumns }: StripLimits,
): ShownRow {
  const text = pictureText[language];
  const troubled = troubledIn(row.pods);
  const states = statesOf(row.pods, signs);
  const details = [
    ...countsIn(row.pods, ofStrip, language),
    ...(row.restarts === undefined ? [] : [text.restarts({ ...row.restarts, pods: troubled })]),
    ...(row.exitCode === undefined ? [] : [text['exit-code']({ exitCode: row.exitCode })]),
  ];
  const [first = '', ...more] = details.map((words) => proseText(words, nameColumns));
  return {
    name: row.node === '' ? proseText(text['row-no-node'](), nameColumns) : name,
    states,
    hidden: podsIn(row.pods, Object.keys(row.pods) as PodState[]) - states.length,
    troubled: troubled > 0,
    words: [first, ...more],
  };
}

/** Counts of all pods in words: failing or ready pods first, then the other states. */
function countsIn(pods: PodCounts, ofStrip: OfStrip, language: Language): readonly Prose[] {
  const text = pictureText[language];
  const trouble = troubleOf(pods, ofStrip.failing) ?? ofStrip.trouble;
  const of = presentIn(pods);
  const also = (['not-ready', 'waiting', 'gone'] as const).filter((state) => (pods[state] ?? 0) > 0);
  return [
    ...(of === 0
      ? []
      : [
          trouble === undefined
            ? text['row-ready']({ ready: pods.ready ?? 0, of })
            : text['row-troubled']({ trouble, pods: troubledIn(pods), of }),
        ]),
    ...also
      .filter((state) => state !== 'not-ready' || trouble !== undefined)
      .map((state) => text['row-also']({ state, pods: pods[state] ?? 0 })),
  ];
}

/** The state that all failing pods share; `undefined` when no pod fails. */
export function troubleOf(pods: PodCounts, failing: FailingKind | undefined): Trouble | undefined {
  const [only, ...more] = troubles.filter((state) => (pods[state] ?? 0) > 0);
  return more.length > 0 ? 'mixed' : only && shownState(only, failing);
}

/** The state as it is called where all failing pods have something in common. */
export function shownState<State extends PodState>(
  state: State,
  failing: FailingKind | undefined,
): State | FailingKind {
  return state === 'failing' && failing !== undefined ? failing : state;
}

export function podsOfGroup({ rows, folded }: StripGroup): PodCounts {
  return countedTogether([...rows.map(({ pods }) => pods), folded.pods]);
}

function headingOf({ revision }: StripGroup, language: Language): Prose {
  const text = pictureText[language];
  if (revision === undefined) return [];
  return text[revision.age === 'new' ? 'new-revision' : 'former-revision']({ name: revision.name });
}

/**
 * Names of nodes that fit. The domain that all of them share goes first, since clouds number the part before
 * it; what is still too long is shortened in the middle.
 */
function shortNames(nodes: readonly string[], columns: number): readonly string[] {
  const shown = nodes.map((node) => shownName(node, Number.POSITIVE_INFINITY));
  const long = shown.some((name) => columnsOf(name) > columns);
  const [, ...rest] = (shown[0] ?? '').split('.');
  const domain = rest.length === 0 ? undefined : `.${rest.join('.')}`;
  const shared =
    long && domain !== undefined && shown.length > 1 && shown.every((name) => name.endsWith(domain));
  return shown.map((name) => shortened(shared ? `${name.slice(0, -domain.length)}…` : name, columns));
}
