import { connectGitHosts, type GitConnections } from '../src/edges/git-hosts/connect-hosts.js';
import { threadData } from '../src/edges/threads/answer-calls.js';
import { answerForGitEditor } from '../src/edges/threads/threaded-git-editor.js';
import { createGitEditor } from '../src/service/git/edit-in-git.js';

answerForGitEditor(createGitEditor(connectGitHosts(threadData as GitConnections)));
