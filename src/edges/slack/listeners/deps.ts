import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Alert } from '../../../doctor/alerts/alert.js';
import type { AlertSettings } from '../../../doctor/alerts/alert-settings.js';
import type { Command } from '../../../doctor/commands/command.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { SubjectLocated } from '../../../service/alerts/locate-subject.js';
import type { ReceiveAlert } from '../../../service/alerts/receive-alert.js';
import type { CancelChange } from '../../../service/approve/cancel-change.js';
import type { AssignIncident } from '../../../service/people/assign-incident.js';
import type {
  AskForApproval,
  AwaitDryRun,
  DecideApproval,
  DiagnoseAgain,
  ReadIncident,
  Refused,
  RequestDiagnosis,
  ReviewRemediation,
} from '../../../service/people/conversation.js';
import type { FindByName, ShareResult } from '../../../service/people/list-incidents.js';
import type { Silence } from '../../../service/people/people-ports.js';
import type { DiagnoseMember, ReadGroup } from '../../../service/people/read-group.js';
import type { Digest } from '../../../service/records/process-ports.js';
import type { LinkTo } from '../card-link.js';
import type { Message } from '../render/message.js';
import type { SlackPeopleDirectory } from '../slack-people-directory.js';

/** Requests that are no diagnosis. */
export type OtherRequest = Extract<
  Command,
  {
    readonly type:
      | 'explain'
      | 'scan'
      | 'incidents'
      | 'history'
      | 'audit'
      | 'silence'
      | 'unsilence'
      | 'silences'
      | 'changes'
      | 'stop-changes'
      | 'allow-changes';
  }
>;

/** Answers one kind of request in a message that only the asker sees. */
export type OtherAnswers = {
  readonly [Type in OtherRequest['type']]: (
    request: Extract<OtherRequest, { readonly type: Type }>,
    asker: {
      readonly user: string;
      readonly channel: string;
      readonly threadTs?: string | undefined;
      readonly language: Language;
    },
  ) => Promise<Message>;
};

/** Makes the Home page of one reader. */
export type HomePage = (reader: { readonly user: string; readonly language: Language }) => Promise<Message>;

/** What is done with messages that may be alerts. */
export interface AlertListening {
  /** Channels whose messages of other programs are read. */
  readonly channels: AlertSettings['slack'];
  readonly rules: AlertSettings['rules'];
  readonly receive: ReceiveAlert;
  /** The workloads that a message is about, for somebody who waits. */
  readonly locate: (
    alert: Alert,
    reader: { readonly user: string; readonly channel: string },
  ) => Promise<SubjectLocated | Refused>;
  readonly digest: Digest;
}

/** What the listeners need. They decide nothing themselves. */
export interface ListenerDeps {
  readonly log: Logger;
  /** The interactive client: modals and ephemeral answers. */
  readonly client: WebClient;
  readonly people: Pick<SlackPeopleDirectory, 'cachedLanguage' | 'languageOf' | 'namesOf'>;
  readonly tell: Tell;
  /** Names of the clusters that the person may see, for help. */
  readonly clustersFor: (user: string) => Promise<readonly string[]>;
  readonly languageOfChannel: (channel: string) => Language;
  /** Whether a card can be posted there. */
  readonly isInChannel: (channel: string) => Promise<boolean>;
  /** True from the second time on that the key is given within an hour, in any process. */
  readonly seenBefore: (key: string) => Promise<boolean>;
  /** Id of the incident whose card opened this thread, or that was asked for in it. */
  readonly incidentInThread: (channel: string, threadTs: string) => Promise<string | undefined>;
  /** Whether the channel has the card of the incident, or the person its private result. */
  readonly isShown: (incident: Incident, user: string) => Promise<boolean>;
  /** Addresses of cards. */
  readonly linkTo?: LinkTo;
  readonly requestDiagnosis: RequestDiagnosis;
  readonly diagnoseAgain: DiagnoseAgain;
  readonly reviewRemediation: ReviewRemediation;
  /** The incident as the person may see it. */
  readonly readIncident: ReadIncident;
  readonly readGroup: ReadGroup;
  readonly diagnoseMember: DiagnoseMember;
  /** Ends within a bound that the modal states. */
  readonly awaitDryRun: AwaitDryRun;
  readonly decideApproval: DecideApproval;
  /** How long a modal waits for the decision before it says that the card shows it; in milliseconds. */
  readonly maxDecisionMs: number;
  /**
   * How long the acknowledgement of a submission waits for the decision, in milliseconds; Slack waits 3
   * seconds.
   */
  readonly maxAcknowledgeMs: number;
  readonly askForApproval: AskForApproval;
  readonly cancelChange: CancelChange;
  readonly assignIncident: AssignIncident;
  readonly shareResult: ShareResult;
  readonly alerts?: AlertListening;
  /** The silence that holds for a workload now. */
  readonly silenceOf: (workload: WorkloadRef) => Promise<Silence | undefined>;
  readonly homePage: HomePage;
  readonly findByName: FindByName;
  readonly others: OtherAnswers;
}
