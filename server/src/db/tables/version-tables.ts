import type { FileKind } from '@neptune/contract'

/** Earlier versions of files, and bytes that several rows share. */
export interface VersionTables {
  /** A version of a file that was replaced. The columns mean what they mean in `file`, which has the current version. */
  file_version: {
    file_id: string
    /** Identifies the version, and never changes. Other files can share this blob, but no other version of the same file does. */
    blob_id: string
    /** The number of the version, counted from 1. Lower than that of the current version. */
    number: number
    size: number
    sha256: string
    crc32: number
    content_type: string
    kind: FileKind
    uploaded_by: string | null
    link_key: string | null
    created_at: string
    thumbnail: 'none' | 'wanted' | 'made' | 'failed'
    thumbnail_id: string | null
    thumbnail_size: number | null
    damaged_at: string | null
    replaced_at: string
  }
  /**
   * How many rows refer to a blob: files, versions and their thumbnails. A blob without a row has one reference, so that uploads don't
   * write here.
   */
  shared_blob: { blob_id: string; refs: number }
}
