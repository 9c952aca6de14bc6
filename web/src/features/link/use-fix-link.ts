import { api, type LinkRow, type LinkStopReason } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'

interface Fix {
  link: LinkRow
  reason: LinkStopReason
}

/** Removes a reason why a link doesn’t work: restores its file, its directory, its owner or its company. */
export function useFixLink() {
  const client = useQueryClient()
  const toast = useToast()
  return useAction(fixLink, {
    isRepeatable: true,
    refresh: () => client.invalidateQueries(),
    onSuccess: (restoredName, { link, reason }) => {
      toast({ message: describeFix(shortenName(restoredName), link, reason === 'owner_suspended') })
    },
  })
}

/** Says what works again. Restoring a user has effects beyond this link. */
function describeFix(name: string, { reasons, maker: person }: LinkRow, isUserRestored: boolean): string {
  if (reasons.length === 1)
    return isUserRestored
      ? t('{person} can sign in again, and their links work again.', { person })
      : t('The link to “{name}” works again.', { name })
  return isUserRestored
    ? t('{person} can sign in again. The link to “{name}” still doesn’t work, for another reason.', { person, name })
    : t('Restored. The link to “{name}” still doesn’t work, for another reason.', { name })
}

/** Returns the link’s new name: a restored file gets a number if its name has been taken in the meantime. */
async function fixLink({ link, reason }: Fix): Promise<string> {
  if (reason === 'file_deleted') {
    const { data } = await call(api.file.restoreMany, { body: { ids: [link.file_id ?? ''] } })
    return data[0]?.file_name ?? link.name
  }
  if (reason === 'directory_deleted') await call(api.directory.restore, { params: { id: link.directory_id } })
  if (reason === 'owner_suspended') await call(api.user.restore, { params: { id: link.maker_id ?? '' } })
  if (reason === 'company_archived') await call(api.company.restore, { params: { id: link.company } })
  return link.name
}
