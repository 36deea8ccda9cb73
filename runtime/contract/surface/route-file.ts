/** A file that a multipart body may hold. */
export interface WantedFile {
  /** Whether there may be several of this name. */
  readonly many?: true;
  /** Media types that it may have, as `image/png` or `image/*`; any when absent. */
  readonly types?: readonly string[];
  readonly maxBytes?: number;
}

/** A file as it came. Its name and media type are what the client says of it. */
export interface UploadedFile {
  /** Without folders; empty where the client gave none. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}
