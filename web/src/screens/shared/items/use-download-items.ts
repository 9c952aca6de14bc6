import { type DirectoryRow, maxZipItems } from '@neptune/contract'
import { useToast } from '../../../components/feedback/toast.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { t } from '../../../i18n/t.ts'
import { countItems, findCommonDirectory, type Items } from './item.ts'

/** The directory whose list the items were selected in. */
export interface SelectionScope {
  directory: Pick<DirectoryRow, 'id' | 'directory'>
  /** Whether everything in the directory is selected. */
  isAll: boolean
}

/** Browsers may drop downloads that start at the same moment. */
const pauseMs = 400

/** The maximum number of separate downloads. More would be tedious to confirm, and hard to find again. */
const maxDownloads = 20

/**
 * Returns a function that downloads items: one file as it is, a folder or several items of a directory as one ZIP, and files without a
 * common directory one by one.
 */
export function useDownloadItems() {
  const { downloadFile, downloadDirectory } = useDownload()
  const toast = useToast()
  return (items: Items, scope: SelectionScope | undefined) => {
    const { files, folders } = items
    const [file] = files
    const [folder] = folders
    if (countItems(items) === 1) return folder ? downloadDirectory(folder) : file && downloadFile(file)
    if (scope?.isAll) return downloadDirectory(scope.directory)
    const common = scope?.directory.id ?? findCommonDirectory(files)
    const max = common === undefined ? maxDownloads : maxZipItems
    if (countItems(items) > max)
      return toast({ message: t('Select at most {n} items to download, or download the whole directory.', { n: max }) })
    if (common !== undefined) {
      const choice = { files: files.map(({ id }) => id), directories: folders.map(({ id }) => id) }
      return downloadDirectory({ id: common, directory: scope?.directory.directory ?? file?.directory ?? '' }, choice)
    }
    files.forEach((file, index) => {
      setTimeout(() => downloadFile(file), index * pauseMs)
    })
  }
}
