import * as z from 'zod/mini'
import { FilterId } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A line of the export of the list of files. */
export interface FileExportLine {
  id: string
  company: string
  /** The names of its directories and its own name, joined by slashes. */
  path: string
  size: number
  sha256: string
  date_created: string
}

export const exportFiles = endpoint({
  method: 'GET',
  path: '/v1/export/file',
  access: 'staff',
  token: 'read',
  summary:
    'Export the list of files as lines of JSON with id, company, path, size, sha256 and date_created: every file that the caller may see, except the trash',
  query: z.object({
    /** Exports the files in this directory, and in the folders below. */
    directory: FilterId,
    company: FilterId,
  }),
  reply: 'bytes',
  types: ['application/x-ndjson'],
  errors: ['server.busy'],
})
