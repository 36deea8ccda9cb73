import type { UploadedFile } from '#contract/surface/route-file';

/** What a multipart body held. */
export class MultipartBody {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, UploadedFile | readonly UploadedFile[]>>;

  constructor(fields: MultipartBody['fields'], files: MultipartBody['files']) {
    this.fields = fields;
    this.files = files;
  }
}
