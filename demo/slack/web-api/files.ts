import { extname } from 'node:path';
import { z } from 'zod';
import { post } from '../delivery/posting.js';
import type { Desk } from '../desk.js';
import type { StoredFile } from '../workspace/model.js';
import { wireFile } from '../workspace/wire.js';
import { ApiError, type Method, method, writableChannel } from './method.js';

/** Types served as what they are; everything else is plain text or a download. */
const mimetypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/plain',
  '.json': 'text/plain',
  '.yaml': 'text/plain',
  '.yml': 'text/plain',
  '.diff': 'text/plain',
  '.patch': 'text/plain',
};

interface Upload {
  readonly file: StoredFile;
  content: Buffer | undefined;
}

export interface Uploads {
  readonly methods: readonly Method[];
  /** Takes the bytes sent to an upload URL; false when there is no such upload. */
  receive(desk: Desk, id: string, content: Buffer): boolean;
}

/** The three steps of an upload: ask for an address, send the bytes, share the file. */
export function createUploads(): Uploads {
  const pending = new Map<string, Upload>();

  const getUploadUrl = method({
    name: 'files.getUploadURLExternal',
    scopes: ['files:write'],
    args: z.looseObject({
      filename: z.string().min(1),
      length: z.coerce.number().int().min(1),
      alt_txt: z.string().optional(),
      alt_text: z.string().optional(),
    }),
    run(args, desk) {
      const id = `F${String(desk.workspace.nextNumber()).padStart(8, '0')}`;
      const mimetype = mimetypes[extname(args.filename).toLowerCase()] ?? 'application/octet-stream';
      const file: StoredFile = {
        id,
        name: args.filename,
        title: args.filename,
        mimetype,
        size: args.length,
        altText: args.alt_txt ?? args.alt_text ?? '',
      };
      pending.set(id, { file, content: undefined });
      return { upload_url: `${desk.origin()}/upload/v1/${id}`, file_id: id };
    },
  });

  const complete = method({
    name: 'files.completeUploadExternal',
    scopes: ['files:write'],
    args: z.looseObject({
      files: z.array(z.looseObject({ id: z.string(), title: z.string().optional() })).min(1),
      channel_id: z.string().optional(),
      thread_ts: z.string().optional(),
      initial_comment: z.string().optional(),
    }),
    run(args, desk) {
      const channel = args.channel_id === undefined ? undefined : writableChannel(desk, args.channel_id);
      const files = args.files.map(({ id, title }) => {
        const upload = pending.get(id);
        if (upload?.content === undefined) throw new ApiError('file_not_found');
        if (upload.content.length !== upload.file.size) throw new ApiError('file_upload_size_restricted');
        return { upload, file: { ...upload.file, title: title ?? upload.file.title } };
      });
      for (const { upload, file } of files) {
        desk.workspace.files.set(file.id, { file, content: upload.content ?? Buffer.alloc(0) });
        pending.delete(file.id);
      }
      desk.workspace.changes.note();
      if (channel !== undefined) {
        post(desk, {
          channel: channel.id,
          text: args.initial_comment ?? '',
          threadTs: args.thread_ts,
          subtype: 'file_share',
          files: files.map(({ file }) => file),
          user: desk.app.botUserId,
          botId: desk.app.botId,
          appId: desk.app.appId,
        });
      }
      return { files: files.map(({ file }) => wireFile(file)) };
    },
  });

  const remove = method({
    name: 'files.delete',
    scopes: ['files:write'],
    args: z.looseObject({ file: z.string() }),
    run({ file }, desk) {
      if (!desk.workspace.files.delete(file)) throw new ApiError('file_not_found');
      desk.workspace.changes.note();
      return {};
    },
  });

  return {
    methods: [getUploadUrl, complete, remove],
    receive(_desk, id, content) {
      const upload = pending.get(id);
      if (upload === undefined) return false;
      upload.content = content;
      return true;
    },
  };
}
