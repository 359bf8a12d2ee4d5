/** A step of the tour. */
export type TourStep = 'ask' | 'proof' | 'review' | 'apply' | 'undo';

export type PodLook = 'ready' | 'starting' | 'pending' | 'crashing' | 'stopping';

export interface PodPicture {
  readonly name: string;
  readonly workload: string;
  /** Whether it is of the newest revision of its workload. */
  readonly isNew: boolean;
  readonly look: PodLook;
}

/** A node and its pods; `name` is undefined for the pods that have no node. */
export interface NodePicture {
  readonly name: string | undefined;
  readonly pods: readonly PodPicture[];
}

/** What the page shows of the demo beside the messages. */
export interface DemoState {
  /** Language of the page's own words in channels without another one. */
  readonly language: 'en' | 'ko';
  /** Ids of channels whose cards are Korean. */
  readonly koreanChannels: readonly string[];
  /** Command lines of the panel whose workload has recovered. */
  readonly recovered: readonly string[];
  readonly tourDone: readonly TourStep[];
  readonly nodes: readonly NodePicture[];
  /** Page of the local Git host. */
  readonly gitHostUrl: string;
}
