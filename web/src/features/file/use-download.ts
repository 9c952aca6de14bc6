import { type Args, api, type DirectoryRow, type FileRow } from '@neptune/contract'
import { useCallback, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { downloadUrl } from '../../api/browser-download.ts'
import { type Caller, useCaller } from '../../api/caller.ts'
import { call, fetchHeaders } from '../../api/client.ts'
import { useRefreshStorage } from '../../api/use-storage-action.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'

/** A second press on the same item within this time counts as a double-click. */
const doubleClickMs = 1000

/** `blob` is an earlier version to download instead of the current one. */
type NamedFile = Pick<FileRow, 'id' | 'file_name'> & { blob?: string }
type NamedDirectory = Pick<DirectoryRow, 'id' | 'directory'>
/** What to download of a directory, if not everything. */
type Choice = NonNullable<Args<typeof api.directory.ticket>['body']>

/** Downloads with a ticket URL, so that the browser saves the file itself and no bytes pass through the page. */
export function useDownload() {
  const caller = useCaller()
  const toast = useToast()
  const refresh = useRefreshStorage()
  const lastStart = useRef({ id: '', at: 0 })

  const start = useCallback(
    ({ id }: { id: string }, name: string, download: (id: string, as: Caller) => Promise<void>) => {
      if (lastStart.current.id === id && performance.now() - lastStart.current.at < doubleClickMs) return
      lastStart.current = { id, at: performance.now() }
      download(id, caller).catch((error: unknown) => {
        const isGone = error instanceof ApiError && error.status === 404
        toast({ message: isGone ? t('“{name}” no longer exists.', { name: shortenName(name) }) : getErrorMessage(error) })
        if (isGone) void refresh()
      })
    },
    [caller, toast, refresh],
  )
  return {
    downloadFile: useCallback(
      ({ id, file_name, blob }: NamedFile) => start({ id: blob ?? id }, file_name, (_, as) => downloadFile(id, as, blob)),
      [start],
    ),
    downloadDirectory: useCallback(
      (directory: NamedDirectory, choice?: Choice) =>
        start(directory, directory.directory, (id, as) => downloadDirectory(id, as, choice)),
      [start],
    ),
  }
}

const getErrorMessage = (error: unknown) => (error instanceof Error ? error.message : t('The download did not start.'))

/**
 * Gets the file’s name and type from its headers, then a ticket. If the headers can’t be fetched, the ticket call fails and has the reason.
 */
async function downloadFile(id: string, as: Caller, version?: string): Promise<void> {
  const headers = await fetchHeaders(api.file.download, { params: { id }, query: { version } }, { as })
  const { data } = await call(api.file.ticket, { params: { id }, body: { version } }, { as })
  downloadUrl(data.url, decodeName(headers?.get('content-filename')), mapContentType(headers?.get('content-type')))
}

/** Downloads a directory, or some of it, as a ZIP file. The response contains the file’s name. */
async function downloadDirectory(id: string, as: Caller, choice: Choice = {}): Promise<void> {
  const { data } = await call(api.directory.ticket, { params: { id }, body: choice }, { as })
  downloadUrl(data.url, '', 'application/zip')
}

/** The specification maps content types by substring. Everything else is `application/octet-stream`. */
const typeBySubstring = {
  json: 'application/json',
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  xml: 'application/xml',
}

function mapContentType(contentType: string | null | undefined): string {
  const match = Object.entries(typeBySubstring).find(([substring]) => contentType?.includes(substring))
  return match?.[1] ?? 'application/octet-stream'
}

/** Decodes the percent-encoded header. Returns an empty name if it is invalid; the browser then uses the name of the response. */
function decodeName(encoded: string | null | undefined): string {
  try {
    return decodeURIComponent(encoded ?? '')
  } catch {
    return ''
  }
}
