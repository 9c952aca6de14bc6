import { useToast } from '../../../components/feedback/toast.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { t } from '../../../i18n/t.ts'
import { countItems, type Items } from './item.ts'

/** Browsers may drop downloads that start at the same moment. */
const pauseMs = 400

/** Nobody wants to confirm more downloads at once, and find them again. */
const maxDownloads = 20

/** Returns a function that downloads items: everything in a directory as one ZIP, otherwise files one by one and each folder as a ZIP. */
export function useDownloadItems() {
  const { downloadFile, downloadDirectory } = useDownload()
  const toast = useToast()
  return ({ files, folders }: Items, whole: { id: string; directory: string } | undefined) => {
    const count = countItems({ files, folders })
    if (whole && count > 1) return downloadDirectory(whole)
    if (count > maxDownloads)
      return toast({
        message: t('Select at most {n} items to download, or select everything to get one ZIP file.', { n: maxDownloads }),
      })
    const starts = [...folders.map((folder) => () => downloadDirectory(folder)), ...files.map((file) => () => downloadFile(file))]
    starts.forEach((start, index) => {
      setTimeout(start, index * pauseMs)
    })
  }
}
